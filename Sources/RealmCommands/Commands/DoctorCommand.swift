// `doctor`: what is the matter with files that do not open, and what to type next. Layer: RealmCommands, Commands.

import Arguments
import FirstAid
import RealmEngine
import Synchronization

extension Command {
  private static let places = Arguments.Operand("FILE|DIRECTORY", .file, .atLeastOnce)
  fileprivate static let deep = Option("deep", "read everything, and try a recovery without writing it")

  /// `doctor FILE…|DIRECTORY`
  static let doctor = Command(
    .files(DoctorReport.fields),
    CommandSpec(
      "doctor", group: CommandGroup.checking,
      summary: "explain why a file does not open, and what to do",
      brief: "why a file does not open",
      operands: [places], options: [deep, .recursive, .failFast],
      details: [
        """
        Says in plain words what is the matter with a file, whether data is lost, and which command to type next: \
        whether it is a realm at all, encrypted, damaged, cut off, of an old or too new format, half upgraded, in use, \
        synced, write-protected or mostly empty, and which backups are beside it. Nothing is changed. For a directory, \
        every realm in it is examined, whatever its name.
        """,
        """
        A quick look says 'no damage seen'; with --deep everything is read, and a recovery is tried without writing \
        it. A wrong key is told apart from damaged pages: one page that passes its check proves the key.
        """,
        """
        Exit status: 0 if nothing is to be done, 9 if something is.
        """,
      ],
      examples: [
        Example("realm-cli doctor broken.realm", "what is wrong, and what to do"),
        Example("realm-cli doctor --key-file key.hex secret.realm", "whether the key or the file is wrong"),
        Example("realm-cli doctor --recursive --json backups", "for programs"),
      ])
  ) { invocation in
    try Doctor(invocation).run(invocation.arguments.words(places))
  }
}

/// Examines files, many at once.
private struct Doctor {
  let invocation: Invocation
  private let examination: Examination
  private let isRecursive: Bool

  /// Files that are examined before their results are written.
  private static let batchSize = 256

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    isRecursive = invocation.arguments.has(.recursive)
    examination = Examination(key: try Self.key(invocation), isDeep: invocation.arguments.has(Command.deep))
  }

  private static func key(_ invocation: Invocation) throws -> Examination.NamedKey? {
    let source = KeySource(invocation: invocation)
    if let key = try source.namedKey() {
      return Examination.NamedKey(key, words: invocation.keyWords, isForAll: true)
    }
    return try source.environmentKey().map { Examination.NamedKey($0, words: [], isForAll: false) }
  }

  func run(_ words: [Word]) throws -> ExitStatus {
    try invocation.withElements(asArray: true, changing: false, isDryRun: false) { write in
      var status = ExitStatus.success
      func put(_ result: FileResult, _ path: FilePath) throws {
        status = status.first(of: result.exit)
        try write(result, path)
      }
      func isStopped() -> Bool { status != .success && invocation.arguments.has(.failFast) }
      for word in words {
        let path = word.sourcePath
        if isStopped() {
          try put(FileResult(skipped: nil), path)
        } else if word.isDash {
          try invocation.refuseKeyOnInput(beside: "the realm")
          let content = try invocation.streamedRealm(mustBeRealm: false)
          try put(result(.success(try examination.facts(of: content, path: path)), path, isOnly: true), path)
        } else if ((try? path.status) ?? nil)?.isDirectory ?? false {
          try examine(folder: path, isStopped, put)
        } else {
          let outcome = Result { () throws(EngineError) in
            try examination.facts(of: path, among: FolderNames(path.directory))
          }
          try put(try result(outcome, path, isOnly: words.count == 1), path)
        }
      }
      return status
    }
  }

  /// The realms in a folder, some at a time, in the order of their names.
  private func examine(
    folder: FilePath, _ isStopped: () -> Bool, _ put: (FileResult, FilePath) throws -> Void
  ) throws {
    var count = 0
    try FolderContents.walk(folder, isRecursive: isRecursive) { folder, contents in
      if isStopped() { return false }
      let names: FolderNames
      let files: [[UInt8]]
      switch contents {
      case .success(let contents): (names, files) = (FolderNames(folder, contents.names), contents.files)
      case .failure(let error):
        count += 1
        let facts: Outcome =
          error.kind == .permission ? .success(FileFacts(folder, refusal: error)) : .failure(error)
        try put(try result(facts, folder, isOnly: false), folder)
        return false
      }
      if let name = names.otherDatabase {
        count += 1
        let message = "\(folder.displayName) is \(name), not a realm"
        try put(FileResult(Diagnostic(.damaged, code: "not-a-realm", message, file: folder)), folder)
        return false
      }
      for start in stride(from: 0, to: files.count, by: Self.batchSize) {
        let batch = Array(files[start..<min(start + Self.batchSize, files.count)])
        for (name, facts) in zip(batch, examine(batch, names)) {
          guard let facts else { continue }
          count += 1
          let path = folder.child(name)
          try put(isStopped() ? FileResult(skipped: nil) : try result(facts, path, isOnly: false), path)
        }
      }
      return true
    }
    guard count == 0 else { return }
    let none = Diagnostic(
      .unavailable, code: "not-found", "no realm in \(folder.displayName)",
      hint: isRecursive ? nil : "use --recursive to search the folders in it too", file: folder)
    try put(FileResult(none), folder)
  }

  private typealias Outcome = Result<FileFacts, EngineError>

  /// Nil: no realm.
  private func examine(_ batch: [[UInt8]], _ names: FolderNames) -> [Outcome?] {
    let outcomes = Mutex([Outcome?](repeating: nil, count: batch.count))
    let examination = examination
    ParallelWork.forEach(batch.count) { index in
      let outcome = Self.outcome(names.folder.child(batch[index]), names, examination)
      outcomes.withLock { $0[index] = outcome }
    }
    return outcomes.withLock { $0 }
  }

  private static func outcome(_ path: FilePath, _ names: FolderNames, _ examination: Examination) -> Outcome?
  {
    guard let status = (try? path.statusOfLink) ?? nil, status.isRegular,
      FolderNames.isNamedRealm(path) || FileProbe.findsRealm(path)
    else { return nil }
    return Outcome { () throws(EngineError) in try examination.facts(of: path, among: names) }
  }

  private func result(
    _ outcome: Outcome, _ path: FilePath, isOnly: Bool
  ) throws -> FileResult {
    switch outcome {
    case .success(let facts):
      let report = DoctorReport(facts)
      let text = report.text(isOnly: isOnly, columns: invocation.resultColumnCount)
      return FileResult(shown: text, report.entries, exit: report.exit)
    case .failure(let error):
      guard error.kind != .cancelled else { throw error }
      return FileResult(Diagnostic(error, file: path))
    }
  }
}

extension Invocation {
  /// The option that names the key, for a command that needs it again.
  fileprivate var keyWords: [[UInt8]] {
    for option in [Option.keyFile, .keyEnvironment, .keyCommand] {
      guard let word = arguments.word(option) else { continue }
      return [Array("--\(option.name)".utf8), word.bytes]
    }
    return []
  }
}
