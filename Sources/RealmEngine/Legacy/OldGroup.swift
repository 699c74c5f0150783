// All tables of a snapshot of formats 2–9. Layer: Legacy.
// Invariant: a table's key is its position; there are no gaps.

/// The tables of one snapshot of formats 2–9, as schemas and rows.
package struct OldGroup: Sendable {
  /// In stored order.
  package let tables: [OldTable]

  private static let tablesMax = 65535

  package init(_ top: GroupTop, in snapshot: Snapshot) throws(EngineError) {
    let names = try snapshot.oldTexts(try snapshot.node(top.names), isNullable: false)
    let refs = try snapshot.refsNode(top.tables)
    guard refs.count <= Self.tablesMax, names.count == refs.count else {
      throw EngineError.damaged(
        at: top.tables.offset, expected: "as many tables as names", found: "\(refs.count) and \(names.count)")
    }
    var storages: [OldTableStorage] = []
    let budget = TraversalBudget(snapshot)
    for index in 0..<refs.count {
      let name = try names.bytes(index, in: snapshot)?.text ?? ""
      storages.append(
        try OldTableStorage(try refs.requiredRef(index), name: name, in: snapshot, budget: budget))
    }
    let primaryKeys = try OldPrimaryKeys(storages)
    var tables: [OldTable] = []
    for index in storages.indices {
      tables.append(
        OldTable(
          schema: try storages.schema(ofTable: index, primaryKey: primaryKeys.column(ofTable: index)),
          rows: storages[index].rows))
    }
    self.tables = tables
  }
}

/// One table of formats 2–9.
package struct OldTable: Sendable {
  package let schema: ClassSchema
  package let rows: OldRows
}
