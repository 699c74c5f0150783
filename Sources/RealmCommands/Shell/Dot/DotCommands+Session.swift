// Dot commands about the session itself. Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import RealmEngine

extension DotCommand {
  static let session: [DotCommand] = [
    help, read, parameter, explain, begin, commit, rollback, undo, redo, print, shell, bail, echo, quit,
  ]

  private static let help = DotCommand(
    "help", synonyms: ["\\?", "\\h"], takes: [Operand("COMMAND", .text, .atMostOnce)],
    "list statements and commands, or explain one or a topic",
    examples: [
      Example(".help all", "what each command does"), Example(".help export", "how to use .export"),
      Example(".help update", "the statements with that word"),
    ]
  ) { shell, arguments in
    guard let name = arguments.text else { return try shell.help(DotHelp.overview) }
    try shell.help(DotHelp.text(about: name))
  }

  private static let read = DotCommand(
    "read", synonyms: ["\\i"], takes: [Operand("FILE", .file)],
    "run the statements in FILE as one transaction", doing: always(.opensFile)
  ) { shell, arguments in
    try shell.run(scriptIn: FilePath(arguments.words[0]))
  }

  private static let parameter = DotCommand(
    "param", synonyms: [".parameter"],
    takes: [
      Operand("set|list|clear", .oneOf(["set", "list", "clear"])), Operand("NAME", .text, .atMostOnce),
      Operand("VALUE", .text, .any),
    ],
    "set, list or clear the values of $0, $1 … or $NAME in predicates",
    examples: [
      Example(".param set 0 'Ada'", "then: Person where name == $0"),
      Example(".param set since 2020-01-31", "then: Person where born > $since; a date beside dates"),
    ]
  ) { shell, arguments in try shell.parameters.change(arguments) { try shell.tell($0) } }

  private static let explain = DotCommand(
    "explain", takes: [Operand("STATEMENT", .text, .atLeastOnce)], "show how a query would be answered"
  ) { shell, arguments in try shell.runStatement(Array("explain ".utf8) + arguments.rest) }

  private static let begin = DotCommand("begin", "begin a transaction, as 'begin' does") { shell, _ in
    try shell.runStatement(Array("begin".utf8))
  }
  private static let commit = DotCommand("commit", "save the changes, as 'commit' does") { shell, _ in
    try shell.runStatement(Array("commit".utf8))
  }
  private static let rollback = DotCommand("rollback", "discard the changes, as 'rollback' does") {
    shell, _ in
    try shell.runStatement(Array("rollback".utf8))
  }

  private static let undo = DotCommand(
    "undo", "undo the last change of this session, unless its objects have changed since"
  ) { shell, _ in try shell.step(.undo) }
  private static let redo = DotCommand("redo", "make the last change again that was undone") { shell, _ in
    try shell.step(.redo)
  }

  private static let print = DotCommand(
    "print", synonyms: ["\\echo"], takes: [Operand("TEXT", .text, .any)], "print TEXT as it is"
  ) { shell, arguments in try shell.tell(arguments.texts.joined(separator: " ") + "\n") }

  private static let shell = DotCommand(
    "shell", synonyms: [".system", "\\!"], takes: [Operand("COMMAND", .shellCommand, .atLeastOnce)],
    "run COMMAND in the system's shell", doing: always(.runsProgram)
  ) { _, arguments in
    guard let status = SystemCalls.run(shellCommand: arguments.rest) else {
      throw Diagnostic(.failure, code: "shell", "the command cannot be started")
    }
    guard status == 0 else {
      throw Diagnostic(.failure, code: "shell", "the command exited with status \(status)")
    }
  }

  private static let bail = DotCommand("bail", takes: [.onOrOff], "stop a script at its first error") {
    shell, arguments in try shell.change(\.stopsAtError, "bail", arguments)
  }

  private static let echo = DotCommand(
    "echo", takes: [.onOrOff], "print each statement of a script before it runs"
  ) { shell, arguments in try shell.change(\.echoes, "echo", arguments) }

  private static let exitStatusMax = 255

  private static let quit = DotCommand(
    "quit", synonyms: [".exit", "\\q"], takes: [Operand("STATUS", .count, .atMostOnce)],
    "leave"
  ) { shell, arguments in
    if let status = arguments.text.flatMap({ Int($0) }), status > exitStatusMax {
      throw Diagnostic.usage(".quit – '\(status)' is more than \(exitStatusMax), the greatest exit status")
    }
    guard try shell.mayLeaveTransaction("quit") else { return }
    shell.leave(arguments.text.flatMap { Int32($0) }.map { ExitStatus(code: $0) } ?? .success)
  }
}
