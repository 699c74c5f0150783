// A table's top array and spec: columns, their keys, where rows and indexes are. Layer: Schema.

/// The structure of one table of formats 10 and later.
package struct TableTop: Sendable {
  package let node: NodeView
  package let schema: ClassSchema
  package let clusters: Ref
  /// Rows that stand for objects that do not exist; never listed.
  package let tombstones: Ref?
  package let sequence: Int64
  package let contentVersion: Int64

  /// Bytes that a column takes in the arrays of its spec, at least: its name and its key alone are mostly longer.
  private static let columnSizeMin = 8

  /// `budget`: what a walk over several tables may still meet; it is charged for this one.
  package init(
    _ ref: Ref, tableName: String, slot: Int, in snapshot: Snapshot, budget: TraversalBudget? = nil
  ) throws(EngineError) {
    let budget = budget ?? TraversalBudget(snapshot)
    node = try snapshot.refsNode(ref)
    try budget.charge(node)
    guard node.count >= 9 else {
      throw EngineError.damaged(at: ref.offset, expected: "a table", found: node.description)
    }
    let storedKey = try node.tagged(TableTopSlot.key)
    guard let tableKey = TableKey(storedKey), tableKey.slot == slot else {
      throw EngineError.damaged(at: ref.offset, expected: "the key of table \(slot)", found: "\(storedKey)")
    }
    clusters = try node.requiredRef(TableTopSlot.clusters)
    tombstones = try node.refIfPresent(TableTopSlot.tombstones)
    sequence = try node.taggedOrZero(TableTopSlot.sequence)
    contentVersion = try node.taggedOrZero(TableTopSlot.contentVersion)

    let spec = try snapshot.refsNode(try node.requiredRef(TableTopSlot.spec))
    let columns = try TableColumns(node, spec, in: snapshot, faults: .thrown)
    // Elements of some of the arrays may take no bytes, and each column becomes an object.
    try budget.charge(
      max(columns.byteSize, (columns.keys?.count ?? 0) * Self.columnSizeMin), at: spec.ref.offset)
    let (properties, backlinks) = try columns.columns(faults: .thrown)
    let primaryKey = try Self.primaryKey(node, among: properties)
    let flags = try node.taggedOrZero(TableTopSlot.flags)
    schema = ClassSchema(
      tableName: tableName, flags: flags, tableKey: tableKey, properties: properties, backlinks: backlinks,
      primaryKeyIndex: primaryKey)
  }

  private static func primaryKey(
    _ node: NodeView, among properties: [Property]
  ) throws(EngineError) -> Int? {
    let slot = TableTopSlot.primaryKey
    // A plain 0 means none; column key 0 is stored tagged, as 1.
    guard slot < node.count, try node.slot(slot) & 1 == 1 else { return nil }
    let key = ColumnKey(try node.tagged(slot))
    guard let index = properties.firstIndex(where: { $0.columnKey == key }) else {
      throw EngineError.damaged(
        at: node.ref.offset, expected: "the column of the primary key", found: "no column \(key.value)")
    }
    return index
  }
}
