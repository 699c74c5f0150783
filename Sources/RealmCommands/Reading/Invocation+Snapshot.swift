// Opening the realm that a command reads, with the key it needs. Layer: RealmCommands, Reading.

import Arguments
import RealmEngine
import RealmServer
import RealmSession
import Rendering

extension Option {
  static let snapshot = Option(
    "snapshot", takes: .oneOf(["current", "previous"]), "WHICH",
    "read the current version of the data or the one before: current, previous")
}

extension Arguments.Operand {
  /// The realm that a command reads.
  static let file = Operand("FILE", .file)
}

extension Invocation: SessionHost {
  /// Runs `body` on a snapshot of the realm at `word` and returns its result once the file is known not to have
  /// changed meanwhile. When it has, `body` runs again on the newer snapshot, unless some of its text has left.
  func withSnapshot<Result>(
    of word: Word, to out: inout OutputBuffer,
    _ body: (Database, inout OutputBuffer) throws -> Result
  ) throws -> Result {
    let source = try snapshotSource(of: word)
    do {
      return try source.read(to: &out, body)
    } catch {
      throw Diagnostic.wording(error, file: source.path)
    }
  }

  /// Runs `body` on the file as it is, without opening its classes.
  func inspect<Result>(_ word: Word, _ body: (RealmFile) throws -> Result) throws -> Result {
    let source = try snapshotSource(of: word)
    var nothing = OutputBuffer()
    do {
      return try source.inspect(to: &nothing) { file, _ in try body(file) }
    } catch {
      throw Diagnostic.wording(error, file: source.path)
    }
  }

  /// The bytes of a realm that comes from standard input, which are read once.
  func streamedRealm(mustBeRealm: Bool) throws(EngineError) -> MemoryImage {
    let sizeMax = arguments.word(.maxInput)?.byteCount ?? FileHandle.streamSizeMax
    return try StandardStreams.inputHandle().readStream(sizeMax: sizeMax, mustBeRealm: mustBeRealm)
  }

  /// The realm at `word`, opened with the key it needs.
  func snapshotSource(of word: Word) throws -> SnapshotSource {
    try snapshotSource(of: word, try snapshotChoice)
  }

  /// The version that --snapshot names. What is written follows the current one.
  var snapshotChoice: SnapshotChoice {
    get throws {
      guard arguments.text(.snapshot) == "previous" else { return .current }
      guard !arguments.has(.write) else {
        throw Diagnostic.usage(
          "--write and --snapshot previous contradict each other: only the current version can be changed")
      }
      return .previous
    }
  }

  /// The source whose snapshot is the version that `choice` names.
  func snapshotSource(of word: Word, _ choice: SnapshotChoice) throws -> SnapshotSource {
    let path = word.sourcePath
    do {
      let content = word.isDash ? try streamedRealm(mustBeRealm: true) : nil
      let opener = RealmOpener(
        path: path, content: content, choice: choice, joining: !arguments.has(.noJoin))
      let (file, key) = try withKey(for: path) { key throws(EngineError) in (try opener.open(key), key) }
      let source = SnapshotSource(opener, key: key, file: file, warn: warn)
      if choice == .current, let session = session?.realm, session.path.identity == path.identity {
        source.uncommitted = session.uncommitted
      }
      return source
    } catch {
      throw Diagnostic(error, file: path)
    }
  }
}
