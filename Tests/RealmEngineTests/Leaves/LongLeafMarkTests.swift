// Marks of leaves around the sixteen elements that kernels look at together. Layer: tests.

import RealmEngine
import TestSupport
import Testing

@Suite("Marks in leaves of any length")
struct LongLeafMarkTests {
  private static let lengths = [1, 2, 15, 16, 17, 31, 32, 33, 48, 100, 255, 256, 1000]
  private static let relations: [ComparisonOperator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
  ]
  private let scratch = SelectionMask()
  private let mask = SelectionMask()

  private func leaf(_ bytes: RealmBytes, _ node: Int, _ type: ValueType) throws -> Leaf {
    try bytes.snapshot().leaf(
      try bytes.ref(node), LeafLayout(type: type, isNullable: true), rowCount: nil)
  }

  private func expect(
    _ expected: [Bool], _ what: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect((0..<mask.count).map { mask[$0] } == expected, "\(what())", sourceLocation: sourceLocation)
    #expect(mask.population == expected.count { $0 }, "\(what())", sourceLocation: sourceLocation)
  }

  @Test("integers of every width", arguments: [1, 2, 4, 8, 16, 32, 64])
  func integers(width: Int) throws {
    var random = SplitMix64(state: UInt64(width))
    let (least, top) = (PackedIntegers.lowerBound(width: width), PackedIntegers.upperBound(width: width))
    for length in Self.lengths {
      // Few different numbers, so that some are met.
      let numbers = (0..<5).map { _ in Int64.random(in: least...top, using: &random) } + [least, top]
      let stored = (0..<length).map { _ in numbers[random.below(numbers.count)] }
      var bytes = RealmBytes()
      let node = bytes.integers([top] + stored, width: width)
      guard case .integers(let leaf) = try leaf(bytes, node, .int) else {
        throw EngineError(.other, "no integers")
      }
      for low in numbers {
        for high in numbers + [low] {
          for isNegated in [false, true] {
            let test = IntegerRange(low: low, high: high, isNegated: isNegated)
            leaf.values.mark(test, into: mask)
            expect(stored.map(test.accepts), "\(length) of \(low)...\(high) not: \(isNegated)")
          }
        }
      }
    }
  }

  private func checkFloating<Number: BinaryFloatingPoint & Sendable>(
    _ stored: [Number], _ numbers: [Number], mark: (FloatingTest<Number>) -> Void
  ) {
    for number in numbers {
      for relation in Self.relations {
        mark(.compare(relation, number))
        expect(
          stored.map {
            switch relation {
            case .equal: $0 == number
            case .notEqual: $0 != number
            case .less: $0 < number
            case .lessOrEqual: $0 <= number
            case .greater: $0 > number
            case .greaterOrEqual: $0 >= number
            }
          }, "\(stored.count) \(relation) \(number)")
      }
      mark(.range(low: numbers[0], high: number))
      expect(stored.map { $0 >= numbers[0] && $0 <= number }, "\(stored.count) in \(numbers[0])...\(number)")
    }
    for count in 1...numbers.count {
      let members = Array(numbers[..<count])
      mark(.isOne(members))
      expect(stored.map(members.contains), "\(stored.count) in \(members)")
    }
  }

  @Test("doubles, with zeros of either sign, infinity and what is no number")
  func doubles() throws {
    var random = SplitMix64(state: 64)
    let numbers = [1.5, 0, 7, -7.25, -0.0, .infinity, 1e300, .nan, 1.5.nextUp]
    for length in Self.lengths {
      let stored = (0..<length).map { _ in numbers[random.below(numbers.count)] }
      var bytes = RealmBytes()
      let payload = stored.flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * $0)) }
      }
      let node = bytes.elements(payload, width: 8)
      guard case .doubles(let leaf) = try leaf(bytes, node, .double) else {
        throw EngineError(.other, "no doubles")
      }
      checkFloating(stored, numbers) { leaf.mark($0, into: mask) }
    }
  }

  @Test("floats, with zeros of either sign, infinity and what is no number")
  func floats() throws {
    var random = SplitMix64(state: 32)
    let numbers: [Float] = [1.5, 0, 7, -7.25, -0.0, .infinity, 1e30, .nan]
    for length in Self.lengths {
      let stored = (0..<length).map { _ in numbers[random.below(numbers.count)] }
      var bytes = RealmBytes()
      let payload = stored.flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> UInt32(8 * $0)) }
      }
      let node = bytes.elements(payload, width: 4)
      guard case .floats(let leaf) = try leaf(bytes, node, .float) else {
        throw EngineError(.other, "no floats")
      }
      checkFloating(stored, numbers) { leaf.mark($0, into: mask) }
    }
  }

  @Test("texts of every width", arguments: [4, 8, 16, 32])
  func texts(width: Int) throws {
    var random = SplitMix64(state: UInt64(width))
    let longest = String(repeating: "z", count: width - 1)
    let few = ["", "a", "A", "ab", "aB", "abc", String(longest.dropLast()), longest]
    for length in Self.lengths {
      let stored = (0..<length).map { _ in random.oneIn(9) ? nil : few[random.below(few.count)] }
      var bytes = RealmBytes()
      let node = bytes.shortTexts(stored, width: width)
      guard case .strings(let leaf) = try leaf(bytes, node, .string) else {
        throw EngineError(.other, "no texts")
      }
      let snapshot = try bytes.snapshot()
      var tests: [(String, TextTest)] = []
      for text in few + [longest + "z"] {
        let bytes = Array(text.utf8)
        for (isNegated, folds) in [(false, false), (true, false), (false, true)] {
          let needle = SearchTerm(bytes, isCaseInsensitive: folds)
          for kind in [TextTest.Kind.equal, .beginsWith, .endsWith, .contains] {
            tests.append((text, TextTest(kind, needle, isNegated: isNegated, acceptsNull: isNegated)))
          }
        }
      }
      for members in [few, [few[1], few[3], longest], [few[0]], [longest + "z"]] {
        let set = TextSet(Set(members.map { ByteString($0) }))
        tests.append(("\(members)", TextTest(.isIn(set), SearchTerm([]), acceptsNull: members.count == 1)))
      }
      for (text, test) in tests {
        try leaf.mark(test, in: snapshot, scratch: TextTestScratch(), into: mask)
        expect(
          stored.map { text in
            guard let text else { return test.acceptsNull }
            let bytes = ByteString(text)
            return withExtendedLifetime(bytes) { test.accepts(bytes.bytes) }
          },
          "\(length) of width \(width), \(test.kind) '\(text)' not: \(test.isNegated)")
      }
    }
  }

  @Test("what is changed after a kernel has counted is counted anew")
  func populations() throws {
    var bytes = RealmBytes()
    let node = bytes.integers([127] + (0..<64).map { Int64($0 % 4) }, width: 8)
    guard case .integers(let leaf) = try leaf(bytes, node, .int) else {
      throw EngineError(.other, "no integers")
    }
    func markOnes() { leaf.values.mark(.equal(1), into: mask) }
    markOnes()
    #expect(mask.population == 16)
    mask[0] = true
    #expect(mask.population == 17)
    mask.invert()
    #expect(mask.population == 47)
    markOnes()
    leaf.values.mark(.equal(2), into: scratch)
    mask.formUnion(scratch)
    #expect(mask.population == 32)
    mask.formIntersection(scratch)
    #expect(mask.population == 16)
    mask.filter { $0 < 32 }
    #expect(mask.population == 8)
    mask.fill(true, count: 20)
    #expect(mask.population == 20)
    mask.resize(0)
    #expect(mask.population == 0)
  }
}
