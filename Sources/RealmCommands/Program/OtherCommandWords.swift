// What people type first who know other programs, and what to type here instead. Layer: RealmCommands, Program.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage

/// Words of other command lines.
enum OtherCommandWords {
  /// What follows the program's name; FILE is the file.
  private static let lines: [(words: [String], line: String)] = [
    (["tables", "ls", "list", "show", "classes", "collections", "objects"], "info FILE"),
    (["describe", "desc", "structure", "ddl", "types", "model", "fields"], "schema FILE"),
    (["count", "sum", "avg", "min", "max"], "FILE 'count CLASS'"),
    (["stats", "stat", "size", "sizes", "usage", "du", "analyze", "analyse"], "info --sizes FILE"),
    (["select", "find", "search", "filter", "where", "grep", "fetch"], "query FILE CLASS 'PREDICATE'"),
    (["open", "shell", "repl", "browse", "connect", "use", "prompt", "cli"], "FILE"),
    (["cat", "print", "view", "read", "tojson"], "dump FILE"),
    (["head", "top", "sample", "peek"], "query FILE CLASS --limit 10"),
    (["add", "new-object", "put", "append"], "insert FILE CLASS --data '{…}'"),
    (["set", "modify", "change", "edit"], "update FILE CLASS 'PREDICATE' --set 'name = value'"),
    (["drop", "erase", "del"], "delete FILE CLASS 'PREDICATE'"),
    (["unlink", "destroy"], "rm FILE"),
    (["new", "init", "make", "touch"], "create FILE --schema SCHEMA"),
    (["backup", "clone", "cp", "duplicate", "snapshot"], "copy FILE COPY"),
    (["vacuum", "shrink", "optimize", "optimise", "defrag", "gc"], "compact FILE"),
    (["verify", "validate", "test", "integrity", "fsck", "lint", "doctor"], "check FILE"),
    (["repair", "fix", "salvage", "rescue", "restore"], "recover FILE OUT"),
    (["password", "passwd", "changekey", "change-key"], "rekey FILE --new-key-file KEY"),
    (["genkey", "key", "newkey"], "keygen KEY"),
    (["convert", "update-format"], "upgrade FILE"),
    (["migration", "migrations"], "migrate status FILE"),
    (["history", "versions", "log"], "diff --previous FILE"),
    (["compare", "cmp"], "diff A B"),
    (["md5", "sha256", "checksum", "digest", "sum256"], "hash FILE"),
    (["tail", "follow", "listen", "monitor"], "watch FILE"),
    (["version"], "--version"),
    (["usage", "man", "commands"], "help"),
  ]

  /// The line to type instead of `word`, with the name of the file where it is known.
  static func line(for word: String, file: String?) -> String? {
    guard let line = lines.first(where: { $0.words.contains(word.lowercased()) })?.line else { return nil }
    let parts = line.split(separator: " ").map { $0 == "FILE" ? file ?? "FILE" : String($0) }
    return (["realm-cli"] + parts).joined(separator: " ")
  }
}

extension Diagnostic {
  /// The same complaint about a first word that is no file; where it may be meant as a command, with those that are near.
  func suggestingCommands(for word: Word, before others: [Word]) -> Diagnostic {
    guard exit == .unavailable, code == "not-found", let name = word.text else { return self }
    let file = others.first { $0.namesFile }?.displayText
    let nearest = EditDistance.nearest(3, to: name, among: Registry.program.listedCommands.map(\.name))
    var diagnostic = self
    if Word("\(name).realm").namesFile {
      diagnostic.hint = "did you mean '\(word.displayText).realm'?"
    } else if let line = OtherCommandWords.line(for: name, file: file) {
      diagnostic.hint = "did you mean '\(line)'? 'realm-cli help' lists all commands"
    } else if !nearest.isEmpty {
      diagnostic.hint = "did you mean \(quotedChoice(nearest))? 'realm-cli help' lists all commands"
    } else if file != nil || !word.looksLikePath {
      diagnostic.hint = "'realm-cli help' lists all commands"
    } else {
      if hint == nil {
        diagnostic.hint = "'realm-cli create \(word.displayText) --schema SCHEMA' creates a new one"
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
      let file = arguments.word(.file), !file.namesFile, command.operands.first?.name == Operand.file.name,
      let other = command.operands.dropFirst().flatMap({ arguments.words($0) }).first(where: \.namesFile)
    else { return self }
    var diagnostic = self
    let names = arguments.path.map(\.name).joined(separator: " ")
    diagnostic.hint = "the file comes first: realm-cli \(names) \(other.displayText) \(file.displayText)"
    return diagnostic
  }

  /// The same complaint about statements; where their words say that they were meant otherwise, with how.
  func explaining(statements words: [Word], on file: Word) -> Diagnostic {
    guard exit == .statement, let first = words.first?.text,
      !first.contains(where: { $0 == " " || $0 == "\n" })
    else { return self }
    let others = words.dropFirst().map(\.displayText)
    let name = file.displayText
    var diagnostic = self
    if words[0].namesFile {
      diagnostic = .usage(
        "'\(first)' is a file, and statements run on one file",
        hint: "for f in \(name) \(first); do realm-cli \"$f\" '\(others.last ?? "count CLASS")'; done")
    } else if !others.isEmpty, Self.isStatement(([first] + others).joined(separator: " ")) {
      diagnostic = .usage(
        "a statement is one argument",
        hint: "put it in quotes: realm-cli \(name) \"\(([first] + others).joined(separator: " "))\"")
    } else if Registry.program.command(named: first) != nil {
      let rest = others.map { $0.contains(" ") ? " '\($0)'" : " \($0)" }.joined()
      diagnostic = .usage("the command comes before the file", hint: "realm-cli \(first) \(name)\(rest)")
    } else if let line = OtherCommandWords.line(for: first, file: name), code == "unknown-class" {
      diagnostic.hint = "did you mean '\(line)'?"
    }
    return diagnostic
  }

  private static func isStatement(_ text: String) -> Bool {
    (try? Statement(parsing: Array(text.utf8))) != nil
  }
}

/// `'a', 'b' or 'c'`
private func quotedChoice(_ names: [String]) -> String {
  let quoted = names.map { "'\($0)'" }
  guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
  return quoted.dropLast().joined(separator: ", ") + " or " + last
}

extension Word {
  fileprivate var namesFile: Bool { (try? FilePath(bytes).status) != nil }

  /// Whether it could not be a command.
  fileprivate var looksLikePath: Bool {
    bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
  }
}
