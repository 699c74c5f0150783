// Dot commands about the realm: opening it, looking at it, whole-file work. Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension DotCommand {
  static let realm: [DotCommand] = [
    open, close, info, classes, schema, indexes, export, `import`, dump, load, check, diff, copy, compact,
    migrate, versions,
  ]

  private static let classNames = Operand("CLASS", .className, .any)

  private static let open = DotCommand(
    "open", synonyms: ["\\c"], takes: [Operand("FILE", .file, .any)],
    "open another realm, or reopen this one; -w allows changes, --readonly forbids them",
    examples: [
      Example(".open -w", "change the realm that is open"),
      Example(".open --key-file key.hex secret.realm", "an encrypted one; without its key you are asked"),
    ], doing: always(.opensFile)
  ) { shell, arguments in try shell.open(arguments.words.map { Word($0) }) }

  private static let close = DotCommand("close", "close the realm") { shell, _ in
    _ = try shell.requiredRealm()
    // In a script that is one transaction its changes are not in the file yet.
    guard shell.isInteractive || !shell.hasOpenTransaction else {
      throw Shell.openTransaction("close the realm")
    }
    if try shell.mayLeaveTransaction("close the realm") { shell.close() }
  }

  private static let info = command(
    .info, "show the file's format, size, history, versions and classes")

  private static let classes = DotCommand(
    "classes", synonyms: [".tables", "\\dt", "\\dt+"], "list the classes and their numbers of objects"
  ) { shell, _ in
    var text = ""
    let tables = try shell.requiredRealm().read { realm in
      realm.classes(allTables: shell.invocation.showsAllTables).sorted { $0.schema.name < $1.schema.name }
    }
    let width = tables.map { TerminalWidth.width($0.schema.name.visible) }.max() ?? 0
    for table in tables {
      let name = TerminalWidth.padded(table.schema.name.visible, to: width)
      let kind = table.schema.kind == .object ? "" : "  \(table.schema.kind.name)"
      text += "\(name)  \(counted(table.count, "object"))\(kind)\n"
    }
    let classes = tables.map { table in
      DocumentNode.mapping([
        .text("class", table.schema.name), .text("kind", table.schema.kind.name),
        .number("objects", table.count),
      ])
    }
    try shell.tell(tables.isEmpty ? "no classes\n" : text, .sequence(classes))
  }

  private static let schema = DotCommand(
    "schema", synonyms: ["\\d", "\\d+"], takes: [classNames],
    "show classes as the statements that create them"
  ) { shell, arguments in
    let schema = try shell.schema(of: arguments.texts)
    var text = schema.statements
    if !arguments.texts.isEmpty {
      let names = SchemaNames(try shell.schema(of: []))
      for name in arguments.texts { text += names.originsRemark(of: name) }
    }
    try shell.tell(text, schema.document)
  }

  private static let indexes = DotCommand(
    "indexes", synonyms: [".indices", "\\di"], takes: [classNames], "list the properties that have an index"
  ) { shell, arguments in
    var text = ""
    var indexes: [DocumentNode] = []
    for description in try shell.schema(of: arguments.texts).classes {
      for property in description.properties where property.index != .none {
        let isKey = property.name == description.primaryKey
        let kind = isKey ? "primary key" : property.index == .fullText ? "fulltext" : "index"
        text += "\(description.name.visible).\(property.name.visible)  \(kind)\n"
        indexes.append(
          .mapping([
            .text("class", description.name), .text("property", property.name), .text("index", kind),
          ]))
      }
    }
    try shell.tell(text.isEmpty ? "no indexes\n" : text, .sequence(indexes))
  }

  private static let dump = DotCommand("dump", "print the whole realm as JSON Lines, losslessly") {
    shell, _ in
    let realm = try shell.requiredRealm()
    defer { shell.output.endOnce() }
    try shell.output.write(isPaged: false) { out in
      try realm.read(to: &out) { realm, out in
        try DumpWriter(realm, allTables: shell.invocation.showsAllTables).write(to: &out)
      }
    }
  }

  private static let load = DotCommand(
    "load", takes: [Operand("DUMP", .file), Operand("FILE", .outputFile)],
    "create the realm FILE from a dump, and open it"
  ) { shell, arguments in
    let words = arguments.words.map { Word($0) }
    try shell.run(.load, line: [Word("load"), Word("--"), words[1], words[0]])
    try shell.open([Word("--"), words[1]])
  }

  private static let versions = DotCommand(
    "versions", "list the versions of the data in the file: current and previous"
  ) { shell, _ in try shell.tell(try shell.versionList()) }

  private static let migrate = DotCommand(
    "migrate",
    takes: [
      Operand("status|plan|apply|restore", .oneOf(["status", "plan", "apply", "restore"])),
      Operand("OPTION", .text, .any),
    ], "migrate the file with migration files",
    examples: [Example(".migrate status --dir migrations", "which steps the file needs")]
  ) { shell, arguments in
    let (step, words) = (arguments.texts[0], arguments.words.dropFirst().map { Word($0) })
    guard ["apply", "restore"].contains(step) else {
      return try shell.run(.migrate, subcommand: step, words)
    }
    try shell.replaceFile(by: .migrate, subcommand: step, words)
  }

  private static let export = command(
    .export, takes: [Operand("WORD", .text, .any)],
    "export objects as CSV, TSV or JSON: CLASS, CLASS PREDICATE, or all classes",
    examples: [
      Example(".export Person -o people.csv", "a class as CSV; also .tsv, .json, .jsonl"),
      Example(".export Person \"age > 60\" --select name,age --json", "some of it, on the screen"),
      Example(".export -o everything/", "one file per class"),
    ])
  private static let `import` = DotCommand(
    "import",
    takes: [
      Operand("SOURCE", .file), Operand("CLASS", .className, .atMostOnce), Operand("OPTION", .text, .any),
    ],
    "import objects from CSV, TSV, JSON or JSON Lines",
    examples: [
      Example(".import people.csv Person", "import the rows as objects of a class"),
      Example(".import people.csv Person --mode upsert", "update objects that exist"),
    ], doing: always(.opensFile)
  ) { shell, arguments in try shell.importObjects(arguments.words.map { Word($0) }) }
  private static let check = command(.check, "check the whole file for damage")
  private static let diff = command(
    .diff, takes: [Operand("WORD", .text, .any)], "show the differences to another realm",
    examples: [
      Example(".diff other.realm", "what turns this realm into the other one"),
      Example(".diff --previous", "the changes of the last transaction"),
    ])
  private static let copy = command(
    .copy, takes: [Operand("FILE", .outputFile, .atLeastOnce)],
    "write a copy of the file, as it was last committed",
    examples: [
      Example(".copy small.realm", "a compact copy"),
      Example(".copy secret.realm --new-key-file key.hex", "an encrypted one"),
    ])
  private static let compact = command(
    .compact, takes: [Operand("OPTION", .text, .any)], "return unused space in the file to the system",
    replacingFile: true)

  /// A command of the program, run on the realm that is open.
  private static func command(
    _ command: Command, takes operands: [Operand] = [], _ summary: String, examples: [Example] = [],
    replacingFile: Bool = false
  ) -> DotCommand {
    DotCommand(command.spec.name, takes: operands, summary, examples: examples) { shell, arguments in
      let words = arguments.words.map { Word($0) }
      if replacingFile { return try shell.replaceFile(by: command, words) }
      try shell.run(command, words)
    }
  }
}

extension Shell {
  /// The named classes, or all of them.
  func schema(of names: [String]) throws -> SchemaDescription {
    try requiredRealm().read { realm in
      try realm.schemaDescription(allTables: invocation.showsAllTables).restricted(to: names)
    }
  }
}
