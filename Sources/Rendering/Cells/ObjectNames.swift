// Objects by name, as people read and type them: `Person 40`, `Person 'ada'`, `Dog @17`. Layer: Rendering, Cells.

import ByteText
package import RealmEngine

/// The names of a realm's objects.
package struct ObjectNames: Sendable {
  private let realm: ReadTransaction

  package init(_ realm: ReadTransaction) { self.realm = realm }

  /// The class, and the primary key or else the object key.
  package func name(of link: ObjectLink) throws(EngineError) -> String {
    guard let table = realm.table(link.table) else { return "@\(link.key.value)" }
    return "\(table.schema.name.visible) \(try key(of: link, in: table))"
  }

  private func key(of link: ObjectLink, in table: Table) throws(EngineError) -> String {
    guard let property = table.schema.primaryKey, let position = try table.find(link.key) else {
      return "@\(link.key.value)"
    }
    var text = ByteBuffer()
    text.append(
      name: try position.block.leaf(property).value(position.row, in: realm.snapshot), of: link.key)
    return text.span.string
  }
}
