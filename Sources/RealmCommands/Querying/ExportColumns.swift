// The columns of an export that are not the properties as they stand: the keys of objects that others link to by them, with
// --flatten the properties of embedded objects, and with --unnest the elements of a collection. Layer: RealmCommands, Querying.

import ByteText
import RealmEngine
import RealmSession
import Rendering

/// Finds the columns of whole classes.
struct ExportColumns {
  let realm: ReadTransaction
  let isFlat: Bool

  /// Links to objects without a primary key are their keys, which lead somewhere only where the keys come along.
  func keyName(of table: Table) -> String? { table.schema.backlinks.isEmpty ? nil : table.schema.keyColumn }

  /// Nil where the columns are all properties as they stand.
  func columns(of table: Table) -> [SelectedColumn]? {
    let keyName = keyName(of: table)
    guard keyName != nil || isFlat else { return nil }
    var columns: [SelectedColumn] = []
    if let keyName { columns.append(SelectedColumn(name: keyName, source: .objectKey)) }
    add(table, [], [], [], to: &columns)
    // The path of a property in an embedded object may be the name of another one.
    return zip(columns, columns.map(\.name).numbered).map { SelectedColumn(name: $1, source: $0.source) }
  }

  /// Adds the properties of the objects that `hops` lead to. An object inside one of its own class stays what it is.
  private func add(
    _ table: Table, _ hops: [Hop], _ path: [String], _ tables: [TableKey], to columns: inout [SelectedColumn]
  ) {
    for property in table.schema.properties {
      let names = path + [property.name]
      guard isFlat, property.collection == nil, let target = embedded(property),
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

  /// The class of the objects that a property owns; nil where it owns none.
  private func embedded(_ property: Property) -> Table? {
    guard property.type == .object, let target = property.target.flatMap(realm.table),
      target.schema.kind == .embedded
    else { return nil }
    return target
  }

  /// The columns with the one called `name`, which holds collections, replaced by those of its elements.
  func unnesting(_ name: String, among columns: [SelectedColumn]) throws(Diagnostic) -> ElementColumns {
    let collections = columns.compactMap { column -> (column: SelectedColumn, property: Property)? in
      guard case .property(_, let property) = column.source, property.collection != nil else { return nil }
      return (column, property)
    }
    guard let chosen = collections.first(where: { $0.column.name == name }) else {
      let isThere = columns.contains { $0.name == name }
      let names = collections.map(\.column.name)
      let nearest = isThere ? nil : EditDistance.nearest(to: name, among: names)
      throw Diagnostic.usage(
        isThere
          ? "--unnest: \(name) is not a list, set or dictionary" : "--unnest: there is no column '\(name)'",
        hint: nearest.map { "did you mean '\($0)'?" }
          ?? (names.isEmpty ? nil : "one of: \(names.joined(separator: ", "))"))
    }
    var sources: [(name: String, source: ElementColumns.Source)] = []
    for column in columns {
      if column.name == name {
        sources += elementSources(chosen.property, name)
      } else {
        sources.append((column.name, .object(column)))
      }
    }
    return ElementColumns(
      column: chosen.column, collection: chosen.property,
      sources: Array(zip(sources.map(\.name).numbered, sources.map(\.source))))
  }

  private func elementSources(
    _ property: Property, _ name: String
  ) -> [(name: String, source: ElementColumns.Source)] {
    let isDictionary = property.collection == .dictionary
    let key: [(name: String, source: ElementColumns.Source)] = isDictionary ? [("\(name).key", .key)] : []
    let valueName = isDictionary ? "\(name).value" : name
    guard isFlat, let target = embedded(property) else { return key + [(valueName, .element)] }
    var inside: [SelectedColumn] = []
    add(target, [], [], [target.schema.tableKey], to: &inside)
    return key + inside.map { ("\(valueName).\($0.name)", .inside($0, target)) }
  }
}
