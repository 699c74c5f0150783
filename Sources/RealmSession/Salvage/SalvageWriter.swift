// Makes a new realm of what was saved of a damaged one. Layer: RealmSession, Salvage.
// Invariant: what is lost is null, and a property that has to be null is optional in the new realm; nothing is put in its place.

package import RealmEngine

/// Writes a plan into one transaction on an empty realm.
package struct SalvageWriter {
  private let salvage: Salvage
  private let transaction: WriteTransaction
  private let definitions: SalvagedDefinitions

  package init(_ salvage: Salvage, into transaction: WriteTransaction) {
    self.salvage = salvage
    self.transaction = transaction
    definitions = SalvagedDefinitions(salvage.classes)
  }

  package func run() throws(EngineError) {
    let classes = salvage.classes
    try transaction.addClasses(definitions.classes)
    if let version = salvage.schemaVersion { try transaction.setSchemaVersion(version) }
    var targets: [TableKey] = []
    for definition in definitions.classes { targets.append(try key(definition.name)) }
    let reader = SalvageReader(
      classes, targets: targets, names: classes.indices.map(definitions.propertyNames))
    let load = try transaction.beginLoad(allowsAnyDictionaryKey: true)
    for (index, item) in classes.enumerated() where item.schema.kind != .embedded {
      let rows = try load.table(targets[index])
      try reader.forEachObject(of: index) { key, values throws(EngineError) in
        try add(values, of: index, key: key ?? ObjectKey(rows.lastObjectKey.value + 1), to: rows)
      }
    }
    try load.finish()
    try writeSetAside(reader)
  }

  private func key(_ name: String) throws(EngineError) -> TableKey {
    guard let schema = try transaction.schema(named: name) else {
      preconditionFailure("classes that were added are there")
    }
    return schema.tableKey
  }

  private func add(
    _ values: [NewValue?], of index: Int, key: ObjectKey?, to rows: BulkTable
  ) throws(EngineError) {
    try rows.beginObject(key: key)
    for (position, value) in values.enumerated() {
      guard let value, let place = definitions.positions[index][position] else { continue }
      try rows.put(place, value)
    }
    try rows.endObject()
  }

  /// Objects that cannot stand in their class get one of their own.
  private func writeSetAside(_ reader: SalvageReader) throws(EngineError) {
    guard !definitions.setAside.isEmpty else { return }
    try transaction.addClasses(definitions.setAside.map(\.definition))
    let load = try transaction.beginLoad(allowsAnyDictionaryKey: true)
    for (index, definition) in definitions.setAside {
      let rows = try load.table(try key(definition.name))
      try reader.forEachSetAside(of: index) { values throws(EngineError) in
        try add(values, of: index, key: nil, to: rows)
      }
    }
    try load.finish()
  }
}
