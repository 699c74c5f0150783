// A node as its bytes say, read without the engine's own node code. Layer: RealmInspection.
// Invariant: `payload` holds exactly what count, width and kind promise; element access is checked by callers
// against `count` and traps never on file content, because every width up to 64 bits stays inside the payload.

import RealmFiles

/// How the width of a node counts.
enum RawKind: UInt8, Sendable {
  /// Bits an element.
  case bits = 0
  /// Bytes an element.
  case bytes = 1
  /// Width is ignored: one byte an element.
  case plain = 2
}

/// The header's eight bytes, taken apart.
struct RawHeader: Sendable {
  static let size = 8
  let flags: UInt8
  let kind: RawKind
  // Narrow, because leaves hold several headers and are looked up by the million.
  private let storedWidth: UInt8
  private let storedCount: UInt32

  var width: Int { Int(storedWidth) }
  var count: Int { Int(storedCount) }

  /// Nil where the kind is one that no format has, or all bytes are zero.
  init?(_ bytes: RawBytes) {
    let word = bytes.load(UInt64.self, at: 0)
    if word == 0 { return nil }
    flags = UInt8(truncatingIfNeeded: word >> 32)
    guard let kind = RawKind(rawValue: (flags & 0x18) >> 3) else { return nil }
    self.kind = kind
    storedWidth = UInt8(truncatingIfNeeded: (1 << (flags & 7)) >> 1)
    // The last three bytes, the highest one first.
    storedCount = UInt32(truncatingIfNeeded: word.byteSwapped & 0xFF_FFFF)
  }

  var payloadSize: Int {
    switch kind {
    case .bits: (count * width + 7) / 8
    case .bytes: count * width
    case .plain: count
    }
  }

  /// With the padding to a multiple of 8.
  var nodeSize: Int { Self.size + (payloadSize + 7) / 8 * 8 }
}

/// A node whose bytes are all there.
struct RawNode: Sendable {
  let offset: Int
  let header: RawHeader
  let payload: RawBytes

  var count: Int { header.count }
  var width: Int { header.width }
  var kind: RawKind { header.kind }
  var isInner: Bool { header.flags & 0x80 != 0 }
  var hasRefs: Bool { header.flags & 0x40 != 0 }
  var hasContext: Bool { header.flags & 0x20 != 0 }

  /// A node of plain numbers: neither refs nor an inner node.
  var isNumbers: Bool { kind == .bits && !hasRefs && !isInner }
  /// A node of refs and tagged numbers that is no inner node.
  var isSlots: Bool { kind == .bits && hasRefs && !isInner }

  /// A blob in one piece: engines take the elements of one with the context flag for refs of its parts.
  var isPlainBytes: Bool { kind == .plain && !hasRefs && !isInner && !hasContext }

  /// The number at `index`, which is below `count`, of a node of kind `bits`: unsigned below 8 bits, else signed.
  @inline(__always)
  func number(_ index: Int) -> Int64 {
    switch width {
    case 0: return 0
    case 1, 2, 4:
      let bit = index * width
      let mask = UInt8(truncatingIfNeeded: 1 << width - 1)
      return Int64(payload[bit / 8] >> UInt8(bit % 8) & mask)
    case 8: return Int64(Int8(bitPattern: payload[index]))
    case 16: return Int64(payload.load(Int16.self, at: index * 2))
    case 32: return Int64(payload.load(Int32.self, at: index * 4))
    default: return payload.load(Int64.self, at: index * 8)
    }
  }

  /// The same bits taken as unsigned, as the arrays of keys and offsets are to be read.
  @inline(__always)
  func unsignedNumber(_ index: Int) -> UInt64 {
    let number = number(index)
    return width < 64 ? UInt64(bitPattern: number) & (1 << UInt64(width) - 1) : UInt64(bitPattern: number)
  }

  /// The largest number of the width, which stands for null in nullable leaves.
  var upperBound: Int64 {
    switch width {
    case 0: 0
    case 1, 2, 4: 1 << Int64(width) - 1
    default: Int64.max >> Int64(64 - width)
    }
  }

  var words: String {
    let kinds = ["bits", "bytes", "plain bytes"]
    let flags = [isInner ? " inner" : "", hasRefs ? " refs" : "", hasContext ? " context" : ""].joined()
    return "a node of \(count) elements (width \(width), \(kinds[Int(kind.rawValue)])\(flags))"
  }
}

/// What a slot of a node of refs says.
enum RawSlot {
  case empty
  case ref(Int)
  /// 63 bits, never negative.
  case tagged(Int64)
  /// Even and below 0: no engine writes that.
  case broken(Int64)
  case absent

  init(_ value: Int64) {
    if value == 0 {
      self = .empty
    } else if value & 1 == 1 {
      self = .tagged(Int64(bitPattern: UInt64(bitPattern: value) >> 1))
    } else {
      self = value > 0 ? .ref(Int(value)) : .broken(value)
    }
  }

  var words: String {
    switch self {
    case .empty: "0"
    case .ref(let offset): "the ref \(offset)"
    case .tagged(let number): "the tagged number \(number)"
    case .broken(let value): "\(value)"
    case .absent: "no such slot"
    }
  }
}

extension RawNode {
  /// The slot at `index`; a node that is no row of numbers has none.
  func slot(_ index: Int) -> RawSlot {
    kind == .bits && index < count ? RawSlot(number(index)) : .absent
  }
}
