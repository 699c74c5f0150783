// Leaves of texts and of data, opened. Layer: RealmInspection.
// Invariant: `element(_:_:)` bounds-checks every position it takes from the file.

import RealmFiles

/// An element of a leaf of texts or data.
enum RawElement {
  case null
  case bytes(RawBytes)
  case damaged
}

/// Texts in whichever encoding their leaf has.
indirect enum RawTexts: Sendable {
  /// One width for all; the last byte of an element says how much of it is padding.
  case short(RawNode, isNullable: Bool)
  case medium(RawBlobs)
  case big(RawBlobs)
  /// Numbers into the column's distinct texts.
  case enumerated(RawNode, RawTexts)

  var count: Int {
    switch self {
    case .short(let node, _), .enumerated(let node, _): node.count
    case .medium(let blobs), .big(let blobs): blobs.count
    }
  }

  func element(_ index: Int, _ walk: Walk) -> RawElement {
    switch self {
    case .short(let node, let isNullable): return Self.short(node, index, isNullable: isNullable)
    case .medium(let blobs), .big(let blobs):
      guard case .bytes(let bytes) = blobs.element(index, walk) else { return blobs.element(index, walk) }
      return bytes.count > 0 ? .bytes(bytes.slice(0, bytes.count - 1)) : .damaged
    case .enumerated(let numbers, let texts):
      let number = numbers.number(index)
      guard number >= 0, number < Int64(texts.count) else { return .damaged }
      return texts.element(Int(number), walk)
    }
  }

  private static func short(_ node: RawNode, _ index: Int, isNullable: Bool) -> RawElement {
    let width = node.width
    if width == 0 { return isNullable ? .null : .bytes(.empty) }
    let start = index * width
    let padding = Int(node.payload[start + width - 1])
    if padding == width { return isNullable ? .null : .bytes(.empty) }
    return padding < width ? .bytes(node.payload.slice(start, width - 1 - padding)) : .damaged
  }
}

/// Byte strings joined in one blob, or each in a node of its own.
enum RawBlobs: Sendable {
  case small(ends: RawNode, blob: RawNode, nulls: RawNode)
  case big(RawNode)

  var count: Int {
    switch self {
    case .small(let ends, _, _): ends.count
    case .big(let refs): refs.count
    }
  }

  /// The bytes as stored: a text's with the zero at its end. A blob in several parts counts as damaged here; only
  /// the history has such.
  func element(_ index: Int, _ walk: Walk) -> RawElement {
    switch self {
    case .small(let ends, let blob, let nulls):
      if nulls.number(index) != 0 { return .null }
      let start = index == 0 ? 0 : ends.number(index - 1)
      let end = ends.number(index)
      guard start >= 0, start <= end, end <= Int64(blob.payload.count) else { return .damaged }
      return .bytes(blob.payload.slice(Int(start), Int(end - start)))
    case .big(let refs):
      switch refs.slot(index) {
      case .empty: return .null
      case .ref(let offset):
        // Claimed when the leaf was validated.
        guard let blob = walk.peek(offset), blob.isPlainBytes else { return .damaged }
        return .bytes(blob.payload)
      default: return .damaged
      }
    }
  }
}
