// What `.help` says, made from the table. Layer: RealmCommands, Shell.

import Arguments

/// Texts for people at the prompt.
enum DotHelp {
  /// Statements by example, then the commands.
  static var overview: String {
    "Statements (see 'man 7 realm-predicate' for conditions):\n" + rows(statements) + "\nCommands:\n"
      + rows(DotCommand.all.map { ($0.synopsis, $0.summary) })
      + "\n'.help COMMAND' tells more. Tab completes. A ';' or a newline outside brackets ends a statement.\n"
  }

  static let statements: [(String, String)] = [
    ("Person", "all objects of a class"),
    ("Person where age > 30 and name beginswith 'A' sort(name asc) limit(10)", "some of them"),
    ("Person where … select name, address.city, dogs.@count as dogs", "some of their properties"),
    ("count Person where …", "how many; also sum, avg, min, max PROPERTY of Person where …"),
    ("insert Person { \"_id\": 7, \"name\": \"Ada\" }", "a new object; upsert changes one that exists"),
    ("update Person where age < 0 set age = 0", "change objects"),
    ("delete Person where …", "remove objects"),
    ("begin, commit, rollback", "several statements as one change, which can be undone until commit"),
    ("create class, alter class, drop class", "change the schema"),
    ("explain STATEMENT", "how it would be answered"),
  ]

  /// About one command, or the statements with this word.
  static func text(about name: String) throws -> String {
    let isWord = StatementWords.beginnings.contains(name) || ["select", "where", "class"].contains(name)
    if isWord {
      return rows(statements.filter { ($0.0 + $0.1).split { !$0.isLetter }.contains(Substring(name)) })
    }
    let word = name.hasPrefix(".") || name.hasPrefix("\\") ? name : ".\(name)"
    let command = try DotCommand.all.required(word)
    var text = "\(command.synopsis) – \(command.summary)\n"
    if !command.synonyms.isEmpty {
      text += "also spelled " + command.synonyms.joined(separator: ", ") + "\n"
    }
    for example in command.examples { text += "  \(example.line)\n      \(example.effect)\n" }
    return text
  }

  private static func rows(_ rows: [(String, String)]) -> String {
    TextLayout.list(rows.map { (term: $0.0, text: $0.1) })
  }
}
