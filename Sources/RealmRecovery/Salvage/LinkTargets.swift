// What links lead to where their own table does not say, or says what no other agrees with. Layer: RealmRecovery, Salvage.
// A table that links come back to says whence, and one that says nothing is left for its own links.

import RealmEngine

struct LinkTargets {
  private let schemas: [ClassSchema]
  private let byOrigin: [TableKey: [ColumnKey: TableKey]]

  init(_ tables: [ClassSchema]) {
    schemas = tables
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

  /// The keys of tables by which others know them, where nobody knows them by their own. A slot holds one table.
  static func keysOfOthers(_ tables: [ClassSchema]) -> [TableKey: TableKey] {
    var named: [Int: Set<TableKey>] = [:]
    for table in tables {
      let keys = table.properties.compactMap(\.target) + table.backlinks.compactMap(\.originTable)
      for key in keys { named[key.slot, default: []].insert(key) }
    }
    var keys: [TableKey: TableKey] = [:]
    for table in tables {
      guard let others = named[table.tableKey.slot], let other = others.first, others.count == 1,
        other != table.tableKey
      else { continue }
      keys[table.tableKey] = other
    }
    return keys
  }

  /// Whether a link of the table has no target, or one that its other side speaks against.
  func isLost(in table: ClassSchema) -> Bool { table.properties.contains { isLost($0, in: table) } }

  /// A target is believed that links come back from, and one whose own side says nothing that can be believed.
  private func isLost(_ property: Property, in table: ClassSchema) -> Bool {
    guard property.isLink else { return false }
    guard let target = property.target, let schema = schemas.first(where: { $0.tableKey == target }) else {
      return true
    }
    if comesBack(property, of: table, from: schema) { return false }
    return byOrigin[table.tableKey]?[property.columnKey] != nil
      || schema.backlinks.allSatisfy { isConfirmed($0, of: schema) }
  }

  private func comesBack(_ property: Property, of table: ClassSchema, from target: ClassSchema) -> Bool {
    target.backlinks.contains {
      $0.originTable == table.tableKey && $0.originColumn == property.columnKey
    }
  }

  /// Whether the property that is named leads to the table.
  private func isConfirmed(_ column: BacklinkColumn, of table: ClassSchema) -> Bool {
    schemas.contains { origin in
      origin.tableKey == column.originTable
        && origin.properties.contains {
          $0.columnKey == column.originColumn && $0.target == table.tableKey
        }
    }
  }

  /// By column, for those that are lost, as far as it can be told.
  func known(for table: ClassSchema) -> [ColumnKey: TableKey] {
    var known: [ColumnKey: TableKey] = [:]
    var lost: [Property] = []
    for property in table.properties where isLost(property, in: table) {
      if let target = byOrigin[table.tableKey]?[property.columnKey] {
        known[property.columnKey] = target
      } else {
        lost.append(property)
      }
    }
    // Incoming links of which neither side says more than that they are there: as many as come from the table itself.
    let incoming = table.backlinks.count { !isConfirmed($0, of: table) }
    let fromOthers = schemas.filter { $0.tableKey != table.tableKey }.reduce(0) { count, other in
      count
        + other.properties.count { $0.target == table.tableKey && !comesBack($0, of: other, from: table) }
    }
    if !lost.isEmpty, incoming - fromOthers == lost.count {
      for property in lost { known[property.columnKey] = table.tableKey }
    }
    return known
  }
}
