// Records for GRDB. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let grdbNames: NameRules = {
    var rules = NameRules(
      ModelLanguage.swiftKeywords + " row container databaseTableName persistenceConflictPolicy",
      types: """
        Int64 Bool Double String Data Date DatabaseValue Row FetchableRecord PersistableRecord MutablePersistableRecord InsertionSuccess PersistenceContainer \
        ForeignKey Foundation GRDB
        """,
      classes: ModelLanguage.swiftClassNames + """
         Column Configuration Database DatabasePool DatabaseQueue DatabaseValueConvertible EncodableRecord Record SQL \
        Statement Table TableRecord
        """)
    rules.hiddenTypes = .all
    return rules
  }()

  static let grdb = ModelLibrary(library: .grdb, rules: grdbNames) { database, _ in
    ModelCode(
      head: ["import Foundation", "import GRDB"],
      database.tables.map { .init($0.name, ".swift", $0.grdbLines(database)) })
  }
}

extension ModelTable {
  fileprivate func grdbLines(_ database: ModelDatabase) -> [String] {
    func text(_ name: String) -> String { TextLiteral.braces(name) }
    var lines = ["static let databaseTableName = \(text(stored))", ""]
    for column in columns {
      let type = database.form.word(
        column, ("Int64", "Bool", "Double", "String", "Data", "DatabaseValue", "Date", "Date"))
      // A value of any type says itself whether it is null.
      let isOptional =
        !column.isRequired && column.column.type != .any || column.stored == numberedKey?.stored
      if isInSeconds(column) {
        lines.append("/// Seconds since 1970: compare the column with `timeIntervalSince1970`.")
      }
      lines.append("var \(column.name): \(type)\(isOptional ? "?" : "")")
    }
    /// GRDB reads numbers as dates, but writes texts.
    func isInSeconds(_ column: ModelColumn) -> Bool {
      column.column.type == .date && database.form.dates == .seconds
    }
    func written(_ column: ModelColumn) -> String {
      guard isInSeconds(column) else { return column.name }
      return "\(column.name)\(column.isRequired ? "" : "?").timeIntervalSince1970"
    }
    lines += ["", "init(row: Row) throws {"]
    lines += columns.map { "    \($0.name) = row[\(text($0.stored))]" }
    lines += ["}", "", "func encode(to container: inout PersistenceContainer) throws {"]
    lines += columns.map { "    container[\(text($0.stored))] = \(written($0))" }
    lines.append("}")
    if let numberedKey {
      lines += ["", "mutating func didInsert(_ inserted: InsertionSuccess) {"]
      lines += ["    \(numberedKey.name) = inserted.rowID", "}"]
    }
    // Each with a key of its own, which GRDB would name after the other table: several may lead there.
    func association(_ key: String, _ call: String, _ table: String, _ column: ModelColumn) -> String {
      "static let \(key) = \(call)(\(table).self, key: \(text(key)), using: ForeignKey([\(text(column.stored))]))"
    }
    var associations = columns.compactMap { column in
      column.target.map { association(column.name, "belongsTo", $0, column) }
    }
    for origin in database.tables {
      for column in origin.columns where column.target == name {
        let key = "\(column.name)Of\(origin.name.capitalizedFirst)"
        associations.append(association(key, "hasMany", origin.name, column))
      }
    }
    if !associations.isEmpty { lines += [""] + associations }
    let record = numberedKey == nil ? "PersistableRecord" : "MutablePersistableRecord"
    return ["struct \(name): FetchableRecord, \(record) {"] + lines.indented(by: 4) + ["}"]
  }
}
