// Words of values for some rows of a block, row by row, with a hash of them: keys of groups on their way to a table, or
// values that are compared. Layer: Kernels.
// Invariants: a block belongs to one thread; between `begin` and the next one, each row is given each of its words once.
// Safe: rows and places are checked against what `begin` made room for.

/// Words of a run of rows.
@safe package final class GroupKeyVector {
  @unsafe private struct State {
    var words: UnsafeMutablePointer<UInt64>
    var hashes: UnsafeMutablePointer<UInt64>
    /// 1 for rows whose last column is null.
    var nulls: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var count: Int
  }

  private let state: UnsafeMutablePointer<State>
  /// Words a row.
  package let width: Int
  let hash: SeededHash
  private var partitions: [UInt8] = []

  package init(width: Int, hash: SeededHash) {
    self.width = width
    self.hash = hash
    unsafe state = .holding(
      State(
        words: .allocate(capacity: 0), hashes: .allocate(capacity: 0), nulls: .allocate(capacity: 0),
        capacity: 0, count: 0))
  }

  deinit {
    unsafe words.deallocate()
    unsafe hashes.deallocate()
    unsafe nulls.deallocate()
    unsafe state.release()
  }

  var words: UnsafeMutablePointer<UInt64> { unsafe state.pointee.words }
  var hashes: UnsafeMutablePointer<UInt64> { unsafe state.pointee.hashes }
  var nulls: UnsafeMutablePointer<UInt8> { unsafe state.pointee.nulls }
  package var count: Int { unsafe state.pointee.count }

  /// Makes room for `count` rows, which have no words yet.
  package func begin(_ count: Int) {
    if unsafe count > state.pointee.capacity { grow(count) }
    unsafe state.pointee.count = count
    if width > 0 { unsafe hashes.update(repeating: hash.start, count: count) }
  }

  private func grow(_ count: Int) {
    unsafe words.deallocate()
    unsafe hashes.deallocate()
    unsafe nulls.deallocate()
    unsafe state.pointee.words = .allocate(capacity: count * width)
    unsafe state.pointee.hashes = .allocate(capacity: count)
    unsafe state.pointee.nulls = .allocate(capacity: count)
    unsafe words.initialize(repeating: 0, count: count * width)
    unsafe nulls.initialize(repeating: 0, count: count)
    unsafe state.pointee.capacity = count
  }

  /// Notes what the hashes are now: the words so far tell partitions apart.
  package func markPartition() {
    partitions = (0..<count).map { unsafe UInt8(hashes[$0] >> 56) }
  }

  /// Gives hashes the upper bits that they had then.
  package func restorePartition() {
    precondition(partitions.count == count)
    for row in 0..<count {
      unsafe hashes[row] = hashes[row] & (UInt64.max >> 8) | UInt64(partitions[row]) << 56
    }
  }

  // MARK: Words

  @inline(__always)
  private func put(_ word: UInt64, _ row: Int, _ place: Int) {
    unsafe words[row &* width &+ place] = word
    unsafe hashes[row] = hash.mix(hashes[row], word)
  }

  /// Gives a row a value's words, from `place` on.
  @inline(__always)
  package func set(_ row: Int, _ place: Int, _ first: UInt64, isNull: Bool = false) {
    precondition(row >= 0 && row < count && place >= 0 && place < width)
    put(first, row, place)
    unsafe nulls[row] = isNull ? 1 : 0
  }

  /// Sets a value of two words.
  @inline(__always)
  package func set(_ row: Int, _ place: Int, _ first: UInt64, _ second: UInt64, isNull: Bool) {
    precondition(row >= 0 && row < count && place >= 0 && place + 1 < width)
    put(first, row, place)
    put(second, row, place &+ 1)
    unsafe nulls[row] = isNull ? 1 : 0
  }

  /// Sets a value of three words.
  package func set(
    _ row: Int, _ place: Int, _ first: UInt64, _ second: UInt64, _ third: UInt64, isNull: Bool
  ) {
    precondition(row >= 0 && row < count && place >= 0 && place + 2 < width)
    put(first, row, place)
    put(second, row, place &+ 1)
    put(third, row, place &+ 2)
    unsafe nulls[row] = isNull ? 1 : 0
  }

  /// Gives a row the words of a text that lives as long as they are used.
  @inline(__always)
  package func set(_ row: Int, _ place: Int, text: RawBytes?) {
    precondition(row >= 0 && row < count && place >= 0 && place + 2 < width)
    guard let text else {
      set(row, place, textWords: 0, 0, 0)
      unsafe nulls[row] = 1
      return
    }
    put(InlineText(text), row, place)
    unsafe nulls[row] = 0
  }

  /// Sets a text whose words are known.
  package func set(_ row: Int, _ place: Int, textWords first: UInt64, _ second: UInt64, _ address: UInt64) {
    precondition(row >= 0 && row < count && place >= 0 && place + 2 < width)
    put(InlineText(first, second, address), row, place)
  }

  @inline(__always)
  func put(_ text: InlineText, _ row: Int, _ place: Int) {
    let target = unsafe words + (row &* width &+ place)
    unsafe target[0] = text.first
    unsafe target[1] = text.second
    unsafe target[2] = text.address
    // Texts that are equal may stand in two places.
    unsafe hashes[row] =
      text.address == 0
      ? hash.mix(hashes[row], text.first, text.second)
      : hash.mix(hash.mix(hashes[row], text.first), text.longBytes)
  }

  // MARK: Whole columns

  /// Gives each row the words of an integer: one, or two where it may be null.
  package func set(_ place: Int, ints numbers: NumberVector, rows: borrowing Span<Int32>, isNullable: Bool) {
    precondition(rows.count == count && place >= 0 && place + (isNullable ? 1 : 0) < width)
    let source = unsafe numbers.ints
    let sign: UInt64 = 1 << 63
    for index in 0..<count {
      let row = Int(rows[index])
      precondition(row >= 0 && row < numbers.count)
      let word = unsafe UInt64(bitPattern: source[row]) ^ sign
      guard isNullable else {
        put(word, index, place)
        continue
      }
      let isNull = numbers.isNull(row)
      put(isNull ? 0 : word, index, place)
      // The least number is not null.
      put(!isNull && word == 0 ? 1 : 0, index, place &+ 1)
      unsafe nulls[index] = isNull ? 1 : 0
    }
    if !isNullable { unsafe nulls.update(repeating: 0, count: count) }
  }

  /// Gives each row the word of a floating-point number: 0 for null, 1 for what is no number.
  package func set(_ place: Int, doubles numbers: NumberVector, rows: borrowing Span<Int32>) {
    precondition(rows.count == count && place >= 0 && place < width)
    let source = unsafe numbers.doubles
    for index in 0..<count {
      let row = Int(rows[index])
      precondition(row >= 0 && row < numbers.count)
      let isNull = numbers.isNull(row)
      put(isNull ? 0 : OrderedNumber.word(unsafe source[row]), index, place)
      unsafe nulls[index] = isNull ? 1 : 0
    }
  }
}

/// Floating-point numbers as words in their order.
package enum OrderedNumber {
  private static let sign: UInt64 = 1 << 63

  /// What is no number comes first, with the word 1; there is no 0.
  @inline(__always)
  package static func word(_ number: Double) -> UInt64 {
    if number.isNaN { return 1 }
    let bits = (number == 0 ? 0.0 : number).bitPattern
    return bits & sign != 0 ? ~bits : bits | sign
  }

  package static func number(_ word: UInt64) -> Double {
    if word == 1 { return .nan }
    return Double(bitPattern: word & sign != 0 ? word & ~sign : ~word)
  }
}

/// A text as three words: its first twelve bytes with its length, which is all of most texts and sorts as they do, and
/// where it stands if it is longer.
@safe package struct InlineText {
  let first: UInt64
  /// Four bytes, a tag (0 for null, else the length and one, 14 for longer texts), and the length of longer ones.
  let second: UInt64
  /// 0 where the text is whole.
  let address: UInt64

  static let wholeMax = 12
  private static let cutTag: UInt64 = 14
  /// A longer text's length is kept in as many bits.
  private static let lengthBits: UInt64 = 24

  @inline(__always)
  init(_ text: RawBytes) {
    let length = text.count
    first = Self.bytes(text, 0)
    let tail = length > 8 ? Self.bytes(text, 8) & ~0xFFFF_FFFF : 0
    if length <= Self.wholeMax {
      second = tail | UInt64(length &+ 1) &<< Self.lengthBits
      address = 0
    } else {
      precondition(length < 1 << Int(Self.lengthBits), "texts that long are told from others elsewhere")
      second = tail | Self.cutTag &<< Self.lengthBits | UInt64(length)
      unsafe address = UInt64(UInt(bitPattern: text.start))
    }
  }

  /// A text of up to 12 bytes: the first eight and the four behind them, the first byte at the top. What stands behind
  /// a shorter text is anything.
  @inline(__always)
  init(head: UInt64, tail: UInt32, length: Int) {
    // Nothing is left by a shift of 64 or 32.
    first = head & ~(UInt64.max >> UInt64(8 &* min(length, 8)))
    let tail = tail & ~(UInt32.max >> UInt32(8 &* max(0, length &- 8)))
    second = UInt64(tail) << 32 | UInt64(length &+ 1) &<< Self.lengthBits
    address = 0
  }

  init(_ first: UInt64, _ second: UInt64, _ address: UInt64) {
    (self.first, self.second, self.address) = (first, second, address)
  }

  /// Whether a text has words.
  package static func hold(_ length: Int) -> Bool { length < 1 << Int(lengthBits) }

  /// Up to eight bytes from `offset` on, the first one at the top, zeros behind the end.
  @inline(__always)
  private static func bytes(_ text: RawBytes, _ offset: Int) -> UInt64 {
    offset < text.count ? text.word(at: offset).byteSwapped : 0
  }

  /// The second word without the length of a longer text, which is no part of the order.
  var secondInOrder: UInt64 { second >> Self.lengthBits }

  /// The bytes of a longer text.
  var longBytes: RawBytes {
    let length = Int(second & (1 << Self.lengthBits - 1))
    guard address != 0, let start = unsafe UnsafeRawPointer(bitPattern: UInt(address)) else { return .empty }
    return unsafe RawBytes(start: start, count: length)
  }

  /// The text; nil for null. A longer one borrows.
  package static func text(_ first: UInt64, _ second: UInt64, _ address: UInt64) -> ByteString? {
    let tag = second >> lengthBits & 0xFF
    if tag == 0 { return nil }
    if address != 0 { return ByteString(borrowing: InlineText(first, second, address).longBytes) }
    return ByteString(count: Int(tag) - 1) { bytes in
      for index in 0..<bytes.count {
        let word = index < 8 ? first : second
        bytes.store(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index % 8))), at: index)
      }
    }
  }

  /// Negative, zero or positive as one text sorts before, with or after another; null comes first.
  @inline(__always)
  static func compare(_ left: InlineText, _ right: InlineText) -> Int {
    if left.first != right.first { return left.first < right.first ? -1 : 1 }
    if left.secondInOrder != right.secondInOrder { return left.secondInOrder < right.secondInOrder ? -1 : 1 }
    if left.address == right.address { return 0 }
    return left.longBytes.compare(right.longBytes)
  }
}

/// Words of a column's short texts for a run of rows.
extension GroupKeyVector {
  /// Gives each row the words of the text that `rows` names for it. `other` is called with the rows whose texts words do
  /// not hold, and with those that are null.
  @inline(__always)
  func set(
    _ place: Int, _ texts: PaddedTexts, rows: borrowing Span<Int32>,
    _ other: (_ targetRow: Int, _ row: Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    precondition(rows.count == count && place >= 0 && place + 2 < width)
    let (elementSize, elementCount) = (texts.elementSize, texts.count)
    precondition(elementSize >= 8)
    let source = unsafe texts.elements.start
    for index in 0..<count {
      let row = Int(rows[index])
      precondition(row >= 0 && row < elementCount)
      let element = unsafe source + row &* elementSize
      let padding = unsafe element.load(fromByteOffset: elementSize &- 1, as: UInt8.self)
      let length = elementSize &- 1 &- Int(padding)
      guard length >= 0, length <= InlineText.wholeMax else {
        try other(index, row)
        continue
      }
      let head = unsafe UInt64(bigEndian: element.loadUnaligned(as: UInt64.self))
      // Elements of eight bytes have no text beyond them.
      let tail =
        length > 8
        ? unsafe UInt32(bigEndian: element.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) : 0
      put(InlineText(head: head, tail: tail, length: length), index, place)
      unsafe nulls[index] = 0
    }
  }
}
