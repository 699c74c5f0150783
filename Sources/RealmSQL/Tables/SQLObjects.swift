// Objects whose values are the rows of a statement, so that nobody need make rows of SQL of them.
// Layer: RealmSQL, Tables.

package import RealmEngine

package struct SQLObjects {
  /// What finds them, in the order of the rows.
  package let executor: QueryExecutor
  package let table: Table
  package let columns: [SelectedColumn]
  package let realm: ReadTransaction

  /// All rows of a cursor that has begun; nil where they are more than values of objects as they are.
  init?(of cursor: RealmTableCursor, _ columns: [(name: String, number: Int)]) throws(EngineError) {
    guard let query = cursor.wholeQuery else { return nil }
    let description = cursor.table.description
    var selected: [SelectedColumn] = []
    for (name, number) in columns {
      switch description.columns[number].source {
      case .objectKey: selected.append(SelectedColumn(name: name, source: .objectKey))
      case .property(let property) where SQLType(property.type) != .any && !property.isLink:
        selected.append(SelectedColumn(name: name, source: .property([], property)))
      default: return nil
      }
    }
    realm = cursor.table.realm.transaction
    executor = try QueryExecutor(query, in: realm)
    table = description.table
    self.columns = selected
  }
}
