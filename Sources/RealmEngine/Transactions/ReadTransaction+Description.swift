// The schema of a snapshot by names. Layer: Transactions.

extension ReadTransaction {
  /// The classes, and with `allTables` the engine's own tables too.
  package func schemaDescription(allTables: Bool = false) -> SchemaDescription {
    SchemaDescription(
      version: schemaVersion, classes: classes(allTables: allTables).map { description($0.schema) })
  }

  private func description(_ schema: ClassSchema) -> ClassDescription {
    ClassDescription(
      schema.name, kind: schema.kind, primaryKey: schema.primaryKey?.name,
      properties: schema.properties.map { property in
        PropertyDescription(
          property.name,
          PropertyType(
            property.type, collection: property.collection, isOptional: property.isOptional,
            target: property.target.flatMap { table($0)?.schema.name }),
          index: property.index)
      })
  }
}
