// Which of many rows hold the same single values, found through a hash of them. Layer: Objects.
// Invariant: two rows are the same where `==` says so of all their values, so that one with a NaN is like no other.

import ByteText

/// Rows with different values, numbered as they come.
struct DistinctRows {
  /// What stands for the values of each row.
  private let rows = TextBuffer()
  /// Open addressing: the number of a row plus one below the upper half of its hash, 0 for none. Their count is a power of
  /// two and more than twice that of rows.
  private var slots = [UInt64](repeating: 0, count: 1 << 10)
  private let hash = SeededHash()
  /// Numbers for values that may be equal without having the same bytes.
  private var interned: [Value: Int64] = [:]
  private var internedCount: Int64 = 0

  var count: Int { rows.count }

  /// The number of each row; rows that are new get the next ones. Columns that do not hold single values are refused.
  mutating func places(
    of columns: [NewColumn], count: Int, in snapshot: Snapshot
  ) throws(EngineError) -> [Int] {
    var places: [Int] = []
    places.reserveCapacity(count)
    var words = ByteBuffer()
    if columns.count == 1, case .leaf(.strings(.short(let leaf)), let numbers) = columns[0] {
      for number in numbers {
        words.removeAll()
        Self.append(text: try leaf.bytes(number), to: &words)
        rows.append(words.span)
        places.append(placeOfLast())
      }
      return places
    }
    for index in 0..<count {
      words.removeAll()
      for column in columns {
        guard let value = try column.value(index, in: snapshot) else {
          throw EngineError.indistinct
        }
        append(value, to: &words)
      }
      rows.append(words.span)
      places.append(placeOfLast())
    }
    return places
  }

  private enum Tag {
    static let null: UInt8 = 0
    static let text: UInt8 = 1
    static let data: UInt8 = 2
    static let int: UInt8 = 3
    static let other: UInt8 = 4
  }

  private static func append(text: RawBytes?, to words: inout ByteBuffer) {
    guard let text else { return words.append(Tag.null) }
    append(Tag.text, Int64(text.count), to: &words)
    words.append(text.span)
  }

  private mutating func append(_ value: Value, to words: inout ByteBuffer) {
    switch value {
    case .null: words.append(Tag.null)
    case .string(let text): Self.append(text: text.bytes, to: &words)
    case .data(let data):
      Self.append(Tag.data, Int64(data.count), to: &words)
      words.append(data.bytes.span)
    case .int(let number): Self.append(Tag.int, number, to: &words)
    default:
      if let number = interned[value] { return Self.append(Tag.other, number, to: &words) }
      internedCount += 1
      interned[value] = internedCount
      Self.append(Tag.other, internedCount, to: &words)
    }
  }

  /// Seven bits a byte, the last of which says so.
  private static func append(_ tag: UInt8, _ number: Int64, to words: inout ByteBuffer) {
    words.append(tag)
    var bits = UInt64(bitPattern: number)
    while bits > 0x7F {
      words.append(UInt8(truncatingIfNeeded: bits & 0x7F))
      bits >>= 7
    }
    words.append(UInt8(truncatingIfNeeded: bits | 0x80))
  }

  /// The number of the row that was added last, which goes again where there is such a one.
  private mutating func placeOfLast() -> Int {
    let last = rows.count - 1
    let row = rows[last]
    let code = hash.mix(hash.start, row) & Self.codeMask
    var slot = first(code)
    while slots[slot] != 0 {
      let place = Int(slots[slot] & ~Self.codeMask) - 1
      if slots[slot] & Self.codeMask == code, rows[place].equals(row) {
        rows.truncate(to: last)
        return place
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = code | UInt64(last + 1)
    if 2 * rows.count > slots.count { grow() }
    return last
  }

  private static let codeMask: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Where a row with this hash is looked for first.
  private func first(_ code: UInt64) -> Int { Int(code >> 32) & (slots.count - 1) }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: 2 * old.count)
    for entry in old where entry != 0 {
      var slot = first(entry & Self.codeMask)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}

extension EngineError {
  /// Collections are not compared.
  package static let indistinct = EngineError(.constraint, "only single values can be told apart")
}
