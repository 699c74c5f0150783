// The columns of an export that are not the properties as they stand: the keys of objects that others link to by them, and with
// --flatten the properties of embedded objects. Layer: RealmCommands, Querying.

import RealmEngine
import RealmSession

/// Finds the columns of whole classes.
struct ExportColumns {
  let realm: ReadTransaction
  let isFlat: Bool

  /// Nil where the columns are all properties as they stand.
  func columns(of table: Table) -> [SelectedColumn]? {
    let schema = table.schema
    // Links to objects without a primary key are their keys, which lead somewhere only where the keys come along.
    let hasKeys = schema.takesKeyColumn && !schema.backlinks.isEmpty
    guard hasKeys || isFlat else { return nil }
    var columns: [SelectedColumn] = []
    if hasKeys { columns.append(SelectedColumn(name: ObjectReader.keyColumn, source: .objectKey)) }
    add(table, [], [], [], to: &columns)
    return columns
  }

  /// Adds the properties of the objects that `hops` lead to. An object inside one of its own class stays what it is.
  private func add(
    _ table: Table, _ hops: [Hop], _ path: [String], _ tables: [TableKey], to columns: inout [SelectedColumn]
  ) {
    for property in table.schema.properties {
      let names = path + [property.name]
      guard isFlat, property.collection == nil, property.type == .object,
        let target = property.target.flatMap(realm.table), target.schema.kind == .embedded,
        !tables.contains(target.schema.tableKey)
      else {
        columns.append(SelectedColumn(name: names.joined(separator: "."), source: .property(hops, property)))
        continue
      }
      add(
        target, hops + [.toOne(property, target.schema.tableKey)], names, tables + [target.schema.tableKey],
        to: &columns)
    }
  }
}
