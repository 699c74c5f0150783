// How every reading command comes to its snapshot, and how it makes sure that what it tells is true: a live file may
// change at any moment, because a reader takes no part in the writers' locks.
// Layer: RealmSession, Realm. Invariant: nothing is reported complete, and no error is blamed on the file, before
// the header was seen to be the same as when the file was opened.

package import RealmEngine

/// A realm that is read again and again, each time as it is then.
package final class SnapshotSource {
  package let key: EncryptionKey?
  private let opener: RealmOpener
  private let warn: (String) -> Void
  /// Opened, and not known to have changed.
  private var file: RealmFile?
  private var database: Database?
  /// Device and number of the file that is open.
  private var identity: [UInt64]?
  private var hasWarned = false

  package init(
    _ opener: RealmOpener, key: EncryptionKey?, file: RealmFile, warn: @escaping (String) -> Void
  ) {
    self.opener = opener
    self.key = key
    self.file = file
    self.warn = warn
    identity = opener.path.identity
  }

  package var path: FilePath { opener.path }

  /// Runs `body` on the newest snapshot, again where the file changed meanwhile and none of its text has left.
  package func read<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (Database, inout Output) throws -> Result
  ) throws -> Result {
    if database?.hasChanged ?? false || isReplaced { forget() }
    return try repeatedly(&out) { out in try readOnce(&out, body) }
  }

  /// The same for what looks at the file as it is, without opening its classes.
  package func inspect<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (RealmFile, inout Output) throws -> Result
  ) throws -> Result {
    try repeatedly(&out) { out in
      let file = try self.file ?? opener.open(key)
      self.file = file
      var topHead: [UInt8] = []
      do {
        topHead = try Database.topHead(of: file)
        let result = try body(file, &out)
        return file.hasChanged(topHead: topHead) ? nil : result
      } catch {
        if file.hasChanged(topHead: topHead) { return nil }
        throw error
      }
    }
  }

  /// Nil from `body`: the file changed while it was read.
  private func repeatedly<Output: RetractableOutput & ~Copyable, Result>(
    _ out: inout Output, _ body: (inout Output) throws -> Result?
  ) throws -> Result {
    defer { out.guardBeforeFlush = nil }
    do {
      for attempt in 1...RealmOpener.attemptsMax {
        let mark = out.mark
        if let result = try body(&out) { return result }
        forget()
        guard out.rewind(to: mark) else { throw RealmOpener.changed(afterOutput: true) }
        if attempt == RealmOpener.attemptsMax { break }
      }
      throw RealmOpener.changed(afterOutput: false)
    } catch let error as EngineError where [.outputFailed, .alreadyExists].contains(error.kind) {
      throw error
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  /// Whether another file stands at the path now: one that was compacted, restored or upgraded.
  private var isReplaced: Bool {
    guard opener.content == nil, let current = path.identity else { return false }
    return current != identity
  }

  private func forget() {
    file = nil
    database = nil
  }

  /// Nil: the file changed while it was read.
  private func readOnce<Output: RetractableOutput & ~Copyable, Result>(
    _ out: inout Output, _ body: (Database, inout Output) throws -> Result
  ) throws -> Result? {
    let file: RealmFile
    if let opened = self.file {
      file = opened
    } else {
      identity = path.identity
      file = try opener.open(key)
      self.file = file
    }
    do {
      let opened = try self.database ?? Database(file)
      database = opened
      out.guardBeforeFlush = { () throws(EngineError) in
        if opened.hasChanged { throw RealmOpener.changed(afterOutput: true) }
      }
      let result = try body(opened, &out)
      if opened.hasChanged { return nil }
      if !hasWarned { for remark in opened.transaction.remarks { warn(remark) } }
      hasWarned = true
      return result
    } catch {
      // A torn read looks like damage; only an unchanged file is really damaged.
      if database?.hasChanged ?? file.hasChanged(topHead: []) { return nil }
      throw error
    }
  }
}

extension FilePath {
  /// Device and number of a regular file; nil for anything else.
  fileprivate var identity: [UInt64]? {
    guard let status, status.isRegular else { return nil }
    return [status.device, status.inode]
  }
}

/// Opens one realm, again and again where a writer is at it.
package struct RealmOpener {
  package let path: FilePath
  /// What came from standard input; nil for a file.
  let content: [UInt8]?
  let choice: SnapshotChoice

  static let attemptsMax = 50

  package init(path: FilePath, content: [UInt8]?, choice: SnapshotChoice) {
    self.path = path
    self.content = content
    self.choice = choice
  }

  package func open(_ key: EncryptionKey?) throws(EngineError) -> RealmFile {
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
