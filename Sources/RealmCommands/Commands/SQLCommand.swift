// `sql`: a statement of SQL on one realm or several, and on SQLite files beside them. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL
import RealmSession
import Rendering

extension Option {
  fileprivate static let schemaNames = Option(
    "as", takes: .list, "NAME=FILE,…", "what stands before tables of each file: old=a.realm,new=b.realm")
  fileprivate static let attachedSQLite = Option(
    "attach-sqlite", repeatable: true, takes: .file, "FILE",
    "read a database of SQLite beside the realms, called as its file or, with NAME=FILE, NAME; repeatable")
}

extension Arguments.Operand {
  fileprivate static let sqlRealms = Operand("FILE", .file, .any)
  fileprivate static let sqlText = Operand("SQL", .text)
}

extension Command {
  /// `sql FILE… 'SELECT …'`
  static let sql = Command(
    .rows,
    CommandSpec(
      "sql", group: CommandGroup.reading, summary: "run a SELECT statement of SQLite",
      brief: "SQL over realms",
      operands: [.sqlRealms, .sqlText],
      options: [
        .schemaNames, .attachedSQLite, .argument, .argumentText, .parameter, .runTimeout, .memory,
        .temporaryFiles, .snapshot,
      ],
      details: [
        """
        The statement is SQLite's SQL: joins, groups, windows, common table expressions and all of its functions. It only reads. \
        Several are separated by semicolons; - reads them from standard input. \
        Each class is a table. Lists, sets and dictionaries are tables CLASS_NAME with the columns owner, position or key, and \
        value; embedded classes have the column owner. A link holds the primary key of its target, or its object key, which is \
        the column _key. Dates are texts in UTC, such as 2020-01-31T10:00:00Z; julianday(x) compares and orders those with \
        fractions of a second. Decimals are texts too, so that no digit is lost: cast(x as real) compares and orders them \
        as numbers.
        """,
        """
        Values of --arg are numbers, true, false, null or texts, for ?1, ?2 and so on; a date is the text that its \
        column shows.
        """,
        """
        Conditions, orders and limits are handed to the query engine with its indexes where that gives the same rows; \
        'explain query plan' shows what was handed down. Columns that a statement does not use are not read. \
        The suffix of --output chooses the format: .csv, .json, .jsonl, .md, .html or .parquet, whose columns have one type each.
        """,
        """
        Tables of several files are named by file: a.Person, b.Person; the first file needs no name. Functions beside SQLite's: \
        realm_type(x) is the type of a value in the realm (of a column; SQLite keeps no types in groups, DISTINCT and UNION), \
        realm_link('Person 7') what links to that object hold, and \
        geo_within(place, 'geoCircle([7.5, 46.9], 0.01)') whether a place lies in a region; \
        regexp, concat, concat_ws, string_agg, median, stddev, decimal_sum and decimal_cmp are as elsewhere. Hidden columns named as lists, \
        sets, dictionaries and embedded objects hold them as JSON.
        """,
      ],
      examples: [
        Example("realm-cli sql app.realm 'select city, count(*) from Address group by city'", "groups"),
        Example(
          "realm-cli sql app.realm 'select name from Person where age > ?1' --arg 30",
          "a value from the shell"),
        Example(
          "realm-cli sql old.realm new.realm 'select _id from new.Person except select _id from old.Person'",
          "what is new"),
        Example(
          "realm-cli sql app.realm --attach-sqlite crm.db 'select name, text from Person join crm.notes on person = _id'",
          "a realm and a database of SQLite"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let given = arguments.required(.sqlText)
    var realms = try NamedFile.list(arguments)
    guard !realms.isEmpty else {
      let isFile = (try? FilePath(given.bytes).status) != nil
      throw Diagnostic.usage(
        isFile ? "sql – SQL is missing" : "sql – FILE is missing",
        hint: "realm-cli sql \(isFile ? given.shellText : "FILE") 'SELECT …'"
          + (isFile ? "; - reads it from standard input" : ""))
    }
    if let other = realms.first(where: {
      SQLWords.begin($0.word.bytes[...]) && (try? FilePath($0.word.bytes).status) == nil
    }) {
      let isSwapped = realms.count == 1 && (try? FilePath(given.bytes).status) != nil
      throw Diagnostic.usage(
        "'\(other.word.displayText)' is SQL where a file is expected",
        hint: isSwapped
          ? "the file comes first: realm-cli sql \(given.shellText) \(shellQuoted(other.word.displayText))"
          : "put several statements in one text, with ';' between them")
    }
    guard (realms.map(\.word) + [given]).count(where: \.isDash) <= 1 else {
      throw Diagnostic.usage("standard input cannot be several realms, or a realm and SQL")
    }
    let text = given.isDash ? Word(try StandardStreams.readText()) : given
    // So that a script may name the one realm that is left of several.
    if realms.count == 1, let named = realms[0].named(in: text.displayText, beside: arguments) {
      realms = [named]
    }
    let databases = NamedFile.attached(arguments)
    for database in databases { try invocation.checkDatabase(database.word) }
    let parameters = try Parameters(arguments).forSQL
    var limits = invocation.sqlLimits
    limits.lastWords = invocation.text(of: Diagnostic(SQLSession.timeout, in: [], SourceRange(0..<0)))
    var askedCount = 0
    try invocation.withOutput { out in
      // A key is for those of several files that are encrypted.
      let opening = realms.count > 1 ? invocation.amongOthers() : invocation
      let sources = try realms.map { realm in
        do {
          return (realm.name, try opening.snapshotSource(of: realm.word))
        } catch var error as Diagnostic where FilePath(realm.word.bytes).holdsSQLite {
          error.hint =
            "it is read beside a realm: realm-cli sql FILE --attach-sqlite \(realm.word.shellText) 'SELECT …'"
          throw error
        }
      }
      try read(sources[...], [], to: &out) { opened, out in
        let attached = databases.map { SQLSource(name: $0.name, .sqlite($0.word.bytes)) }
        let render =
          invocation.namesParquetFile ? RenderSpec(.tsv) : try invocation.renderSpec(isTyped: false)
        let session: SQLSession
        do {
          session = try SQLSession(
            opened.map { SQLSource(name: $0.name, .realm($0.realm)) } + attached, limits,
            pushesDown: invocation.environment("REALM_SQL_NO_PUSH") == nil,
            mayUseFiles: !sources.contains { $0.1.key != nil })
        } catch let error as SQLError {
          throw Diagnostic(
            error.isBusy ? .busy : .unavailable, code: error.isBusy ? "busy" : "sqlite", error.message,
            hint: error.remedy)
        }
        do {
          askedCount = try invocation.runSQL(
            text.bytes, SourceRange(text.bytes.indices), parameters, on: session, render, in: opened[0].realm,
            to: &out)
        } catch {
          throw Diagnostic(error).suggestingStatement(text.displayText, on: realms[0].word)
        }
      }
    }
    let givenCount = parameters.numberedCount
    if givenCount > askedCount {
      invocation.warn(
        askedCount == 0
          ? "--arg gives a value that nothing asks for: name = ?1 does, without quotes of its own"
          : "--arg gives \(givenCount) values, and \(askedCount) \(askedCount == 1 ? "is" : "are") asked for")
    }
    return .success
  }

  private typealias OpenRealm = (name: String?, realm: ReadTransaction)

  /// Calls `body` with all realms open; it runs again where one of them has changed meanwhile.
  private static func read(
    _ sources: ArraySlice<(String?, SnapshotSource)>, _ opened: [OpenRealm], to out: inout OutputBuffer,
    _ body: ([OpenRealm], inout OutputBuffer) throws -> Void
  ) throws {
    guard let (name, source) = sources.first else { return try body(opened, &out) }
    do {
      try source.read(to: &out) { database, out in
        try read(sources.dropFirst(), opened + [(name, database.transaction)], to: &out, body)
      }
    } catch {
      throw Diagnostic.wording(error, file: source.path)
    }
  }
}

/// A realm or a database of SQLite, and what stands before its tables.
private struct NamedFile {
  let name: String?
  let word: Word

  /// The names that SQLite has for itself.
  private static let reservedNames = ["main", "temp"]

  static func list(_ arguments: ParsedArguments) throws -> [NamedFile] {
    var realms = arguments.words(.sqlRealms).map { NamedFile(name: name(of: $0.bytes), word: $0) }
    // One realm alone needs no name.
    if realms.count == 1, arguments.word(.schemaNames) == nil {
      realms[0] = NamedFile(name: nil, word: realms[0].word)
    }
    for part in arguments.words(.schemaNames).flatMap({ $0.bytes.split(separator: UInt8(ascii: ",")) }) {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals > part.startIndex else {
        throw Diagnostic.usage("--as takes NAME=FILE", hint: "--as old=a.realm,new=b.realm")
      }
      let file = NamedFile(
        name: String(decoding: part[..<equals], as: UTF8.self), word: Word(Array(part[(equals + 1)...])))
      // One that is named anyhow, as another is, gets the name there.
      if let index = realms.firstIndex(where: { $0.word.bytes == file.word.bytes }),
        realms.contains(where: { $0.word.bytes != file.word.bytes && $0.name == realms[index].name })
      {
        realms[index] = file
      } else {
        realms.append(file)
      }
    }
    let files = realms.map { ($0, "--as") } + attached(arguments).map { ($0, "--attach-sqlite") }
    var seen: Set<String> = []
    for (file, option) in files {
      guard let name = file.name else { continue }
      let hint = "give it another name: \(option) other=\(file.word.shellText)"
      guard !reservedNames.contains(name.lowercased()) else {
        throw Diagnostic.usage("SQLite has a database '\(name)' of its own", hint: hint)
      }
      guard seen.insert(name.lowercased()).inserted else {
        throw Diagnostic.usage("two files are called '\(name)'", hint: hint)
      }
    }
    return realms
  }

  /// `crm.db`, or `crm=crm-2024.db`.
  static func attached(_ arguments: ParsedArguments) -> [NamedFile] {
    arguments.words(.attachedSQLite).map { word in
      guard let equals = word.bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0,
        (try? FilePath(word.bytes).status) == nil
      else { return NamedFile(name: name(of: word.bytes), word: word) }
      return NamedFile(
        name: String(decoding: word.bytes[..<equals], as: UTF8.self),
        word: Word(Array(word.bytes[(equals + 1)...])))
    }
  }

  /// The realm by its file's name, where `text` has that before a table; nil where it does not, or the name is another's.
  func named(in text: String, beside arguments: ParsedArguments) -> NamedFile? {
    let own = Self.name(of: word.bytes).lowercased()
    let others = Self.attached(arguments).compactMap { $0.name?.lowercased() }
    let text = text.lowercased()
    guard name == nil, !(Self.reservedNames + others).contains(own),
      ["", "\"", "]", "`"].contains(where: { text.holds(own + $0 + ".") })
    else { return nil }
    return NamedFile(name: own, word: word)
  }

  /// The file's name without its ending, as a name that needs no quotes for its dots.
  private static func name(of path: [UInt8]) -> String {
    let file = path.split(separator: UInt8(ascii: "/")).last ?? []
    let dot = UInt8(ascii: ".")
    let stem = file.lastIndex(of: dot).map { file[..<$0] } ?? file
    return String(
      decoding: (stem.isEmpty ? file : stem).map { $0 == dot ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }
}
