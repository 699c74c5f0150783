// Leaves of object ids and UUIDs: blocks of eight elements behind a byte of null bits. Layer: Leaves.

/// Identifiers of 12 or 16 bytes.
package struct FixedBytesLeaf: Sendable {
  package let payload: RawBytes
  /// Bytes an element.
  package let size: Int
  package let count: Int

  private static let elementsPerBlock = 8

  init(_ node: NodeView, size: Int) throws(EngineError) {
    guard node.header.kind == .bytes, !node.hasRefs, node.header.width <= 1 else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "a leaf of \(size)-byte identifiers", found: node.description)
    }
    self.size = size
    payload = node.payload
    let stride = Self.elementsPerBlock * size + 1
    let blockCount = (payload.count + stride - 1) / stride
    count = (payload.count - blockCount) / size
    guard count * size + (count + 7) / 8 == payload.count else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "whole \(size)-byte identifiers", found: "\(payload.count) bytes")
    }
  }

  package func isNull(_ index: Int) -> Bool {
    payload[blockStart(index)] >> UInt8(index % Self.elementsPerBlock) & 1 == 1
  }

  /// The element's bytes, meaningless for null.
  package func bytes(_ index: Int) -> RawBytes {
    payload.slice(blockStart(index) + 1 + index % Self.elementsPerBlock * size, size)
  }

  @inline(__always)
  private func blockStart(_ index: Int) -> Int {
    assert(index >= 0 && index < count)
    // Shifted, as an index is never negative: there are eight elements in a block.
    return (index &>> 3) &* (Self.elementsPerBlock &* size &+ 1)
  }

  /// Marks the elements that `test` accepts; it is one of identifiers of this size.
  package func mark(_ test: IdentifierTest, into mask: SelectionMask) {
    switch test.comparison {
    case .equal: markEqual(test, isNegated: false, into: mask)
    case .notEqual: markEqual(test, isNegated: true, into: mask)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      mask.mark(count) { index in
        let (high, low) = words(index)
        let order =
          high != test.high ? (high < test.high ? -1 : 1) : low < test.low ? -1 : low == test.low ? 0 : 1
        return test.comparison.holds(order: order) && !isNull(index)
      }
    }
  }

  @inline(__always)
  private func markEqual(_ test: IdentifierTest, isNegated: Bool, into mask: SelectionMask) {
    mask.mark(count) { index in
      // Nearly all are told apart by their first bytes.
      guard highWord(index) == test.high else { return isNegated }
      return (words(index) == (test.high, test.low) && !isNull(index)) != isNegated
    }
  }

  /// The first eight bytes of an element.
  @inline(__always)
  private func highWord(_ index: Int) -> UInt64 {
    payload.load(UInt64.self, at: blockStart(index) &+ 1 &+ (index & 7) &* size).byteSwapped
  }

  /// An element as numbers that compare as identifiers do.
  @inline(__always)
  private func words(_ index: Int) -> (high: UInt64, low: UInt64) {
    let end = blockStart(index) &+ 1 &+ (index & 7) &* size &+ 8
    let low =
      size == UUIDValue.byteCount
      ? payload.load(UInt64.self, at: end).byteSwapped
      : UInt64(payload.load(UInt32.self, at: end).byteSwapped)
    return (highWord(index), low)
  }

  /// Nil for null; only for leaves of 12-byte elements.
  package func objectID(_ index: Int) -> ObjectID? { isNull(index) ? nil : ObjectID(bytes(index)) }

  /// Nil for null; only for leaves of 16-byte elements.
  package func uuid(_ index: Int) -> UUIDValue? { isNull(index) ? nil : UUIDValue(bytes(index)) }
}

/// How object ids or UUIDs must relate to one; null is unlike all and in no order.
package struct IdentifierTest: Sendable {
  fileprivate let comparison: ComparisonOperator
  fileprivate let high: UInt64
  fileprivate let low: UInt64

  package init(_ comparison: ComparisonOperator, _ id: ObjectID) {
    self.comparison = comparison
    high = id.high
    low = UInt64(id.low)
  }

  package init(_ comparison: ComparisonOperator, _ id: UUIDValue) {
    self.comparison = comparison
    high = id.high
    low = id.low
  }
}

extension ObjectID {
  init(_ value: ByteString) { self.init(value.bytes) }

  /// From the 12 bytes of the format.
  init(_ bytes: RawBytes) {
    self.init(
      high: bytes.load(UInt64.self, at: 0).byteSwapped, low: bytes.load(UInt32.self, at: 8).byteSwapped)
  }
}

extension UUIDValue {
  init(_ value: ByteString) { self.init(value.bytes) }

  /// From the 16 bytes of the format.
  init(_ bytes: RawBytes) {
    self.init(
      high: bytes.load(UInt64.self, at: 0).byteSwapped, low: bytes.load(UInt64.self, at: 8).byteSwapped)
  }
}
