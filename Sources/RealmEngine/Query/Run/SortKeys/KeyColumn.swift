// The values of one property for many rows, as words. Layer: Query, Run, SortKeys.

/// One property's values by row number.
struct KeyColumn: Sendable {
  private(set) var first: [UInt64] = []
  /// Second and third words are kept from where some value has an unusual one; until then, and so perhaps for all
  /// rows, there are none.
  private(set) var second: [UInt64] = []
  private(set) var third: [UInt64] = []
  private let usualSecond: UInt64
  private let property: Property
  /// Of the entry of a dictionary whose values are meant.
  private let dictionaryKey: ByteString?
  /// 1 for rows that lead to no object with a value: behind all that do. Empty where there are none.
  private(set) var absent: [UInt64] = []
  /// The texts and data themselves, kept from where words do not say all of one; empty for null.
  private(set) var texts: [ByteString] = []
  /// Mixed values themselves, likewise.
  private(set) var values: [Value] = []
  /// Whether there is a mixed value that words put into no order.
  private(set) var hasUnordered = false
  /// Bytes of texts and data that were joined of chunks for rows of the property's own class. Each object has chunks of its own, so
  /// that these are no more than the data.
  private(set) var joinedSize = 0

  init(_ property: Property, dictionaryKey: ByteString? = nil) {
    self.property = property
    self.dictionaryKey = dictionaryKey
    usualSecond = OrderKey.usualSecond(of: dictionaryKey == nil ? property.type : .mixed)
  }

  var count: Int { first.count }

  /// Whether values of this property have words, or under a key of this dictionary.
  static func holds(_ property: Property, dictionaryKey: ByteString?) -> Bool {
    guard dictionaryKey == nil else { return property.collection == .dictionary }
    return property.collection == nil && property.type != .typedLink && property.type != .backlink
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
    values.removeAll()
    absent.removeAll()
    joinedSize = 0
  }

  /// Adds the values of rows of the property's class.
  mutating func append(_ rows: BlockRows, in snapshot: Snapshot) throws(EngineError) {
    let property = property
    let isUsual = try appendFirstWords(count: rows.count) { words, usualSecond throws(EngineError) in
      var isUsual = true
      switch property.type {
      case .int where property.collection == nil:
        try rows.forEachStoredNumbers(of: property) { leaf, rows in
          isUsual = words.append(firstWordsOfIntegers: leaf, at: rows) && isUsual
        }
      case .bool where property.collection == nil:
        try rows.forEachStoredNumbers(of: property) { leaf, rows in
          words.append(firstWordsOfBools: leaf, at: rows)
        }
      default:
        try rows.forEachLeaf(of: property) { leaf, rows in
          isUsual = isUsual && words.append(firstWordsOf: leaf, at: rows, usualSecond: usualSecond)
        }
      }
      return isUsual
    }
    if isUsual { return }
    let budget = TraversalBudget(snapshot)
    try rows.forEachLeaf(of: property) { leaf, rows throws(EngineError) in
      try appendWords(of: leaf, at: rows, in: snapshot, budget)
    }
  }

  /// Adds the values of a leaf at `rows`.
  mutating func append(
    _ leaf: Leaf, at rows: borrowing Span<Int32>, in snapshot: Snapshot
  ) throws(EngineError) {
    let isUsual = appendFirstWords(count: rows.count) { words, usualSecond in
      words.append(firstWordsOf: leaf, at: rows, usualSecond: usualSecond)
    }
    if !isUsual { try appendWords(of: leaf, at: rows, in: snapshot, TraversalBudget(snapshot)) }
  }

  /// Adds `count` first words, if they are all that there is to keep of these values, as `body` tells. False: they are
  /// not, and none was added.
  @inline(__always)
  private mutating func appendFirstWords<E: Error>(
    count: Int, _ body: (inout OutputSpan<UInt64>, _ usualSecond: UInt64) throws(E) -> Bool
  ) throws(E) -> Bool {
    guard second.isEmpty, third.isEmpty, texts.isEmpty, values.isEmpty else { return false }
    let (before, usualSecond) = (self.count, usualSecond)
    var isUsual = false
    try first.append(upTo: count) { words throws(E) in isUsual = try body(&words, usualSecond) }
    if !isUsual { first.removeSubrange(before...) }
    return isUsual
  }

  /// Adds all words of the values of a leaf at `rows`. What is joined of chunks is charged to the budget.
  private mutating func appendWords(
    of leaf: Leaf, at rows: borrowing Span<Int32>, in snapshot: Snapshot, _ budget: TraversalBudget
  ) throws(EngineError) {
    switch leaf {
    case .integers(let leaf): rows.forEachRow { append(OrderKey(leaf[$0])) }
    case .bools(let leaf): rows.forEachRow { append(OrderKey(leaf[$0])) }
    case .links(let leaf): rows.forEachRow { append(OrderKey(link: leaf.existing($0))) }
    case .dates(let leaf):
      rows.forEachRow {
        let nanoseconds = TimestampLeaf.inRange(leaf.nanoseconds[$0])
        append(OrderKey(seconds: leaf.seconds[$0], nanoseconds: nanoseconds))
      }
    case .doubles(let leaf): rows.forEachRow { append(OrderKey(leaf[$0])) }
    case .floats(let leaf): rows.forEachRow { append(OrderKey(leaf[$0])) }
    case .decimals(let leaf): rows.forEachRow { append(OrderKey(leaf[$0])) }
    case .objectIDs(let leaf): rows.forEachRow { append(OrderKey(leaf.objectID($0))) }
    case .uuids(let leaf): rows.forEachRow { append(OrderKey(leaf.uuid($0))) }
    case .strings(.short(let leaf)):
      if try appendWholeTexts(of: leaf, at: rows) { return }
      try rows.forEachRow { row throws(EngineError) in
        append(try leaf.bytes(row).map(ByteString.init(borrowing:)))
      }
    case .strings(let leaf):
      try rows.forEachRow { row throws(EngineError) in
        append(try charged(try leaf.bytes(row, in: snapshot), budget))
      }
    case .data(let leaf):
      try rows.forEachRow { row throws(EngineError) in
        append(try charged(try leaf.bytes(row, in: snapshot), budget))
      }
    case .mixed(let leaf):
      try rows.forEachRow { row throws(EngineError) in
        append(try charged(try leaf.value(row, in: snapshot, untypedTarget: property.target), budget))
      }
    case .collections(let roots):
      guard let dictionaryKey else { preconditionFailure("collections have no words") }
      try rows.forEachRow { row throws(EngineError) in
        let entry = try roots.root(row).flatMap { root throws(EngineError) in
          try snapshot.find(dictionaryKey, of: property, at: root)
        }
        let value = try entry?.value(in: snapshot, untypedTarget: property.target) ?? .null
        append(try charged(value, budget))
      }
    case .typedLinks, .backlinks: preconditionFailure("such properties have no words")
    }
  }

  /// The same text, charged where it is not the data's own bytes but a copy of them.
  @inline(__always)
  private mutating func charged(
    _ text: ByteString?, _ budget: TraversalBudget
  ) throws(EngineError) -> ByteString? {
    if let text, !text.isBorrowed {
      joinedSize += text.count
      try budget.charge(text.count, at: 0)
    }
    return text
  }

  private mutating func charged(_ value: Value, _ budget: TraversalBudget) throws(EngineError) -> Value {
    switch value {
    case .string(let bytes), .data(let bytes): _ = try charged(bytes, budget)
    default: break
    }
    return value
  }

  @inline(__always)
  private mutating func append(_ words: OrderKey) {
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
    let words = OrderKey(text?.bytes)
    if !texts.isEmpty || OrderKey.isCut(words.second) {
      if texts.isEmpty { texts = [ByteString](repeating: Self.noText, count: count) }
      texts.append(text ?? Self.noText)
    }
    append(words)
  }

  /// Adds the words of texts, if they say all of them. False: they do not, and none was added.
  private mutating func appendWholeTexts(
    of leaf: ShortStringLeaf, at rows: borrowing Span<Int32>
  ) throws(EngineError) -> Bool {
    guard texts.isEmpty, third.isEmpty else { return false }
    let before = count
    if second.isEmpty { second = [UInt64](repeating: usualSecond, count: before) }
    var isWhole = true
    try first.append(upTo: rows.count) { first throws(EngineError) in
      try second.append(upTo: rows.count) { second throws(EngineError) in
        try rows.forEachRow { row throws(EngineError) in
          let words = OrderKey(try leaf.bytes(row))
          if OrderKey.isCut(words.second) { isWhole = false }
          first.append(words.first)
          second.append(words.second)
        }
      }
    }
    if !isWhole {
      first.removeSubrange(before...)
      second.removeSubrange(before...)
    }
    return isWhole
  }

  /// Adds a value of any type.
  mutating func append(_ value: Value) {
    let known = OrderKey(mixed: value)
    if known == nil { hasUnordered = true }
    let words = known ?? .null
    if !values.isEmpty || OrderKey.isCut(words.second) {
      if values.isEmpty { values = [Value](repeating: .null, count: count) }
      values.append(value)
    }
    append(words)
  }

  private static let noText = ByteString(borrowing: .empty)

  /// Adds a row that leads to no object with a value.
  mutating func appendAbsent() {
    absent += repeatElement(0, count: count - absent.count)
    absent.append(1)
    if !texts.isEmpty { texts.append(Self.noText) }
    if !values.isEmpty { values.append(.null) }
    if !second.isEmpty { second.append(usualSecond) }
    if !third.isEmpty { third.append(0) }
    first.append(0)
  }

  /// Adds the rows of another column of the same property.
  mutating func append(_ other: KeyColumn) {
    Self.append(other.second, other.count, to: &second, count, usual: usualSecond)
    Self.append(other.third, other.count, to: &third, count, usual: 0)
    Self.append(other.texts, other.count, to: &texts, count, usual: Self.noText)
    Self.append(other.values, other.count, to: &values, count, usual: .null)
    Self.append(other.absent, other.count, to: &absent, count, usual: 0)
    first += other.first
    hasUnordered = hasUnordered || other.hasUnordered
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

  // MARK: Comparing

  /// Whether the value is null, or there is none.
  func isNull(_ row: Int) -> Bool { first[row] == 0 && secondWord(row) == usualSecond && thirdWord(row) == 0 }

  /// Negative, zero or positive as the value at `row` sorts before, with or behind one of a column of the same type.
  func order(_ row: Int, _ other: KeyColumn, _ otherRow: Int) -> Int {
    let (isAbsent, otherIsAbsent) = (isAbsent(row), other.isAbsent(otherRow))
    if isAbsent != otherIsAbsent { return otherIsAbsent ? -1 : 1 }
    if first[row] != other.first[otherRow] { return first[row] < other.first[otherRow] ? -1 : 1 }
    let (second, otherSecond) = (secondWord(row), other.secondWord(otherRow))
    if second != otherSecond { return second < otherSecond ? -1 : 1 }
    if OrderKey.isCut(second) {
      if !texts.isEmpty, !other.texts.isEmpty {
        return texts[row].bytes.compare(other.texts[otherRow].bytes)
      }
      if !values.isEmpty, !other.values.isEmpty { return values[row].storedOrder(other.values[otherRow]) }
    }
    let (third, otherThird) = (thirdWord(row), other.thirdWord(otherRow))
    return third == otherThird ? 0 : third < otherThird ? -1 : 1
  }

  private func isAbsent(_ row: Int) -> Bool { row < absent.count && absent[row] != 0 }
  private func secondWord(_ row: Int) -> UInt64 { second.isEmpty ? usualSecond : second[row] }
  private func thirdWord(_ row: Int) -> UInt64 { third.isEmpty ? 0 : third[row] }

  /// What rows are sorted by, from the level that decides first.
  func levels(isAscending: Bool) -> [SortLevel] {
    var levels: [SortLevel] = []
    if !absent.isEmpty { levels.append(SortLevel(absent, isAscending: isAscending)) }
    levels.append(SortLevel(first, isAscending: isAscending))
    if !second.isEmpty {
      let cut = TruncatedKeys(texts: texts, values: values)
      levels.append(SortLevel(second, isAscending: isAscending, cut: cut))
    }
    if !third.isEmpty { levels.append(SortLevel(third, isAscending: isAscending)) }
    return levels
  }

  // MARK: Choosing rows

  /// Keeps only the rows `kept`, in that order.
  mutating func keep(_ kept: [Int32]) {
    first = Self.chosen(kept, of: first)
    second = Self.chosen(kept, of: second)
    third = Self.chosen(kept, of: third)
    texts = Self.chosen(kept, of: texts)
    values = Self.chosen(kept, of: values)
    absent = Self.chosen(kept, of: absent)
  }

  private static func chosen<Item>(_ kept: [Int32], of items: [Item]) -> [Item] {
    items.isEmpty ? [] : kept.map { items[Int($0)] }
  }
}
