// Leaves of float and double: raw IEEE numbers, null as one reserved NaN. Layer: Leaves.
// Only a nullable column has nulls: elsewhere the reserved NaN is a NaN like any other.

/// A floating-point number as leaves hold it.
package protocol StoredFloat: BinaryFloatingPoint, BitwiseCopyable, Sendable {
  associatedtype Bits: FixedWidthInteger & BitwiseCopyable & Sendable

  /// The NaN that means null in a nullable column.
  static var nullPattern: Bits { get }
  /// The number that `value` is; nil for a value of another type.
  static func number(in value: Value) -> Self?

  var bitPattern: Bits { get }
  init(bitPattern: Bits)
  var value: Value { get }
}

extension StoredFloat {
  /// The bits that a leaf keeps: a NaN of any kind becomes the plain one, so that it never means null.
  var storedBits: Bits { isNaN ? Self.nan.bitPattern : bitPattern }
}

extension Float: StoredFloat {
  package static var nullPattern: UInt32 { 0x7FC0_00AA }
  package static func number(in value: Value) -> Float? {
    if case .float(let number) = value { number } else { nil }
  }
  package var value: Value { .float(self) }
}

extension Double: StoredFloat {
  package static var nullPattern: UInt64 { 0x7FF8_0000_0000_00AA }
  package static func number(in value: Value) -> Double? {
    if case .double(let number) = value { number } else { nil }
  }
  package var value: Value { .double(self) }
}

/// 32-bit floating-point numbers.
package typealias FloatLeaf = FloatingLeaf<Float>
/// 64-bit floating-point numbers.
package typealias DoubleLeaf = FloatingLeaf<Double>

/// Floating-point numbers of one width.
package struct FloatingLeaf<Number: StoredFloat>: Sendable {
  /// Bytes that an element takes.
  package static var size: Int { MemoryLayout<Number>.size }
  package let payload: RawBytes
  package private(set) var start = 0
  package private(set) var count: Int
  /// The bits that mean null; nil where nothing does.
  package let nullBits: Number.Bits?

  init(_ node: NodeView, isNullable: Bool) throws(EngineError) {
    payload = node.payload
    count = try node.fixedSizeCount(Self.size)
    nullBits = isNullable ? Number.nullPattern : nil
  }

  package func bitPattern(_ index: Int) -> Number.Bits {
    assert(index >= 0 && index < count)
    return payload.load(Number.Bits.self, at: (start + index) * Self.size)
  }

  /// Nil for null.
  package subscript(index: Int) -> Number? {
    let bits = bitPattern(index)
    return bits == nullBits ? nil : Number(bitPattern: bits)
  }

  func value(_ index: Int) -> Value { self[index]?.value ?? .null }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> FloatingLeaf {
    precondition(first >= 0 && length >= 0 && first <= count - length)
    var slice = self
    slice.start += first
    slice.count = length
    return slice
  }
}

extension NodeView {
  /// Checks that this is a leaf of `size` bytes an element and returns its count.
  func fixedSizeCount(_ size: Int) throws(EngineError) -> Int {
    guard header.kind == .bytes, !hasRefs, header.width == size || count == 0 else {
      throw EngineError.damaged(
        at: ref.offset, expected: "a leaf of \(size)-byte numbers", found: description)
    }
    return count
  }
}

extension DoubleLeaf {
  /// Nil for null. Spares other modules the look at types that a generic call costs while the program runs.
  package subscript(index: Int) -> Double? {
    let bits = bitPattern(index)
    return bits == nullBits ? nil : Double(bitPattern: bits)
  }

  /// Replaces `values` by the numbers at `rows`, each of which must be below `count`; null is `nullBits`. Returns
  /// whether all that are not null are finite.
  package func gather(_ rows: borrowing Span<Int32>, into values: inout [Double]) -> Bool {
    values.removeAll(keepingCapacity: true)
    values.reserveCapacity(rows.count)
    var areFinite = true
    rows.forEachRow { row in
      precondition(row >= 0 && row < count, "rows lie in their leaf")
      let value = Double(bitPattern: payload.load(UInt64.self, at: (start &+ row) &* Self.size))
      if !value.isFinite, value.bitPattern != nullBits { areFinite = false }
      values.append(value)
    }
    return areFinite
  }
}
