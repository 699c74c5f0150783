// Objects from files of SQLite: written as lines of JSON into a file without a name, from where they go the way of all
// other sources. Layer: RealmCommands, Importing.

import Arguments
import ByteText
import RealmEngine
import RealmSQL
import RealmSession
import Rendering
import TextFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Option {
  static let sqliteTable = Option(
    "table", takes: .text, "TABLE", "the table of a file of SQLite that is imported")
}

extension TextSource {
  /// The lines that `write` writes; `name` is for messages.
  init(linesOf name: FilePath, _ write: (inout OutputBuffer) throws -> Void) throws {
    let handle = try FileHandle.nameless()
    var out = OutputBuffer { bytes throws(EngineError) in
      try StandardStreams.write(bytes, to: handle.descriptor, named: "a temporary file")
    }
    try write(&out)
    try out.flush()
    lseek(handle.descriptor, 0, SEEK_SET)
    self.init(descriptor: handle.descriptor, name: name, handle: handle)
  }
}

extension FilePath {
  /// Whether a file of SQLite lies here. What can be read only once is not looked at.
  var holdsSQLite: Bool {
    guard (try? status)?.isRegular ?? false, let handle = try? FileHandle.openForReading(self) else {
      return false
    }
    var head: [UInt8] = []
    let signature = SQLiteSource.signature
    guard (try? head.append(readingFrom: handle.descriptor, countMax: signature.count)) != nil else {
      return false
    }
    return head == signature
  }
}

extension Invocation {
  /// The rows of the table that is meant, where a source is a file of SQLite; nil where it is not.
  func sqliteRows(
    _ word: Word, of className: String?
  ) throws -> (source: TextSource, definition: ClassDefinition, place: (Int) -> String?)? {
    let isNamed = arguments.text(.sourceFormat) == Option.sqliteFormat
    let path = FilePath(word.bytes)
    guard isNamed || !word.isDash && path.holdsSQLite else {
      guard !arguments.has(.sqliteTable) else {
        throw Diagnostic.usage(
          "--table names a table of an SQLite database, and \(word.displayText) is not one")
      }
      return nil
    }
    try checkDatabase(word)
    let source = try SQLiteSource(path)
    let table = try chosenTable(of: source, path, className)
    let definition = try source.definition(of: table)
    let lines: TextSource
    do {
      lines = try TextSource(linesOf: path) { out in
        try source.writeRows(of: table, as: definition, to: &out)
      }
    } catch let error as EngineError {
      throw Diagnostic(error, file: path)
    }
    return (lines, definition, { SQLiteSource.place(table, $0) })
  }

  /// The table that --table names, the only one, or the one called as the class is.
  private func chosenTable(
    of source: SQLiteSource, _ path: FilePath, _ className: String?
  ) throws(Diagnostic) -> String {
    let names = source.tableNames
    let wanted = arguments.text(.sqliteTable)
    if let name = wanted ?? className,
      let found = (names + source.viewNames).first(where: { $0.lowercased() == name.lowercased() })
    {
      return found
    }
    if wanted == nil, names.count == 1 { return names[0] }
    throw Diagnostic(
      .refused, code: "unknown-table",
      wanted.map { "\(path.displayName) has no table '\($0)'" }
        ?? "\(path.displayName) has \(names.count) tables",
      hint: names.isEmpty ? nil : "choose one with --table: \(names.joined(separator: ", "))", file: path)
  }

  /// What is no file of SQLite has a command of its own.
  private static func otherSource(_ file: FilePath, for path: FilePath) -> Diagnostic {
    let isRealm = file.bytes.suffix(6).elementsEqual(".realm".utf8)
    let line =
      isRealm
      ? "realm-cli copy \(file.shellText) \(path.shellText)"
      : "realm-cli import \(path.shellText) CLASS \(file.shellText) --create"
    return Diagnostic(
      .refused, code: "bad-document", of: file, "is not an SQLite database", hint: line)
  }

  /// Makes a realm with all that a file of SQLite holds.
  func makeRealm(at path: FilePath, from word: Word) throws -> MadeRealm {
    let file = FilePath(word.bytes)
    try checkDatabase(word)
    let source: SQLiteSource
    do {
      source = try SQLiteSource(file)
    } catch {
      throw error.kind == .badDocument && !file.holdsSQLite ? Self.otherSource(file, for: path) : error
    }
    let schema = try source.schema()
    source.omissions.forEach(warn)
    return try makeRealm(at: path, file) { transaction in
      try transaction.addClasses(schema.classes)
      if let version = schema.version { try transaction.setSchemaVersion(version) }
      let realm = try transaction.view()
      let lines = try RereadableSource(
        try TextSource(linesOf: file) { out in try source.writeObjects(for: realm, to: &out) })
      source.omissions.forEach(warn)
      let progress = ImportProgress(isShown: terminal.errorIsTerminal && !isQuiet)
      defer { progress.finish() }
      var wish = SourceFormat.Wish()
      wish.name = .jsonl
      var options = ImportOptions()
      if let links = arguments.text(.links).flatMap(LinkPolicy.init) { options.links = links }
      let job = ImportJob(
        options, className: nil, in: transaction,
        ImportAudience(nil, name: "", countMax: nil, progress))
      let rows = ImportSource(lines.name, wish, row: source.place(ofLine:)) {
        progress.source = (lines.name, lines.size)
        return try TextInput(descriptor: try lines.rewound())
      }
      do {
        _ = try job.run([rows])
        job.remarks.forEach(warn)
      } catch var fault as ImportFault {
        let hasLinks = schema.classes.contains { $0.properties.contains { $0.type.target != nil } }
        if hasLinks, options.links == .require, fault.code == "no-object" {
          fault.hint = fault.hint ?? "where it is a link that leads nowhere: --links null, or --links create"
        }
        throw Diagnostic(fault.naming(rowOf: rows), source: file.displayName)
      }
    }
  }
}
