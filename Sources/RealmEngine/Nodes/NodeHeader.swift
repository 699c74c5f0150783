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

/// A node's header: the half of it that says something, as it stands on disk. It is told apart where it is asked, so
/// that views of nodes are small.
package struct NodeHeader: Sendable {
  package static let size = 8
  /// The dummy checksum that every node on disk begins with.
  package static let checksum: UInt32 = 0x4141_4141
  package static let countMax = 0xFF_FFFF

  /// A byte of flags, then the count, which is the only big-endian number of the format.
  private let bits: UInt32

  package init(
    isInner: Bool = false, hasRefs: Bool = false, contextFlag: Bool = false, kind: WidthKind, width: Int,
    count: Int
  ) {
    precondition(count >= 0 && count <= Self.countMax)
    var flags = UInt32(kind.rawValue) << 3
    if width > 0 { flags |= UInt32(width.trailingZeroBitCount + 1) }
    if isInner { flags |= 0x80 }
    if hasRefs { flags |= 0x40 }
    if contextFlag { flags |= 0x20 }
    bits = flags | UInt32(count).byteSwapped
  }

  /// Nil when the bytes name a kind that no format up to 24 has, and where there are only zeros: a page that was lost is
  /// not full of empty nodes.
  @inline(__always)
  package init?(word: UInt64) {
    bits = UInt32(truncatingIfNeeded: word >> 32)
    if bits >> 3 & 3 == 3 || word == 0 { return nil }
  }

  /// The header of a node of the same role.
  func with(kind: WidthKind, width: Int, count: Int) -> NodeHeader {
    NodeHeader(
      isInner: isInner, hasRefs: hasRefs, contextFlag: contextFlag, kind: kind, width: width, count: count)
  }

  package var isInner: Bool { bits & 0x80 != 0 }
  package var hasRefs: Bool { bits & 0x40 != 0 }
  package var contextFlag: Bool { bits & 0x20 != 0 }

  package var kind: WidthKind {
    @inline(__always) get { bits & 0x10 != 0 ? .blob : bits & 0x08 != 0 ? .bytes : .bits }
  }

  /// Bits or bytes an element, as `kind` says: 0, 1, 2, 4, 8, 16, 32 or 64.
  package var width: Int { @inline(__always) get { (1 &<< Int(bits & 7)) &>> 1 } }
  package var count: Int { @inline(__always) get { Int(bits.byteSwapped & UInt32(Self.countMax)) } }

  /// The header as it stands on disk.
  package var word: UInt64 { UInt64(Self.checksum) | UInt64(bits) << 32 }

  package var payloadSize: Int {
    @inline(__always) get {
      switch kind {
      case .bits: (count &* width &+ 7) &>> 3
      case .bytes: count &* width
      case .blob: count
      }
    }
  }

  /// The bits of the payload's last byte that elements use; nil: all. The others may hold bits of elements that are gone.
  var lastByteMask: UInt8? {
    let usedBits = kind == .bits ? count * width % 8 : 0
    return usedBits > 0 ? UInt8(1 << usedBits - 1) : nil
  }

  /// Bytes of the whole node on disk, a multiple of 8.
  package var byteSize: Int { Self.size + (payloadSize + 7) & ~7 }
}
