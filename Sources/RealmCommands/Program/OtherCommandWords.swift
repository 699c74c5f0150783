// What people type first who know other programs, and what to type here instead. Layer: RealmCommands, Program.

import Arguments
import ByteText
import FirstAid
import RealmEngine
import RealmQueryLanguage
import RealmSession

/// Words of other command lines; no command has such a name.
package enum OtherCommandWords {
  /// What follows the program's name; FILE is the file.
  private static let lines: [(words: [String], line: String)] = [
    (["tables", "ls", "list", "show", "classes", "collections", "objects", "inspect"], "info FILE"),
    (["describe", "desc", "structure", "ddl", "types", "model", "fields"], "schema FILE"),
    (["count", "sum", "avg", "min", "max"], "FILE 'count CLASS'"),
    (["explain", "plan"], "FILE 'explain CLASS'"),
    (["stats", "stat", "size", "sizes", "usage", "du", "analyze", "analyse"], "info --sizes FILE"),
    (["select", "find", "search", "filter", "where", "grep", "fetch"], "query FILE CLASS 'PREDICATE'"),
    (["open", "shell", "repl", "connect", "use", "prompt", "cli"], "FILE"),
    (["browse", "browser", "gui", "ui", "web", "studio", "page"], "serve FILE"),
    (["cat", "print", "view", "read", "tojson"], "dump FILE"),
    (["head", "top", "sample", "peek"], "query FILE CLASS --limit 10"),
    (["add", "new-object", "put", "append"], "insert FILE CLASS --data '{…}'"),
    (["set", "modify", "change", "edit"], "update FILE CLASS 'PREDICATE' --set 'name = value'"),
    (["drop", "erase", "del", "remove"], "delete FILE CLASS 'PREDICATE'"),
    (["unlink", "destroy"], "rm FILE"),
    (["new", "init", "make", "touch"], "create FILE"),
    (["backup", "clone", "cp", "duplicate", "snapshot"], "copy FILE COPY"),
    (["vacuum", "shrink", "optimize", "optimise", "defrag", "gc"], "compact FILE"),
    (["validate", "test", "integrity", "fsck", "lint"], "check FILE"),
    (["repair", "fix", "salvage", "rescue", "restore"], "recover FILE OUT"),
    (["password", "passwd", "changekey", "change-key"], "rekey FILE --new-key-file KEY"),
    (["genkey", "key", "newkey"], "keygen KEY"),
    (["convert"], "export FILE -o data.json"),
    (["update-format"], "upgrade FILE"),
    (["migration", "migrations"], "migrate status FILE"),
    (["history", "versions", "log"], "diff --previous FILE"),
    (["compare", "cmp"], "diff A B"),
    (["md5", "sha256", "checksum", "digest", "sum256"], "hash FILE"),
    (["tail", "follow", "listen", "monitor"], "watch FILE"),
    (["version"], "--version"),
    (["man", "commands"], "help"),
  ]

  package static var words: [String] { lines.flatMap(\.words) }

  /// The line to type instead of `word`, with the file, as a shell takes it, and the name of the class where they are known.
  static func line(for word: String, file: String?, className: String? = nil) -> String? {
    guard let line = lines.first(where: { $0.words.contains(word.lowercased()) })?.line else { return nil }
    let parts = line.split(separator: " ").map { part in
      switch part {
      case "FILE": file ?? "FILE"
      case "CLASS": className.map { shellWord($0) } ?? "CLASS"
      // What needs quotes of its own cannot be part of a text in quotes.
      case "CLASS'": "\(className.flatMap { shellWord($0) == $0 ? $0 : nil } ?? "CLASS")'"
      default: String(part)
      }
    }
    return (["realm-cli"] + parts).joined(separator: " ")
  }
}

extension Diagnostic {
  /// The same complaint about a first word that is no file; where it may be meant as a command, with those that are near.
  func suggestingCommands(for word: Word, before others: [Word]) -> Diagnostic {
    guard exit == .unavailable, code == "not-found", file == FilePath(word.bytes), let name = word.text else {
      return self
    }
    let file = others.first { $0.namesFile }?.shellText
    let rest = others.first { !$0.namesFile && !$0.looksLikePath }?.displayText
    let statement = [name, rest].compactMap { $0 }.first { $0.holds(" ") && Self.isStatement($0) }
    let nearest = EditDistance.nearest(3, to: name, among: Registry.program.listedCommands.map(\.name))
    var diagnostic = self
    if let file, let statement {
      diagnostic.hint = "realm-cli \(file) \(inQuotes("\(statement)"))"
    } else if Word("\(name).realm").namesFile {
      diagnostic.hint = "did you mean '\(word.displayText).realm'?"
    } else if let line = OtherCommandWords.line(
      for: name, file: file ?? others.first(where: \.looksLikePath)?.shellText, className: rest)
    {
      diagnostic.hint = "'realm-cli help' lists all commands; did you mean this one? \(line)"
    } else if !nearest.isEmpty {
      diagnostic.hint = "did you mean \(quotedChoice(nearest))? 'realm-cli help' lists all commands"
    } else if file != nil || !word.looksLikePath {
      diagnostic.hint = "'realm-cli help' lists all commands"
    } else {
      if hint == nil {
        diagnostic.hint = "to create a new one: realm-cli create \(word.shellText) --schema SCHEMA"
      }
      return diagnostic
    }
    if !word.looksLikePath {
      let hint = diagnostic.hint
      diagnostic = Diagnostic(
        exit, code: code, "there is no command or file '\(name)'", hint: hint, file: self.file)
    }
    return diagnostic
  }

  /// The same complaint about a file that is missing; where another word is a file, with the order of words.
  func suggestingOrder(of arguments: ParsedArguments) -> Diagnostic {
    guard exit == .unavailable, code == "not-found", hint == nil, let command = arguments.path.last,
      let operand = command.operands.first, operand.name == Operand.file.name,
      let file = arguments.word(operand)
    else { return self }
    func isMissing(_ word: Word) -> Bool { self.file == FilePath(word.bytes) && !word.namesFile }
    let names = arguments.path.map(\.name).joined(separator: " ")
    if command.name == "import", file.namesFile, let name = command.className(in: arguments),
      Word(name).namesFile, let source = command.operands.last.flatMap({ arguments.word($0) }),
      isMissing(source)
    {
      var diagnostic = self
      diagnostic.hint =
        "the class comes first: realm-cli import \(file.shellText) \(source.shellText) \(Word(name).shellText)"
      return diagnostic
    }
    // `load` makes its first file.
    let isMade = operand.kind.isOutputFile
    let others = command.operands.dropFirst().flatMap { arguments.words($0) }
    // A realm is no dump: where the first file is one, what is missing is the dump.
    guard isMade ? file.namesFile && !FileProbe.findsRealm(FilePath(file.bytes)) : isMissing(file),
      let other = others.first(where: { isMade ? isMissing($0) : $0.namesFile }),
      command.name != "verify" || other.displayText.hasSuffix(".realm")
    else { return self }
    var diagnostic = self
    if command.name == "import", !other.displayText.hasSuffix(".realm") {
      guard !arguments.has(.createsMissing) else { return self }
      let name = command.className(in: arguments).map { shellWord($0) } ?? "CLASS"
      diagnostic.hint =
        "--create makes the file: realm-cli import \(file.shellText) \(name) \(other.shellText) --create"
    } else {
      let first = isMade ? "the new file" : "the file"
      diagnostic.hint = "\(first) comes first: realm-cli \(names) \(other.shellText) \(file.shellText)"
    }
    return diagnostic
  }

  /// The same complaint about a class; where the name is a whole statement, with how that is run.
  func suggestingStatement(in arguments: ParsedArguments) -> Diagnostic {
    guard code == Self.unknownClassCode, let command = arguments.path.last,
      let file = arguments.word(.file)?.shellText,
      let text = command.className(in: arguments), text.holds(" "), Self.isStatement(text)
    else { return self }
    var diagnostic = self
    let mark = " where "
    if command.name != "query", let place = text.firstPlace(of: mark) {
      let names = arguments.path.map(\.name).joined(separator: " ")
      let condition = inQuotes("\(text[place...].dropFirst(mark.count))")
      diagnostic.hint = "realm-cli \(names) \(file) \(shellWord("\(text[..<place])")) \(condition)"
    } else {
      diagnostic.hint = "realm-cli \(file) \(inQuotes(text))"
    }
    return diagnostic
  }

  /// The same complaint about words that belong to an option: values of properties.
  func suggestingOption(for words: [Word]) -> Diagnostic {
    let texts = words.map(\.displayText)
    guard let command = texts.first, let surplus = unexpectedWord, texts.contains(surplus) else {
      return self
    }
    var diagnostic = self
    switch command {
    case "insert", "upsert":
      func isDocument(_ text: String) -> Bool { text.hasPrefix("{") || text.hasPrefix("[") }
      let pairs = texts.filter { !$0.hasPrefix("-") && !isDocument($0) && $0.holds("=") }.map { text in
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = Double(parts[1]) != nil || ["true", "false", "null"].contains(parts[1])
        return "\"\(parts[0])\": \(isPlain ? "\(parts[1])" : "\"\(parts[1])\"")"
      }
      guard isDocument(surplus) || !pairs.isEmpty else { return self }
      let object = isDocument(surplus) ? surplus : "{\(pairs.joined(separator: ", "))}"
      // What a hint cannot repeat whole would not work.
      let advice = "write --data \(shellQuoted(object))"
      diagnostic.hint = MessageText.fitted(advice) == advice ? advice : "write --data before the object"
    case "update" where surplus.holds("="):
      diagnostic.hint = "write --set \(shellQuoted(surplus))"
    default: break
    }
    return diagnostic
  }

  /// The same complaint about a text of SQL; where it changes something, with the statement that does.
  func suggestingStatement(_ text: String, on file: Word) -> Diagnostic {
    guard code == "sql", hint == nil, let statement = try? Statement(parsing: Array(text.utf8)),
      StatementSession.changes(statement)
    else { return self }
    var diagnostic = self
    diagnostic.hint =
      "statements that change a realm need no 'sql': realm-cli -w \(file.shellText) \(inQuotes("\(text)"))"
    return diagnostic
  }

  /// The same complaint about statements; where their words say that they were meant otherwise, with how.
  func explaining(statements words: [Word], on file: Word) -> Diagnostic {
    guard exit == .statement, let first = words.first?.text,
      !first.contains(where: { $0 == " " || $0 == "\n" })
    else { return self }
    let others = words.dropFirst().map(\.displayText)
    let name = file.shellText
    var diagnostic = self
    if words[0].namesFile {
      let files = words.prefix(while: \.namesFile)
      let statement = words.dropFirst(files.count).first?.displayText ?? "count CLASS"
      let names = ([file] + files).map(\.shellText).joined(separator: " ")
      diagnostic = .usage(
        "'\(first)' is a file, and statements run on one file",
        hint: SQLWords.begin(Array(statement.utf8)[...]) && statement.holds(".")
          ? "realm-cli sql \(names) \(shellQuoted(statement))"
          : "realm-cli each \(names) -- \(shellQuoted(statement))")
    } else if let unquoted = Diagnostic(unquoted: words, on: file) {
      diagnostic = unquoted
    } else if let command = Registry.program.command(named: first) {
      diagnostic = .usage("the command comes before the file", hint: command.line(on: name, others))
    } else if let line = OtherCommandWords.line(for: first, file: name), code == "unknown-class" {
      diagnostic.hint = "did you mean this? \(line)"
    }
    return diagnostic
  }

  /// Words that are a statement together; nil where they are none.
  private init?(unquoted words: [Word], on file: Word) {
    let texts = words.map(\.displayText)
    let together = texts.joined(separator: " ")
    guard texts.count > 1, !texts[0].contains(where: \.isWhitespace), Self.isStatement(together) else {
      return nil
    }
    self = .usage(
      "a statement is one argument",
      hint: "put it in quotes: realm-cli \(file.shellText) \(inQuotes(together))")
  }

  /// Throws where words are a statement together and not each of them is one: nothing of it is to run.
  static func refuseUnquoted(_ words: [Word], on file: Word) throws(Diagnostic) {
    guard words.contains(where: { !isStatement($0.displayText) }) else { return }
    if let unquoted = Diagnostic(unquoted: words, on: file) { throw unquoted }
  }

  private static func isStatement(_ text: String) -> Bool {
    (try? Statement(parsing: Array(text.utf8))) != nil
  }
}

extension CommandSpec {
  /// What the command line gives for the class.
  fileprivate func className(in arguments: ParsedArguments) -> String? {
    operands.first { if case .className = $0.kind { true } else { false } }.flatMap { arguments.text($0) }
  }

  /// How it is typed for a file, as a shell takes it, with the words that followed its name.
  fileprivate func line(on file: String, _ others: [String]) -> String {
    var words = others.map { shellWord($0) }
    if let subcommand = subcommands.first(where: { $0.name == words.first }) {
      words[0] = file
      return (["realm-cli", name, subcommand.name] + words).joined(separator: " ")
    }
    switch operands.first?.kind {
    case .file, .outputFile: words.insert(file, at: 0)
    case _ where name == "help": if words.isEmpty { return "realm-cli help, or .help at the prompt" }
    default: return "realm-cli help \(name)"
    }
    return (["realm-cli", name] + words).joined(separator: " ")
  }
}

/// `'a', 'b' or 'c'`
private func quotedChoice(_ names: [String]) -> String {
  let quoted = names.map { "'\($0)'" }
  guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " or " + last
}

extension Word {
  /// As a shell takes the name of a file.
  var shellText: String { isDash ? "-" : FilePath(bytes).shellText }

  fileprivate var namesFile: Bool { (try? FilePath(bytes).status) != nil }

  /// Whether it could not be a command.
  fileprivate var looksLikePath: Bool {
    bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
  }
}

/// A statement as one word of any shell.
private func inQuotes(_ statement: String) -> String {
  statement.contains { "\"$`\\!".contains($0) }
    ? shellQuoted(statement) : "\"\(statement)\""
}
