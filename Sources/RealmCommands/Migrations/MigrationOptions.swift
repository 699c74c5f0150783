// What the commands of `migrate` share: where files are found, how complaints are shown. Layer: RealmCommands, Migrations.

import Arguments
import ByteText
import Migrations
import RealmEngine
import RealmSession
import TextFormats

extension Option {
  static let migrationFolder = Option(
    "dir", takes: .directory, "DIR",
    "the directory of migration files (default migrations; '-': one file from standard input)")
  static let startSchema = Option(
    "schema", takes: .file, "FILE",
    "the schema before the first step: a realm, or what 'schema' prints of one")
  static let targetVersion = Option("to", takes: .count, "N", "only up to schema version N")
  static let fixedTime = Option("now", takes: .text, "DATE", "the value of now(): 2020-01-01T00:00:00Z")
  static let fixedSeed = Option(
    "seed", takes: .count, "N", "generate the same uuid() and objectId() values in each run")
  static let exitCode = Option("exit-code", "exit with 9 if there are findings")
}

extension Arguments.Operand {
  static let migrationFolder = Operand("DIR", .directory, .atMostOnce)
}

extension Invocation {
  /// The migration files that an operand or option names; `-` is one that comes from standard input.
  func migrationFolder() throws -> MigrationFolder {
    let word =
      arguments.word(.migrationFolder as Arguments.Operand) ?? arguments.word(.migrationFolder as Option)
    if word?.isDash ?? false {
      return try MigrationFolder(
        DocumentSource(name: "standard input", bytes: try StandardStreams.readText()))
    }
    let path = word.map { FilePath($0.bytes) } ?? FilePath("migrations")
    guard !FileProbe.findsRealm(path) else {
      throw Diagnostic.usage("\(path.displayName) is a realm", hint: "name the folder of the migration files")
    }
    do throws(EngineError) {
      return try MigrationFolder(path)
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// The schema of a realm, or that a file spells.
  func schema(of word: Word) throws -> SchemaDescription {
    let path = FilePath(word.bytes)
    do {
      let bytes = try FileHandle.openRealm(path).readText()
      if RealmText.isDocument(bytes) {
        return try SchemaDescription(text: bytes)
      }
    } catch let error as TextFormatError {
      throw Diagnostic(
        .refused, code: "bad-schema",
        "\(path.displayName):\(error.location.line):\(error.location.column): \(error.message)",
        hint: error.hint, file: path)
    } catch {
      throw Diagnostic(error, file: path)
    }
    return try withKey(for: path) { key throws(EngineError) in
      try LiveReading.read(path, key: key) { $0.transaction.schemaDescription() }
    }
  }

  func startSchema() throws -> SchemaDescription? {
    try arguments.word(.startSchema).map { try schema(of: $0) }
  }

  /// The time and seed of a run.
  func expressionSeeds() throws -> (now: Timestamp, seed: UInt64) {
    var now = SystemClock.now
    if let text = arguments.text(.fixedTime) {
      guard let fixed = Timestamp(text: Array(text.utf8).span) else {
        throw Diagnostic.usage("--now '\(text)' is not a date", hint: "write it as 2020-01-01T00:00:00Z")
      }
      now = fixed
    }
    guard let fixed = arguments.integer(.fixedSeed) else {
      let random = try Randomness.bytes(count: 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (now, random)
    }
    return (now, UInt64(bitPattern: fixed))
  }
}

/// Tells documents from realms by their first bytes.
private enum RealmText {
  /// Text without control characters; a realm begins with numbers.
  static func isDocument(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(64).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
      && firstInvalidUTF8(in: bytes.prefix(64)) == nil
  }

  private static func firstInvalidUTF8(in bytes: ArraySlice<UInt8>) -> Int? {
    // A cut inside a character at the end is no fault.
    String(decoding: bytes, as: UTF8.self).unicodeScalars.dropLast().contains("\u{FFFD}") ? 0 : nil
  }
}

extension Diagnostic {
  /// A complaint about a migration file.
  init(
    _ problem: MigrationProblem, exit: ExitStatus = .refused, code: String = "migration", place: String? = nil
  ) {
    let range = problem.location.offset..<problem.location.offset + problem.length
    self.init(
      exit, code: code, problem.text + (place.map { " – \($0)" } ?? ""), hint: problem.hint,
      file: FilePath(problem.source.name),
      excerpt: SourceExcerpt(String(decoding: problem.source.bytes, as: UTF8.self), range), saysLine: true)
  }

  init(_ failure: MigrationFailure) {
    let isAssertion = failure.kind == .assertion
    self.init(
      failure.problem, exit: isAssertion ? .checkFailed : .refused,
      code: isAssertion ? "assertion" : "migration", place: failure.place)
  }
}

extension Invocation {
  /// Shows complaints on standard error; gives the number of errors among them.
  func show(_ problems: [MigrationProblem]) -> Int {
    for problem in problems.prefix(MessageText.complaintsMax) { report(Diagnostic(problem)) }
    let untold = problems.count - MessageText.complaintsMax
    if untold > 0 { warn("and \(untold) more") }
    return problems.count { $0.severity == .error }
  }

  /// Stops where files are wrong; warnings are shown.
  func requireSound(_ folder: MigrationFolder) throws {
    guard folder.hasErrors else { return }
    let problems = folder.problems.filter { $0.severity == .error }
    _ = show(Array(problems.dropLast()))
    if let last = problems.last { throw Diagnostic(last) }
  }
}
