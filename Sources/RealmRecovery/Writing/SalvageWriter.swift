// Makes a new realm of what was saved of a damaged one. Layer: RealmRecovery, Writing.
// Invariant: what is lost is null, and a property that has to be null is optional in the new realm; nothing is put in its place.

package import RealmEngine

/// Writes a plan into one transaction on an empty realm.
package struct SalvageWriter {
  private let salvage: Salvage
  private let transaction: WriteTransaction
  private let definitions: SalvagedDefinitions

  /// `marking`: objects with values from encrypted pages that fail their checks say which these are.
  package init(_ salvage: Salvage, into transaction: WriteTransaction, marking: Bool = false) {
    self.salvage = salvage
    self.transaction = transaction
    definitions = SalvagedDefinitions(salvage.classes, marking: marking)
  }

  package func run() throws(EngineError) {
    let classes = salvage.classes
    try transaction.addClasses(definitions.classes)
    if let version = salvage.schemaVersion { try transaction.setSchemaVersion(version) }
    let targets = try definitions.classes.map { definition throws(EngineError) in try key(definition.name) }
    let reader = SalvageReader(
      classes, targets: targets, names: classes.indices.map(definitions.propertyNames),
      marks: definitions.marks.map { $0?.name })
    let load = try transaction.beginLoad(allowsAnyDictionaryKey: true)
    for (index, item) in classes.enumerated() where item.schema.kind != .embedded {
      let rows = try load.table(targets[index])
      try reader.forEachObject(of: index) { key, object throws(EngineError) in
        try add(object, of: index, key: key ?? ObjectKey(rows.lastObjectKey.value + 1), to: rows)
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
    _ object: SalvagedObject, of index: Int, key: ObjectKey?, to rows: BulkTable
  ) throws(EngineError) {
    try rows.beginObject(key: key)
    for (position, value) in object.values.enumerated() {
      guard let value, let place = definitions.positions[index][position] else { continue }
      try rows.put(place, value)
    }
    if let mark = definitions.marks[index] {
      try rows.put(mark.position, object.unverifiedNames(definitions.propertyNames(index)))
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
      try reader.forEachSetAside(of: index) { object throws(EngineError) in
        try add(object, of: index, key: nil, to: rows)
      }
    }
    try load.finish()
  }
}
