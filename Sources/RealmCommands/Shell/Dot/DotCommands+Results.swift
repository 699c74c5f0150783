// Dot commands about how results look and where they go. Layer: RealmCommands, Shell.

import Arguments
import ByteText
import RealmEngine
import Rendering

extension DotCommand {
  static let results: [DotCommand] = [
    allRows, mode, expanded, headers, separator, nullValue, width, output, once, timer, changes, show,
  ]

  private static let allRows = DotCommand("all", "show the last result again, uncut") { shell, _ in
    try shell.repeatQuery()
  }

  private static let mode = DotCommand(
    "mode", takes: [Operand("MODE", .oneOf(OutputMode.allCases.map(\.rawValue)), .atMostOnce)],
    "how results are shown: " + OutputMode.allCases.map(\.rawValue).joined(separator: ", "),
    examples: [Example(".mode json", "results as JSON")]
  ) { shell, arguments in
    guard let text = arguments.text else { return try shell.tell("mode: \(shell.settings.modeName)\n") }
    shell.settings.mode = OutputMode(rawValue: text)
  }

  private static let expanded = DotCommand(
    "expanded", synonyms: ["\\x"], takes: [.onOrOff], "show a line a property, as '.mode line' does, or not"
  ) { shell, arguments in
    shell.settings.mode = arguments.flag(toggling: shell.settings.mode == .line) ? .line : nil
  }

  private static let headers = DotCommand(
    "headers", synonyms: [".header"], takes: [.onOrOff], "whether the names of the columns come first"
  ) { shell, arguments in
    shell.settings.hasHeader = arguments.flag(toggling: shell.spec.hasHeader)
  }

  private static let separator = DotCommand(
    "separator", takes: [Operand("TEXT", .text)], "what stands between the cells in mode list"
  ) { shell, arguments in shell.settings.separator = arguments.words[0] }

  private static let nullValue = DotCommand(
    "nullvalue", takes: [Operand("TEXT", .text)],
    "what null looks like, where a mode has no word of its own for it"
  ) { shell, arguments in shell.settings.nullText = arguments.words[0] }

  private static let width = DotCommand(
    "width", takes: [Operand("N", .count, .any)],
    "how wide columns are at most, in modes whose columns are aligned; 0 or nothing: as wide as they need",
    examples: [Example(".width 20 0 10", "cut the first and the third column")]
  ) { shell, arguments in
    shell.settings.columnWidths = arguments.texts.compactMap { Int($0) }
  }

  private static let output = DotCommand(
    "output", takes: [Operand("FILE", .outputFile, .any)],
    "write results to FILE from now on, to a program behind a bar, or to the screen again",
    examples: [Example(".output people.csv", "until '.output' alone")], doing: deeds
  ) { shell, arguments in
    shell.output.redirect(to: try Self.target(arguments))
  }

  private static let once = DotCommand(
    "once", takes: [Operand("FILE", .outputFile, .atLeastOnce)],
    "write the next result to FILE, or to a program behind a bar",
    examples: [Example(".once |less -S", "one result in a pager")], doing: deeds
  ) { shell, arguments in
    if let target = try Self.target(arguments) { shell.output.redirectOnce(to: target) }
  }

  private static func deeds(_ arguments: DotArguments) -> [Deed] {
    if arguments.rest.first == UInt8(ascii: "|") { return [.runsProgram] }
    // A word in quotes may begin with a bar too.
    if arguments.words.first?.first == UInt8(ascii: "|") { return [.runsProgram] }
    return arguments.words.isEmpty || arguments.words[0] == Array("stdout".utf8) ? [] : [.writesFile]
  }

  /// Nil for standard output. Behind a bar stands a command for the shell, as it was typed.
  private static func target(_ arguments: DotArguments) throws -> ShellOutput.Target? {
    if arguments.rest.first == UInt8(ascii: "|") { return try ShellOutput.Target(arguments.rest) }
    guard arguments.words.count <= 1 else {
      throw Diagnostic.usage("one file, please", hint: "a name with blanks stands in quotes")
    }
    guard let word = arguments.words.first, word != Array("stdout".utf8) else { return nil }
    return try ShellOutput.Target(word)
  }

  private static let timer = DotCommand("timer", takes: [.onOrOff], "tell how long each statement took") {
    shell, arguments in shell.settings.showsTime = arguments.flag(toggling: shell.settings.showsTime)
  }

  private static let changes = DotCommand(
    "changes", takes: [.onOrOff], "tell how many objects each statement changed"
  ) { shell, arguments in
    shell.settings.showsChanges = arguments.flag(toggling: shell.settings.showsChanges)
  }

  private static let show = DotCommand("show", "show these settings") { shell, _ in
    try shell.tell(shell.settings.description)
  }
}

extension ShellSettings {
  var modeName: String { mode?.rawValue ?? "box on a terminal, tsv elsewhere" }

  fileprivate var description: String {
    let rows = [
      ("mode", modeName), ("headers", hasHeader.map { $0 ? "on" : "off" } ?? "as the mode has them"),
      ("separator", Self.shown(separator, "|")), ("nullvalue", Self.shown(nullText, "as the mode has it")),
      ("width", columnWidths.isEmpty ? "as needed" : columnWidths.map(String.init).joined(separator: " ")),
      ("timer", showsTime ? "on" : "off"), ("changes", showsChanges ? "on" : "off"),
      ("echo", echoes ? "on" : "off"), ("bail", stopsAtError ? "on" : "off"),
    ]
    return rows.map { label, value in
      String(repeating: " ", count: 9 - label.count) + "\(label): \(value)\n"
    }.joined()
  }

  private static func shown(_ bytes: [UInt8]?, _ otherwise: String) -> String {
    bytes.map { "\"\(String(decoding: $0, as: UTF8.self).visible)\"" } ?? otherwise
  }
}
