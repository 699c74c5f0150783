// Leaves of float and double: raw IEEE numbers, null as one reserved NaN. Layer: Leaves.
// Only a nullable column has nulls: elsewhere the reserved NaN is a NaN like any other.

/// 32-bit floating-point numbers.
package struct FloatLeaf: Sendable {
  package static let nullPattern: UInt32 = 0x7FC0_00AA
  package static let size = 4
  package let payload: RawBytes
  package let start: Int
  package let count: Int
  /// The bits that mean null; nil where nothing does.
  package let nullBits: UInt32?

  init(payload: RawBytes, start: Int, count: Int, isNullable: Bool) {
    self.payload = payload
    self.start = start
    self.count = count
    nullBits = isNullable ? Self.nullPattern : nil
  }

  init(_ node: NodeView, isNullable: Bool) throws(EngineError) {
    let count = try node.fixedSizeCount(Self.size)
    self.init(payload: node.payload, start: 0, count: count, isNullable: isNullable)
  }

  package func bitPattern(_ index: Int) -> UInt32 {
    assert(index >= 0 && index < count)
    return payload.load(UInt32.self, at: (start + index) * Self.size)
  }

  /// Nil for null.
  package subscript(index: Int) -> Float? {
    let bits = bitPattern(index)
    return bits == nullBits ? nil : Float(bitPattern: bits)
  }

  func value(_ index: Int) -> Value { self[index].map(Value.float) ?? .null }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> FloatLeaf {
    precondition(first >= 0 && length >= 0 && first <= count - length)
    return FloatLeaf(payload: payload, start: start + first, count: length, isNullable: nullBits != nil)
  }
}

/// 64-bit floating-point numbers.
package struct DoubleLeaf: Sendable {
  package static let nullPattern: UInt64 = 0x7FF8_0000_0000_00AA
  package static let size = 8
  package let payload: RawBytes
  package let start: Int
  package let count: Int
  /// The bits that mean null; nil where nothing does.
  package let nullBits: UInt64?

  init(payload: RawBytes, start: Int, count: Int, isNullable: Bool) {
    self.payload = payload
    self.start = start
    self.count = count
    nullBits = isNullable ? Self.nullPattern : nil
  }

  init(_ node: NodeView, isNullable: Bool) throws(EngineError) {
    let count = try node.fixedSizeCount(Self.size)
    self.init(payload: node.payload, start: 0, count: count, isNullable: isNullable)
  }

  package func bitPattern(_ index: Int) -> UInt64 {
    assert(index >= 0 && index < count)
    return payload.load(UInt64.self, at: (start + index) * Self.size)
  }

  /// Nil for null.
  package subscript(index: Int) -> Double? {
    let bits = bitPattern(index)
    return bits == nullBits ? nil : Double(bitPattern: bits)
  }

  func value(_ index: Int) -> Value { self[index].map(Value.double) ?? .null }

  /// `length` elements from `first` on, which must be inside.
  func slice(_ first: Int, _ length: Int) -> DoubleLeaf {
    precondition(first >= 0 && length >= 0 && first <= count - length)
    return DoubleLeaf(payload: payload, start: start + first, count: length, isNullable: nullBits != nil)
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
