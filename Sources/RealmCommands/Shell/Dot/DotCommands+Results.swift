// Dot commands about how results look and where they go. Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import RealmEngine
import Rendering

extension DotCommand {
  static let results: [DotCommand] = [
    allRows, mode, expanded, headers, separator, nullValue, width, wrap, timeZone, pager, output, once, timer,
    changes,
    show,
  ]

  private static let allRows = DotCommand("all", "show the last result again, in full") { shell, _ in
    try shell.repeatQuery()
  }

  private static let mode = DotCommand(
    "mode", takes: [Operand("MODE", .oneOf(OutputMode.allCases.map(\.rawValue)), .atMostOnce)],
    "the output format: " + OutputMode.allCases.map(\.rawValue).joined(separator: ", "),
    examples: [Example(".mode json", "results as JSON")]
  ) { shell, arguments in
    guard let text = arguments.text else { return try shell.tell("mode: \(shell.settings.modeName)\n") }
    shell.settings.mode = OutputMode(rawValue: text)
  }

  private static let expanded = DotCommand(
    "expanded", synonyms: ["\\x"], takes: [.onOrOff], "show one property per line, as '.mode line' does"
  ) { shell, arguments in
    let isExpanded = arguments.flag(toggling: shell.settings.mode == .line)
    shell.settings.mode = isExpanded ? .line : shell.output.isScreen ? .box : nil
    try shell.tellFlag("expanded", isExpanded, unlessSaidBy: arguments)
  }

  private static let headers = DotCommand(
    "headers", synonyms: [".header"], takes: [.onOrOff], "whether to print a header with the column names"
  ) { shell, arguments in
    let hasHeader = arguments.flag(toggling: shell.spec.hasHeader)
    shell.settings.hasHeader = hasHeader
    try shell.tellFlag("headers", hasHeader, unlessSaidBy: arguments)
  }

  private static let separator = DotCommand(
    "separator", takes: [Operand("TEXT", .text)], "the separator between cells in mode list"
  ) { shell, arguments in shell.settings.separator = arguments.words[0] }

  private static let nullValue = DotCommand(
    "nullvalue", takes: [Operand("TEXT", .text)],
    "the text for null, in modes for people and list"
  ) { shell, arguments in shell.settings.nullText = arguments.words[0] }

  private static let width = DotCommand(
    "width", takes: [Operand("N", .count, .any)],
    "the maximum widths of aligned columns; 0 or nothing: as wide as needed",
    examples: [Example(".width 20 0 10", "cut the first and the third column")]
  ) { shell, arguments in
    shell.settings.columnWidths = arguments.texts.compactMap { Int($0) }
  }

  private static let wrap = DotCommand(
    "wrap", takes: [Operand("N", .text, .atMostOnce)],
    "in aligned columns, wrap texts longer than N characters; 0 or nothing: at the edge of the screen; off: cut them",
    examples: [Example(".wrap 40", "texts in lines of 40 characters, broken at blanks")]
  ) { shell, arguments in
    let text = arguments.text ?? "0"
    let width = Int(text)
    guard text == "off" || width ?? -1 >= 0 else {
      throw Diagnostic.usage(
        "'\(text)' is not a number of characters", hint: "for example: .wrap 40, or .wrap off")
    }
    shell.settings.wrapWidth = width
  }

  private static let timeZone = DotCommand(
    "timezone", takes: [Operand("ZONE", .text, .atMostOnce)],
    "show dates in ZONE in the text formats: UTC, local, or a name like Europe/Paris; CSV, TSV, SQL and JSON keep UTC",
    examples: [Example(".timezone Europe/Paris", "2020-07-01T14:00:00+02:00")]
  ) { shell, arguments in
    guard let zone = arguments.text else { return try shell.tell("timezone: \(shell.settings.timeZone)\n") }
    try Option.selectTimeZone(zone)
    shell.settings.timeZone = zone
  }

  private static let pager = DotCommand(
    "pager", takes: [Operand("on|off|COMMAND", .text, .any)],
    "show long results through a program (default: $REALM_CLI_PAGER, $PAGER, or less where it exists), or cut them",
    examples: [Example(".pager off", "cut them"), Example(".pager less -N", "another program")],
    doing: { ["off", nil].contains($0.text) ? [] : [.runsProgram] },
    run: { shell, arguments in
      switch arguments.text {
      case nil: try shell.tell("pager: \(shell.output.pagerName ?? "off")\n")
      case "off": shell.output.page(through: [])
      case "on": shell.output.page(through: ShellOutput.less)
      default: shell.output.page(through: arguments.rest)
      }
    })

  private static let output = DotCommand(
    "output", synonyms: ["\\o"], takes: [Operand("FILE", .outputFile, .any)],
    "write results to FILE, which is replaced, or to '|PROGRAM' from now on; without FILE, to the screen again",
    examples: [Example(".output people.csv", "as CSV, until '.output' alone")], doing: deeds
  ) { shell, arguments in
    shell.output.redirect(to: try Self.target(arguments, shell))
  }

  private static let once = DotCommand(
    "once", takes: [Operand("FILE", .outputFile, .atLeastOnce)],
    "write the next result to FILE, which is replaced, or to '|PROGRAM'; -e opens it in your editor, -x as a spreadsheet",
    examples: [
      Example(".once |less -S", "one result in a pager"), Example(".once -x", "one result as a spreadsheet"),
    ], doing: deeds
  ) { shell, arguments in
    if let target = try Self.target(arguments, shell) { shell.output.redirectOnce(to: target) }
  }

  private static func deeds(_ arguments: DotArguments) -> [SideEffect] {
    if arguments.rest.first == UInt8(ascii: "|") { return [.runsProgram] }
    // A word in quotes may begin with a bar too.
    if arguments.words.first?.first == UInt8(ascii: "|") { return [.runsProgram] }
    if arguments.flag != nil { return [.runsProgram] }
    return arguments.words.isEmpty || arguments.words[0] == Array("stdout".utf8) ? [] : [.writesFile]
  }

  /// Nil for standard output. Behind a bar stands a command for the shell, as it was typed.
  private static func target(_ arguments: DotArguments, _ shell: Shell) throws -> ShellOutput.Target? {
    if arguments.rest.first == UInt8(ascii: "|") { return try ShellOutput.Target(arguments.rest) }
    if let flag = arguments.flag { return try opened(flag, shell) }
    guard arguments.words.count <= 1 else {
      throw Diagnostic.usage("expected one file", hint: "put a name with spaces in quotes")
    }
    guard let word = arguments.words.first, word != Array("stdout".utf8) else { return nil }
    return try ShellOutput.Target(word)
  }

  /// A text that a program opens. Only `.once` knows when it is complete.
  private static func opened(_ flag: String, _ shell: Shell) throws -> ShellOutput.Target {
    let environment = shell.invocation.environment
    switch flag {
    case "-e":
      let text = try TemporaryText(ending: ".txt", environment)
      return .opened(text, by: TemporaryText.editor, mode: nil)
    case "-x":
      let text = try TemporaryText(ending: ".csv", environment)
      return .opened(text, by: TemporaryText.opener, mode: .csv)
    default:
      throw Diagnostic.usage(
        "there is no option '\(flag)'",
        hint: "-e: your editor, -x: a spreadsheet; a file of that name: ./\(flag)")
    }
  }

  private static let timer = DotCommand(
    "timer", synonyms: ["\\timing"], takes: [.onOrOff], "show how long each statement took"
  ) { shell, arguments in try shell.change(\.showsTime, "timer", arguments) }

  private static let changes = DotCommand(
    "changes", takes: [.onOrOff], "show how many objects each statement changed"
  ) { shell, arguments in try shell.change(\.showsChanges, "changes", arguments) }

  private static let show = DotCommand("show", "show these settings") { shell, _ in
    try shell.tell(shell.settings.description)
  }
}

extension Shell {
  /// Sets a setting that is on or off, or turns it over.
  func change(
    _ setting: WritableKeyPath<ShellSettings, Bool>, _ name: String, _ arguments: DotArguments
  ) throws {
    settings[keyPath: setting] = arguments.flag(toggling: settings[keyPath: setting])
    try tellFlag(name, settings[keyPath: setting], unlessSaidBy: arguments)
  }

  /// What was turned over is said, since nobody named it.
  func tellFlag(_ name: String, _ isOn: Bool, unlessSaidBy arguments: DotArguments) throws {
    if arguments.words.isEmpty { try tell("\(name): \(isOn ? "on" : "off")\n") }
  }
}

extension ShellSettings {
  var modeName: String { mode?.rawValue ?? "box on a terminal, tsv elsewhere" }

  fileprivate var description: String {
    let wrap = wrapWidth.map { $0 == 0 ? "at the edge of the screen" : String($0) } ?? "off"
    let rows: [(String, String)] = [
      ("mode", modeName), ("headers", hasHeader.map { $0 ? "on" : "off" } ?? "depends on the mode"),
      ("separator", Self.shown(separator, "|")), ("nullvalue", Self.shown(nullText, "depends on the mode")),
      ("width", columnWidths.isEmpty ? "as needed" : columnWidths.map(String.init).joined(separator: " ")),
      ("wrap", wrap), ("timezone", timeZone), ("timer", showsTime ? "on" : "off"),
      ("changes", showsChanges ? "on" : "off"),
      ("echo", echoes ? "on" : "off"), ("bail", stopsAtError ? "on" : "off"),
    ]
    return rows.map { label, value in
      let indent = String(repeating: " ", count: 9 - label.count)
      return "\(indent)\(label): \(value)\n"
    }.joined()
  }

  private static func shown(_ bytes: [UInt8]?, _ otherwise: String) -> String {
    bytes.map { "\"\(String(decoding: $0, as: UTF8.self).visible)\"" } ?? otherwise
  }
}
