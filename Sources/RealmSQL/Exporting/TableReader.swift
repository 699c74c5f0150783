// The rows of exported tables, block by block. Layer: RealmSQL, Exporting.
// Embedded objects come in the order of those who own them, so that places in lists and keys of dictionaries are known
// without looking for them. Invariant: every node is charged to a budget, so that a small file gives no endless table.

import ByteText
package import RealmEngine

/// Reads the tables of one version of a realm.
package struct TableReader {
  let realm: ReadTransaction
  private let form: SQLForm
  private let snapshot: Snapshot
  private var values: SQLValues
  private var budget: TraversalBudget

  package init(_ realm: ReadTransaction, _ form: SQLForm = .plain) {
    self.realm = realm
    self.form = form
    snapshot = realm.snapshot
    values = SQLValues(realm, form)
    budget = TraversalBudget(realm.snapshot)
  }

  /// Calls `body` with all rows of a table, some at once.
  package mutating func forEachBatch(of table: SQLTable, _ body: (RowBatch) throws -> Void) throws {
    if let refusal = table.refusal { throw refusal }
    budget = TraversalBudget(snapshot)
    switch table.rows {
    case .objects where table.table.schema.kind == .embedded:
      var rows = EmbeddedRows(table)
      try forEachOwned(by: table, &rows, body)
    case .objects: try forEachObject(of: table, body)
    case .elements(let property): try forEachElement(of: property, table, body)
    }
  }

  // MARK: Objects

  private mutating func forEachObject(of table: SQLTable, _ body: (RowBatch) throws -> Void) throws {
    let columns = table.visibleColumns
    var batch = RowBatch(columnCount: columns.count)
    var cursor = table.table.blocks(budget: budget)
    while let block = try cursor.next() {
      try Interruption.check()
      for (index, column) in columns.enumerated() {
        switch column.source {
        case .objectKey:
          for row in 0..<block.count { batch.append(.integer(block.key(row).value), to: index) }
        case .rowName:
          for row in 0..<block.count {
            let link = ObjectLink(table: table.table.schema.tableKey, key: block.key(row))
            batch.append(try name(of: link), to: index)
          }
        case .fixed(let text):
          let value = SQLValue.text(ByteString(text))
          for _ in 0..<block.count { batch.append(value, to: index) }
        case .property(let property):
          try fill(index, of: &batch, try block.leaf(property, budget: budget), property)
        case .owner, .ownerClass, .ownerProperty, .position, .entryKey, .element, .document:
          preconditionFailure("objects of their own have no owner, and documents are hidden")
        }
      }
      batch.endRows(block.count)
      try body(batch)
      batch.removeAll()
    }
  }

  private mutating func fill(
    _ index: Int, of batch: inout RowBatch, _ leaf: Leaf, _ property: Property
  ) throws(EngineError) {
    switch leaf {
    case .integers(let leaf):
      for row in 0..<leaf.count { batch.append(leaf[row].map(SQLValue.integer) ?? .null, to: index) }
    case .bools(let leaf):
      for row in 0..<leaf.count {
        batch.append(leaf[row].map { .integer($0 ? 1 : 0) } ?? .null, to: index)
      }
    case .strings(let leaf):
      for row in 0..<leaf.count {
        let text = try leaf.bytes(row, in: snapshot)
        if let text { try charge(text) }
        batch.append(text.map(SQLValue.text) ?? .null, to: index)
      }
    case .doubles(let leaf):
      for row in 0..<leaf.count {
        guard let number = leaf[row] else {
          batch.append(.null, to: index)
          continue
        }
        batch.append(SQLValue(number), to: index)
        if !number.isExactInSQL { batch.noteException(.double(number), in: index) }
      }
    default:
      for row in 0..<leaf.count {
        try append(
          try leaf.value(row, in: snapshot, target: property.target), of: property, to: index, &batch)
      }
    }
  }

  /// Adds one value of a property or one of its elements.
  private mutating func append(
    _ value: Value, of property: Property, to index: Int, _ batch: inout RowBatch
  ) throws(EngineError) {
    switch value {
    case .null: return batch.append(.null, to: index)
    case .string(let bytes), .data(let bytes): try charge(bytes)
    case .link(let link) where property.type != .mixed || !form.writesMixedAsJSON:
      let name = try name(of: link)
      batch.append(name, to: index)
      // An object whose primary key is null has no name that a link could hold.
      if property.type == .mixed || name == .null { batch.noteException(value, in: index) }
      return
    default: break
    }
    var written = property.type == .mixed ? try values.mixed(value) : try values.sql(value)
    if written == .null, case .date(let date) = value, property.type == .date, !property.isOptional {
      written = try values.sql(.date(form.nearest(to: date)))
    }
    batch.append(written, to: index)
    if written == .null || !value.isExact(in: property.type, form) { batch.noteException(value, in: index) }
  }

  private mutating func name(of link: ObjectLink) throws(EngineError) -> SQLValue {
    let name = try values.name(of: link)
    if case .text(let text) = name { try budget.charge(nameOfSize: text.count) }
    return name
  }

  /// What lies in a leaf with others was charged with it.
  private func charge(_ bytes: ByteString) throws(EngineError) {
    if bytes.count > TextLimits.inLeafSizeMax { try budget.charge(bytes.count, at: 0) }
  }

  // MARK: Elements

  /// Calls `body` with each value that objects have in a property, with its place and with what names the object.
  private mutating func forEachElement(
    of property: Property, in table: Table,
    _ body: (inout TableReader, _ owner: SQLValue, _ place: SQLValue, Value) throws -> Void
  ) throws {
    var cursor = table.blocks(budget: budget)
    while let block = try cursor.next() {
      try Interruption.check()
      let leaf = try block.leaf(property, budget: budget)
      for row in 0..<block.count {
        let link = ObjectLink(table: table.schema.tableKey, key: block.key(row))
        var owner: SQLValue?
        var failure: (any Error)?
        try snapshot.forEachElement(of: property, leaf, row, budget: budget) { place, value in
          do {
            let name = try owner ?? name(of: link)
            owner = name
            try body(&self, name, place, value)
          } catch {
            failure = error
          }
          return failure == nil
        }
        if let failure { throw failure }
      }
    }
  }

  private mutating func forEachElement(
    of property: Property, _ table: SQLTable, _ body: (RowBatch) throws -> Void
  ) throws {
    let columns = table.visibleColumns
    var batch = RowBatch(columnCount: columns.count)
    try forEachElement(of: property, in: table.table) { reader, owner, place, value in
      for (index, column) in columns.enumerated() {
        switch column.source {
        case .owner: batch.append(owner, to: index)
        case .rowName: batch.append(.name(of: place, in: owner), to: index)
        case .fixed(let text): batch.append(.text(ByteString(text)), to: index)
        case .element: try reader.append(value, of: property, to: index, &batch)
        default: batch.append(place, to: index)
        }
      }
      batch.endRows(1)
      try batch.hand(to: body)
    }
    try batch.hand(to: body, isLast: true)
  }

  // MARK: Embedded objects

  /// Rows of an embedded class as its owners show them.
  private struct EmbeddedRows {
    let table: SQLTable
    let columns: [SQLColumn]
    var batch: RowBatch
    var count = 0
    /// The leaves of the block that the last object was in: objects of one owner mostly lie together.
    private var leaves: [Leaf?] = []
    private var block: RowBlock?

    init(_ table: SQLTable) {
      self.table = table
      columns = table.visibleColumns
      batch = RowBatch(columnCount: columns.count)
    }

    mutating func position(of key: ObjectKey) throws(EngineError) -> ObjectPosition {
      if let block, let row = block.row(of: key) { return ObjectPosition(block: block, row: row) }
      guard let position = try table.table.find(key) else {
        throw EngineError(damage: "the embedded object \(key.value) of \(table.table.schema.name) is missing")
      }
      block = position.block
      leaves = Array(repeating: nil, count: columns.count)
      return position
    }

    mutating func leaf(_ index: Int, _ property: Property, _ block: RowBlock) throws(EngineError) -> Leaf {
      if let leaf = leaves[index] { return leaf }
      let leaf = try block.leaf(property)
      leaves[index] = leaf
      return leaf
    }
  }

  private mutating func forEachOwned(
    by table: SQLTable, _ rows: inout EmbeddedRows, _ body: (RowBatch) throws -> Void
  ) throws {
    guard case .objects(let owners) = table.rows else { return }
    for owner in owners {
      let property = owner.property
      try forEachElement(of: property, in: owner.table) { reader, name, place, value in
        if case .link(let link) = value {
          return try reader.append(link.key, of: owner, name, place: place, to: &rows, body)
        }
        guard property.collection == .dictionary else { return }
        rows.batch.note(
          RowBatch.NullEntry(
            className: owner.table.schema.name, owner: name, property: property.name, key: place))
        try rows.batch.hand(to: body)
      }
    }
    if rows.count < table.table.count {
      try forEachOrphan(of: table, SQLOwnerSearch(table.table, owners, in: realm), &rows, body)
    }
    try rows.batch.hand(to: body, isLast: true)
  }

  /// Embedded objects that nothing leads to.
  private mutating func forEachOrphan(
    of table: SQLTable, _ owners: SQLOwnerSearch, _ rows: inout EmbeddedRows,
    _ body: (RowBatch) throws -> Void
  ) throws {
    var cursor = table.table.blocks(budget: budget)
    while let block = try cursor.next() {
      try Interruption.check()
      for row in 0..<block.count where try owners.ownership(of: block.key(row)) == nil {
        try append(block.key(row), of: nil, .null, place: .null, to: &rows, body)
      }
    }
  }

  private mutating func append(
    _ key: ObjectKey, of owner: SQLOwner?, _ name: SQLValue, place: SQLValue, to rows: inout EmbeddedRows,
    _ body: (RowBatch) throws -> Void
  ) throws {
    rows.count += 1
    guard rows.count <= rows.table.table.count else { throw SQLTable.twoOwners(rows.table.table) }
    let position = try rows.position(of: key)
    for (index, column) in rows.columns.enumerated() {
      switch column.source {
      case .objectKey: rows.batch.append(.integer(key.value), to: index)
      case .rowName: rows.batch.append(SQLValue { $0.append(decimal: key.value) }, to: index)
      case .fixed(let text): rows.batch.append(.text(ByteString(text)), to: index)
      case .owner: rows.batch.append(column.type == .text ? name.spelled : name, to: index)
      case .ownerClass:
        rows.batch.append(owner.map { .text(ByteString($0.table.schema.name)) } ?? .null, to: index)
      case .ownerProperty:
        rows.batch.append(owner.map { .text(ByteString($0.property.name)) } ?? .null, to: index)
      case .position: rows.batch.append(owner?.property.collection == .list ? place : .null, to: index)
      case .entryKey: rows.batch.append(owner?.property.collection == .dictionary ? place : .null, to: index)
      case .property(let property), .element(let property), .document(let property):
        let leaf = try rows.leaf(index, property, position.block)
        let value = try leaf.value(position.row, in: snapshot, target: property.target)
        try append(value, of: property, to: index, &rows.batch)
      }
    }
    rows.batch.endRows(1)
    try rows.batch.hand(to: body)
  }
}

extension RowBatch {
  /// Hands the rows on when there are enough of them.
  fileprivate mutating func hand(to body: (RowBatch) throws -> Void, isLast: Bool = false) throws {
    let size = max(count, nullEntries.count)
    guard size >= Self.rowsMax || isLast && size > 0 else { return }
    try body(self)
    removeAll()
  }
}

extension SQLValue {
  /// `7:0`: the first element of what 7 owns. A colon in the owner's name is escaped, so that no two are called alike.
  fileprivate static func name(of place: SQLValue, in owner: SQLValue) -> SQLValue {
    SQLValue { text in
      for (index, value) in [owner, place].enumerated() {
        if index > 0 { text.append(UInt8(ascii: ":")) }
        switch value {
        case .text(let bytes): text.append(bytes.bytes.span, escapingColons: index == 0)
        case .integer(let number): text.append(decimal: number)
        case .null, .real, .blob: break
        }
      }
    }
  }
}

extension SQLTable {
  /// What `SELECT *` shows, and exported files have.
  package var visibleColumns: [SQLColumn] { columns.filter { !$0.isHidden } }
}

extension ByteBuffer {
  fileprivate mutating func append(_ text: Span<UInt8>, escapingColons: Bool) {
    guard escapingColons else { return append(text) }
    for index in text.indices {
      if text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "%") {
        append(UInt8(ascii: "%"))
        append(hexadecimal: text[index])
      } else {
        append(text[index])
      }
    }
  }
}
