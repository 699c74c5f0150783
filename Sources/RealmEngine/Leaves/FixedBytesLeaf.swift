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

  private func blockStart(_ index: Int) -> Int {
    assert(index >= 0 && index < count)
    return index / Self.elementsPerBlock * (Self.elementsPerBlock * size + 1)
  }

  /// Marks the elements that are `wanted`, which has their size; with `isNegated` those that are not, nulls among them.
  package func mark(_ wanted: IdentifierWords, isNegated: Bool, into mask: RowMask) {
    let isLong = size == UUIDValue.byteCount
    mask.resize(count)
    for index in 0..<count {
      let bytes = bytes(index)
      let low = bytes.load(UInt64.self, at: 0)
      let high = isLong ? bytes.load(UInt64.self, at: 8) : UInt64(bytes.load(UInt32.self, at: 8))
      mask[index] = (low == wanted.low && high == wanted.high && !isNull(index)) != isNegated
    }
  }

  /// Nil for null; only for leaves of 12-byte elements.
  package func objectID(_ index: Int) -> ObjectID? { isNull(index) ? nil : ObjectID(bytes(index)) }

  /// Nil for null; only for leaves of 16-byte elements.
  package func uuid(_ index: Int) -> UUIDValue? { isNull(index) ? nil : UUIDValue(bytes(index)) }
}

/// The bytes of an identifier as the processor loads them.
package struct IdentifierWords: Sendable {
  fileprivate let low: UInt64
  fileprivate let high: UInt64

  package init(_ id: ObjectID) {
    low = id.high.byteSwapped
    high = UInt64(id.low.byteSwapped)
  }

  package init(_ id: UUIDValue) {
    low = id.high.byteSwapped
    high = id.low.byteSwapped
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
