// The values of one property for many rows, as words. Layer: Query.

/// One property's values by row number.
struct WordColumn: Sendable {
  private(set) var first: [UInt64] = []
  /// Second and third words are kept from where some value has an unusual one; until then, and so perhaps for all
  /// rows, there are none.
  private(set) var second: [UInt64] = []
  private(set) var third: [UInt64] = []
  private let usualSecond: UInt64
  /// The texts and data themselves, kept from where words do not say all of one; empty for null.
  private(set) var texts: [ByteString] = []

  init(_ property: Property) { usualSecond = SortWords.usualSecond(of: property.type) }

  var count: Int { first.count }

  /// Whether values of this property have words.
  static func holds(_ property: Property) -> Bool {
    property.collection == nil && hasWords(property.type)
  }

  private static func hasWords(_ type: ValueType) -> Bool {
    switch type {
    case .int, .bool, .float, .double, .date, .string, .data, .objectID, .uuid, .object: true
    case .decimal128, .mixed, .typedLink, .backlink: false
    }
  }

  // MARK: Adding rows

  /// Makes room for `count` rows in all.
  mutating func reserve(_ count: Int) {
    first.reserveLarge(count)
    if !second.isEmpty { second.reserveLarge(count) }
  }

  /// Forgets all rows, but not the room that they had.
  mutating func removeAll() {
    first.removeAll(keepingCapacity: true)
    second.removeAll(keepingCapacity: true)
    third.removeAll(keepingCapacity: true)
    texts.removeAll()
  }

  mutating func append(
    _ rows: BlockRows, of property: Property, in snapshot: Snapshot
  ) throws(EngineError) {
    try rows.forEachLeaf(of: property) { leaf, rows throws(EngineError) in
      try append(rows, of: leaf, in: snapshot)
    }
  }

  /// Adds the values of `rows` of a leaf.
  mutating func append(
    _ rows: ArraySlice<Int32>, of leaf: Leaf, in snapshot: Snapshot
  ) throws(EngineError) {
    switch leaf {
    case .integers(let leaf):
      let null = leaf.nullSentinel
      append(rows, of: leaf.values) { SortWords($0 == null ? nil : $0) }
    case .bools(let leaf):
      let null = leaf.nullSentinel
      append(rows, of: leaf.values) { SortWords($0 == null ? nil : $0 != 0) }
    case .links(let leaf):
      for row in rows {
        append(SortWords(link: leaf[Int(row)].flatMap { key in key.value >= 0 ? key : nil }))
      }
    case .dates(let leaf): append(rows, of: leaf)
    case .doubles(let leaf): for row in rows { append(SortWords(leaf[Int(row)])) }
    case .floats(let leaf): for row in rows { append(SortWords(leaf[Int(row)])) }
    case .objectIDs(let leaf): for row in rows { append(SortWords(leaf.objectID(Int(row)))) }
    case .uuids(let leaf): for row in rows { append(SortWords(leaf.uuid(Int(row)))) }
    case .strings(.short(let leaf)):
      for row in rows { append(try leaf.bytes(Int(row)).map(ByteString.init(borrowing:))) }
    case .strings(let leaf): for row in rows { append(try leaf.bytes(Int(row), in: snapshot)) }
    case .data(let leaf): for row in rows { append(try leaf.bytes(Int(row), in: snapshot)) }
    case .decimals, .mixed, .typedLinks, .backlinks, .collections:
      preconditionFailure("such properties have no words")
    }
  }

  private mutating func append(_ rows: ArraySlice<Int32>, of leaf: TimestampLeaf) {
    let null = leaf.seconds.nullSentinel
    if leaf.nanoseconds.width == 0 {
      // Whole seconds.
      append(rows, of: leaf.seconds.values) {
        SortWords(seconds: $0 == null ? nil : $0, nanoseconds: 0)
      }
    } else {
      for row in rows {
        let nanoseconds = TimestampLeaf.inRange(leaf.nanoseconds[Int(row)])
        append(SortWords(seconds: leaf.seconds[Int(row)], nanoseconds: nanoseconds))
      }
    }
  }

  /// Adds what `words` makes of the elements at `rows`.
  @inline(__always)
  private mutating func append(
    _ rows: ArraySlice<Int32>, of values: PackedIntegers, _ words: (Int64) -> SortWords
  ) {
    let count = count
    if second.isEmpty, third.isEmpty {
      // Mostly first words are all that there is to keep.
      var isUsual = true
      first.append(addingCapacity: rows.count) { first in
        values.forEachElement(at: rows) { element in
          let words = words(element)
          if words.second != usualSecond || words.third != 0 { isUsual = false }
          first.append(words.first)
        }
      }
      if isUsual { return }
      first.removeSubrange(count...)
    }
    values.forEachElement(at: rows) { append(words($0)) }
  }

  @inline(__always)
  private mutating func append(_ words: SortWords) {
    if words.second != usualSecond || !second.isEmpty { append(second: words.second) }
    if words.third != 0 || !third.isEmpty { append(third: words.third) }
    first.append(words.first)
  }

  private mutating func append(second word: UInt64) {
    if second.isEmpty { second = [UInt64](repeating: usualSecond, count: count) }
    second.append(word)
  }

  private mutating func append(third word: UInt64) {
    if third.isEmpty { third = [UInt64](repeating: 0, count: count) }
    third.append(word)
  }

  @inline(__always)
  private mutating func append(_ text: ByteString?) {
    let words = SortWords(text?.bytes)
    if !texts.isEmpty || SortWords.isCut(words.second) {
      if texts.isEmpty { texts = [ByteString](repeating: Self.noText, count: count) }
      texts.append(text ?? Self.noText)
    }
    append(words)
  }

  private static let noText = ByteString(borrowing: .empty)

  /// Adds the rows of another column of the same property.
  mutating func append(_ other: WordColumn) {
    Self.append(other.second, other.count, to: &second, count, usual: usualSecond)
    Self.append(other.third, other.count, to: &third, count, usual: 0)
    Self.append(other.texts, other.count, to: &texts, count, usual: Self.noText)
    first += other.first
  }

  /// Adds `otherCount` items to `count` ones; where either are not kept, they are `usual`.
  private static func append<Item>(
    _ other: [Item], _ otherCount: Int, to items: inout [Item], _ count: Int, usual: Item
  ) {
    if items.isEmpty, other.isEmpty { return }
    if items.isEmpty {
      items.reserveCapacity(count + otherCount)
      items += repeatElement(usual, count: count)
    }
    if other.isEmpty {
      items += repeatElement(usual, count: otherCount)
    } else {
      items += other
    }
  }

  // MARK: Choosing rows

  /// Keeps only the rows `kept`, in that order.
  mutating func keep(_ kept: [Int32]) {
    first = Self.chosen(kept, of: first)
    second = Self.chosen(kept, of: second)
    third = Self.chosen(kept, of: third)
    texts = Self.chosen(kept, of: texts)
  }

  private static func chosen<Item>(_ kept: [Int32], of items: [Item]) -> [Item] {
    items.isEmpty ? [] : kept.map { items[Int($0)] }
  }
}
