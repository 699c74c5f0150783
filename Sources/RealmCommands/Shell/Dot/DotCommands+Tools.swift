// Dot commands that help with work that goes on: again, another time, elsewhere, later.
// Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import CPlatform
import RealmEngine
import RealmQueryLanguage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DotCommand {
  static let tools: [DotCommand] = [
    expandedOnce, edit, again, watch, saveQuery, query, queries, lint, backup, changeFolder, prompt, log,
  ]

  private static let expandedOnce = DotCommand(
    "expandonce", synonyms: ["\\gx"], "show the last result again, one property per line"
  ) { shell, _ in
    let mode = shell.settings.mode
    shell.settings.mode = .line
    defer { shell.settings.mode = mode }
    try shell.repeatQuery()
  }

  private static let edit = DotCommand(
    "edit", synonyms: ["\\e"],
    takes: [Operand("CLASS", .className, .atMostOnce), Operand("KEY", .text, .atMostOnce)],
    "edit an object as JSON in your editor ($VISUAL, $EDITOR), or without one the last statement or refused object",
    examples: [
      Example(".edit Person 7", "what was changed is saved in one transaction"),
      Example(".edit", "the last statement; then it runs"),
    ], doing: always(.runsProgram)
  ) { shell, arguments in
    let object = arguments.words.isEmpty ? shell.refusedEdit?.object : arguments.objectName
    if let object { return try shell.editObject(object) }
    let changed = try TemporaryText.edited(
      (shell.lastStatement ?? []) + [UInt8(ascii: "\n")], ending: ".realm-statement",
      shell.invocation.environment, orSay: "nothing was run")
    try shell.help(String(decoding: changed, as: UTF8.self))
    try shell.runAll(changed)
  }

  private static let again = DotCommand(
    "repeat", takes: [Operand("SECONDS", .text, .atMostOnce), Operand("TIMES", .count, .atMostOnce)],
    "run the last query repeatedly, until Ctrl-C; every 2 s by default",
    examples: [Example(".repeat 5s", "every five seconds"), Example(".repeat 1 10", "ten times")]
  ) { shell, arguments in
    let word = arguments.text.map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 } ?? "2"
    guard let seconds = Double(word), seconds > 0, seconds <= 86_400 else {
      throw Diagnostic.usage(".repeat – '\(word)' is not a number of seconds", hint: "usage: .repeat 2s")
    }
    let times = arguments.texts.count > 1 ? Int(arguments.texts[1]) : nil
    var count = 0
    while true {
      try shell.repeatQuery()
      count += 1
      if let times, count >= times { return }
      try Interruption.sleep(milliseconds: Int(seconds * 1000))
    }
  }

  private static let watch = DotCommand(
    "watch", takes: [Operand("WORD", .text, .any)],
    "show changes above the prompt as they are committed, until Ctrl-C: all classes, CLASS, or CLASS PREDICATE",
    examples: [
      Example(".watch Person 'age >= 18'", "people who turn 18, and all changes of adults"),
      Example(".watch Order --properties state --count 1", "the next change of an order's state"),
    ]
  ) { shell, arguments in try shell.watch(arguments.words.map { Word($0) }) }

  private static let backup = DotCommand(
    "backup", takes: [Operand("FILE", .outputFile, .atLeastOnce)],
    "write a copy of the file, as '.copy' does"
  ) { shell, arguments in try shell.run(.copy, arguments.words.map { Word($0) }) }

  private static let changeFolder = DotCommand(
    "cd", takes: [Operand("FOLDER", .directory)], "change the current folder; the realm stays open",
    doing: always(.opensFile)
  ) { shell, arguments in try shell.changeFolder(to: FilePath(arguments.words[0])) }

  private static let prompt = DotCommand(
    "prompt", takes: [Operand("TEXT", .text, .atMostOnce)],
    "the text before the cursor; without TEXT the file's name and state",
    examples: [Example(".prompt 'zoo> '", "quotes keep the blank at the end")]
  ) { shell, arguments in shell.settings.promptText = arguments.text }

  private static let log = DotCommand(
    "log", takes: [Operand("FILE|off", .outputFile, .atMostOnce)],
    "append each statement, its time and duration to FILE; without FILE, say where they go", doing: logging
  ) { shell, arguments in
    guard let path = arguments.path else {
      let place = shell.statementLog.map { " to \($0.path.displayName)" } ?? ": no"
      return try shell.tell("log\(place)\n")
    }
    try shell.log(to: arguments.text == "off" ? nil : path)
  }

  private static func logging(_ arguments: DotArguments) -> [SideEffect] {
    arguments.text == nil || arguments.text == "off" ? [] : [.writesFile]
  }

  private static let saveQuery = DotCommand(
    "save-query", takes: [Operand("NAME", .text), Operand("STATEMENT", .text, .any)],
    "save a statement, or the last query, under a name for all sessions",
    examples: [Example(".save-query adults Person where age > 17", "then: .query adults")],
    doing: always(.writesFile)
  ) { shell, arguments in try shell.saveQuery(arguments) }

  private static let query = DotCommand(
    "query", takes: [Operand("NAME", .text)], "run a saved statement", doing: always(.opensFile)
  ) {
    shell, arguments in try shell.runQuery(named: arguments.texts[0])
  }

  private static let queries = DotCommand(
    "queries", "list the saved statements", doing: always(.opensFile)
  ) { shell, _ in
    let queries = try SavedQueries(shell.invocation.environment).all()
    try shell.tell(queries.map { "\($0.name)  \($0.statement)\n" }.joined())
  }

  private static let lint = DotCommand(
    "lint", takes: [Operand("CLASS", .className, .any)],
    "look for unused classes, duplicate values in properties that look like keys, and missing indexes"
  ) { shell, arguments in try shell.lint(arguments.texts) }
}

extension Interruption {
  /// Waits, unless the user wants what runs to end.
  static func sleep(milliseconds: Int) throws(EngineError) {
    let end = SystemClock.milliseconds + milliseconds
    while SystemClock.milliseconds < end {
      try check()
      usleep(20_000)
    }
    try check()
  }
}

extension Shell {
  /// Runs the statements of a text that its user has written.
  func runAll(_ source: [UInt8]) throws {
    var scanner = StatementScanner()
    while leaving == nil, case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
      try run(in: source, range)
    }
  }

  /// The open realm keeps its place, which may have been named from here.
  fileprivate func changeFolder(to folder: FilePath) throws {
    guard !hasOpenTransaction else { throw Self.openTransaction("change the folder") }
    let before = SystemCalls.currentFolder()
    guard SystemCalls.changeFolder(folder) else { throw FileHandle.failure("cannot go to", folder) }
    guard let before else { return }
    do {
      try moveOpening(from: before)
    } catch {
      _ = SystemCalls.changeFolder(before)
      throw error
    }
  }
}
