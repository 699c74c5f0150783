// Tables for Drift. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let driftNames: NameRules = {
    var rules = NameRules(
      ModelLanguage.dartKeywords
        + """
         tableName primaryKey customConstraints uniqueKeys withoutRowId isStrict dontWriteConstraints integer int64 \
        intEnum text textEnum boolean dateTime blob real customType map aliasedName actualTableName attachedDatabase \
        createAlias asDslTable entityName columnsByName validateIntegrity toColumns toCompanion toJson copyWith
        """,
      types: """
        int bool double String Uint8List DateTime Table Set Column IntColumn TextColumn BoolColumn RealColumn BlobColumn \
        DateTimeColumn DriftDatabase AppDatabase Object List Map Iterable Future Stream Type Function Null Never Record \
        Value Expression Variable Constant Index Insertable Selectable DataClass UpdateCompanion TableInfo ViewInfo \
        GeneratedColumn GeneratedColumnWithTypeConverter GeneratedDatabase QueryExecutor QueryRow DriftSqlType DriftAny \
        VerificationContext VerificationMeta ValueSerializer TypeConverter Composer BaseReferences BaseTableManager \
        TableManagerState RootTableManager ProcessedTableManager PrefetchHooks MultiTypedResult TypedResult \
        ColumnFilters KeyAction ColumnOrderings ColumnAggregates TableIndex DataClassName StreamQueryUpdateRules DatabaseConnection \
        Migrator Batch Trigger View OnCreateQuery
        """, classes: ModelLanguage.dartContextualKeywords)
    rules.isASCII = true
    rules.dropsLeadingUnderscores = true
    rules.companions = { ["\($0)Table", "\($0)TableCompanion"] }
    rules.hiddenTypes = .all
    rules.otherFile = "AppDatabase"
    return rules
  }()

  static let drift = ModelLibrary(library: .drift, rules: driftNames, takesPackage: true) {
    database, layout in
    let options =
      database.form.dates == .text
      ? ["  // Dates are text: set store_date_time_values_as_text in build.yaml."] : []
    let tables = database.tables.map { "\($0.name)Table" }.joined(separator: ", ")
    let whole = ModelCode.Part(
      "AppDatabase", ".dart",
      imports: database.tables.map { "import '\($0.name).dart';" } + ["", "part 'AppDatabase.g.dart';"],
      ["@DriftDatabase(tables: [\(tables)])", "class AppDatabase extends _$AppDatabase {"]
        + ["  AppDatabase(super.e);", ""] + options
        + ["  @override", "  int get schemaVersion => \(database.version);", "}"])
    return ModelCode(
      head: ["import 'package:drift/drift.dart';"],
      wholeHead: ["part '\(layout.fileName ?? layout.package ?? "database").g.dart';"],
      database.tables.map { table in
        let others = Set(table.columns.compactMap(\.target)).subtracting([table.name]).sorted()
        return .init(
          table.name, ".dart", imports: others.map { "import '\($0).dart';" }, table.driftLines(database))
      } + [whole])
  }
}

extension ModelTable {
  fileprivate func driftLines(_ database: ModelDatabase) -> [String] {
    func text(_ name: String) -> String { TextLiteral.braces(name, dollar: true) }
    var lines = ["@override", "String get tableName => \(text(stored));", ""]
    for column in columns {
      let kind = database.form.word(
        column, ("Int", "Bool", "Real", "Text", "Blob", "Text", "DateTime", "DateTime"))
      let method = kind == "Int" ? "integer" : kind == "Bool" ? "boolean" : kind.uncapitalizedFirst
      var call = "\(method)().named(\(text(column.stored)))"
      if !column.isRequired { call += ".nullable()" }
      if let target = column.target, let reference = column.column.reference,
        let key = database.tables.first(where: { $0.name == target })?.column(stored: reference.column)
      {
        let action = column.column.isDeletedWithTarget ? "cascade" : "setNull"
        call += ".references(\(target)Table, #\(key.name), onDelete: KeyAction.\(action))"
      }
      lines.append("\(kind)Column get \(column.name) => \(call)();")
    }
    let keys = compoundKey.isEmpty ? columns.filter(\.isKey) : compoundKey
    if !keys.isEmpty {
      lines += [
        "", "@override", "Set<Column> get primaryKey => {\(keys.map(\.name).joined(separator: ", "))};",
      ]
    }
    let indexes = self.indexes.map { index in
      let names = index.columns.compactMap { column(stored: $0)?.name }.map { "#\($0)" }
      return "@TableIndex(name: \(text(index.name)), columns: {\(names.joined(separator: ", "))})"
    }
    return indexes + ["@DataClassName('\(name)')", "class \(name)Table extends Table {"]
      + lines.indented(by: 2) + ["}"]
  }
}
