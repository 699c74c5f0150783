// `realm-cli FILE`: statements, from the command line, from standard input, or typed at a prompt.
// Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSession
import Rendering

extension Arguments.Operand {
  static let statement = Operand("STATEMENT", .statement, .any)
}

extension Option {
  fileprivate static let keepGoing = Option(
    "keep-going", "continue after a statement that fails; each statement is a separate transaction")
  fileprivate static let bail = Option(
    "bail", singleDashWord: true, "stop at the first error; this is the default")
  fileprivate static let firstStatement = Option(
    "cmd", singleDashWord: true, repeatable: true, takes: .text, "STATEMENT",
    "run STATEMENT before the others")
  fileprivate static let command = Option(
    "command", letter: "c", repeatable: true, takes: .statement, "STATEMENT",
    "run STATEMENT, then exit; may be given several times")
  fileprivate static let scriptFile = Option(
    "file", repeatable: true, takes: .file, "SCRIPT",
    "run the statements in SCRIPT, then exit; may be given several times")
  fileprivate static let dialog = Option(
    "dialog",
    "answer statements from standard input one by one, for programs that keep the session open")
  static let initFile = Option(
    "init", takes: .file, "SCRIPT", "at the prompt, run SCRIPT first, not ~/.config/realm-cli/init")
  static let noInit = Option("no-init", "at the prompt, do not run an initial script")
  static let separator = Option(
    "separator", singleDashWord: true, takes: .text, "TEXT", "the separator between cells in mode list")
  static let nullValue = Option(
    "nullvalue", singleDashWord: true, takes: .text, "TEXT",
    "the text for null, in modes for people and list")
  static let idleTimeout = Option(
    "idle-timeout", takes: .count, "SECONDS",
    "at the prompt, roll back a transaction after SECONDS without input (default: never)")
  fileprivate static let echo = Option("echo", singleDashWord: true, "print each statement before it runs")

  /// What commands that change objects take.
  static let changing: [Option] = [lockTimeout, upgrades, detach]
}

extension Command {
  /// `FILE [STATEMENT…]`
  static let statements = Command(
    .rows(others: [QueryReport.shape, CommandResult.element(ChangeCounts.statementFields), .row]),
    CommandSpec(
      "", summary: "run statements, or type them at a prompt",
      operands: [.file, .statement],
      options: [
        .command, .scriptFile, .firstStatement, .keepGoing, .bail, .echo, .dialog, .initFile, .noInit,
        .separator, .nullValue, .idleTimeout, .allowShell, .memory, .temporaryFiles, .argument, .argumentText,
        .parameter,
        .allTables, .snapshot, .write, .readOnly, .dryRun, .yes,
      ]
        + Option.changing,
      details: [
        """
        On a terminal this opens a prompt, where .help shows what can be typed. Otherwise statements are read from \
        standard input. 'realm-cli help statements' describes them. FILE may be :memory:, an empty realm that is discarded at the \
        end.
        """,
        """
        The statements of one command line, or of one script, are one transaction unless they begin one themselves: \
        the first error rolls all of them back. --keep-going makes each a transaction of its own and continues after \
        errors.
        """,
        """
        A script is what comes from standard input, --file or .read. It runs no programs and writes no files but the \
        realm, unless --allow-shell says that you trust it: .shell, .output, .once, .copy, .load, .compact, \
        '.migrate apply', '.open -w' and -o after other commands. Statements on the command line count as typed.
        """,
        """
        With --dialog a program can keep the session open: each statement is answered, and its changes are saved, \
        before the next one is read; errors do not end the session. With --mode jsonl each answer ends with a line of \
        its own, {"ok":true,"changed":N} or {"ok":false,"code":…,"message":…}.
        """,
      ],
      examples: [
        Example("realm-cli app.realm", "a prompt; Tab completes, .help shows help"),
        Example("realm-cli app.realm 'Person where age > 30 select name, age'", "run a statement"),
        Example("realm-cli -w app.realm 'update Person where age < 0 set age = 0'", "change objects"),
        Example("realm-cli -w app.realm <changes.txt", "run a script as one transaction"),
        Example("realm-cli app.realm -c 'count Person' -c 'count Dog'", "run two statements"),
        Example("realm-cli --dialog --mode jsonl app.realm", "keep one process open for many statements"),
      ]),
    waits: true
  ) { invocation in
    let arguments = invocation.arguments
    let words = try invocation.statements()
    let file = arguments.required(.file)
    if words.isEmpty, file.isDash {
      throw Diagnostic.usage("standard input cannot be both the realm and the statements")
    }
    let isDialog = arguments.has(.dialog)
    guard !isDialog || words.isEmpty else {
      throw Diagnostic.usage("--dialog reads statements from standard input, and other statements were given")
    }
    guard !isDialog || !arguments.has(.idleTimeout) else {
      throw Diagnostic.usage("--idle-timeout is for the prompt, not for --dialog")
    }
    try Diagnostic.refuseUnquoted(arguments.words(.statement), on: file)
    let isInteractive = invocation.isInteractive && words.isEmpty && !isDialog
    if words.isEmpty, !isInteractive { try invocation.refuseKeyOnInput(beside: "the statements") }
    var opened: Shell?
    return try invocation.withOutputDescriptor(hasEffects: opened?.hasChanged ?? false) {
      descriptor, name in
      let shell = try Shell(
        invocation, isInteractive: isInteractive,
        ShellOutput(
          descriptor: descriptor, name: name, invocation.terminal,
          // A pager is a program.
          arguments.has(.safe) ? { _ in nil } : invocation.environment,
          warn: invocation.warn))
      opened = shell
      do {
        try shell.open(invocation)
      } catch {
        throw Diagnostic(error).suggestingCommands(for: file, before: arguments.words(.statement))
      }
      shell.settings.echoes = arguments.has(.echo)
      shell.settings.stopsAtError = !arguments.has(.keepGoing)
      let first = arguments.words(.firstStatement).map(\.bytes)
      if isInteractive { return try Interactive(shell, invocation).run(first: first) }
      if isDialog { return try shell.answerStatements(behind: first) }
      let sources =
        words.isEmpty
        ? [SourceOfStatements(try StandardStreams.readText(), isTyped: invocation.terminal.inputIsTerminal)]
        : words
      let status: ExitStatus
      do {
        let typed = sources.indices.filter { sources[$0].isTyped }.map { first.count + $0 }
        status = try shell.tellingOfSaved {
          try shell.run(
            Script(first + sources.map(\.bytes)), typed: Set(first.indices).union(typed))
        }
      } catch let error where arguments.occurrences(of: .command, .scriptFile).isEmpty {
        throw Diagnostic(error).explaining(statements: arguments.words(.statement), on: file)
      }
      try shell.noteChanges()
      return shell.leaving ?? status
    }
  }
}

/// Statements to be run. Those that were typed may run programs and write files; what a file or a pipe holds may not.
private struct SourceOfStatements {
  let bytes: [UInt8]
  let isTyped: Bool

  init(_ bytes: [UInt8], isTyped: Bool) {
    self.bytes = bytes
    self.isTyped = isTyped
  }
}

extension Invocation {
  /// What the command line says to run: options in their order, then operands.
  fileprivate func statements() throws -> [SourceOfStatements] {
    var statements: [SourceOfStatements] = []
    for occurrence in arguments.occurrences(of: .command, .scriptFile) {
      guard let word = occurrence.value else { continue }
      let isTyped = occurrence.name == Option.command.name
      if !isTyped, !word.isDash, arguments.has(.safe) { throw SideEffect.opensFile.refusal(of: "--file") }
      statements.append(SourceOfStatements(isTyped ? word.bytes : try script(word), isTyped: isTyped))
    }
    return try statements
      + arguments.words(.statement).map { word in
        SourceOfStatements(word.isDash ? try script(word) : word.bytes, isTyped: !word.isDash)
      }
  }

  private func script(_ word: Word) throws -> [UInt8] {
    let path = FilePath(word.bytes)
    if word.isDash { try refuseKeyOnInput(beside: "the statements") }
    do throws(EngineError) {
      return word.isDash ? try StandardStreams.readText() : try FileHandle.openForReading(path).readText()
    } catch {
      throw Diagnostic(error, file: path)
    }
  }
}
