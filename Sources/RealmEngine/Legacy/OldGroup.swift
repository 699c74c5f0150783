// All tables of a snapshot of formats 2–9. Layer: Legacy.
// Invariant: a table's key is its position.

/// The tables of one snapshot of formats 2–9.
package struct OldGroup: Sendable {
  /// In stored order: names, and the top arrays of the tables; nil where a later engine has removed one.
  package let names: [String]
  package let tops: [NodeView?]
  private let snapshot: Snapshot

  private static let tablesMax = 65535
  /// Elements of a table's top array: spec and columns. Engines of later formats write more.
  package static let tableSize = 2
  /// A table in which later engines note how far their upgrade is.
  package static let progressTable = "!UPDATE_PROGRESS"

  package init(_ top: GroupTop, in snapshot: Snapshot) throws(EngineError) {
    let names = try snapshot.oldTexts(try snapshot.node(top.names), isNullable: false)
    let refs = try snapshot.refsNode(top.tables)
    guard refs.count <= Self.tablesMax, names.count == refs.count else {
      throw EngineError.damaged(
        at: top.tables.offset, expected: "as many tables as names", found: "\(refs.count) and \(names.count)")
    }
    var tableNames: [String] = []
    var tops: [NodeView?] = []
    for index in 0..<refs.count {
      tableNames.append(try names.bytes(index, in: snapshot)?.text ?? "")
      let isRemoved = try refs.slot(index) & 1 == 1
      tops.append(isRemoved ? nil : try snapshot.refsNode(try refs.requiredRef(index)))
    }
    self.names = tableNames
    self.tops = tops
    self.snapshot = snapshot
  }

  /// Whether a later engine has begun to upgrade the file and did not come to an end.
  package var isUpgradeInterrupted: Bool {
    tops.contains { $0?.count != Self.tableSize } || names.contains(Self.progressTable)
  }

  /// The tables of a file whose upgrade has not begun, as schemas and rows.
  package func tables() throws(EngineError) -> [OldTable] {
    let budget = TraversalBudget(snapshot)
    var storages: [OldTableStorage] = []
    for case let top? in tops {
      try budget.charge(top)
      storages.append(try OldTableStorage(top, in: snapshot, budget: budget))
    }
    return Self.tables(
      names: names, storages, try Self.primaryKeys(names, storages, in: snapshot), in: snapshot)
  }

  /// Tables by position, those that are nil left out, with the names of the others' primary keys as far as they are known.
  package static func tables(
    names: [String], _ storages: [OldTableStorage?], _ primaryKeys: OldPrimaryKeys?,
    in snapshot: Snapshot
  ) -> [OldTable] {
    let known = storages.map { $0 ?? .none(in: snapshot) }
    return zip(names, storages).enumerated().compactMap { index, table in
      guard let key = TableKey(Int64(index)) else { preconditionFailure("positions are keys") }
      guard let storage = table.1 else { return nil }
      let primaryKey = primaryKeys?.column(ofTable: index)
      return OldTable(
        schema: ClassSchema(
          tableName: table.0, tableKey: key,
          properties: storage.properties(ofTable: key, primaryKey: primaryKey, tableCount: storages.count),
          backlinks: storage.backlinks(ofTable: key, among: known), primaryKey: primaryKey),
        rows: storage.rows, remarks: storage.remarks(table: table.0))
    }
  }

  package static func primaryKeys(
    _ names: [String], _ storages: [OldTableStorage], in snapshot: Snapshot
  ) throws(EngineError) -> OldPrimaryKeys {
    var keys = OldPrimaryKeys(tableNames: names, propertyNames: storages.map(\.propertyNames))
    guard let table = names.firstIndex(of: OldPrimaryKeys.table),
      let classes = storages[table].propertyNames.firstIndex(of: OldPrimaryKeys.classColumn),
      let properties = storages[table].propertyNames.firstIndex(of: OldPrimaryKeys.propertyColumn)
    else { return keys }
    let rows = storages[table].rows
    var cursor = OldRows.Cursor(rows)
    while let (_, run) = try cursor.next() {
      let classLeaf = try rows.leaf(classes, run, budget: nil)
      let propertyLeaf = try rows.leaf(properties, run, budget: nil)
      for row in 0..<run.count {
        keys.add(
          class: try classLeaf.value(row, in: snapshot), property: try propertyLeaf.value(row, in: snapshot))
      }
    }
    return keys
  }
}

/// One table of formats 2–9.
package struct OldTable: Sendable {
  package let schema: ClassSchema
  package let rows: OldRows
  /// One sentence for each property of which something cannot be seen.
  package let remarks: [String]
}
