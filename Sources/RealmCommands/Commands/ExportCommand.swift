// `export`: objects as files for other programs. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Option {
  fileprivate static let format = Option(
    "format", takes: .oneOf(ExportFormat.names), "FORMAT",
    "the format: \(ExportFormat.names.joined(separator: ", ")) (default: by the name of the output, "
      + "else csv)")
}

extension Option {
  fileprivate static let flatten = Option(
    "flatten", "write embedded objects as separate columns: address.city")
  fileprivate static let unnest = Option(
    "unnest", takes: .text, "LIST", "write one row per element of LIST, a list, set or dictionary")
}

extension Arguments.Operand {
  static let exportedClass = Operand("CLASS", .className, .atMostOnce)
}

extension Command {
  /// `export FILE [CLASS [PREDICATE]]`
  static let export = Command(
    .document(modes: [.csv, .tsv, .json, .jsonl]),
    CommandSpec(
      "export", group: CommandGroup.reading, summary: "export objects as CSV, TSV, JSON, Parquet or SQLite",
      brief: "to CSV, JSON, Parquet",
      operands: [.file, .exportedClass, .predicate],
      options: [
        .format, .library, .exportedDates, .select, .flatten, .unnest, .typed, .sort, .distinct, .limit,
        .offset, .memory,
        .argument, .argumentText, .parameter, .allTables, .snapshot,
      ] + Option.parquetOptions + Option.part,
      details: [
        """
        With CLASS, its objects (or those that meet PREDICATE) are written; without it all classes: one file each into \
        the directory of --output, or one JSON object of arrays. Embedded objects are written inside their owners.
        """,
        """
        Null is an empty cell in csv and \\N in tsv; "" is the empty text. A link is the primary key of its object; \
        lists, dictionaries and embedded objects are JSON. Where a class has no primary key and others link to it, \
        the first column, _key, is the key used by these links, and 'import' keeps it. Use 'dump' for a lossless \
        copy.
        """,
        """
        With --unnest an object has one row per element of a collection, with all its other cells, or one with null if \
        it is empty. A dictionary has the columns LIST.key and LIST.value. --flatten acts on embedded objects in it, too.
        """,
        """
        Parquet keeps types: LIST, MAP, STRUCT, TIMESTAMP in UTC; mixed values are JSON; decimals, object IDs and UUIDs \
        are text. All columns may be null.
        """,
        """
        With --for, a file of SQLite is as a library expects it: column types, primary keys, names of indexes and \
        user_version, without tables of its own. What the library cannot hold is reported before anything is written. \
        'schema --format' with the same name prints the code that fits.
        """,
        """
        For SQLite and SQL, the options of 'copy' choose and mask objects. All classes have their tables.
        """,
      ],
      examples: [
        Example("realm-cli export app.realm Person > people.csv", "a class as CSV"),
        Example("realm-cli export app.realm --for room -o app.db", "a database for Android's Room"),
        Example(
          "realm-cli export app.realm -o part.sqlite --where 'Person where age > 30' --mask '*.name'",
          "some objects with masked names, for SQLite"),
        Example(
          "realm-cli export app.realm Person 'age > 30' --select 'name, dogs.@count as dogs' -o people.json",
          "some objects and columns"),
        Example("realm-cli export app.realm Person -o people.parquet", "for DuckDB, pandas and Spark"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let format = try ExportFormat(invocation)
    if format != .parquet, let option = Option.parquetOptions.first(where: arguments.has) {
      throw Diagnostic.usage("--\(option.name) needs --format parquet")
    }
    if format != .sqlite, let option = [Option.library, .exportedDates].first(where: arguments.has) {
      throw Diagnostic.usage("--\(option.name) needs --format sqlite")
    }
    if !format.isJSON, arguments.has(.typed) {
      throw Diagnostic.usage("--typed needs --format json or jsonl")
    }
    let holdsAllClasses = (format == .sqlite || format == .sql) && arguments.word(.exportedClass) == nil
    if format == .parquet, let option = [Option.unnest, .flatten].first(where: arguments.has) {
      throw Diagnostic.usage("--\(option.name) is not for Parquet, which holds nested values")
    }
    if holdsAllClasses, arguments.has(.flatten) {
      throw Diagnostic.usage("--flatten does nothing for \(format.rawValue)", hint: "leave it out")
    }
    if !holdsAllClasses, let option = Option.part.first(where: arguments.has) {
      throw Diagnostic.usage(
        "--\(option.name) needs --format sqlite or sql, and no CLASS",
        hint: "for other formats export a copy: realm-cli copy FILE part.realm --\(option.name) …")
    }
    guard arguments.word(.exportedClass) == nil else {
      return try invocation.hintingAtOutput {
        guard format != .sqlite else {
          throw Diagnostic.usage(
            "a file of SQLite holds all classes", hint: "to choose objects: \(invocation.choiceOfClass)")
        }
        return try invocation.exportClass(format)
      }
    }
    let classOptions: [Option] =
      [.select, .unnest, .sort, .distinct, .limit, .offset]
      + (arguments.has(.choice) ? [] : Option.parameters)
    if let option = classOptions.first(where: arguments.has) {
      throw Diagnostic.usage("--\(option.name) needs a CLASS")
    }
    switch format {
    case .sqlite: return try invocation.exportSQLite()
    case .sql: return try invocation.exportScript()
    case .parquet:
      guard let output = arguments.word(.output), !output.isDash else {
        throw Diagnostic.usage(
          "all classes are several files of Parquet", hint: "name a CLASS, or a directory: -o app.parquet/")
      }
      return try invocation.exportParquetDirectory(FilePath(output.bytes))
    case .csv, .tsv, .json, .jsonl: break
    }
    guard let output = arguments.word(.output), !output.isDash, invocation.exportsDirectory(format) else {
      return try invocation.exportClasses(format)
    }
    return try invocation.exportDirectory(FilePath(output.bytes), format)
  }
}

/// A format that other programs read.
private enum ExportFormat: String, CaseIterable {
  case csv, tsv, json, jsonl, sql, sqlite, parquet

  static let names = allCases.map(\.rawValue)

  /// What --format or a mode option names, or else the suffix of the output's name.
  init(_ invocation: Invocation) throws(Diagnostic) {
    let arguments = invocation.arguments
    let named = arguments.word(.output).flatMap { $0.isDash ? nil : Self($0) }
    // A name of these says what is meant, whatever the result is told as.
    let ofName = named.flatMap { [.sqlite, .sql, .parquet].contains($0) ? $0.rawValue : nil }
    let word = arguments.text(.format) ?? (arguments.has(.library) ? ExportFormat.sqlite.rawValue : ofName)
    // Then --json says how the result is told.
    if word == ExportFormat.sqlite.rawValue, arguments.text(.mode).map({ $0 == "json" }) ?? true {
      self = .sqlite
      return
    }
    if let mode = arguments.text(.mode) {
      guard let format = ExportFormat(rawValue: mode) else {
        throw Diagnostic.usage(
          "export cannot write \(mode)", hint: "one of: \(Self.names.joined(separator: ", "))")
      }
      if let word, word != mode {
        let first = arguments.has(.format) ? "--format \(word)" : "the name of the output"
        throw Diagnostic.usage("\(first) and --\(mode) contradict each other")
      }
      self = format
      return
    }
    if let word {
      self = ExportFormat(rawValue: word) ?? .csv
      return
    }
    guard let output = arguments.word(.output), !output.isDash else {
      self = .csv
      return
    }
    let path = FilePath(output.bytes)
    guard let ending = Self.ending(of: path) else {
      self = .csv
      return
    }
    guard let format = Self(output) else {
      throw Diagnostic.usage(
        "unknown file name extension .\(ending) of \(path.displayName)",
        hint: "one of: \(Self.names.map { ".\($0)" }.joined(separator: ", ")); or use --format")
    }
    self = format
  }

  /// What the ending of a file's name says.
  init?(_ word: Word) {
    guard let ending = Self.ending(of: FilePath(word.bytes)) else { return nil }
    self.init(rawValue: Self.sqliteEndings.contains(ending) ? ExportFormat.sqlite.rawValue : ending)
  }

  /// Nil for a name without one, and for directories.
  private static func ending(of path: FilePath) -> String? {
    let name = String(decoding: path.lastComponent, as: UTF8.self)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex, !DirectoryOutput.isDirectory(path) else {
      return nil
    }
    return name[name.index(after: dot)...].lowercased()
  }

  private static let sqliteEndings = ["sqlite3", "db"]

  var mode: OutputMode {
    switch self {
    case .sql, .sqlite, .parquet: .sql
    case .csv: .csv
    case .tsv: .tsv
    case .json: .json
    case .jsonl: .jsonl
    }
  }

  var isJSON: Bool { self == .json || self == .jsonl }
}

extension Invocation {
  fileprivate func exportSpec(_ format: ExportFormat) -> RenderSpec {
    RenderSpec(
      format.mode, hasHeader: arguments.has(.noHeader) ? false : nil, isTyped: arguments.has(.typed))
  }

  /// Spells links so that they lead to the same objects in another realm.
  private func linking(_ spec: RenderSpec, in realm: ReadTransaction) -> RenderSpec {
    var spec = spec
    if !spec.isTyped { spec.form = ObjectForm(namingByPrimaryKeyIn: realm) }
    return spec
  }

  /// Says what cells of text do not keep: a class that import makes of them has neither links nor lists.
  private func noteLosses(_ tables: [Table], _ format: ExportFormat, in realm: ReadTransaction) {
    let isFlat = arguments.has(.flatten)
    func holdsEmbedded(_ property: Property) -> Bool {
      property.target.flatMap(realm.table)?.schema.kind == .embedded
    }
    let properties = tables.flatMap { table in
      table.schema.properties.filter {
        $0.collection != nil || $0.isLink && !(isFlat && holdsEmbedded($0))
      }.map { (table.schema.name, $0) }
    }
    guard !format.isJSON, !isQuiet, let (className, first) = properties.first else { return }
    let rest = properties.count - 1
    let more = rest == 0 ? "" : " and \(counted(rest, "more column"))"
    let single = properties.map(\.1).filter { $0.collection == nil }
    let named = [
      ("links", single.contains { !holdsEmbedded($0) }),
      ("lists", properties.contains { $0.1.collection != nil }),
      ("embedded objects", single.contains(where: holdsEmbedded)),
    ].filter(\.1).map(\.0)
    let what =
      named == ["links"]
      ? "only the keys of links"
      : "only the text of \([named.dropLast().joined(separator: ", "), named[named.count - 1]].filter { !$0.isEmpty }.joined(separator: " and "))"
    let kinds = named.count == 1 ? named[0] : "them"
    warn(
      "\(className).\(first.name)\(more): \(format.rawValue.uppercased()) holds \(what); "
        + (format == .sql
          ? "the script of all classes keeps \(kinds)"
          : "'import --create' does not restore \(kinds), 'load' of a dump does"))
  }

  /// Whether the output is a directory: one that exists, one whose name ends in a slash, or any other name where
  /// several classes cannot be in one file.
  fileprivate func exportsDirectory(_ format: ExportFormat) -> Bool {
    guard let bytes = arguments.word(.output)?.bytes else { return false }
    return bytes.last == UInt8(ascii: "/") || DirectoryOutput.isDirectory(FilePath(bytes)) || format != .json
  }

  /// One class, or what a query finds in it.
  fileprivate func exportClass(_ format: ExportFormat) throws -> ExitStatus {
    let spec = exportSpec(format)
    let text = try queryText()
    let selection = try arguments.word(.select).map { try SelectionText($0.bytes) }
    let unnested = arguments.text(.unnest)
    if format == .parquet { return try exportParquet(text, selection) }
    if selection != nil, unnested == nil, arguments.has(.flatten) {
      throw Diagnostic.usage("--flatten and --select contradict each other")
    }
    try withOutput { out in
      try withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let realm = database.transaction
        let query = try boundQuery(text, on: .exportedClass, in: realm)
        let table = query.table
        let columns = try selection?.bound(to: table, in: realm) ?? columns(of: table, in: realm)
        let executor = try QueryExecutor(query, in: realm)
        if columns == nil || selection == nil { noteLosses([table], format, in: realm) }
        let spec = linking(spec, in: realm)
        if let unnested {
          let elements = try ExportColumns(realm: realm, isFlat: arguments.has(.flatten))
            .unnesting(unnested, among: columns ?? SelectedColumn.all(of: table))
          return try writeRows(
            of: executor, ElementRowPrinter(spec, table, elements, in: realm), to: &out)
        }
        try writeRows(of: executor, RowPrinter(spec, table, columns, in: realm), to: &out)
      }
    }
    return .success
  }

  /// The option that chooses what CLASS and PREDICATE say.
  fileprivate var choiceOfClass: String {
    let name = arguments.required(.exportedClass).displayText
    guard let predicate = arguments.word(.predicate) else { return "--only \(shellWord(name))" }
    let choice = spelledName(name, as: .className) + " where \(predicate.displayText)"
    return "--where \(shellWord(choice))"
  }

  /// A file's name where a class or a condition stands is a likely slip.
  fileprivate func hintingAtOutput(_ export: () throws -> ExitStatus) throws -> ExitStatus {
    do { return try export() } catch {
      var diagnostic = Diagnostic(error)
      let isClass = diagnostic.exit == .usage || diagnostic.code == SessionError.unknownClassCode
      guard isClass || diagnostic.exit == .statement, !arguments.has(.output),
        let word = arguments.word(isClass ? .exportedClass : .predicate), !word.displayText.holds(" "),
        ExportFormat(word) != nil
      else { throw diagnostic }
      diagnostic.hint = "to write to a file: -o \(word.shellText)"
      throw diagnostic
    }
  }

  /// All classes in one JSON object, or the only class there is.
  fileprivate func exportClasses(_ format: ExportFormat) throws -> ExitStatus {
    let spec = exportSpec(format)
    try withOutput { out in
      try withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let realm = database.transaction
        let tables = exportedTables(realm)
        let writers = RowWriters(linking(spec, in: realm), in: realm)
        guard format == .json else {
          guard tables.count == 1 else {
            throw Diagnostic.usage(
              "the file has \(tables.count) classes, and \(format.rawValue) holds one",
              hint: "name a CLASS, or use --output DIRECTORY for a file per class")
          }
          noteLosses(tables, format, in: realm)
          return try writeRows(of: tables[0], writers, realm, to: &out)
        }
        out.text.append(UInt8(ascii: "{"))
        for (index, table) in tables.enumerated() {
          out.text.append(literal: index == 0 ? "\n" : ",\n")
          out.text.append(jsonKey: table.schema.name)
          try writeRows(of: table, writers, realm, to: &out)
        }
        out.text.append(literal: "}\n")
      }
    }
    return .success
  }

  /// All classes, a file for each.
  fileprivate func exportDirectory(_ path: FilePath, _ format: ExportFormat) throws -> ExitStatus {
    let spec = exportSpec(format)
    try writeDirectory(path, hasData: true) { directory, realm in
      let writers = RowWriters(linking(spec, in: realm), in: realm)
      noteLosses(exportedTables(realm), format, in: realm)
      for table in exportedTables(realm) {
        try directory.write(table.schema.name, suffix: ".\(format.rawValue)") { file throws(EngineError) in
          try writeRows(of: table, writers, realm, to: &file)
        }
      }
    }
    return .success
  }

  private func writeRows(
    of table: Table, _ writers: RowWriters, _ realm: ReadTransaction, to out: inout OutputBuffer
  ) throws(EngineError) {
    let query = BoundQuery(table: table, predicate: .constant(true), orderings: [])
    let printer = RowPrinter(writers, table, columns(of: table, in: realm))
    try writeRows(of: try QueryExecutor(query, in: realm), printer, to: &out)
  }

  private func columns(of table: Table, in realm: ReadTransaction) -> [SelectedColumn]? {
    ExportColumns(realm: realm, isFlat: arguments.has(.flatten)).columns(of: table)
  }
}
