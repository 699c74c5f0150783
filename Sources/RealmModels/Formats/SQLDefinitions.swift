// The tables of an exported file as statements, for SQLite or PostgreSQL. Layer: RealmModels, Formats.

import RealmEngine
import RealmSQL

/// `schema --format sql` and `postgresql`.
enum SQLDefinitions {
  static func code(_ realm: ReadTransaction, _ chosen: Set<String>?, inPostgreSQL: Bool) throws -> ModelCode {
    let export = try RealmExport(realm)
    let tables = export.tables.filter { chosen?.contains($0.table.schema.name) ?? true }
    let parts = tables.map { table in
      var lines =
        inPostgreSQL ? postgres(table) : (table.creation + ";").split(separator: "\n").map(String.init)
      lines += export.indexes.filter { $0.table == table.name }.map {
        "\(inPostgreSQL ? $0.postgresCreation : $0.creation);"
      }
      return ModelCode.Part(table.name, ".sql", lines)
    }
    // Tables must be there before others refer to them.
    let (name, rest) =
      if inPostgreSQL {
        (
          "references",
          tables.flatMap { table in table.visibleColumns.compactMap { $0.postgresForeignKey(of: table) } }
        )
      } else {
        (
          "triggers",
          export.triggers.filter { trigger in tables.contains { $0.name == trigger.table } }.flatMap {
            "\($0.creation);".split(separator: "\n").map(String.init)
          }
        )
      }
    return ModelCode(parts + (rest.isEmpty ? [] : [.init(name, ".sql", rest)]))
  }

  private static func postgres(_ table: SQLTable) -> [String] {
    let columns = table.visibleColumns.map {
      "  \($0.definition(isKey: $0.name == table.keyName, table.form, inPostgreSQL: true))"
    }
    return ["CREATE TABLE \(SQLText.quoted(postgresName: table.name))("]
      + columns.enumerated().map { $1 + ($0 + 1 < columns.count ? "," : "") } + [");"]
  }
}
