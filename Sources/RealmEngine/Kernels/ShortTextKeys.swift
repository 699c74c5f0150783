// Short texts as two words each, so that many are compared without a look at their bytes. Layer: Kernels.
// Invariant: the words of two texts are in the order of the texts: their bytes, padded with zeros, then their lengths.
// Safe: the elements are checked against their payload before the loop.

/// The texts of a block of rows, up to 15 bytes each.
@safe package final class ShortTextKeys {
  /// The first eight bytes, most significant first, moved to the range of numbers with a sign; null where the text is.
  private let first = NumberVector()
  /// Up to seven bytes more, then the length.
  private let rest = NumberVector()

  package static let widthMax = 16

  package init() {}

  /// Loads elements of 1 to 16 bytes, the last of which says how much is padding; as much as the width is null. False:
  /// some text says that it has more.
  package func load(_ payload: RawBytes, width: Int, start: Int, count: Int, isNullable: Bool) -> Bool {
    first.resize(count)
    rest.resize(count)
    guard count > 0 else { return true }
    let elements = payload.slice(start * width, count * width)
    let source = unsafe elements.start
    let (firsts, rests) = unsafe (first.ints, rest.ints)
    var greatest: UInt8 = 0
    for row in 0..<count {
      var (high, low): (UInt64, UInt64)
      switch width {
      case 16:
        unsafe high = UInt64(
          bigEndian: source.loadUnaligned(fromByteOffset: row &* 16, as: UInt64.self))
        unsafe low = UInt64(
          bigEndian: source.loadUnaligned(fromByteOffset: row &* 16 &+ 8, as: UInt64.self))
      case 8:
        let word = unsafe UInt64(
          bigEndian: source.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
        (high, low) = (word & ~0xFF, word & 0xFF)
      default:
        (high, low) = (0, 0)
        for byte in 0..<width - 1 { high = high << 8 | UInt64(elements[row &* width &+ byte]) }
        high <<= UInt64(8 * (9 - width))
        low = UInt64(elements[row &* width &+ width &- 1])
      }
      let padding = UInt8(truncatingIfNeeded: low)
      greatest = max(greatest, padding)
      let length = UInt8(truncatingIfNeeded: width &- 1) &- padding
      unsafe firsts[row] = Self.ordered(high)
      unsafe rests[row] = Self.ordered(low & ~0xFF | UInt64(length))
    }
    if Int(greatest) >= width { setNulls(width: width, isNullable) }
    return Int(greatest) <= width
  }

  /// The length of a null has wrapped around.
  private func setNulls(width: Int, _ isNullable: Bool) {
    for row in 0..<first.count where UInt8(truncatingIfNeeded: rest.int(row)) == .max {
      if isNullable {
        first.setNull(row)
      } else {
        first.set(row, Self.ordered(0))
        rest.set(row, Self.ordered(0))
      }
    }
  }

  @inline(__always)
  private static func ordered(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ 1 << 63) }

  /// Marks the rows whose texts relate so to `text`, which may be longer than they. `acceptsNull`: the answer for null.
  package func mark(
    _ comparison: ComparisonOperator, _ text: [UInt8], acceptsNull: Bool, into mask: SelectionMask
  ) {
    let head = text.prefix(Self.widthMax - 1) + Array(repeating: 0, count: Self.widthMax)
    let high = Self.ordered(head.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    // Any length beyond theirs puts it behind a text that it begins with.
    let low = Self.ordered(
      head[8..<15].reduce(0) { $0 << 8 | UInt64($1) } << 8 | UInt64(min(text.count, Self.widthMax)))
    switch comparison {
    case .equal, .notEqual: mark(mask) { ($0 ^ high) | ($1 ^ low) == 0 }
    case .less, .greaterOrEqual: mark(mask) { Self.isLess(($0, $1), (high, low)) }
    case .greater, .lessOrEqual: mark(mask) { Self.isLess((high, low), ($0, $1)) }
    }
    if comparison.isInverse { mask.invert() }
    guard first.hasNulls else { return }
    first.nulls.forEachRow { mask[$0] = acceptsNull }
  }

  @inline(__always)
  private func mark(_ mask: SelectionMask, _ test: (Int64, Int64) -> Bool) {
    mask.resize(first.count)
    let (high, low, rows) = unsafe (first.ints, rest.ints, mask.rows)
    for row in 0..<mask.count { unsafe rows[row] = test(high[row], low[row]) ? 1 : 0 }
  }

  @inline(__always)
  private static func isLess(_ left: (Int64, Int64), _ right: (Int64, Int64)) -> Bool {
    (left.0 < right.0 ? 1 : 0) | (left.0 == right.0 ? 1 : 0) & (left.1 < right.1 ? 1 : 0) != 0
  }

  /// Marks the rows whose texts relate so to those of `right`.
  package func mark(_ comparison: ComparisonOperator, _ right: ShortTextKeys, into mask: SelectionMask) {
    precondition(first.count == right.first.count)
    mask.resize(first.count)
    switch comparison {
    case .equal, .notEqual: markEqual(right, mask)
    case .less, .greaterOrEqual: markLess(right, mask)
    case .greater, .lessOrEqual: right.markLess(self, mask)
    }
    if comparison.isInverse { mask.invert() }
    first.correctNulls(comparison, right.first, mask)
  }

  private func markEqual(_ right: ShortTextKeys, _ mask: SelectionMask) {
    let (high, low, rows) = unsafe (first.ints, rest.ints, mask.rows)
    let (otherHigh, otherLow) = unsafe (right.first.ints, right.rest.ints)
    for row in 0..<mask.count {
      unsafe rows[row] = (high[row] ^ otherHigh[row]) | (low[row] ^ otherLow[row]) == 0 ? 1 : 0
    }
  }

  private func markLess(_ right: ShortTextKeys, _ mask: SelectionMask) {
    let (high, low, rows) = unsafe (first.ints, rest.ints, mask.rows)
    let (otherHigh, otherLow) = unsafe (right.first.ints, right.rest.ints)
    for row in 0..<mask.count {
      unsafe rows[row] =
        Self.isLess((high[row], low[row]), (otherHigh[row], otherLow[row])) ? 1 : 0
    }
  }
}

extension ComparisonOperator {
  /// Whether it is asked by asking for its contrary.
  fileprivate var isInverse: Bool {
    switch self {
    case .notEqual, .greaterOrEqual, .lessOrEqual: true
    case .equal, .less, .greater: false
    }
  }
}
