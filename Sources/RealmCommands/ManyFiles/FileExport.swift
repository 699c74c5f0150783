// Many files as one data set of Parquet: a directory for each class, with parts that several threads write.
// Layer: RealmCommands, ManyFiles.
// Invariants: a part has its name when it is whole; of a file that fails no row is in any part. A part that has rows of one is
// written again without it. Where a part cannot be written, none stays.

import Arguments
import ByteText
import Parquet
import RealmEngine
import RealmParquet
import RealmSession
import Rendering
import Synchronization

/// What is exported, and where to.
struct FileExport: Sendable {
  let invocation: Invocation
  let target: FilePath
  let paths: [FilePath]
  private let compression: ParquetCompression
  private let isNanoseconds: Bool

  /// Bytes of files whose rows are in one part.
  private static let partSizeMax = 256 << 20
  private static let partSizeMin = 4 << 20
  /// So often a part is begun again because a file changes while it is read.
  private static let attemptsMax = 5

  /// What became of each file, and what was written.
  struct Result: Sendable {
    var rows: [String: Int] = [:]
    var parts: [String: Int] = [:]
    var failures: [(path: FilePath, Diagnostic)] = []
    var losses = ParquetLosses()
  }

  init(_ invocation: Invocation, to target: FilePath, _ paths: [FilePath]) {
    self.invocation = invocation
    self.target = target
    self.paths = paths
    compression = invocation.parquetCompression
    isNanoseconds = invocation.parquetHasNanoseconds
  }

  // MARK: Schema

  func schema(of path: FilePath) -> FileSchema {
    let messages = MessageLog()
    let own = invocation.unattended(messages)
    var schema = FileSchema()
    var nothing = OutputBuffer()
    do {
      schema = try own.withSnapshot(of: Word(path.bytes), to: &nothing) { database, _ in
        let realm = database.transaction
        var found = FileSchema()
        found.isEncrypted = database.file.image.isEncrypted
        for table in own.exportedTables(realm) {
          found.classes.append(
            (table.schema.name, own.parquetColumns(of: table, in: realm).map(\.field)))
        }
        return found
      }
    } catch {
      schema.failure = Diagnostic(error, file: path)
    }
    schema.messages = messages.all
    return schema
  }

  // MARK: Parts

  /// Runs of files whose rows are in one part.
  private func runs(_ paths: [FilePath]) -> [ArraySlice<FilePath>] {
    let sizes = paths.map { (try? $0.status)?.size ?? 0 }
    let share = sizes.reduce(0, +) / (4 * invocation.jobCount)
    let sizeMax = max(Self.partSizeMin, min(Self.partSizeMax, share))
    var runs: [ArraySlice<FilePath>] = []
    var (start, size) = (0, 0)
    for index in paths.indices {
      if index > start, size + sizes[index] > sizeMax {
        runs.append(paths[start..<index])
        (start, size) = (index, 0)
      }
      size += sizes[index]
    }
    if start < paths.count { runs.append(paths[start...]) }
    return runs
  }

  /// Writes the rows of all files, several parts at once. `done` is told of each file, on any thread.
  func write(
    _ paths: [FilePath], _ schema: UnitedSchema, isSecret: Bool, _ done: @escaping @Sendable (Bool) -> Void
  ) throws -> Result {
    let runs = runs(paths)
    do {
      return try write(runs, schema, isSecret: isSecret, done)
    } catch {
      for name in schema.names {
        for number in 0..<max(1, runs.count) { place(ofPart: number, of: name, schema).remove() }
      }
      throw error
    }
  }

  private func write(
    _ runs: [ArraySlice<FilePath>], _ schema: UnitedSchema, isSecret: Bool,
    _ done: @escaping @Sendable (Bool) -> Void
  ) throws -> Result {
    let results = Mutex<(result: Result, error: Diagnostic?)>((Result(), nil))
    ParallelWork.forEach(runs.count, workers: invocation.jobCount) { number in
      guard results.withLock({ $0.error == nil }) else { return }
      do {
        let part = try write(part: number, of: runs[number], schema, isSecret: isSecret, done)
        results.withLock { $0.result.add(part) }
      } catch {
        results.withLock { $0.error = $0.error ?? Diagnostic(error) }
      }
    }
    var (result, error) = results.withLock { $0 }
    if let error { throw error }
    for name in schema.names where result.parts[name] == nil {
      invocation.warn(of: try part(0, of: name, schema, isSecret: isSecret).keep())
      result.parts[name] = 1
    }
    return result
  }

  /// One part of each class that has rows in these files.
  private func write(
    part number: Int, of paths: ArraySlice<FilePath>, _ schema: UnitedSchema, isSecret: Bool,
    _ done: (Bool) -> Void
  ) throws -> Result {
    var failures: [(path: FilePath, Diagnostic)] = []
    var attempts = 0
    attempt: while true {
      attempts += 1
      let parts = DataSetFiles { part(number, of: $0, schema, isSecret: isSecret) }
      for path in paths where !failures.contains(where: { $0.path == path }) {
        try Interruption.check()
        switch add(path, to: parts, schema) {
        case nil: continue
        case .failed(let failure, let isSpoiled):
          failures.append((path, failure))
          if isSpoiled { continue attempt }
        case .changed(let failure):
          if attempts >= Self.attemptsMax { failures.append((path, failure)) }
          continue attempt
        case .ended(let failure): throw failure
        }
      }
      var result = Result()
      result.failures = failures
      for (name, part) in parts.all.sorted(by: { $0.key < $1.key }) {
        invocation.warn(of: try part.keep())
        result.rows[name] = part.rowCount
        result.parts[name] = 1
        result.losses += part.losses
      }
      for path in paths { done(failures.contains { $0.path == path }) }
      return result
    }
  }

  private enum Trouble {
    /// `isSpoiled`: some of its rows are in parts.
    case failed(Diagnostic, isSpoiled: Bool)
    case changed(Diagnostic)
    case ended(Diagnostic)
  }

  private func add(_ path: FilePath, to parts: DataSetFiles, _ schema: UnitedSchema) -> Trouble? {
    let own = invocation.unattended(MessageLog())
    var hasAdded = false
    var nothing = OutputBuffer()
    do {
      try own.withSnapshot(of: Word(path.bytes), to: &nothing) { database, _ in
        if hasAdded { throw Self.changed(path) }
        let realm = database.transaction
        for table in own.exportedTables(realm) where table.count > 0 {
          hasAdded = true
          let columns = schema.columns(
            of: table, keyName: own.parquetKeyName(of: table, in: realm), in: realm,
            isNanoseconds: isNanoseconds, file: path)
          let query = BoundQuery(table: table, predicate: .constant(true), orderings: [])
          try parts[table.schema.name].add(try QueryExecutor(query, in: realm), of: table, columns, in: realm)
        }
      }
      return nil
    } catch {
      let failure = Diagnostic(error, file: path)
      if error.endsScripts || failure.code == Diagnostic.cancelledCode { return .ended(failure) }
      if failure.code == Self.changed(path).code, hasAdded { return .changed(failure) }
      return .failed(failure, isSpoiled: hasAdded)
    }
  }

  private static func changed(_ path: FilePath) -> Diagnostic {
    let message = "another program changes \(path.displayName)"
    return Diagnostic(EngineError(.changedWhileRead, message, naming: path.displayName), file: path)
  }

  func folder(of name: String, _ schema: UnitedSchema) -> FilePath {
    let base = target.bytes.last == UInt8(ascii: "/") ? FilePath(Array(target.bytes.dropLast())) : target
    return base.child(DirectoryOutput.fileName(schema.folderNames[name] ?? name))
  }

  private func place(ofPart number: Int, of name: String, _ schema: UnitedSchema) -> FilePath {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return folder(of: name, schema).child(Array("part-\(padded).parquet".utf8))
  }

  private func part(_ number: Int, of name: String, _ schema: UnitedSchema, isSecret: Bool) -> DataSetFile {
    let path = place(ofPart: number, of: name, schema)
    return DataSetFile(schema[name], compression, isNanoseconds: isNanoseconds, at: path) {
      [invocation] () throws(EngineError) in try invocation.outputFile(path, isSecret: isSecret)
    }
  }
}

extension FileExport.Result {
  fileprivate mutating func add(_ other: FileExport.Result) {
    rows.merge(other.rows, uniquingKeysWith: +)
    parts.merge(other.parts, uniquingKeysWith: +)
    failures += other.failures
    losses += other.losses
  }
}

/// The parts that one thread writes.
private final class DataSetFiles {
  private let make: (String) -> DataSetFile
  private(set) var all: [String: DataSetFile] = [:]

  init(_ make: @escaping (String) -> DataSetFile) { self.make = make }

  subscript(name: String) -> DataSetFile {
    if let part = all[name] { return part }
    let part = make(name)
    all[name] = part
    return part
  }
}

/// A part: what is compressed waits in memory, so that a class costs an open file only where it is large.
private final class DataSetFile {
  private var writing: TableWriting
  private var waiting = ByteBuffer()
  private let path: FilePath
  private let makeFile: () throws(EngineError) -> OutputFile
  private var file: OutputFile?

  private static let waitingMax = 16 << 20

  init(
    _ fields: [ParquetField], _ compression: ParquetCompression, isNanoseconds: Bool, at path: FilePath,
    makeFile: @escaping () throws(EngineError) -> OutputFile
  ) {
    writing = TableWriting(fields, compression, isNanoseconds: isNanoseconds)
    self.path = path
    self.makeFile = makeFile
  }

  deinit { file?.remove() }

  var rowCount: Int { writing.rowCount }
  var losses: ParquetLosses { writing.losses }

  func add(
    _ executor: QueryExecutor, of table: Table, _ columns: [TableColumn], in realm: ReadTransaction
  ) throws(EngineError) {
    try writing.add(executor, of: table, columns, in: realm) { bytes throws(EngineError) in
      waiting.append(bytes.span)
      if waiting.count >= Self.waitingMax { try flush() }
    }
  }

  private func flush() throws(EngineError) {
    if file == nil { file = try makeFile() }
    guard let file else { return }
    try StandardStreams.write(waiting, to: file.handle.descriptor, named: path.displayName)
    waiting.removeAll()
  }

  /// The part is whole. Gives what went wrong when it had its name.
  func keep() throws(EngineError) -> [String] {
    try writing.finish { bytes throws(EngineError) in waiting.append(bytes.span) }
    try flush()
    defer { EndSignals.release() }
    let remarks = try file?.keep() ?? []
    file = nil
    return remarks
  }
}
