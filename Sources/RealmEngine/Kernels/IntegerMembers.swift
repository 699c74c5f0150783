// Which integers are meant, for questions that are asked once a row. Layer: Kernels.

/// Integers: a bit each where they lie close together, else sorted.
package final class IntegerMembers: Sendable {
  /// All members; nil where they are sorted. For questions in a loop, which shall not ask here each time.
  let bits: IntegerBits?
  private let sorted: [Int64]
  let count: Int

  /// Bits that a member may cost before sorted numbers are smaller.
  private static let bitsPerMemberMax = 256
  private static let bitsAlways = 1 << 20

  private init(_ bits: IntegerBits?, sorted: [Int64], count: Int) {
    self.bits = bits
    self.sorted = sorted
    self.count = count
  }

  /// `values` ascend.
  package convenience init(_ values: [Int64]) {
    let bitsMax = max(Self.bitsAlways, values.count * Self.bitsPerMemberMax)
    guard let least = values.first, let greatest = values.last,
      var bits = IntegerBits(from: least, through: greatest, bitsMax: bitsMax)
    else {
      self.init(nil, sorted: values, count: values.count)
      return
    }
    for value in values { bits.insert(value) }
    self.init(bits, sorted: [], count: values.count)
  }

  /// What threads have put together.
  convenience init(_ parts: [IntegerShare]) {
    let count = parts.reduce(0) { $0 + $1.count }
    let least = parts.compactMap { $0.bits.first }.min() ?? 0
    let greatest = parts.compactMap { $0.bits.last }.max() ?? 0
    let bitsMax = max(Self.bitsAlways, count * Self.bitsPerMemberMax)
    if parts.allSatisfy(\.listed.isEmpty),
      var bits = IntegerBits(from: least, through: greatest, bitsMax: bitsMax)
    {
      for part in parts { bits.insert(part.bits) }
      self.init(bits, sorted: [], count: count)
    } else {
      var values: [Int64] = []
      values.reserveCapacity(count)
      for part in parts {
        part.bits.forEachMember { values.append($0) }
        values += part.listed
      }
      self.init(values.sorted())
    }
  }

  /// The same members as an object of its own, for one of several threads: counting references to one that they share
  /// takes longer than looking at a leaf.
  func forOneThread() -> IntegerMembers {
    IntegerMembers(bits, sorted: sorted, count: count)
  }

  var hasNegative: Bool { (bits?.start ?? sorted.first ?? 0) < 0 }

  @inline(__always)
  func contains(_ value: Int64) -> Bool {
    bits?.contains(value) ?? sorted.containsSorted(value)
  }
}

/// Some of the members of a set, which a thread puts together by itself.
struct IntegerShare: Sendable {
  fileprivate var bits: IntegerBits
  fileprivate var listed: [Int64] = []
  private(set) var count = 0

  /// Bits for a member beyond which members are listed.
  private static let bitsPerMemberMax = 64

  /// For about `count` members, which should lie in `least ... greatest`.
  init(from least: Int64, through greatest: Int64, count: Int) {
    bits =
      IntegerBits(from: least, through: greatest, bitsMax: count * Self.bitsPerMemberMax) ?? IntegerBits()
  }

  @inline(__always)
  mutating func append(_ value: Int64) {
    count += 1
    if !bits.insert(value) { listed.append(value) }
  }
}

/// A bit for each integer of a range.
struct IntegerBits: Sendable {
  let start: Int64
  /// 64 bits each, and behind them a word of zeros, where integers outside are looked up.
  private var words: [UInt64]

  /// None.
  init() { (start, words) = (0, [0]) }

  /// Nil for ranges of more than `bitsMax` integers.
  init?(from least: Int64, through greatest: Int64, bitsMax: Int) {
    guard least <= greatest, greatest < Int64.max - 64,
      UInt64(bitPattern: greatest &- least) < UInt64(bitsMax)
    else { return nil }
    start = least
    words = [UInt64](repeating: 0, count: Int(greatest &- least) / 64 + 2)
  }

  private var wordCount: Int { words.count - 1 }
  private var isEmpty: Bool { wordCount == 0 }
  /// The least integer that has a bit, and the greatest.
  var first: Int64? { isEmpty ? nil : start }
  var last: Int64? { isEmpty ? nil : start + Int64(64 * wordCount - 1) }

  /// False: there is no bit for it.
  @inline(__always)
  @discardableResult mutating func insert(_ value: Int64) -> Bool {
    // What lies below the first one wraps to beyond the last.
    let position = UInt64(bitPattern: value &- start)
    guard position / 64 < UInt64(wordCount) else { return false }
    words[Int(position / 64)] |= 1 &<< (position % 64)
    return true
  }

  /// Adds others, for which there are bits.
  mutating func insert(_ other: IntegerBits) {
    let offset = UInt64(bitPattern: other.start &- start)
    let (place, shift) = (Int(clamping: offset / 64), offset % 64)
    for (index, word) in other.words.enumerated() where word != 0 {
      words[place + index] |= word &<< shift
      if shift > 0, word >> (64 - shift) != 0 { words[place + index + 1] |= word >> (64 - shift) }
    }
  }

  @inline(__always)
  func contains(_ value: Int64) -> Bool {
    let position = UInt64(bitPattern: value &- start)
    return words[Int(min(position / 64, UInt64(wordCount)))] &>> (position % 64) & 1 == 1
  }

  /// Calls `body` with the words.
  @inline(__always)
  func withWords(_ body: (UnsafeBufferPointer<UInt64>) -> Void) {
    unsafe words.withUnsafeBufferPointer { words in unsafe body(words) }
  }

  /// Calls `body` with each integer, in order.
  func forEachMember(_ body: (Int64) -> Void) {
    for (index, word) in words.enumerated() {
      var word = word
      while word != 0 {
        body(start + Int64(64 * index + word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }
}
