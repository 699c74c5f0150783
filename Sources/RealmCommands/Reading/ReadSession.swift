// How every reading command comes to its snapshot, and how it makes sure that what it tells is true: a live file may
// change at any moment, because a reader takes no part in the writers' locks.
// Layer: RealmCommands, Reading. Invariant: nothing is reported complete, and no error is blamed on the file, before
// the header was seen to be the same as when the file was opened.

import Arguments
import RealmEngine
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

extension Invocation {
  /// Runs `body` on a snapshot of the realm at `word` and returns its result once the file is known not to have
  /// changed meanwhile. When it has, `body` runs again on the newer snapshot, unless some of its text has left.
  func withSnapshot<Result>(
    of word: Word, to out: inout OutputBuffer,
    _ body: (Database, inout OutputBuffer) throws -> Result
  ) throws -> Result {
    let path = word.isDash ? RealmOpener.standardInput : FilePath(word.bytes)
    let choice: SnapshotChoice = arguments.text(.snapshot) == "previous" ? .previous : .current
    defer { out.guardBeforeFlush = nil }
    do {
      let content = word.isDash ? try StandardStreams.readInput() : nil
      let opener = RealmOpener(path: path, content: content, choice: choice)
      var (file, key) = try withKey(for: path) { key throws(EngineError) in (try opener.open(key), key) }
      for attempt in 1...RealmOpener.attemptsMax {
        let mark = out.mark
        if let result = try read(file, &out, body) { return result }
        guard out.rewind(to: mark) else { throw RealmOpener.changed(afterOutput: true) }
        if attempt < RealmOpener.attemptsMax { file = try opener.open(key) }
      }
      throw RealmOpener.changed(afterOutput: false)
    } catch let error as EngineError where error.kind == .outputFailed {
      throw error
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Nil: the file changed while it was read.
  private func read<Result>(
    _ file: RealmFile, _ out: inout OutputBuffer, _ body: (Database, inout OutputBuffer) throws -> Result
  ) throws -> Result? {
    var database: Database?
    do {
      let opened = try Database(file)
      database = opened
      out.guardBeforeFlush = { () throws(EngineError) in
        if opened.hasChanged { throw RealmOpener.changed(afterOutput: true) }
      }
      let result = try body(opened, &out)
      return opened.hasChanged ? nil : result
    } catch {
      // A torn read looks like damage; only an unchanged file is really damaged.
      if database?.hasChanged ?? file.hasChanged(topHead: []) { return nil }
      throw error
    }
  }
}

/// Opens one realm, again and again where a writer is at it.
private struct RealmOpener {
  let path: FilePath
  /// What came from standard input; nil for a file.
  let content: [UInt8]?
  let choice: SnapshotChoice

  static let attemptsMax = 50
  /// What messages call it.
  static let standardInput = FilePath("standard input")

  func open(_ key: EncryptionKey?) throws(EngineError) -> RealmFile {
    if let content { return try RealmFile(stream: content, path: path, key: key, snapshot: choice) }
    for _ in 1..<Self.attemptsMax {
      do throws(EngineError) {
        return try RealmFile.open(path, key: key, snapshot: choice)
      } catch {
        guard error.kind == .changedWhileRead else { throw error }
      }
    }
    return try RealmFile.open(path, key: key, snapshot: choice)
  }

  static func changed(afterOutput: Bool) -> EngineError {
    EngineError(
      .changedWhileRead,
      afterOutput
        ? "another program changed the file while it was read, so the output is not complete"
        : "another program keeps changing the file while it is read",
      hint: "try again, or read a copy of the file")
  }
}
