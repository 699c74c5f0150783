// The classes of a schema that is in no file. Layer: Query, Types.

/// A class as far as it is known.
package struct DescribedClass: Sendable {
  package let description: ClassDefinition
  /// Whether there are no other properties.
  package let isComplete: Bool
  /// Properties that it had.
  package let dropped: Set<String>

  package init(_ description: ClassDefinition, isComplete: Bool = true, dropped: Set<String> = []) {
    self.description = description
    self.isComplete = isComplete
    self.dropped = dropped
  }
}

/// A schema by names, with keys of its own invention so that everything that binds names can use it.
package struct DescribedSchema: SchemaView {
  private let classes: [DescribedClass]
  private let schemas: [ClassSchema]
  private let slots: [String: Int]
  private let isComplete: Bool
  private let dropped: Set<String>

  /// `isComplete`: there are no other classes. `dropped`: classes that there were.
  package init(_ classes: [DescribedClass], isComplete: Bool = true, dropped: Set<String> = []) {
    var slots: [String: Int] = [:]
    for (slot, known) in classes.enumerated() { slots[known.description.name] = slot }
    self.classes = classes
    self.slots = slots
    self.isComplete = isComplete
    self.dropped = dropped
    schemas = classes.indices.map { slot in
      let description = classes[slot].description
      let properties = description.properties.enumerated().map { index, property in
        Self.property(property, index, slots)
      }
      return ClassSchema(
        name: description.name, tableName: ClassSchema.tablePrefix + description.name, kind: description.kind,
        tableKey: Self.key(slot), properties: properties,
        backlinks: Self.backlinks(to: description.name, classes),
        primaryKeyIndex: properties.firstIndex { $0.name == description.primaryKey })
    }
  }

  package init(_ description: SchemaDescription) { self.init(description.classes.map { DescribedClass($0) }) }

  private static func key(_ slot: Int) -> TableKey {
    guard let key = TableKey(Int64(slot)) else { preconditionFailure("a schema has fewer than 2^31 classes") }
    return key
  }

  private static func property(
    _ property: PropertyDefinition, _ index: Int, _ slots: [String: Int]
  ) -> Property {
    let target = property.type.target.map { slots[$0].map(key) ?? ClassSchema.unknown.tableKey }
    return Property(
      name: property.name, type: property.type.type, collection: property.type.collection,
      isOptional: property.type.isOptional, index: property.index, target: target,
      columnKey: ColumnKey(Int64(index)), specIndex: index, indexRef: nil, hasIntegerKeys: false, texts: nil,
      subtableForm: nil)
  }

  private static func backlinks(to name: String, _ classes: [DescribedClass]) -> [BacklinkColumn] {
    var columns: [BacklinkColumn] = []
    for (slot, origin) in classes.enumerated() {
      for (index, property) in origin.description.properties.enumerated()
      where property.type.target == name {
        columns.append(
          BacklinkColumn(
            columnKey: ColumnKey(Int64(columns.count)), originTable: key(slot),
            originColumn: ColumnKey(Int64(index))))
      }
    }
    return columns
  }

  package func schema(_ key: TableKey) -> ClassSchema? {
    key == ClassSchema.unknown.tableKey
      ? isComplete ? nil : .unknown : key.slot < schemas.count ? schemas[key.slot] : nil
  }

  package func schema(named name: String) -> NameLookup<ClassSchema> {
    if let slot = slots[name] { return .known(schemas[slot]) }
    return isComplete || dropped.contains(name) ? .absent : .unknown
  }

  package var classNames: [String] { classes.map(\.description.name) }

  package func mayHave(_ property: String, in schema: ClassSchema) -> Bool {
    if schema.isUnknown { return true }
    let known = classes[schema.tableKey.slot]
    return !known.isComplete && !known.dropped.contains(property)
  }

  package func remark(onAbsent property: String, in schema: ClassSchema) -> String? {
    guard !schema.isUnknown, classes[schema.tableKey.slot].dropped.contains(property) else { return nil }
    return "an earlier operation dropped or renamed it"
  }

  package func object(withPrimaryKey value: Value, of key: TableKey) -> ObjectKey? { nil }
}
