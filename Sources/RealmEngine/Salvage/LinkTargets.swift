// What links lead to where their own table does not say. Layer: Salvage.
// A table that links come back to says whence, and one that says nothing is left for its own links.

struct LinkTargets {
  private let schemas: [ClassSchema]
  private let byOrigin: [TableKey: [ColumnKey: TableKey]]

  init(_ tables: [String: ClassSchema]) {
    schemas = Array(tables.values)
    var byOrigin: [TableKey: [ColumnKey: TableKey]] = [:]
    for table in schemas {
      for column in table.backlinks {
        if let origin = column.originTable {
          byOrigin[origin, default: [:]][column.originColumn] = table.tableKey
        }
      }
    }
    self.byOrigin = byOrigin
  }

  func isLost(in table: ClassSchema) -> Bool { table.properties.contains(where: \.lacksTarget) }

  /// By column, as far as it can be told.
  func known(for table: ClassSchema) -> [ColumnKey: TableKey] {
    var known = byOrigin[table.tableKey] ?? [:]
    let lost = table.properties.filter { $0.lacksTarget && known[$0.columnKey] == nil }
    // Incoming links of which neither side says more than that they are there: as many as come from the table itself.
    let incoming = table.backlinks.count { $0.originTable == nil }
    let fromOthers = schemas.filter { $0.tableKey != table.tableKey }.reduce(0) { count, other in
      count + other.properties.count { $0.target == table.tableKey }
    }
    if !lost.isEmpty, incoming - fromOthers == lost.count {
      for property in lost { known[property.columnKey] = table.tableKey }
    }
    return known
  }
}
