// The different values of a column, numbered as they come. Layer: Parquet.

import ByteText

/// Finds the number of a value. Cost: one look into a table for each.
struct ValueDictionary {
  /// Of numbers; of bytes their hash, so that most that differ are told apart without being looked at.
  private var keys: [UInt64] = []
  /// Where the bytes of each value end; empty for numbers.
  private var ends: [Int] = []
  private var text: [UInt8] = []
  /// Numbers of values, by hash; -1 for nothing. A power of two, at most half of it taken.
  private var slots: [Int32] = Array(repeating: -1, count: 1024)

  /// Bytes of values; a dictionary that is larger does not pay.
  private static let sizeMax = 1 << 20

  var count: Int { keys.count }
  var isFull: Bool { 8 * keys.count + text.count >= Self.sizeMax }

  @inline(__always)
  private static func mixed(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD1B5_4A32_D192_ED03)
    return product.high ^ product.low
  }

  mutating func number(of value: UInt64) -> UInt32 {
    var place = Int(truncatingIfNeeded: Self.mixed(value)) & (slots.count - 1)
    while case let number = slots[place], number >= 0 {
      if keys[Int(number)] == value { return UInt32(number) }
      place = (place + 1) & (slots.count - 1)
    }
    return add(value, at: place)
  }

  mutating func number(of bytes: borrowing Span<UInt8>) -> UInt32 {
    let hash = Self.hash(bytes)
    var place = Int(truncatingIfNeeded: Self.mixed(hash)) & (slots.count - 1)
    while case let number = slots[place], number >= 0 {
      if keys[Int(number)] == hash, isEqual(Int(number), bytes) { return UInt32(number) }
      place = (place + 1) & (slots.count - 1)
    }
    for index in bytes.indices { text.append(bytes[index]) }
    ends.append(text.count)
    return add(hash, at: place)
  }

  private mutating func add(_ key: UInt64, at place: Int) -> UInt32 {
    let number = keys.count
    slots[place] = Int32(number)
    keys.append(key)
    if 2 * keys.count > slots.count { grow() }
    return UInt32(number)
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: 2 * slots.count)
    for (number, key) in keys.enumerated() {
      var place = Int(truncatingIfNeeded: Self.mixed(key)) & (slots.count - 1)
      while slots[place] >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Int32(number)
    }
  }

  private static func hash(_ bytes: borrowing Span<UInt8>) -> UInt64 {
    var hash = mixed(UInt64(bytes.count))
    var word: UInt64 = 0
    for index in bytes.indices {
      word = word << 8 | UInt64(bytes[index])
      if index & 7 == 7 {
        hash = mixed(hash ^ word)
        word = 0
      }
    }
    return mixed(hash ^ word)
  }

  private func range(_ number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

  private func isEqual(_ number: Int, _ bytes: borrowing Span<UInt8>) -> Bool {
    let range = range(number)
    guard range.count == bytes.count else { return false }
    for index in bytes.indices where text[range.lowerBound + index] != bytes[index] { return false }
    return true
  }

  // MARK: Values again

  /// Appends the value of a number as plain ones stand in a page.
  func append(_ number: Int, size: Int?, to page: inout ByteBuffer) {
    if let size { return page.append(littleEndian: keys[number], size: size) }
    let range = range(number)
    page.append(littleEndian: UInt64(range.count), size: 4)
    page.append(text.span.extracting(range))
  }

  /// What all values take as plain ones.
  func plainSize(valueSize: Int?) -> Int { valueSize.map { $0 * count } ?? text.count + 4 * count }

  mutating func removeAll() { self = ValueDictionary() }
}
