// The 8 bytes before every node's payload. Layer: Nodes.
// Invariant: `byteSize` is computed without overflow from any 8 bytes.

/// How a node's width is to be understood.
package enum WidthKind: UInt8, Sendable {
  /// Width counts bits an element.
  case bits = 0
  /// Width counts bytes an element.
  case bytes = 1
  /// One byte an element, whatever the width says.
  case blob = 2
}

/// A decoded node header.
package struct NodeHeader: Sendable {
  package static let size = 8
  /// The dummy checksum that every node on disk begins with.
  package static let checksum: UInt32 = 0x4141_4141
  package static let countMax = 0xFF_FFFF

  package let isInner: Bool
  package let hasRefs: Bool
  package let contextFlag: Bool
  package let kind: WidthKind
  /// Bits or bytes an element, as `kind` says: 0, 1, 2, 4, 8, 16, 32 or 64.
  package let width: Int
  package let count: Int

  package init(
    isInner: Bool = false, hasRefs: Bool = false, contextFlag: Bool = false, kind: WidthKind, width: Int,
    count: Int
  ) {
    self.isInner = isInner
    self.hasRefs = hasRefs
    self.contextFlag = contextFlag
    self.kind = kind
    self.width = width
    self.count = count
  }

  /// Nil when the bytes name a kind that no format up to 24 has.
  @inline(__always)
  init?(word: UInt64) {
    let flags = UInt8(truncatingIfNeeded: word >> 32)
    guard let kind = WidthKind(rawValue: flags >> 3 & 3) else { return nil }
    isInner = flags & 0x80 != 0
    hasRefs = flags & 0x40 != 0
    contextFlag = flags & 0x20 != 0
    self.kind = kind
    width = (1 << Int(flags & 7)) >> 1
    // The count is the only big-endian number of the format.
    let stored = word >> 40
    let high = (stored & 0xFF) << 16
    count = Int(high | stored & 0xFF00 | stored >> 16)
  }

  /// The header as it stands on disk.
  package var word: UInt64 {
    var flags = UInt64(kind.rawValue) << 3
    if width > 0 { flags |= UInt64(width.trailingZeroBitCount + 1) }
    if isInner { flags |= 0x80 }
    if hasRefs { flags |= 0x40 }
    if contextFlag { flags |= 0x20 }
    let size = UInt64(count)
    let bigEndianCount = (size >> 16 & 0xFF) | (size & 0xFF00) | (size & 0xFF) << 16
    return UInt64(Self.checksum) | flags << 32 | bigEndianCount << 40
  }

  package var payloadSize: Int {
    switch kind {
    case .bits: (count * width + 7) / 8
    case .bytes: count * width
    case .blob: count
    }
  }

  /// Bytes of the whole node on disk, a multiple of 8.
  package var byteSize: Int { Self.size + (payloadSize + 7) & ~7 }
}
