// Words that people bring along from other shells, and what they are called here. Layer: RealmCommands, Shell.

import Arguments
import ByteText
import RealmQueryLanguage
import RealmSession

/// A word that begins no statement, though its user thought so.
enum OtherShellCommand {
  /// The same complaint; where the statement begins with a foreign word, with what to type instead.
  static func explaining(_ diagnostic: Diagnostic, of statement: ArraySlice<UInt8>) -> Diagnostic {
    let isSyntax = diagnostic.code == QueryError.Code.expectation.rawValue && diagnostic.hint == nil
    let isName = diagnostic.code == SessionError.unknownClassCode
    let isMistyped = diagnostic.hint?.hasPrefix("did you mean") ?? false
    let word = firstWord(of: statement).lowercased()
    guard isSyntax || isName, !isMistyped,
      let hint = hint(for: word.hasSuffix("()") ? String(word.dropLast(2)) : word)
    else { return diagnostic }
    var explained = diagnostic
    explained.hint = hint
    return explained
  }

  static func firstWord(of statement: ArraySlice<UInt8>) -> String {
    let words = statement.split { $0.isBlankByte || $0 == UInt8(ascii: "\n") }
    return words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static let foreign: [(words: [String], hint: String)] = [
    (["show", "list", "ls"], "write .classes to see the classes"),
    (["describe", "desc"], "write .schema CLASS"),
    (["use", "connect"], "write .open FILE"),
    (["attach"], "write .open FILE; beside a database of SQLite: \(SQLHint.adviceOnAttaching)"),
    (["undo"], "write .undo; in a transaction 'rollback' undoes the changes since 'begin'"),
    (["find", "get", "from", "table"], "a query starts with its class: Person where name == 'Ada'"),
    (["truncate"], "write delete CLASS, which deletes all of its objects"),
    (["save", "clone"], "write .copy FILE"),
    (["vacuum"], "write .compact"),
    (["databases", "status"], "write .info for the file that is open, .open FILE for another"),
    (["source"], "write .read FILE"),
    (["start", "savepoint"], "write begin, then commit or rollback"),
    (["replace", "merge"], "write upsert CLASS { … }"),
    (["clear", "cls"], "Ctrl-L clears the screen"),
    (["end"], "write commit"),
    (["/*", "//"], "a comment begins with -- and a blank, and ends with its line"),
    (clauses, "a statement ends with its line: write both on one, or a backslash at the end of the first"),
  ]

  /// Words that go on with a statement and begin none.
  private static let clauses = [
    "where", "set", "values", "and", "or", "sort", "limit", "order", "group", "having",
  ]

  static func isClause(_ word: String) -> Bool {
    clauses.contains { $0 == word.lowercased().prefix { $0.isLetter } }
  }

  /// Commands of other prompts that begin with a backslash.
  private static let foreignCommands: [(names: [String], hint: String)] = [
    (["l", "l+", "list", "conninfo", "s"], "write .info for the file that is open, .open FILE for another"),
    (["du", "dg", "dp", "z", "password"], "a realm file has no users"),
    (["dn", "df", "dv", "ds", "dm", "u"], "write .classes to see the classes"),
    (["copy"], "write .export CLASS -o FILE, or .import FILE CLASS"),
    (["set", "unset"], "write .param set NAME VALUE"),
    (["pset", "a", "H", "f"], "write .mode, which lists the modes"),
    (["G"], "write \\gx"),
    (["watch"], "write .repeat SECONDS, which runs the last query; .watch shows changes"),
    (["."], "write .read FILE"),
  ]

  /// What to type instead of `\l`; nil for what is none.
  static func hint(forCommand name: String) -> String? {
    guard name.first == "\\" else { return nil }
    return foreignCommands.first { $0.names.contains(String(name.dropFirst())) }?.hint
  }

  /// What to type where a command has an argument that others take, and this one does not.
  static func hint(forSurplus argument: String, of name: String) -> String? {
    name == "dump" ? "a dump has all classes; for one write .export \(argument) --json" : nil
  }

  static func isForeign(_ word: String) -> Bool { foreign.contains { $0.words.contains(word) } }

  /// What to type instead of a word; nil for words that nobody brings along.
  static func hint(for word: String) -> String? {
    if let hint = foreign.first(where: { $0.words.contains(word) })?.hint { return hint }
    let command = DotCommand.all.first { $0.name == word || $0.synonyms.contains(".\(word)") }
    return command.map { "write \($0.synopsis)" }
  }

  // MARK: Signs

  /// Why a sign outside quotes is refused: a condition is one argument, and '>' opens no file. Nil where there is none.
  /// `line`: the command line that the words of `command` are added to.
  static func refusal(ofSignsIn words: [Word], of command: String, behind line: [Word]) -> Diagnostic? {
    let texts = words.map(\.displayText)
    guard let place = texts.firstIndex(where: { $0.hasPrefix(">") || comparisons.contains($0) }) else {
      return nil
    }
    if let start = texts[..<place].firstIndex(of: "where"), start > 0 {
      let head = ([command] + texts[..<start]).joined(separator: " ")
      let condition = texts[(start + 1)...].joined(separator: " ")
      return Diagnostic.usage("a condition is one argument", hint: "put it in quotes: \(head) '\(condition)'")
    }
    let before = try? ArgumentParser(Registry.program, line + words[..<place]).parse()
    if let first = before?.word(.predicate)?.displayText, !first.holds(" "),
      let start = texts[..<place].lastIndex(of: first)
    {
      // Which of the words were in quotes is not known any more, but numbers need none.
      let value = texts[(start + 1)...].joined(separator: "").drop { "<>=!".contains($0) }
      let isPlain = Double(value) != nil || ["true", "false", "null"].contains(value)
      let condition = isPlain ? texts[start...].joined(separator: " ") : "PREDICATE"
      let head = ([command] + texts[..<start]).joined(separator: " ")
      return Diagnostic.usage("a condition is one argument", hint: "put it in quotes: \(head) '\(condition)'")
    }
    guard texts[place].hasPrefix(">") else { return nil }
    return Diagnostic.usage("'>' does not work here", hint: "to write to a file: -o FILE")
  }

  private static let comparisons = ["<", "<=", "=", "==", "!="]
}

extension Shell {
  /// The same complaint about what follows the name of a class; where there is no such class, saying that.
  func explainingUnknownClass(_ diagnostic: Diagnostic, of statement: ArraySlice<UInt8>) -> Diagnostic {
    let (word, isQuoted) = Self.beginning(of: Array(statement))
    guard diagnostic.code == QueryError.Code.expectation.rawValue, diagnostic.hint == nil,
      let first = word.first, first != ".", first != "\\",
      isQuoted || !StatementWords.beginnings.contains(word.lowercased()),
      let schema = try? schema(of: []), !schema.classes.contains(where: { $0.name == word })
    else { return diagnostic }
    var explained = diagnostic
    let words = (isQuoted ? [] : StatementWords.beginnings) + schema.classes.map(\.name)
    let nearest = EditDistance.nearest(to: word, among: words)
    explained.hint =
      nearest.map { "did you mean '\($0)'?" }
      ?? "'\(word.visible)' is neither a statement nor a class; 'realm-cli help statements' lists the statements"
    return explained
  }

  /// The word that a statement begins with; the name of a class in backquotes without them.
  private static func beginning(of statement: [UInt8]) -> (word: String, isQuoted: Bool) {
    if statement.first == UInt8(ascii: "`"), let token = tokens(of: statement, isStatement: true).first,
      let alone = try? Statement(parsing: Array(statement[token.range.bounds])),
      case .select(let selection, _) = alone.kind
    {
      return (selection.className.text, true)
    }
    return (OtherShellCommand.firstWord(of: statement[...]), false)
  }

  /// The same complaint; where it is about `@links`, with the links that lead to the statement's class.
  func namingLinks(_ diagnostic: Diagnostic, of statement: ArraySlice<UInt8>) -> Diagnostic {
    guard diagnostic.code == QueryError.Code.backlink.rawValue, let schema = try? schema(of: []) else {
      return diagnostic
    }
    let names = SchemaNames(schema)
    let words = statement.split { $0.isBlankByte || $0 == UInt8(ascii: "\n") }
    let links = words.lazy.map { names.linkNames(to: String(decoding: $0, as: UTF8.self)) }.first {
      !$0.isEmpty
    }
    guard let links else { return diagnostic }
    var naming = diagnostic
    naming.hint = "write " + links.map { "@links.\($0)" }.joined(separator: " or ")
    return naming
  }
}
