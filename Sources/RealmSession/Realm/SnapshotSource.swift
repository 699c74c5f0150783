// How a session and every reading command come to their snapshot: by `LiveReading`, and what has been printed so far is
// taken back where the file is read again. Layer: RealmSession, Realm.
// Invariant: nothing is reported complete, and no error is blamed on the file, before the file was seen to be the same
// as when it was opened.

package import RealmEngine

/// A realm that is read again and again, each time as it is then.
package final class SnapshotSource {
  package let key: EncryptionKey?
  private let opener: RealmOpener
  private let warn: (String) -> Void
  /// Opened, and not known to have changed.
  private var live: LiveFile?
  private var database: Database?
  /// Device and number of the file that is open.
  private var identity: [UInt64]?
  private var hasWarned = false
  /// The realm with changes that are not committed, where a transaction is open on the file.
  package var uncommitted: (() throws -> ReadTransaction?)?

  package init(
    _ opener: RealmOpener, key: EncryptionKey?, file: LiveFile, warn: @escaping (String) -> Void
  ) {
    self.opener = opener
    self.key = key
    live = file
    self.warn = warn
    identity = opener.path.identity
  }

  package var path: FilePath { opener.path }

  /// Runs `body` on the newest snapshot, again where the file changed meanwhile and none of its text has left.
  package func read<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (Database, inout Output) throws -> Result
  ) throws -> Result {
    if live.map({ $0.hasChanged || $0.isOutdated }) ?? false || isReplaced { forget() }
    return try repeatedly(&out) { live, out in
      let opened = try self.database ?? Database(live)
      database = opened
      if key != nil { out.onSecret?() }
      let seen = try uncommitted?().map { Database(opened, seenBy: $0) } ?? opened
      let result = try body(seen, &out)
      if !live.hasChanged, !hasWarned {
        for remark in opened.transaction.remarks { warn(remark) }
        hasWarned = true
      }
      return result
    }
  }

  /// Runs `body` on the file as it is, without opening its classes.
  package func inspect<Output: RetractableOutput & ~Copyable, Result>(
    to out: inout Output, _ body: (RealmFile, inout Output) throws -> Result
  ) throws -> Result {
    try repeatedly(&out) { live, out in try body(live.file, &out) }
  }

  private func repeatedly<Output: RetractableOutput & ~Copyable, Result>(
    _ out: inout Output, _ body: (LiveFile, inout Output) throws -> Result
  ) throws -> Result {
    defer { out.guardBeforeFlush = nil }
    do {
      let result = try LiveReading.repeatedly { attempt in try once(attempt, &out, body) }
      if let result { return result }
      throw LiveReading.changed(path)
    } catch let error as EngineError where [.outputFailed, .alreadyExists].contains(error.kind) {
      throw error
    } catch {
      throw SessionError.naming(path, in: error)
    }
  }

  /// Nil: the file changed while it was read, and what was printed of it is taken back.
  private func once<Output: RetractableOutput & ~Copyable, Result>(
    _ attempt: Int, _ out: inout Output, _ body: (LiveFile, inout Output) throws -> Result
  ) throws -> Result? {
    guard let live = try opened(attempt) else { return nil }
    let mark = out.mark
    out.guardBeforeFlush = { () throws(EngineError) in
      if live.hasChanged { throw Self.changedAfterOutput }
    }
    if let result = try LiveReading.unlessChanged(live, { try body(live, &out) }) {
      // A copy shows nothing of what is written later, and what is kept for us is space that others cannot use.
      if live.isCopy || live.isKeptForUs, opener.content == nil { forget() }
      return result
    }
    forget()
    guard out.rewind(to: mark) else { throw Self.changedAfterOutput }
    return nil
  }

  private func opened(_ attempt: Int) throws(EngineError) -> LiveFile? {
    if let live { return live }
    identity = path.identity
    live = try opener.open(key, attempt: attempt)
    return live
  }

  /// Whether another file stands at the path now: one that was compacted, restored or upgraded.
  private var isReplaced: Bool {
    guard opener.content == nil, let current = path.identity else { return false }
    return current != identity
  }

  /// Lets go what others keep for us, until something is read.
  func rest() { if live?.isKeptForUs ?? false { forget() } }

  private func forget() {
    live = nil
    database = nil
  }

  private static var changedAfterOutput: EngineError {
    EngineError(
      .changedWhileRead, "another program changed the file while it was read, so the output is not complete",
      hint: "try again, or read a copy of the file")
  }
}

extension FilePath {
  /// Device and number of a regular file; nil for anything else.
  package var identity: [UInt64]? {
    guard let status = try? status, status.isRegular else { return nil }
    return [status.device, status.inode]
  }
}

/// Opens one realm, again and again where a writer is at it.
package struct RealmOpener {
  package let path: FilePath
  /// What came from standard input; nil for a file.
  let content: MemoryImage?
  let choice: SnapshotChoice
  private let isJoining: Bool

  /// `joining`: takes part in the session of those who have the realm open.
  package init(path: FilePath, content: MemoryImage?, choice: SnapshotChoice, joining: Bool) {
    self.path = path
    isJoining = joining
    self.content = content
    self.choice = choice
  }

  package func open(_ key: EncryptionKey?) throws(EngineError) -> LiveFile {
    guard let live = try open(key, attempt: 1) else { throw LiveReading.changed(path) }
    return live
  }

  /// Nil: the file changed meanwhile.
  func open(_ key: EncryptionKey?, attempt: Int) throws(EngineError) -> LiveFile? {
    guard let content else {
      return try LiveReading.open(path, key: key, snapshot: choice, joining: isJoining, attempt: attempt)
    }
    return LiveFile(try RealmFile(content: content, path: path, key: key, snapshot: choice))
  }
}

extension RealmFile {
  /// The realm in a file that `inspect` handed out: whether somebody changed it meanwhile is asked there.
  package func inspectedRealm() throws(EngineError) -> Database { try Database(self) }
}
