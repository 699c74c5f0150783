// The options that every command accepts, and the ones that several commands share.
// Layer: RealmCommands, Program.

import Arguments

extension Option {
  static let help = Option(
    "help", letter: "h", immediate: true, "print help; behind a command, its own")
  static let version = Option("version", letter: "V", immediate: true, "print the version")
  static let quiet = Option("quiet", letter: "q", "print nothing but results and errors")
  static let verbose = Option("verbose", letter: "v", "say more about what is done")

  static let noJoin = Option(
    "no-join", "read a realm that apps have open without taking part in their session")

  static let output = Option(
    "output", letter: "o", takes: .outputFile, "FILE", "write results to FILE, which must not exist yet")
  static let mode = Option(
    "mode", letter: "m", takes: .oneOf(outputModeNames), "MODE",
    "how results are printed: " + outputModeNames.joined(separator: ", "))
  static let header = Option("header", singleDashWord: true, "print the names of the columns first")
  static let noHeader = Option("noheader", singleDashWord: true, "print no names of columns")
  static let wrap = Option(
    "wrap", takes: .count, "N",
    "in aligned columns, go on below with texts over N characters; 0: where the screen ends")
  static let color = Option(
    "color", takes: .oneOf(ColorChoice.allCases.map(\.rawValue)), "WHEN", "use colors: auto, always or never")
  static let allTables = Option("all-tables", "show the tables that are no classes too")

  static let write = Option("write", letter: "w", "allow statements to change the file")
  static let readOnly = Option(
    "readonly", singleDashWord: true, "change nothing; this is the default")
  static let dryRun = Option("dry-run", letter: "n", "only show what would be done")
  static let yes = Option("yes", letter: "y", "do not ask before something is removed or upgraded")
  static let force = Option(
    "force", letter: "f", "replace an output file that exists; remove with rm what only looks like a realm")
  static let upgrades = Option(
    "upgrade", "bring an older file format to the current one first; a backup is kept")
  static let detach = Option("detach", "make a synced realm a local one first; a backup is kept")
  static let batch = Option("batch", singleDashWord: true, "never ask, as if there were no terminal")
  static let noInput = Option("no-input", "the same as --batch")

  static let keyFile = Option(
    "key-file", takes: .file, "FILE", "the key of an encrypted realm is in FILE ('-' for standard input)")
  static let keyEnvironment = Option(
    "key-env", takes: .text, "NAME", "the key is in the environment variable NAME")
  static let keyCommand = Option(
    "key-command", takes: .shellCommand, "COMMAND", "the key is what COMMAND prints")

  /// In the order of `--help`.
  private static let outputModeNames = [
    "box", "table", "column", "line", "list", "csv", "tsv", "json", "jsonl", "markdown", "html", "quote",
    "insert",
  ]

  /// sqlite3 knows these with a single dash.
  private static let singleDashModeNames = [
    "json", "csv", "line", "list", "column", "table", "box", "html", "quote", "markdown",
  ]

  private static var modeShorthands: [Option] {
    // What makes objects is a command of that name.
    outputModeNames.filter { $0 != "insert" }.map { name in
      Option(name, singleDashWord: singleDashModeNames.contains(name), means: mode, name)
    }
  }

  /// What every command accepts, under its headings.
  static var globalGroups: [OptionGroup] {
    [
      OptionGroup("General options", [help, version, quiet, verbose, safe, noJoin]),
      OptionGroup("Output", [output, mode] + modeShorthands + [header, noHeader, wrap, color, allTables]),
      OptionGroup("Changing files", [write, readOnly, dryRun, yes, force, batch, noInput]),
      OptionGroup("Encrypted files", [keyFile, keyEnvironment, keyCommand]),
    ]
  }
}
