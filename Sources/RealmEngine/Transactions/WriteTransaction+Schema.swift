// Schema changes of a write transaction. Layer: Transactions.

extension WriteTransaction {
  private func table(of className: String) throws(EngineError) -> TableEditor {
    try group.requiredTable(className)
  }

  private func property(_ name: String, _ table: TableEditor) throws(EngineError) -> Property {
    guard let property = table.schema.property(named: name) else {
      throw EngineError(.unknownProperty, "\(table.schema.name) has no property \(name)")
    }
    return property
  }

  /// Makes classes, which may link to each other and to existing ones.
  package func addClasses(_ definitions: [ClassDefinition]) throws(EngineError) {
    try change { () throws(EngineError) in try group.addClasses(definitions) }
  }

  package func renameClass(_ name: String, to newName: String) throws(EngineError) {
    let table = try table(of: name)
    try change { () throws(EngineError) in try group.renameClass(table, to: newName) }
  }

  /// Removes a class with its objects; links to them in mixed values become null. Throws `.constraint` when a property of
  /// another class links to it.
  package func removeClass(_ name: String) throws(EngineError) {
    let table = try table(of: name)
    try change { () throws(EngineError) in try group.removeClass(table) }
  }

  /// Makes a class embedded or not. Throws `.constraint` when an object has not exactly one owner.
  package func setEmbedded(_ name: String, _ isEmbedded: Bool) throws(EngineError) {
    let table = try table(of: name)
    try change { () throws(EngineError) in try group.setEmbedded(table, isEmbedded) }
  }

  /// Adds a property; existing objects get its default. Cost: one leaf a cluster.
  package func addProperty(_ className: String, _ definition: PropertyDefinition) throws(EngineError) {
    let table = try table(of: className)
    try change { () throws(EngineError) in try group.addProperty(table, definition) }
  }

  /// Adds several properties, or none where one is refused. Cost: linear in all that there are.
  package func addProperties(
    _ className: String, _ definitions: [PropertyDefinition]
  ) throws(EngineError) {
    let table = try table(of: className)
    try change { () throws(EngineError) in try group.addProperties(table, definitions) }
  }

  package func renameProperty(_ className: String, _ name: String, to newName: String) throws(EngineError) {
    let table = try table(of: className)
    let property = try property(name, table)
    try change { () throws(EngineError) in try group.renameProperty(table, property, to: newName) }
  }

  /// Removes a property with its values and the embedded objects in it.
  package func removeProperty(_ className: String, _ name: String) throws(EngineError) {
    let table = try table(of: className)
    let property = try property(name, table)
    try change { () throws(EngineError) in try group.removeProperty(table, property) }
  }

  /// Gives a property an index or takes it away. Cost: reads all values.
  package func setIndex(_ className: String, _ name: String, _ index: Property.Index) throws(EngineError) {
    let table = try table(of: className)
    let property = try property(name, table)
    guard PropertyDefinition.canIndex(property.type, property.collection, index) else {
      throw EngineError(
        .constraint, "\(className).\(name) cannot have \(index == .fullText ? "a full-text" : "an") index")
    }
    try change { () throws(EngineError) in try group.setIndex(table, property.columnKey, index) }
  }

  /// Lets a property hold null or not. Nulls become `nullReplacement`; without one they are refused.
  package func setOptional(
    _ className: String, _ name: String, _ isOptional: Bool, nullReplacement: Value? = nil
  ) throws(EngineError) {
    let table = try table(of: className)
    let property = try property(name, table)
    try change { () throws(EngineError) in
      try group.setOptional(table, property, isOptional, nullReplacement: nullReplacement)
    }
  }

  /// Makes a property the primary key; nil: none. Throws `.constraint` when values repeat.
  package func setPrimaryKey(_ className: String, _ name: String?) throws(EngineError) {
    let table = try table(of: className)
    try change { () throws(EngineError) in try group.setPrimaryKey(table, name) }
  }

  /// Throws what keeps a class from being made, together with those of `names`.
  package func checkClass(_ definition: ClassDefinition, among names: Set<ByteString>) throws(EngineError) {
    try group.checkClass(definition, among: names)
  }

  /// Sets the SDKs' schema version; nil: none, as in a realm where it was never set.
  package func setSchemaVersion(_ version: Int64?) throws(EngineError) {
    try change { () throws(EngineError) in
      try group.setSchemaVersion(version ?? SchemaVersionTable.notVersioned)
    }
  }
}
