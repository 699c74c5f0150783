// The options that every command accepts, and the ones that several commands share.
// Layer: RealmCommands, Program.

import Arguments

extension Option {
  static let help = Option(
    "help", letter: "h", immediate: true, "print help; with a command, its help")
  static let version = Option("version", letter: "V", immediate: true, "print the version")
  static let quiet = Option("quiet", letter: "q", "print nothing but results and errors")
  static let verbose = Option("verbose", letter: "v", "report more details")

  static let noJoin = Option(
    "no-join", "read a realm that apps have open without joining their session")
  static let maxInput = Option(
    "max-input", takes: .size, "SIZE", "accept a realm of at most SIZE on standard input (default 4GB)")

  static let output = Option(
    "output", letter: "o", takes: .outputFile, "FILE", "write results to FILE, which must not exist")
  static let mode = Option(
    "mode", letter: "m", takes: .oneOf(outputModeNames), "MODE",
    "the output format: " + outputModeNames.joined(separator: ", "))
  static let header = Option("header", singleDashWord: true, "print a header with the column names")
  static let noHeader = Option("noheader", singleDashWord: true, "omit the header")
  static let wrap = Option(
    "wrap", takes: .count, "N",
    "in aligned columns, wrap texts longer than N characters; 0: at the edge of the screen")
  static let timeZone = Option(
    "time-zone", takes: .text, "ZONE",
    "show dates in ZONE in formats for people: UTC (the default), local, or a name like Europe/Paris")
  /// What `--time-zone` and `.timezone` do.
  static func selectTimeZone(_ name: String) throws(Diagnostic) {
    guard SystemCalls.selectTimeZone(name) else {
      throw .usage(
        "'\(name)' is not a time zone of this system",
        hint: "for example UTC, local, Europe/Paris or Asia/Tokyo")
    }
  }

  static let color = Option(
    "color", takes: .oneOf(ColorChoice.allCases.map(\.rawValue)), "WHEN", "use colors: auto, always or never")
  static let allTables = Option("all-tables", "also show tables that are not classes")

  static let write = Option("write", letter: "w", "allow statements to change the file")
  static let readOnly = Option(
    "readonly", singleDashWord: true, "change nothing; this is the default")
  static let dryRun = Option("dry-run", letter: "n", "show what would be done; change nothing")
  static let yes = Option("yes", letter: "y", "do not ask for confirmation")
  static let force = Option(
    "force", letter: "f", "replace an existing output file; with rm, also remove what only looks like a realm"
  )
  static let upgrades = Option(
    "upgrade", "upgrade an older file format first; a backup is kept")
  static let detach = Option("detach", "turn a synced realm into a local one first; a backup is kept")
  static let batch = Option("batch", singleDashWord: true, "never ask questions, as without a terminal")
  static let noInput = Option("no-input", "same as --batch")

  static let keyFile = Option(
    "key-file", takes: .file, "FILE", "read the key of an encrypted realm from FILE ('-' for standard input)")
  static let keyEnvironment = Option(
    "key-env", takes: .text, "NAME", "read the key from the environment variable NAME")
  static let keyCommand = Option(
    "key-command", takes: .shellCommand, "COMMAND", "read the key from the output of COMMAND")

  /// In the order of `--help`.
  private static let outputModeNames = [
    "box", "table", "column", "line", "list", "csv", "tsv", "json", "jsonl", "markdown", "html", "quote",
    "insert", "sql",
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

  /// What the overview of help lists.
  static let main = [help, version, output, mode, write, dryRun, yes, force, keyFile]

  /// What every command accepts, under its headings.
  static var globalGroups: [OptionGroup] {
    [
      OptionGroup("General options", [help, version, quiet, verbose, safe, noJoin, maxInput]),
      OptionGroup(
        "Output", [output, mode] + modeShorthands + [header, noHeader, wrap, timeZone, color, allTables]),
      OptionGroup("Changing files", [write, readOnly, dryRun, yes, force, batch, noInput]),
      OptionGroup("Encrypted files", [keyFile, keyEnvironment, keyCommand]),
    ]
  }
}
