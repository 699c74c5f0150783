// What names the objects that links lead to, in files of other programs. Layer: Rendering, Cells.

package import RealmEngine

/// Finds the keys of objects that links lead to, most of which lie near each other.
package struct TargetKeys {
  private let realm: ReadTransaction
  /// Where the last link led to.
  private var last: (table: TableKey, block: RowBlock)?

  package init(_ realm: ReadTransaction) { self.realm = realm }

  /// The primary key of an object, or its object key where its class has none; null where there is no such object.
  package mutating func key(of link: ObjectLink) throws(EngineError) -> Value {
    guard let table = realm.table(link.table) else { return .null }
    guard let property = table.schema.primaryKey else { return .int(link.key.value) }
    guard let position = try position(of: link, in: table) else { return .null }
    return try position.block.leaf(property).value(position.row, in: realm.snapshot, target: nil)
  }

  private mutating func position(of link: ObjectLink, in table: Table) throws(EngineError) -> ObjectPosition?
  {
    if let last, last.table == link.table, let row = last.block.row(of: link.key) {
      return ObjectPosition(block: last.block, row: row)
    }
    guard let position = try table.find(link.key) else { return nil }
    last = (link.table, position.block)
    return position
  }
}
