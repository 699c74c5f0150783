// The least and the greatest value of pages and columns, by which readers leave out what they do not need.
// Layer: Parquet. Invariant: no value lies outside of what is written; where that cannot be said, nothing is.

import ByteText

/// What is known of some values of one type.
struct ValueRange {
  private(set) var nullCount = 0
  private(set) var valueCount = 0
  private var integers: (least: Int64, greatest: Int64)?
  private var reals: (least: Double, greatest: Double)?
  private var leastText: [UInt8] = []
  private var greatestText: [UInt8] = []
  private var hasTexts = false
  /// A text was longer than what is kept of one.
  private var isTooLong = false

  /// Longer texts are cut, or left out.
  private static let sizeMax = 64

  mutating func addNull() { nullCount += 1 }
  @inline(__always)
  mutating func add(_ value: Int64) {
    valueCount += 1
    guard let known = integers else {
      integers = (value, value)
      return
    }
    if value < known.least { integers = (value, known.greatest) }
    if value > known.greatest { integers = (known.least, value) }
  }

  @inline(__always)
  mutating func add(_ value: Double) {
    valueCount += 1
    if value.isNaN { return }
    guard let known = reals else {
      reals = (value, value)
      return
    }
    if value < known.least { reals = (value, known.greatest) }
    if value > known.greatest { reals = (known.least, value) }
  }

  mutating func add(_ bytes: borrowing Span<UInt8>) {
    valueCount += 1
    guard !isTooLong else { return }
    guard bytes.count <= Self.sizeMax else {
      isTooLong = true
      return
    }
    if !hasTexts || bytes.order(leastText) < 0 { leastText = bytes.array }
    if !hasTexts || bytes.order(greatestText) > 0 { greatestText = bytes.array }
    hasTexts = true
  }

  mutating func add(_ other: ValueRange) {
    nullCount += other.nullCount
    valueCount += other.valueCount
    isTooLong = isTooLong || other.isTooLong
    if let range = other.integers {
      integers = integers.map { (min($0.least, range.least), max($0.greatest, range.greatest)) } ?? range
    }
    if let range = other.reals {
      reals = reals.map { (min($0.least, range.least), max($0.greatest, range.greatest)) } ?? range
    }
    guard other.hasTexts else { return }
    if !hasTexts || other.leastText.lexicographicallyPrecedes(leastText) { leastText = other.leastText }
    if !hasTexts || greatestText.lexicographicallyPrecedes(other.greatestText) {
      greatestText = other.greatestText
    }
    hasTexts = true
  }

  /// As a reader compares them; nil where nothing can be said.
  func ends(of type: ParquetType) -> (least: [UInt8], greatest: [UInt8])? {
    func bytes(_ value: UInt64, _ size: Int) -> [UInt8] {
      var buffer = ByteBuffer()
      buffer.append(littleEndian: value, size: size)
      return buffer.bytes
    }
    switch type {
    case .bool: return integers.map { ([UInt8($0.least)], [UInt8($0.greatest)]) }
    case .int64, .timestamp:
      return integers.map {
        (bytes(UInt64(bitPattern: $0.least), 8), bytes(UInt64(bitPattern: $0.greatest), 8))
      }
    case .float, .double:
      guard let reals else { return nil }
      // One zero stands for both.
      let (least, greatest) = (
        reals.least == 0 ? -0.0 : reals.least, reals.greatest == 0 ? 0.0 : reals.greatest
      )
      if type == .double { return (bytes(least.bitPattern, 8), bytes(greatest.bitPattern, 8)) }
      return (
        bytes(UInt64(Float(least).bitPattern), 4), bytes(UInt64(Float(greatest).bitPattern), 4)
      )
    case .bytes, .text, .json: return isTooLong || !hasTexts ? nil : (leastText, greatestText)
    }
  }

  func write(_ type: ParquetType, to thrift: inout ThriftWriter) {
    thrift.field(3, int64: nullCount)
    guard let (least, greatest) = ends(of: type) else { return }
    thrift.field(5, greatest)
    thrift.field(6, least)
  }
}

extension Span<UInt8> {
  fileprivate var array: [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(count)
    for index in indices { copy.append(self[index]) }
    return copy
  }

  /// Negative, zero or positive as the bytes come before, with or after others.
  @inline(__always)
  fileprivate func order(_ other: [UInt8]) -> Int {
    for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
      return self[index] < other[index] ? -1 : 1
    }
    return count - other.count
  }
}
