// Entities for Android's Room. Layer: RealmModels, Libraries.

import RealmSQL

extension ModelLibrary {
  private static let roomNames: NameRules = {
    var rules = NameRules(
      ModelLanguage.kotlinKeywords + " hashCode equals toString copy component1 Class",
      types: """
        Long Boolean Double String ByteArray Entity PrimaryKey ColumnInfo ForeignKey Index Dao Query Insert Database \
        RoomDatabase AppDatabase AppDatabase_Impl List Any Int Unit
        """, classes: ModelLanguage.kotlinSoftKeywords)
    rules.companions = { ["\($0)Dao", "\($0)Dao_Impl"] }
    rules.otherFile = "AppDatabase"
    return rules
  }()

  static let room = ModelLibrary(library: .room, rules: roomNames, takesPackage: true) { database, layout in
    let imports = [
      "ColumnInfo", "Dao", "Database", "Entity", "ForeignKey", "Index", "Insert", "PrimaryKey", "Query",
      "RoomDatabase",
    ].map { HeadLine("import androidx.room.\($0)", for: $0) }
    let entities = database.tables.map { "        \($0.name)::class," }
    let access = database.tables.map {
      "    abstract fun \($0.name.uncapitalizedFirst)Dao(): \($0.name)Dao"
    }
    let whole = ModelCode.Part(
      "AppDatabase", ".kt",
      ["@Database(", "    entities = ["] + entities + ["    ],"]
        + ["    version = \(database.version),", "    exportSchema = true,", ")"]
        + ["abstract class AppDatabase : RoomDatabase() {"] + access + ["}"])
    return ModelCode(
      head: (layout.package.map { ["package \(roomNames.package($0) { "`\($0)`" })", ""] } ?? []) + imports,
      // Room takes no database without entities.
      database.tables.map { .init($0.name, ".kt", $0.roomLines(database)) }
        + (entities.isEmpty ? [] : [whole]))
  }
}

extension ModelTable {
  fileprivate func roomLines(_ database: ModelDatabase) -> [String] {
    func text(_ name: String) -> String { TextLiteral.fourDigits(name, dollar: true) }
    func list(_ names: [String]) -> String { "[\(names.map(text).joined(separator: ", "))]" }
    var lines = columns.filter { $0.target == nil && $0.column.reference != nil }.map {
      "// The file has a foreign key from \($0.stored.visibleName) to a table that is no entity here."
    }
    if let numberedKey {
      lines.append("// @Insert takes a \(numberedKey.stored) of 0 for none, and gives the row another.")
    }
    lines += ["@Entity(", "    tableName = \(text(stored)),"]
    if !compoundKey.isEmpty { lines.append("    primaryKeys = \(list(compoundKey.map(\.stored))),") }
    if !indexes.isEmpty {
      lines.append("    indices = [")
      lines += indexes.map { "        Index(name = \(text($0.name)), value = \(list($0.columns)))," }
      lines.append("    ],")
    }
    let links = columns.filter { $0.target != nil }
    if !links.isEmpty {
      lines.append("    foreignKeys = [")
      for link in links {
        guard let target = link.target, let reference = link.column.reference else { continue }
        lines.append("        ForeignKey(")
        lines.append("            entity = \(target)::class,")
        lines.append("            parentColumns = \(list([reference.column])),")
        lines.append("            childColumns = \(list([link.stored])),")
        let action = link.column.isDeletedWithTarget ? "CASCADE" : "SET_NULL"
        lines.append("            onDelete = ForeignKey.\(action),")
        lines.append("        ),")
      }
      lines.append("    ],")
    }
    lines += [")"]
    lines += roomFields(database.form)
    let table = TextLiteral.fourDigits("SELECT * FROM `\(stored)`", dollar: true)
    return lines + ["", "@Dao", "interface \(name)Dao {", "    @Query(\(table))"]
      + [
        "    suspend fun all(): List<\(name)>", "", "    @Insert", "    suspend fun insert(row: \(name))",
        "}",
      ]
  }

  /// A method has room for 255 parameters on the JVM, `copy` for fewer, and numbers that are never null take two places.
  private static let parametersMax = 120

  /// What Room makes of a row: a data class, or one whose properties are set one by one where there are many.
  private func roomFields(_ form: SQLForm) -> [String] {
    let isWide = columns.count > Self.parametersMax
    let fields = columns.map { column in
      let (type, initial) = form.word(
        column,
        (
          "Long 0L", "Boolean false", "Double 0.0", "String \"\"", "ByteArray byteArrayOf()", "String \"\"",
          "String \"\"", "Long 0L"
        )
      ).halves
      let isNumbered = column.stored == numberedKey?.stored
      let key =
        isNumbered
        ? "@PrimaryKey(autoGenerate = true) " : column.isKey && compoundKey.isEmpty ? "@PrimaryKey " : ""
      let start = "    \(key)@ColumnInfo(name = \(TextLiteral.fourDigits(column.stored, dollar: true)))"
      let whole = "\(column.name): \(type)\(column.isRequired ? "" : "?")"
      return isWide
        ? "\(start) var \(whole) = \(column.isRequired ? initial : "null")"
        : "\(start) val \(whole)\(isNumbered ? " = 0" : ""),"
    }
    return isWide ? ["class \(name) {"] + fields + ["}"] : ["data class \(name)("] + fields + [")"]
  }
}

extension String {
  /// The word before the first blank, and what follows it.
  fileprivate var halves: (String, String) {
    let parts = split(separator: " ", maxSplits: 1)
    return (String(parts[0]), String(parts[1]))
  }
}
