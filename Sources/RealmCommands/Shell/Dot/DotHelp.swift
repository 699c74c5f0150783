// What `.help` says, made from the table. Layer: RealmCommands, Shell, Dot.

import Arguments

/// Texts for people at the prompt.
enum DotHelp {
  /// Statements by example, then the names of the commands: no more than a small screen shows at once.
  static var overview: String {
    let groups = [
      ("realm", DotCommand.realm), ("results", DotCommand.results),
      ("tools", (DotCommand.objects + DotCommand.tools).filter { !lessNeeded.contains($0.name) }),
      ("session", DotCommand.session),
    ]
    return "Statements (conditions: '.help predicates'):\n"
      + rows(statements.filter { !lessNeeded.contains($0.0) }, termWidthMax: 29)
      + "Commands ('.help COMMAND' explains one, '.help all' all of them):\n"
      + rows(groups.map { ($0.0, $0.1.map { ".\($0.name)" }.joined(separator: " ")) })
      + "\nTab completes. A ';' or a newline outside brackets ends a statement.\n"
  }

  /// What a small screen has no room for.
  private static let lessNeeded = [
    "expandonce", "lint", "cd", "log", "rename Person to Human", "queries", "backup", "explain STATEMENT",
    "Dog select @links.Person.dogs",
  ]

  static let statements: [(String, String)] = [
    ("Person", "all objects of a class"),
    ("Person 7", "one object and what it links to"),
    ("Person where age > 60", "some of them; by links: address.city == 'Paris'"),
    ("Person sort(age) select name", "some properties, sorted; limit(9)"),
    ("Dog select @links.Person.dogs", "the objects that link to them: @links.CLASS.PROPERTY"),
    ("count Person by address.city", "groups; having count > 3 sort(count desc)"),
    ("count, avg age of Person", "also sum, min, max, median, percentile 90 age"),
    ("summarize Person", "each property: minimum, maximum, mean …"),
    ("insert Person { \"_id\": 7 }", "add an object; upsert updates an existing one"),
    ("update Dog set age = age + 1", "change objects; where … comes before set"),
    ("delete Person where age < 0", "delete objects"),
    ("begin, commit, rollback", "a transaction, which can be rolled back"),
    ("create, alter, drop class", "change the schema"),
    ("rename Person to Human", "or a property: rename Person.nick to handle"),
    ("explain STATEMENT", "show how it would be answered"),
  ]

  /// Every command with what it does.
  static var commands: String { rows(DotCommand.all.map { ($0.synopsis, $0.summary) }) }

  /// About one command, or the statements with this word.
  static func text(about name: String) throws -> String {
    if name == "all" { return commands }
    let isCommand = name.hasPrefix(".") || name.hasPrefix("\\")
    if !isCommand, let topic = HelpTopic.all.first(where: { $0.name == name }) { return topic.text }
    let grammar = StatementGrammar.rows(about: name)
    if !isCommand, !grammar.isEmpty { return rows(grammar, termWidthMax: 29) }
    let found = statements.filter { ($0.0 + " " + $0.1).split { !$0.isLetter }.contains(Substring(name)) }
    if !isCommand, !found.isEmpty { return rows(found, termWidthMax: 29) }
    let command = try DotCommand.all.required(isCommand ? name : ".\(name)")
    var text = "\(command.synopsis) – \(command.summary)\n"
    if !command.synonyms.isEmpty {
      text += "also spelled " + command.synonyms.joined(separator: ", ") + "\n"
    }
    for example in command.examples { text += "  \(example.line)\n      \(example.effect)\n" }
    return text
  }

  private static func rows(_ rows: [(String, String)], termWidthMax: Int = 26) -> String {
    TextLayout.list(rows.map { (term: $0.0, text: $0.1) }, termWidthMax: termWidthMax)
  }
}
