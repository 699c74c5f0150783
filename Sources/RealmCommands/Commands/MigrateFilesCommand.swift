// The part of `migrate` that needs no realm: new files, checks, sums, the JSON Schema. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Migrations
import RealmEngine
import TextFormats

extension Command {
  private static let name = Operand("NAME", .text)
  private static let schemas = Operand("SCHEMA", .file, .any)
  private static let fromDiff = Option(
    "from-diff", "write the operations that turn the first SCHEMA into the second")
  private static let fromVersion = Option(
    "from", takes: .count, "N", "the schema version that the step starts at")
  private static let forFile = Option(
    "for", takes: .file, "FILE", "start at the schema version that FILE has")
  private static let freeze = Option("freeze", "write migrations.sum instead of checking it")

  /// `migrate new NAME`
  static let migrateNew = Command(
    .file([.integer("from"), .integer("to")]),
    CommandSpec(
      "new", summary: "create a migration file", operands: [name, schemas],
      options: [.migrationFolder, fromVersion, forFile, .targetVersion, fromDiff],
      details: [
        """
        The step starts where the newest one ends, or at the version of --for FILE. With --from-diff, two realms or \
        files that 'schema' has printed follow the name, and the step leads from the version of the first to that of the \
        second; possible renames are suggested in comments, never guessed.
        """
      ],
      examples: [
        Example("realm-cli migrate new orders-by-number", "creates migrations/v004__orders-by-number.yaml"),
        Example(
          "realm-cli migrate new --from-diff names old.realm new.realm",
          "with the operations for the difference"),
      ])
  ) { invocation in
    try invocation.makeMigration(
      name: invocation.arguments.text(name) ?? "", schemas: invocation.arguments.words(schemas),
      from: try invocation.startVersion(fromVersion, forFile), isDiff: invocation.arguments.has(fromDiff))
  }

  /// `migrate lint [DIR]`
  static let migrateLint = Command(
    .file([.integer("files"), .integer("errors"), .integer("warnings")]),
    CommandSpec(
      "lint", summary: "check migration files without a realm", operands: [.migrationFolder],
      options: [.startSchema, .exitCode],
      details: [
        """
        Finds what apply would refuse: syntax errors, unknown names and types, gaps in the chain, and operations that \
        could lose data without saying what happens to it. Without --schema, only the parts of the schema that steps \
        mention are known. Exits with 8 for errors; with --exit-code, warnings give 9.
        """
      ],
      examples: [
        Example("realm-cli migrate lint", "check migrations/"),
        Example("realm-cli migrate lint --schema v3.yaml", "check migrations/ against a schema"),
      ])
  ) { invocation in
    let folder = try invocation.migrationFolder()
    _ = folder.check(try invocation.startSchema())
    try SumFile.check(folder)
    let errorCount = invocation.show(folder.problems)
    let warningCount = folder.problems.count - errorCount
    let count = folder.sources.count
    let isClean = folder.problems.isEmpty
    let isNews = warningCount > 0 && invocation.arguments.has(.exitCode)
    return try invocation.write(
      FileResult(
        done: isClean ? "\(counted(count, "migration file")), no problems found" : nil,
        [.number("files", count), .number("errors", errorCount), .number("warnings", warningCount)],
        exit: errorCount > 0 ? .refused : isNews ? .checkFailed : .success), of: folder.path)
  }

  /// `migrate verify [DIR]`
  static let migrateVerify = Command(
    .file([.flag("written")]),
    CommandSpec(
      "verify", summary: "check or write the checksums of migration files", operands: [.migrationFolder],
      options: [freeze, .startSchema],
      details: ["Exits with 9 if a file was changed after migrations.sum was written with --freeze."],
      examples: [
        Example("realm-cli migrate verify --freeze", "write migrations.sum"),
        Example("realm-cli migrate verify", "compare migrations/ with it"),
      ])
  ) { invocation in
    let folder = try invocation.migrationFolder()
    let schemas = folder.check(try invocation.startSchema())
    try invocation.requireSound(folder)
    let path = folder.path.child(Array(MigrationFolder.sumFileName.utf8))
    let expected = try SumFile.text(folder, schemas)
    if invocation.arguments.has(freeze) {
      invocation.warn(of: try NewTextFile.write(Array(expected.utf8), to: path, mayReplace: true))
      return try invocation.write(
        FileResult(done: "\(path.displayName): written", [.flag("written", true)]), of: path,
        changing: true)
    }
    guard let found = try folder.sums() else {
      throw Diagnostic(
        .unavailable, code: "not-found", "there is no \(path.displayName)",
        hint: "`migrate verify --freeze` writes it")
    }
    let differences = try SumFile.differences(found, from: expected)
    guard differences.isEmpty else {
      throw Diagnostic(
        .checkFailed, code: "sum", of: path, "– \(differences.joined(separator: "; "))",
        hint: differences.allSatisfy(SumFile.isAddition)
          ? "`migrate verify --freeze` adds it"
          : "a step that was applied must not change; write a new one")
    }
    return try invocation.write(FileResult(done: nil, [.flag("written", false)]), of: path)
  }

  /// `migrate schema`
  static let migrateSchema = Command(
    .document(modes: []),
    CommandSpec(
      "schema", summary: "print the JSON Schema of migration files, for editors",
      examples: [
        Example("realm-cli migrate schema", "print it"),
        Example("realm-cli migrate schema > migration.schema.json", "write it to a file"),
      ])
  ) { _ in
    var text = ByteBuffer()
    text.append(json: MigrationSchema.document, indentation: 2)
    try StandardStreams.write(text.text + "\n")
    return .success
  }
}

extension Invocation {
  /// The version at which the steps in the folder end; nil where there are none.
  private func newestVersion(in folder: FilePath) throws(EngineError) -> Int64? {
    do throws(EngineError) {
      return try MigrationFolder(folder).chain.newest
    } catch {
      guard error.kind == .notFound else { throw error }
      return nil
    }
  }

  /// Where a new step starts, as far as the command line says.
  fileprivate func startVersion(_ number: Option, _ file: Option) throws -> Int64? {
    guard let word = arguments.word(file) else { return arguments.integer(number) }
    if arguments.has(number) { throw Diagnostic.usage("--from and --for contradict each other") }
    return try schema(of: word).version ?? 0
  }

  fileprivate func makeMigration(
    name: String, schemas: [Word], from start: Int64?, isDiff: Bool
  ) throws -> ExitStatus {
    guard isDiff == !schemas.isEmpty, schemas.isEmpty || schemas.count == 2 else {
      throw Diagnostic.usage(
        "--from-diff takes two schemas after the name", hint: "migrate new --from-diff NAME OLD NEW")
    }
    let folder = arguments.word(.migrationFolder as Option)
    if folder?.isDash ?? false { throw Diagnostic.usage("--dir must name a directory to write into") }
    let path = folder.map { FilePath($0.bytes) } ?? FilePath("migrations")
    var changes: [SchemaChange]?
    var version = start
    var goal: Int64?
    if schemas.count == 2 {
      let (old, new) = (try schema(of: schemas[0]), try schema(of: schemas[1]))
      changes = old.changes(to: new)
      version = version ?? old.version
      goal = new.version
    }
    if version == nil { version = try newestVersion(in: path) }
    let from = version ?? 0
    guard from < .max else { throw Diagnostic.usage("there is no schema version above \(from)") }
    let to = arguments.integer(.targetVersion) ?? goal.flatMap { $0 > from ? $0 : nil } ?? from + 1
    guard to > from else { throw Diagnostic.usage("--to \(to) must be above the version \(from)") }
    let digits = String(to)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let safe = String(name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" })
    let file = path.child(Array("v\(padded)__\(safe).yaml".utf8))
    let text = MigrationSkeleton.text(from: from, to: to, name: safe, changes: changes)
    let newFolder = try NewDirectory(path)
    do {
      warn(of: try NewTextFile.write(Array(text.utf8), to: file, mayReplace: mayReplaceOutput))
    } catch {
      newFolder?.discard()
      throw error
    }
    return try write(
      FileResult(
        shown: file.displayName + "\n",
        [.number("from", from), .number("to", to)]), of: file, changing: true)
  }
}
