// All tables of a snapshot. Layer: Schema.
// Invariants: tables are found by their key in constant time; a key whose slot is empty or reused finds none; what all
// tables say of themselves is no more than the data holds.

/// The tables of one snapshot of formats 10 and later.
package struct Group: Sendable {
  package let top: GroupTop
  /// By slot; nil where a table was erased.
  package let tables: [TableTop?]

  private static let slotsMax = 65535

  package init(_ top: GroupTop, in snapshot: Snapshot) throws(EngineError) {
    self.top = top
    let names = try ShortStringLeaf(try snapshot.node(top.names), isNullable: false)
    let refs = try snapshot.refsNode(top.tables)
    guard refs.count <= Self.slotsMax, names.count == refs.count else {
      throw EngineError.damaged(
        at: top.tables.offset, expected: "as many tables as names", found: "\(refs.count) and \(names.count)")
    }
    let budget = TraversalBudget(snapshot)
    var tables: [TableTop?] = []
    for slot in 0..<refs.count {
      // An odd element is the tag that the next table in this slot gets.
      guard try refs.slot(slot) & 1 == 0 else {
        tables.append(nil)
        continue
      }
      let name = try names.bytes(slot).map { ByteString(borrowing: $0).text } ?? ""
      tables.append(
        try TableTop(
          try refs.requiredRef(slot), tableName: name, slot: slot, in: snapshot, budget: budget))
    }
    self.tables = tables
  }
}

/// What the table is called, and what stands in it: one object with a number.
package enum SchemaVersionTable {
  package static let name = "metadata"
  package static let property = "version"
  /// What is kept where no version was set.
  package static let notVersioned: Int64 = -1
}
