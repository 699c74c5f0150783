// The values of one sort key for the rows that are sorted, as words, with the texts behind them where words do not
// say everything. Layer: Query.

/// Masks that a sort reuses from block to block.
final class SortMasks {
  let result = RowMask()
  let scratch = RowMask()
}

/// One sort key's values by row number.
struct SortColumn {
  let property: Property
  private let isAscending: Bool
  private(set) var words: [SortWord] = []
  /// Empty while the words of all texts hold all of them; null is an empty text here, and told apart by its word.
  private var texts: [ByteString] = []

  /// Nil where the key is not a property of the row itself, or of a type whose order no word says.
  init?(_ key: BoundSortKey) {
    guard key.path.links.isEmpty, key.path.dictionaryKey == nil, key.path.property.collection == nil,
      [.int, .bool, .float, .double, .date, .string].contains(key.path.property.type)
    else { return nil }
    property = key.path.property
    isAscending = key.isAscending
  }

  /// Whether the word of a row says all about its value: not so for long texts.
  func isSaidByWord(_ row: Int) -> Bool {
    property.type != .string || SortWords.isWholeText(directed(words[row]))
  }

  /// The word of one row; smaller sorts first, whatever the direction. It undoes itself.
  @inline(__always)
  private func directed(_ word: SortWord) -> SortWord { isAscending ? word : ~word }

  /// Adds the values of `rows`.
  mutating func append(_ rows: [Int32], of block: RowBlock, in snapshot: Snapshot) throws(EngineError) {
    guard case .strings(let leaf) = try block.leaf(property) else {
      var words: [SortWord] = []
      swap(&words, &self.words)
      defer { swap(&words, &self.words) }
      return try forEachWord(block, rows, in: snapshot) { _, word in words.append(word) }
    }
    for row in rows {
      let text = try leaf.bytes(Int(row), in: snapshot)
      let word = SortWords.word(text?.bytes)
      if texts.isEmpty, !SortWords.isWholeText(word) {
        // The first text that its word does not hold: from here on all are kept.
        texts = [ByteString](repeating: ByteString(borrowing: .empty), count: words.count)
      }
      if !texts.isEmpty || !SortWords.isWholeText(word) {
        texts.append(text ?? ByteString(borrowing: .empty))
      }
      words.append(directed(word))
    }
  }

  /// Calls `body` with the word of each of `rows`.
  @inline(__always)
  func forEachWord(
    _ block: RowBlock, _ rows: [Int32], in snapshot: Snapshot,
    _ body: (_ number: Int, _ word: SortWord) -> Void
  ) throws(EngineError) {
    switch try block.leaf(property) {
    case .integers(let leaf):
      for (number, row) in rows.enumerated() { body(number, directed(SortWords.word(leaf[Int(row)]))) }
    case .bools(let leaf):
      for (number, row) in rows.enumerated() { body(number, directed(SortWords.word(leaf[Int(row)]))) }
    case .floats(let leaf):
      for (number, row) in rows.enumerated() {
        body(number, directed(SortWords.word(leaf[Int(row)].map(Double.init))))
      }
    case .doubles(let leaf):
      for (number, row) in rows.enumerated() { body(number, directed(SortWords.word(leaf[Int(row)]))) }
    case .dates(let leaf):
      for (number, row) in rows.enumerated() { body(number, directed(SortWords.word(leaf[Int(row)]))) }
    case .strings(let leaf):
      for (number, row) in rows.enumerated() {
        body(number, directed(SortWords.word(try leaf.bytes(Int(row), in: snapshot)?.bytes)))
      }
    default:
      throw EngineError(
        .damaged, "the file is damaged: '\(property.name)' holds no \(property.type.name) values")
    }
  }

  /// Takes out of `rows` most of those that sort behind `worst`, by a kernel where the type has one; never one that
  /// does not. Nil: nothing was taken out.
  func rows(_ rows: [Int32], of block: RowBlock, notBehind worst: Value, masks: SortMasks) throws(EngineError)
    -> [Int32]?
  {
    let mask = masks.result
    switch (try block.leaf(property), worst) {
    case (.integers(let leaf), .int(let value)):
      let test = isAscending ? IntegerTest(low: .min, high: value) : IntegerTest(low: value, high: .max)
      leaf.mark(test, acceptsNull: isAscending, scratch: masks.scratch, into: mask)
    case (.dates(let leaf), .date(let date)):
      let test =
        isAscending ? IntegerTest(low: .min, high: date.seconds) : IntegerTest(low: date.seconds, high: .max)
      leaf.seconds.mark(test, acceptsNull: isAscending, scratch: masks.scratch, into: mask)
    case (.doubles(let leaf), .double(let value)) where !value.isNaN:
      // Null and NaN, which come first, are not greater than anything.
      leaf.mark(.compare(isAscending ? .greater : .greaterOrEqual, value), into: mask)
      if isAscending { mask.invert() }
    case (.floats(let leaf), .float(let value)) where !value.isNaN:
      leaf.mark(.compare(isAscending ? .greater : .greaterOrEqual, value), into: mask)
      if isAscending { mask.invert() }
    default: return nil
    }
    var kept: [Int32] = []
    if rows.count == block.count {
      mask.forEachRow { kept.append(Int32($0)) }
    } else {
      for row in rows where mask[Int(row)] { kept.append(row) }
    }
    return kept
  }

  /// Negative, zero or positive as row `left` sorts before, with or after row `right`.
  @inline(__always)
  func compare(_ left: Int, _ right: Int) -> Int {
    if words[left] != words[right] { return words[left] < words[right] ? -1 : 1 }
    guard !texts.isEmpty, !isSaidByWord(left) else { return 0 }
    let order = texts[left].bytes.compare(texts[right].bytes)
    return isAscending ? order : -order
  }

  /// Keeps only the rows `kept`, in that order.
  mutating func keep(_ kept: [Int]) {
    words = kept.map { words[$0] }
    if !texts.isEmpty { texts = kept.map { texts[$0] } }
  }
}
