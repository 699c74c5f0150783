// Tables and queries for SQLDelight. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let sqldelightNames: NameRules = {
    var rules = NameRules("", types: "")
    rules.isASCII = true
    return rules
  }()

  static let sqldelight = ModelLibrary(library: .sqldelight, rules: sqldelightNames) { database, _ in
    ModelCode(
      head: ["import kotlin.Boolean;"],
      database.tables.map { .init($0.name, ".sq", $0.sqldelightLines) })
  }
}

extension ModelTable {
  fileprivate var sqldelightLines: [String] {
    let quoted = SQLText.quoted(name: stored)
    var lines = columns.map { column in
      let definition = column.column.definition(isKey: column.isKey && compoundKey.isEmpty, table.form)
      let plain = SQLText.quoted(name: column.stored) + " INTEGER"
      guard column.column.type == .boolean, definition.hasPrefix(plain) else { return "  \(definition)" }
      return "  \(plain) AS Boolean\(definition.dropFirst(plain.count))"
    }
    if !compoundKey.isEmpty {
      lines.append(
        "  PRIMARY KEY (\(compoundKey.map { SQLText.quoted(name: $0.stored) }.joined(separator: ", ")))")
    }
    let list = lines.enumerated().map { $1 + ($0 + 1 < lines.count ? "," : "") }
    return ["CREATE TABLE \(quoted) ("] + list + [");"] + indexes.map { "\($0.creation);" }
      + ["", "select\(name.capitalizedFirst):", "SELECT * FROM \(quoted);", ""]
      + ["insert\(name.capitalizedFirst):", "INSERT INTO \(quoted) VALUES ?;"]
  }
}
