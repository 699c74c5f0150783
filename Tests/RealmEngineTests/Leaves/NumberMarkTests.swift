import RealmEngine
import TestSupport
import Testing

/// Marks of whole leaves beside the same test asked for each element.
@Suite("Marks in leaves of numbers")
struct NumberMarkTests {
  private let scratch = SelectionMask()
  private let mask = SelectionMask()

  /// Ends of ranges around what a width holds and around its null.
  private static func ends(_ width: Int) -> [Int64] {
    let top = PackedIntegers.upperBound(width: width)
    return [.min, -1, 0, 1, top - 2, top - 1, top, top == .max ? top : top + 1, .max]
  }

  @Test("integers, with null at the top of the width or among the values", arguments: [2, 4, 8, 16, 32, 64])
  func nullableIntegers(width: Int) throws {
    let top = PackedIntegers.upperBound(width: width)
    for sentinel in [top, 1] {
      let stored = [sentinel, 0, 1, sentinel, top - 1, top, 2, sentinel]
      var bytes = RealmBytes()
      let node = bytes.integers(stored, width: width)
      let snapshot = try bytes.snapshot()
      let layout = LeafLayout(type: .int, isNullable: true)
      guard case .integers(let leaf) = try snapshot.leaf(try bytes.ref(node), layout, rowCount: nil) else {
        throw EngineError(.other, "no integers")
      }
      for low in Self.ends(width) {
        for high in Self.ends(width) {
          for isNegated in [false, true] {
            for acceptsNull in [false, true] {
              let test = IntegerRange(low: low, high: high, isNegated: isNegated)
              leaf.mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
              let expected = stored.dropFirst().map { $0 == sentinel ? acceptsNull : test.accepts($0) }
              #expect((0..<mask.count).map { mask[$0] } == expected, "\(low)...\(high) not: \(isNegated)")
            }
          }
        }
      }
    }
  }

  @Test("members of sets, with and without null", arguments: [1, 2, 4, 8, 16, 32, 64])
  func sets(width: Int) throws {
    let (bottom, top) = (PackedIntegers.lowerBound(width: width), PackedIntegers.upperBound(width: width))
    // More than a vector holds, so that there are whole ones and a rest.
    let stored = (0..<37).map { [top, 0, 1, top - 1, bottom, top / 2][$0 % 6] }
    // A few apart, in a row, more than are compared one by one, and some that the width cannot hold.
    let sets: [[Int64]] = [
      [], [0], [1, top], [0, 1, top], [bottom, top / 2, top], [.min, 1, .max],
      [0, 2, 4, 6, 8, 10, 12, 14, top], [300, 70_000, 1 << 40, 1],
    ]
    for sentinel in [nil, top] as [Int64?] {
      var bytes = RealmBytes()
      let node = bytes.integers((sentinel.map { [$0] } ?? []) + stored, width: width)
      let snapshot = try bytes.snapshot()
      let layout = LeafLayout(type: .int, isNullable: sentinel != nil)
      guard case .integers(let leaf) = try snapshot.leaf(try bytes.ref(node), layout, rowCount: nil) else {
        throw EngineError(.other, "no integers")
      }
      for members in sets {
        for acceptsNull in [false, true] {
          leaf.mark(IntegerSet(members), acceptsNull: acceptsNull, scratch: scratch, into: mask)
          let expected = stored.map { $0 == sentinel ? acceptsNull : members.contains($0) }
          #expect((0..<mask.count).map { mask[$0] } == expected, "\(members)")
        }
      }
    }
  }

  @Test(
    "links to objects of a set, which lead somewhere or nowhere", arguments: [1, 2, 4, 8, 16, 32, 64])
  func links(width: Int) throws {
    let (bottom, top) = (PackedIntegers.lowerBound(width: width), PackedIntegers.upperBound(width: width))
    let stored = (0..<37).map { [top, 0, 1, top - 1, bottom, top / 2, bottom / 2][$0 % 7] }
    // In bits or sorted, and of damaged files.
    let sets: [[Int64]] = [
      [], [0], [top - 1], [0, 1, top / 2], [5, top / 2 - 1, top - 2], [0, 1, 1 << 50], [top / 3, top],
      [-1, 0, 3], [bottom / 2 - 1, -1], [.min, 2, .max],
    ].map { $0.sorted() }
    for isInCollection in [false, true] {
      var bytes = RealmBytes()
      let node = bytes.integers(stored, width: width)
      let snapshot = try bytes.snapshot()
      let layout = LeafLayout(type: .object, isNullable: true, isInCollection: isInCollection)
      guard case .links(let leaf) = try snapshot.leaf(try bytes.ref(node), layout, rowCount: nil) else {
        throw EngineError(.other, "no links")
      }
      for keys in sets {
        for acceptsNull in [false, true] {
          leaf.mark(IntegerMembers(keys), acceptsNull: acceptsNull, scratch: scratch, into: mask)
          let expected = (0..<leaf.count).map { row in
            leaf.existing(row).map { keys.contains($0.value) } ?? acceptsNull
          }
          #expect((0..<mask.count).map { mask[$0] } == expected, "\(keys)")
        }
      }
    }
  }

  @Test("sets of dates, in whole seconds and between them", arguments: [false, true])
  func dateSets(hasNanoseconds: Bool) throws {
    let stored: [(seconds: Int64, nanoseconds: Int64)] =
      [(5, 0), (6, 0), (127, 0), (0, 0), (-3, 0)]
      + (hasNanoseconds ? [(5, 7), (6, -1), (-3, 7), (5, 7)] : [])
    var bytes = RealmBytes()
    let seconds = bytes.integers([127] + stored.map(\.seconds), width: 8)
    let node = bytes.refs(to: [seconds, bytes.integers(stored.map(\.nanoseconds))])
    let snapshot = try bytes.snapshot()
    let layout = LeafLayout(type: .date, isNullable: true)
    guard case .dates(let leaf) = try snapshot.leaf(try bytes.ref(node), layout, rowCount: nil) else {
      throw EngineError(.other, "no dates")
    }
    let dates = [(5, 0), (5, 7), (6, 0), (-3, 0), (-3, 7), (0, 1)].map {
      Timestamp(seconds: $0, nanoseconds: $1)
    }
    for members in [[], [dates[0]], [dates[1]], [dates[0], dates[1]], [dates[5]], dates] {
      for acceptsNull in [false, true] {
        DateSet(members).mark(leaf, acceptsNull: acceptsNull, scratch: scratch, into: mask)
        let expected = (0..<leaf.count).map { leaf[$0].map(members.contains) ?? acceptsNull }
        #expect((0..<mask.count).map { mask[$0] } == expected, "\(members)")
      }
    }
  }

  @Test("dates, in whole seconds and between them")
  func dates() throws {
    let stored: [[(Int64, Int64)]] = [
      [(5, 0), (6, 0), (127, 0), (0, 0), (126, 0)],
      [(5, 0), (5, 7), (6, 0), (127, 0), (5, 9), (-3, -2), (-3, 0), (126, 999_999_999)],
    ]
    let ends: [(Int64, Int64)] = [
      (.min, 0), (-3, -2), (-3, 0), (0, 0), (5, 0), (5, 7), (5, 8), (6, 0), (126, 1), (.max, 999_999_999),
    ]
    for pairs in stored {
      var bytes = RealmBytes()
      let seconds = bytes.integers([127] + pairs.map(\.0), width: 8)
      let node = bytes.refs(to: [seconds, bytes.integers(pairs.map(\.1))])
      let snapshot = try bytes.snapshot()
      let layout = LeafLayout(type: .date, isNullable: true)
      guard case .dates(let leaf) = try snapshot.leaf(try bytes.ref(node), layout, rowCount: nil) else {
        throw EngineError(.other, "no dates")
      }
      for low in ends {
        for high in ends {
          for (isNegated, acceptsNull) in [(false, false), (false, true), (true, false), (true, true)] {
            let test = DateTest(
              low: (seconds: low.0, nanoseconds: low.1), high: (seconds: high.0, nanoseconds: high.1),
              isNegated: isNegated)
            leaf.mark(test, acceptsNull: acceptsNull, scratch: scratch, into: mask)
            let expected = (0..<leaf.count).map { leaf[$0].map(test.accepts) ?? acceptsNull }
            #expect((0..<mask.count).map { mask[$0] } == expected, "\(low)...\(high) not: \(isNegated)")
          }
        }
      }
    }
  }
}
