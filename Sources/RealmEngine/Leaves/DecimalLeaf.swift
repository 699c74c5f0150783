// Leaves of decimals: all null, all zero, or 4, 8 or 16 bytes an element. Layer: Leaves.

/// Decimal numbers of any stored width.
package struct DecimalLeaf: Sendable {
  package let payload: RawBytes
  /// Bytes an element: 0, 4, 8 or 16.
  package let width: Int
  package let start: Int
  package let count: Int
  /// What every element of a leaf of width 0 is.
  private let isZeroWhenEmpty: Bool

  init(_ node: NodeView) throws(EngineError) {
    guard node.header.kind == .bytes, !node.hasRefs, [0, 4, 8, 16].contains(node.header.width) else {
      throw EngineError.damaged(at: node.ref.offset, expected: "a leaf of decimals", found: node.description)
    }
    payload = node.payload
    width = node.header.width
    start = 0
    count = node.count
    isZeroWhenEmpty = node.header.contextFlag
  }

  /// Nil for null.
  package subscript(index: Int) -> Decimal128? {
    assert(index >= 0 && index < count)
    let position = (start + index) * width
    switch width {
    case 4:
      let bits = payload.load(UInt32.self, at: position)
      return Decimal128.isNull(bid32: bits) ? nil : Decimal128(bid32: bits)
    case 8:
      let bits = payload.load(UInt64.self, at: position)
      return Decimal128.isNull(bid64: bits) ? nil : Decimal128(bid64: bits)
    case 16:
      let low = payload.load(UInt64.self, at: position)
      let high = payload.load(UInt64.self, at: position + 8)
      return Decimal128.isNull(low: low, high: high) ? nil : Decimal128(low: low, high: high)
    default: return isZeroWhenEmpty ? Decimal128.zero : nil
    }
  }

  func value(_ index: Int) -> Value { self[index].map(Value.decimal) ?? .null }
}
