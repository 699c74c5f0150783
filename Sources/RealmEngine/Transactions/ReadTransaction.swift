// One snapshot of a realm, open for reading: its classes and their objects. Layer: Transactions.

/// A consistent view of a realm.
package final class ReadTransaction: Sendable {
  package let snapshot: Snapshot
  /// Nil in a file without any snapshot.
  package let top: GroupTop?
  /// By slot; nil where a table was erased.
  package let tables: [Table?]
  /// Slots of the first table of each name.
  private let slots: (ofClasses: NamePositions, ofAll: NamePositions)
  /// The SDK's schema version; nil where none was set.
  package let schemaVersion: Int64?
  /// What of an old file cannot be seen, one sentence each; worth a warning.
  package let remarks: [String]
  /// Whether it shows what the finished upgrade of a file would.
  package var isUpgradeInterrupted: Bool { remarks.contains(Self.interruption) }

  private static let interruption =
    "an upgrade of this file was interrupted; it is shown as the finished upgrade would leave it"

  /// A realm without a snapshot is an empty one.
  package init(snapshot: Snapshot, topOffset: Int?) throws(EngineError) {
    guard let topOffset, let ref = Ref(Int64(topOffset)) else {
      self.snapshot = snapshot
      top = nil
      tables = []
      slots = (NamePositions([]), NamePositions([]))
      schemaVersion = nil
      remarks = []
      return
    }
    let top = try GroupTop(ref, in: snapshot)
    let limit = snapshot.slabs == nil ? top.logicalSize : snapshot.fileLimit
    let bounded = Snapshot(
      image: snapshot.image, fileLimit: limit, format: snapshot.format, slabs: snapshot.slabs)
    self.top = top
    (tables, self.snapshot, remarks) =
      bounded.format < FileFormat.firstWithClusters
      ? try Self.oldTables(top, in: bounded) : (try Self.tables(top, in: bounded), bounded, [])
    slots = (
      NamePositions(tables.map { $0.flatMap { $0.schema.isClass ? $0.schema.name : nil } }),
      NamePositions(tables.map { $0?.schema.name })
    )
    schemaVersion = try Self.schemaVersion(tables)
  }

  private static func oldTables(
    _ top: GroupTop, in snapshot: Snapshot
  ) throws(EngineError) -> ([Table?], Snapshot, [String]) {
    let group = try OldGroup(top, in: snapshot)
    if group.isUpgradeInterrupted {
      let (tables, extended) = try InterruptedUpgrade.finish(top, in: snapshot)
      return (tables, extended, [interruption])
    }
    let tables = try group.tables()
    return (tables.map(Table.init), snapshot, tables.flatMap(\.remarks))
  }

  private static func tables(_ top: GroupTop, in snapshot: Snapshot) throws(EngineError) -> [Table?] {
    var tables: [Table?] = []
    for table in try Group(top, in: snapshot).tables {
      guard let table else {
        tables.append(nil)
        continue
      }
      tables.append(try Table(table, in: snapshot))
    }
    return tables
  }

  private static func schemaVersion(_ tables: [Table?]) throws(EngineError) -> Int64? {
    guard
      let metadata = tables.lazy.compactMap({ $0 }).first(where: {
        $0.schema.tableName == SchemaVersionTable.name
      }),
      let property = metadata.schema.property(named: SchemaVersionTable.property), property.type == .int
    else { return nil }
    var cursor = metadata.blocks()
    guard let block = try cursor.next(), case .integers(let leaf) = try block.leaf(property),
      let version = leaf[0], version != SchemaVersionTable.notVersioned
    else { return nil }
    return version
  }

  package func table(_ key: TableKey) -> Table? {
    guard key.slot < tables.count, let table = tables[key.slot], table.schema.tableKey == key else {
      return nil
    }
    return table
  }

  /// The classes, in the order of their slots; with `allTables` the engine's own tables too.
  package func classes(allTables: Bool = false) -> [Table] {
    tables.compactMap { $0 }.filter { allTables || $0.schema.isClass }
  }

  package func table(named name: String, allTables: Bool = false) -> Table? {
    (allTables ? slots.ofAll : slots.ofClasses)(name).flatMap { tables[$0] }
  }
}

/// The schema of a snapshot by names.
extension ReadTransaction {
  /// The classes, and with `allTables` the engine's own tables too.
  package func schemaDescription(allTables: Bool = false) -> SchemaDescription {
    SchemaDescription(
      version: schemaVersion, classes: classes(allTables: allTables).map { description($0.schema) })
  }

  private func description(_ schema: ClassSchema) -> ClassDefinition {
    ClassDefinition(
      schema.name, kind: schema.kind, primaryKey: schema.primaryKey?.name,
      properties: schema.properties.map { property in
        PropertyDefinition(property.name, type(of: property), index: property.index)
      })
  }

  /// The type of a property by names.
  package func type(of property: Property) -> PropertyType {
    PropertyType(
      property.type, collection: property.collection, isOptional: property.isOptional,
      target: property.target.flatMap { table($0)?.schema.name })
  }
}
