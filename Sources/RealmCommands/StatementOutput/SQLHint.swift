// What to write instead of a statement of SQL that SQLite refuses. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSQL

/// Advice on one error.
struct SQLHint {
  private let error: SQLError
  /// From the statement on that is refused.
  private let source: ArraySlice<UInt8>
  private let session: SQLSession

  init(_ error: SQLError, _ source: ArraySlice<UInt8>, _ session: SQLSession) {
    self.error = error
    self.source = source
    self.session = session
  }

  /// After these a table is named.
  private static let wordsBeforeTables = ["from", "join"]
  private static let tablesMax = 20
  /// What other shells list tables by.
  private static let wordsForTables = ["show", "describe", "desc"]

  /// Words and signs of conditions and of other databases, and what SQLite has for them.
  private static let foreign: [(words: [String], hint: String)] = [
    (["contains"], "write like '%text%'"),
    (["beginswith"], "write like 'text%'"),
    (["endswith"], "write like '%text'"),
    (["matches", "~"], "write regexp 'EXPRESSION'"),
    (["ilike", "like[c]", "like[cd]"], "like ignores the case of ASCII letters"),
    (["=[c]", "==[c]", "=[cd]", "==[cd]"], "write = 'text' collate nocase"),
    (["&"], "write and"),
    (["!"], "write not"),
    (["{"], "write in (1, 2, …)"),
    (["top", "fetch"], "write limit COUNT at the end"),
    (
      ["any", "some", "none"],
      "a list is a table of its own; conditions have these words: realm-cli FILE 'CLASS where …'"
    ),
    (["@count"], "a list is a table of its own, whose rows count(*) counts"),
  ]

  /// Nil where there is nothing to advise.
  var text: String? {
    if error.primaryCode == SQLError.outOfMemory {
      if session.lacksMemory { return "SQLite itself takes some of it: --memory 16M" }
      return session.lacksFiles ? "--temp-files 10G lets it sort and group in temporary files" : nil
    }
    if error.primaryCode == SQLError.notAllowed {
      switch Self.words(of: source).first?.lowercased() {
      case "pragma":
        return "pragma table_list and pragma table_info(CLASS) are; 'info' and 'check' say more of the file"
      case "create": return QueryError.adviceOnViews
      case "attach": return Self.adviceOnAttaching
      default: return nil
      }
    }
    if let name = error.missingTable {
      if let advice = adviceOnDatabase(of: name) { return advice }
      return session.tables.isEmpty
        ? "there are no tables" : meant(name, tables) ?? "its tables: \(tableList)"
    }
    if let name = error.missingColumn {
      if name.lowercased() == "nil" { return "write is null" }
      let text = String(decoding: source, as: UTF8.self).lowercased()
      let mentioned = session.tables.filter { text.holds($0.name.lowercased()) }
      return join(for: name, mentioned) ?? meant(name, mentioned.flatMap { $0.columns.map(\.name) })
    }
    if let name = error.missingFunction { return meant(name, session.functionNames) }
    if error.isIncomplete { return adviceAtEnd }
    guard let word = error.unexpectedWord else { return nil }
    let before = error.offset.flatMap { source.prefix($0).last }
    if word == "!", before == UInt8(ascii: "=") { return "write <>" }
    if let hint = Self.hint(for: word) ?? wordBefore.flatMap(Self.hint) { return hint }
    if word.first?.isNumber ?? false, word.contains("T") {
      return "a date is a text: '2020-01-31T10:00:00Z'"
    }
    guard Self.words(of: source).first?.hasPrefix(word) ?? false else { return nil }
    let beginnings = SQLWords.beginnings + ["explain"]
    guard !beginnings.contains(word.lowercased()) else { return "statements are separated by ;" }
    if word == "." {
      return "commands with a dot are for the prompt, realm-cli FILE; pragma table_list lists the tables"
    }
    if Self.wordsForTables.contains(word.lowercased()) {
      return "pragma table_list lists the tables, pragma table_info(CLASS) the columns of one"
    }
    if tables.contains(word) {
      return "select * from \(word) …; without 'sql', realm-cli FILE 'STATEMENT' takes this"
    }
    return meant(word, beginnings)
  }

  private static func hint(for word: String) -> String? {
    foreign.first { $0.words.contains(word.lowercased()) }?.hint
  }

  /// The word before the place of the error.
  private var wordBefore: String? {
    error.offset.flatMap { Self.words(of: source.prefix($0)).last }
  }

  static let adviceOnAttaching = "realm-cli sql FILE --attach-sqlite OTHER 'SELECT …'"

  static func isPragma(_ statement: ArraySlice<UInt8>) -> Bool {
    words(of: statement).first?.lowercased() == "pragma"
  }

  /// How to come to the object of a link, where the name is `LINK.COLUMN`.
  private func join(for name: String, _ tables: [SQLTable]) -> String? {
    let parts = name.split(separator: ".").map { $0.lowercased() }
    guard parts.count == 2 else { return nil }
    for table in tables {
      guard let column = table.columns.first(where: { $0.name.lowercased() == parts[0] }) else { continue }
      if let rows = column.property.flatMap(rows), let key = table.keyName {
        return "join its table: join \(rows) on \(rows).owner = \(table.name).\(key)"
      }
      guard let target = column.reference else { continue }
      let isSame = target.table == table.name
      let (name, alias) = (isSame ? column.name : target.table, isSame ? " as \(column.name)" : "")
      return
        "join the link's class: join \(target.table)\(alias) on \(name).\(target.column) = \(table.name).\(column.name)"
    }
    return nil
  }

  /// The table that has what a list, set or dictionary holds, or the embedded objects of a property.
  private func rows(of property: Property) -> String? {
    session.tables.first { table in
      switch table.rows {
      case .elements(let other): other === property
      case .objects(let owners): owners.contains { $0.property === property }
      }
    }?.name
  }

  /// What files are called, where a table is looked for in one that is not there.
  private func adviceOnDatabase(of table: String) -> String? {
    let names = session.databaseNames
    let folded = table.lowercased()
    guard !names.isEmpty, folded.holds("."),
      !(names + ["main", "temp"]).contains(where: { folded.hasPrefix("\($0.lowercased()).") })
    else { return nil }
    let list = names.map { SQLText.quoted(name: $0) }
    return "the files are called \(list.joined(separator: ", "))"
  }

  private var tables: [String] { session.tables.map(\.name) }

  private var tableList: String {
    tables.prefix(Self.tablesMax).joined(separator: ", ") + (tables.count > Self.tablesMax ? ", …" : "")
  }

  /// The nearest name, without that of the table or file before it, or what the engine calls the tables of classes.
  private func meant(_ name: String, _ names: [String]) -> String? {
    var last = name.split(separator: ".").last.map(String.init) ?? name
    if last.hasPrefix("class_") { last = String(last.dropFirst("class_".count)) }
    return EditDistance.nearest(to: last, among: names).map { "did you mean '\($0)'?" }
  }

  private static func words(of text: ArraySlice<UInt8>) -> [String] {
    let separators = Array(" \t\r\n;".utf8)
    return text.split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private var adviceAtEnd: String? {
    let length = error.offset.map { min($0, source.count) } ?? source.count
    guard let last = Self.words(of: source.prefix(length)).last else { return nil }
    guard Self.wordsBeforeTables.contains(last.lowercased()), !tables.isEmpty else {
      return "the statement ends after '\(last)'"
    }
    return "name a table after '\(last)': \(tableList)"
  }
}
