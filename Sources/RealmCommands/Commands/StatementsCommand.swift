// `realm-cli FILE`: statements, from the command line, from standard input, or typed at a prompt.
// Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSession
import Rendering

extension Arguments.Operand {
  fileprivate static let statement = Operand("STATEMENT", .statement, .any)
}

extension Option {
  static let upgrades = Option(
    "upgrade", "bring an older file format to the current one first; a backup is kept")
  static let detach = Option("detach", "make a synced realm a local one first; a backup is kept")
  fileprivate static let keepGoing = Option(
    "keep-going", "go on behind a statement that fails; each statement is a transaction of its own")
  fileprivate static let bail = Option(
    "bail", singleDashWord: true, "stop at the first error; this is the default")
  fileprivate static let firstStatement = Option(
    "cmd", singleDashWord: true, takes: .text, "STATEMENT", "run STATEMENT before the others")
  static let idleTimeout = Option(
    "idle-timeout", takes: .count, "SECONDS",
    "at the prompt, roll back a transaction that waits so long for input (default: never)")
  fileprivate static let echo = Option("echo", singleDashWord: true, "print each statement before it runs")

  /// What commands that change objects take.
  static let changing: [Option] = [lockTimeout, upgrades, detach]
}

extension Command {
  /// `FILE [STATEMENT…]`
  static let statements = Command(
    CommandSpec(
      "", summary: "run statements, or type them at a prompt",
      operands: [.file, .statement],
      options: [
        .firstStatement, .keepGoing, .bail, .echo, .idleTimeout, .allowShell, .memory, .argument,
        .argumentText, .parameter, .snapshot,
      ]
        + Option.changing,
      details: [
        """
        On a terminal there is a prompt, where .help lists what it understands. Elsewhere statements come from \
        standard input. FILE may be :memory:, an empty realm that is gone afterwards.
        """,
        """
        Statements that nobody types, which come from standard input or with .read from a file, run no program \
        and write no file but the realm unless --allow-shell says that their author is known: .shell, .output, \
        .once, .copy, .load, .compact, '.migrate apply', '.open -w' and -o behind other commands. Statements on \
        the command line count as typed.
        """,
      ],
      examples: [
        Example("realm-cli app.realm", "a prompt; the tab key completes, .help helps"),
        Example("realm-cli app.realm 'Person where age > 30 select name, age'", "run a statement"),
        Example("realm-cli -w app.realm 'update Person where age < 0 set age = 0'", "change objects"),
        Example("realm-cli -w app.realm <changes.txt", "run a script as one transaction"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let words = arguments.words(.statement).map(\.bytes)
    let file = arguments.required(.file)
    if words.isEmpty, file.isDash {
      throw Diagnostic.usage("standard input cannot be both the realm and the statements")
    }
    let isInteractive = invocation.isInteractive && words.isEmpty
    if words.isEmpty, !isInteractive { try invocation.refuseKeyOnInput(beside: "the statements") }
    var opened: Shell?
    return try invocation.withOutputDescriptor(hasEffects: { opened?.hasChanged ?? false }) {
      descriptor, name in
      let shell = try Shell(
        invocation, isInteractive: isInteractive,
        ShellOutput(
          descriptor: descriptor, name: name, invocation.terminal,
          // A pager is a program.
          arguments.has(.safe) ? { _ in nil } : invocation.environment))
      opened = shell
      do {
        try shell.open(invocation)
      } catch {
        throw Diagnostic(error).suggestingCommand(for: file)
      }
      shell.settings.echoes = arguments.has(.echo)
      shell.settings.stopsAtError = !arguments.has(.keepGoing)
      let first = arguments.words(.firstStatement).map(\.bytes)
      if isInteractive { return try Interactive(shell, invocation).run(first: first) }
      let isInput = words.isEmpty && !invocation.terminal.inputIsTerminal
      let status = try shell.run(
        Script(first + (words.isEmpty ? [try StandardStreams.readInput()] : words)),
        typedCount: isInput ? first.count : .max)
      try shell.noteChanges()
      return shell.leaving ?? status
    }
  }
}

extension Diagnostic {
  /// A word that is no file may be a mistyped command.
  fileprivate func suggestingCommand(for file: Word) -> Diagnostic {
    guard exit == .unavailable, let name = Registry.program.nearestCommand(to: file.displayText) else {
      return self
    }
    var diagnostic = self
    diagnostic.hint = "did you mean the command '\(name)'?"
    return diagnostic
  }
}
