// The schema and the models of WatermelonDB, in TypeScript. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let watermelonNames: NameRules = {
    var rules = NameRules(
      """
      await break case catch class const continue debugger default delete do else enum export extends false finally for \
      function if implements import in instanceof interface let new null package private protected public return static \
      super switch this throw true try typeof undefined var void while with yield constructor \
      id syncStatus collection collections database db table asModel observe update prepareUpdate markAsDeleted \
      destroyPermanently experimentalMarkAsDeleted experimentalDestroyPermanently prepareMarkAsDeleted \
      prepareDestroyPermanently experimentalSubscribe batch callReader callWriter subAction \
      _raw _isEditing _preparedState _subscribers _getChanges _getRaw _setRaw _notifyChanged _notifyDestroyed \
      _dangerouslySetRawWithoutMarkingColumnChange __changes __original __ensureCanSetRaw __ensureNotDisposable \
      __ensureInWriter __debugName toString valueOf hasOwnProperty
      """,
      types: """
        schema appSchema tableSchema Model Relation Query Associations Date String Number Boolean Object Array Map Set \
        Symbol Function Error
        """
    )
    rules.otherFile = "schema"
    return rules
  }()

  static let watermelondb = ModelLibrary(library: .watermelondb, rules: watermelonNames) { database, _ in
    let tables = database.tables.flatMap(\.watermelonSchema)
    let schema = ModelCode.Part(
      "schema", ".ts", imports: ["import { appSchema, tableSchema } from \"@nozbe/watermelondb\";"],
      ["export const schema = appSchema({", "  version: \(database.version),", "  tables: ["]
        + tables.indented(by: 4)
        + ["  ],", "});"])
    let imports = [
      "import { Model, type Relation } from \"@nozbe/watermelondb\";",
      "import { date, field, relation } from \"@nozbe/watermelondb/decorators\";",
      "import type { Associations } from \"@nozbe/watermelondb/Model\";",
    ]
    return ModelCode(
      wholeHead: [
        "import { appSchema, Model, type Relation, tableSchema } from \"@nozbe/watermelondb\";"
      ] + imports[1...],
      [schema] + database.tables.map { .init($0.name, ".ts", imports: imports, $0.watermelonLines(database)) }
    )
  }
}

extension ModelTable {
  /// Without what every table has.
  private var own: [ModelColumn] {
    columns.filter { column in
      switch column.column.source {
      case .rowName, .fixed: false
      default: true
      }
    }
  }

  private func type(_ column: ModelColumn) -> String {
    table.form.word(column, ("number", "boolean", "number", "string", "string", "string", "string", "number"))
  }

  fileprivate var watermelonSchema: [String] {
    let indexed = Set(indexes.compactMap(\.columns.first))
    let lines = own.map { column in
      var line = "    { name: \"\(column.stored)\", type: \"\(type(column))\""
      if !column.isRequired { line += ", isOptional: true" }
      if indexed.contains(column.stored) { line += ", isIndexed: true" }
      return line + " },"
    }
    return ["tableSchema({", "  name: \"\(stored)\",", "  columns: ["] + lines + ["  ],", "}),"]
  }

  /// How queries come to other tables; one way to each, as the library has it.
  private func associations(_ database: ModelDatabase) -> [String] {
    var known: Set<String> = []
    var lines: [String] = []
    func add(_ table: String, _ kind: String, _ column: ModelColumn) {
      guard known.insert(table).inserted else { return }
      let key = kind == "belongs_to" ? "key" : "foreignKey"
      lines.append("  \(table): { type: \"\(kind)\", \(key): \"\(column.stored)\" },")
    }
    for column in own where column.target != nil {
      add(column.column.reference?.table ?? "", "belongs_to", column)
    }
    for origin in database.tables {
      for column in origin.own where column.target == name { add(origin.stored, "has_many", column) }
    }
    return lines.isEmpty ? [] : ["static associations: Associations = {"] + lines + ["};"]
  }

  fileprivate func watermelonLines(_ database: ModelDatabase) -> [String] {
    var lines = ["static table = \"\(stored)\";"] + associations(database) + [""]
    for column in own {
      let isDate = column.column.type == .date
      let type = isDate ? "Date" : type(column)
      // `text` would take blanks away at the ends of texts.
      lines.append(
        "@\(isDate ? "date" : "field")(\"\(column.stored)\") "
          + "\(column.name)\(column.isRequired ? "!: \(type)" : "?: \(type) | null");")
    }
    for column in own {
      guard let reference = column.column.reference else { continue }
      var name = "\(column.name)Record"
      while own.contains(where: { $0.name == name }) { name += "_" }
      lines.append("@relation(\"\(reference.table)\", \"\(column.stored)\") \(name)!: Relation<Model>;")
    }
    return ["export class \(name) extends Model {"] + lines.indented(by: 2) + ["}"]
  }
}
