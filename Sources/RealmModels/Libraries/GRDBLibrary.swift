// Records for GRDB. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let grdbNames = NameRules(
    """
    associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private \
    protocol public rethrows static struct subscript typealias var break case catch continue default defer do else \
    fallthrough for guard if in repeat return throw switch where while Any as await false is nil self Self super \
    throws true try Type Protocol row container databaseTableName persistenceConflictPolicy
    """,
    types: """
      Int64 Bool Double String Data Date DatabaseValue Row FetchableRecord PersistableRecord PersistenceContainer \
      ForeignKey Foundation GRDB
      """)

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
      let isOptional = !column.isRequired && column.column.type != .any
      lines.append("var \(column.name): \(type)\(isOptional ? "?" : "")")
    }
    lines += ["", "init(row: Row) throws {"]
    lines += columns.map { "    \($0.name) = row[\(text($0.stored))]" }
    lines += ["}", "", "func encode(to container: inout PersistenceContainer) throws {"]
    lines += columns.map { "    container[\(text($0.stored))] = \($0.name)" }
    lines.append("}")
    var associations: [String] = []
    for column in columns {
      guard let target = column.target else { continue }
      let key = "using: ForeignKey([\(text(column.stored))])"
      associations.append("static let \(column.name) = belongsTo(\(target).self, \(key))")
    }
    for origin in database.tables {
      for column in origin.columns where column.target == name {
        let key = "using: ForeignKey([\(text(column.stored))])"
        associations.append(
          "static let \(column.name)Of\(origin.name.capitalizedFirst) = hasMany(\(origin.name).self, \(key))")
      }
    }
    if !associations.isEmpty { lines += [""] + associations }
    return ["struct \(name): FetchableRecord, PersistableRecord {"] + lines.indented(by: 4) + ["}"]
  }
}
