// A small program for the tests of the table: one of everything.

import Arguments

enum Sample {
  static let mode = Option(
    "mode", letter: "m", takes: .oneOf(["box", "csv", "json"]), "MODE", "how to print")
  static let json = Option("json", singleDashWord: true, means: mode, "json")
  static let csv = Option("csv", singleDashWord: true, means: mode, "csv")
  static let quiet = Option("quiet", letter: "q", "say less")
  static let verbose = Option("verbose", letter: "v", "say more")
  static let output = Option("output", letter: "o", takes: .outputFile, "FILE", "write to FILE")
  static let keyFile = Option("key-file", takes: .file, "FILE", "the key is in FILE")
  static let run = Option("cmd", singleDashWord: true, takes: .text, "STATEMENT", "run STATEMENT first")
  static let help = Option("help", letter: "h", immediate: true, "print help")
  static let limit = Option("limit", takes: .count, "N", "at most N objects")
  static let argument = Option(
    "arg", repeatable: true, takes: .text, "VALUE", "the value of $0, $1 and so on")
  static let argumentText = Option(
    "arg-text", repeatable: true, takes: .text, "TEXT", "the same, always a string")
  static let counts = Option("count", "print how many")
  static let demandedCount = Option("count", takes: .count, "N", "demand as many")
  static let target = Option("to", takes: .integer, "N", "stop at version N")

  static let file = Operand("FILE", .file)
  static let className = Operand("CLASS", .className)
  static let predicate = Operand("PREDICATE", .text, .atMostOnce)
  static let files = Operand("FILE", .file, .atLeastOnce)
  static let destination = Operand("DIRECTORY", .directory)
  static let classes = Operand("CLASS", .className, .any)
  static let statements = Operand("STATEMENT", .text, .any)

  static let query = CommandSpec(
    "query", group: "Reading", summary: "objects that match a predicate",
    operands: [file, className, predicate], options: [limit, argument, argumentText, output, counts],
    details: ["In ascending object key."],
    examples: [Example("realm-cli query zoo.realm Dog 'age > 3'", "dogs older than three years")])
  static let demand = CommandSpec(
    "demand", group: "Reading", summary: "check", operands: [file], options: [demandedCount])
  static let schema = CommandSpec(
    "schema", group: "Reading", summary: "classes and their properties", operands: [file, classes])
  static let gather = CommandSpec(
    "gather", group: "Writing", summary: "several files into a directory", operands: [files, destination])
  static let migrate = CommandSpec(
    "migrate", group: "Writing", summary: "change the schema",
    subcommands: [
      CommandSpec("apply", summary: "run the steps", operands: [files], options: [target]),
      CommandSpec("lint", summary: "read the steps"),
    ])
  static let names = CommandSpec("__names", summary: "for completions", isHidden: true)
  static let shell = CommandSpec("", summary: "statements", operands: [file, statements])

  static func program(fallback: CommandSpec?) -> ProgramSpec {
    ProgramSpec(
      name: "realm-cli", version: "1.2.3", summary: "looks into files",
      introduction: ["Not another program."],
      fallback: fallback, commands: [query, demand, schema, gather, migrate, names],
      globalOptions: [
        OptionGroup("Output", [mode, json, csv, output, quiet, verbose, help, run]),
        OptionGroup("Keys", [keyFile]),
      ],
      exitStatuses: [Explanation("0", "success")], environment: [Explanation("PAGER", "shows long results")])
  }

  static func parse(_ words: String..., fallback: CommandSpec? = shell) throws(UsageError) -> ParsedArguments
  {
    try ArgumentParser(program(fallback: fallback), words.map { Word($0) }).parse()
  }
}
