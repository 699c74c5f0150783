// What words are asked for: a value of a row, or one of an object that it leads to. Layer: Query, Run, SortKeys.

/// To-one links, then a property whose values have words, or a key of a dictionary.
struct SortKeyPath: Sendable {
  let links: [(property: Property, table: Table)]
  let property: Property
  let dictionaryKey: ByteString?
  /// What is computed in the place of a property.
  let computed: ComputedKey?

  /// Nil where values have no words.
  init?(_ path: BoundSortPath, in realm: ReadTransaction) {
    guard KeyColumn.holds(path.property, dictionaryKey: path.dictionaryKey) else { return nil }
    var links: [(property: Property, table: Table)] = []
    for link in path.links {
      guard let table = realm.table(link.target), link.property.type == .object else { return nil }
      links.append((link.property, table))
    }
    self.links = links
    property = path.property
    dictionaryKey = path.dictionaryKey
    computed = nil
  }

  /// Nil where values have no words, or where the class is not there.
  init?(_ value: BoundSortValue, in realm: ReadTransaction) {
    switch value {
    case .path(let path): self.init(path, in: realm)
    case .computed(let operand, _):
      guard let table = realm.table(operand.table) else { return nil }
      self.init(ComputedKey(operand: operand, table: table, realm: realm))
    }
  }

  private init(_ computed: ComputedKey) {
    links = []
    property = .computed
    dictionaryKey = nil
    self.computed = computed
  }

  /// Whether there may be values that words put into no order.
  var mayHaveUnordered: Bool { computed != nil || dictionaryKey != nil || property.type == .mixed }

  private var isStored: Bool { computed == nil }

  /// Whether both lead to the same value.
  func isSame(as other: SortKeyPath) -> Bool {
    isStored && other.isStored && property.columnKey == other.property.columnKey
      && dictionaryKey == other.dictionaryKey
      && links.map(\.property.columnKey) == other.links.map(\.property.columnKey)
  }
}

/// A key of an order that is computed.
struct ComputedKey: Sendable {
  let operand: ComputedOperand
  let table: Table
  let realm: ReadTransaction

  /// Hands out the values of the rows, in their order.
  func forEachValue(of rows: BlockRows, _ body: (Value) -> Void) throws(EngineError) {
    let evaluator = try ExpressionEvaluator(operand, of: table, in: realm, keepsTexts: true)
    var keptSize = 0
    for index in 0..<rows.blockCount {
      try Interruption.check()
      let numbers = rows.rows(index).map(Int.init)
      let column = try evaluator.column(rows.block(index), rows: numbers)
      for number in numbers.indices {
        let value = try column.value(number)
        if let text = value.textBytes, !text.isBorrowed {
          keptSize += text.count
          try ComputedSize.check(allTextsOf: keptSize)
        }
        body(value)
      }
    }
  }
}

extension KeyColumn {
  /// Of values of the path's property, wherever its links lead.
  init(_ path: SortKeyPath) { self.init(path.property, dictionaryKey: path.dictionaryKey) }

  /// Adds what the path gives for rows.
  mutating func append(
    _ rows: BlockRows, of path: SortKeyPath, in snapshot: Snapshot
  ) throws(EngineError) {
    if let computed = path.computed { return try computed.forEachValue(of: rows) { append($0) } }
    guard let link = path.links.first else { return try append(rows, in: snapshot) }
    var links = KeyColumn(link.property)
    try links.append(rows, in: snapshot)
    var linked = try LinkedObjects(links.first, in: link.table)
    for link in path.links.dropFirst() {
      linked = try linked.following(link.property, to: link.table, in: snapshot)
    }
    var values = KeyColumn(path)
    try values.append(linked.objects, in: snapshot)
    let nowhere = Int32(values.count)
    if linked.places.contains(where: { $0 < 0 }) { values.appendAbsent() }
    values.keep(linked.places.map { $0 < 0 ? nowhere : $0 })
    append(values)
  }
}

extension Property {
  /// Stands for what is computed, whose values may be of any type.
  fileprivate static let computed = Property(
    name: "", type: .mixed, collection: nil, isOptional: true, index: .none, target: nil, columnKey: .null,
    specIndex: 0, indexRef: nil, hasIntegerKeys: false, texts: nil, subtableForm: nil)
}
