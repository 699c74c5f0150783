// A realm that is looked at again whenever somebody commits to it. Layer: RealmSession, Realm.
// Where an app has it open, its session keeps the version that was seen last, so that the next one can be compared with
// it; otherwise that is kept as a copy in memory. Nobody is kept from writing: who is left alone in a session leaves it.
// The condition variable on which engines wait is no choice: who is killed while he waits there may stop the apps (L-13).
// Where all who commit also write to the pipe of the SDKs' notifiers, which the folder's signals tell of, a watch sleeps
// until then. Otherwise the number of the newest version is read in memory every `pauseMilliseconds`, with one system call that
// sleeps in between. Who takes part is looked at only after something was opened, closed or written in the folder.

package import RealmEngine

/// Two versions, one after the other.
package struct RealmStep {
  package let old: Database
  package let new: Database
  /// Whether what stands at the same place in both is the same.
  package let isSharing: Bool

  /// How many commits lie between them.
  package var commitCount: Int64 { max(1, new.dataVersion - old.dataVersion) }
}

extension Database {
  /// 0 where nothing was ever committed.
  package var dataVersion: Int64 { transaction.top?.version ?? 0 }
}

extension Database {
  /// Whether no class stands where it stood, as hardly a migration leaves them, and no compaction or upgrade.
  fileprivate func isAnotherRealm(than old: Database) -> Bool {
    let before = old.transaction.classes()
    let isKept = before.contains { transaction.table($0.schema.tableKey)?.schema.name == $0.schema.name }
    return !before.isEmpty && !isKept
  }
}

/// The versions of a realm as they come.
package final class RealmWatch {
  private let path: FilePath
  private let key: EncryptionKey?
  private let isJoining: Bool
  /// Whether the version before is looked at when the next one comes.
  private let isComparing: Bool
  private let signals: FolderSignals
  private var live: LiveFile
  /// The version that was seen last.
  package private(set) var current: Database
  /// How often to see yet whether others are in the session, and when.
  private var looksLeft = looksAfterSignal
  private var nextLook = 0
  /// Until when more is expected after a signal: a session that begins, or somebody who joins it or leaves it.
  private var isExpectingUntil = 0
  /// Whether whoever commits to the session is known to tell of it. Nil: not looked at since the last signal.
  private var isTold: Bool?

  /// Between two looks at the number of the newest version.
  private static let pauseMilliseconds = 20
  private static let lookMilliseconds = 500
  /// Who ends closes the lock file, which is told a moment before his lock of it has gone.
  private static let looksAfterSignal = 2
  /// An app that was seen to touch its lock file has a session after so long.
  private static let expectingMilliseconds = 2000
  private static let idleMilliseconds = 60_000

  /// `comparing` false: only the coming of versions matters, and of the one before nothing is kept.
  package init(
    _ path: FilePath, key: EncryptionKey?, joining: Bool, comparing: Bool = true
  ) throws(EngineError) {
    self.path = path
    self.key = key
    isJoining = joining
    isComparing = comparing
    signals = FolderSignals(of: try path.resolved ?? path)
    (live, current) = try Self.newest(path, key, isJoining, isComparing)
  }

  private static func newest(
    _ path: FilePath, _ key: EncryptionKey?, _ isJoining: Bool, _ isComparing: Bool,
    after former: LiveFile? = nil
  ) throws(EngineError) -> (LiveFile, Database) {
    let found = try LiveReading.repeatedly { number throws(EngineError) -> (LiveFile, Database)? in
      let live =
        isComparing
        ? try LiveReading.openLasting(path, key: key, joining: isJoining, after: former)
        : try LiveReading.open(path, key: key, joining: isJoining, attempt: number)
      guard let live else { return nil }
      return try LiveReading.unlessChanged(live) { () throws(EngineError) in (live, try Database(live)) }
    }
    guard let found else { throw LiveReading.changed(path) }
    return found
  }

  /// Waits for the next version until `deadline`, in milliseconds of the system's clock. Nil: none came. Throws `.cancelled` where
  /// the user does not want to wait any more.
  package func next(until deadline: Int?) throws(EngineError) -> RealmStep? {
    while deadline.map({ SystemClock.milliseconds < $0 }) ?? true {
      let patience = deadline.map { max(1, $0 - SystemClock.milliseconds) } ?? Int(Int32.max)
      if let step = try look(patience) { return step }
      try Interruption.check()
    }
    return nil
  }

  /// The next version, where it is there already.
  package func poll() throws(EngineError) -> RealmStep? { try look(0) }

  /// Waits once, for no more than `patience` milliseconds.
  private func look(_ patience: Int) throws(EngineError) -> RealmStep? {
    if live.isKeptForUs {
      if live.isOutdated { return try step() }
      let longest = isTold ?? false ? Self.idleMilliseconds : Self.pauseMilliseconds
      if signals.wait(milliseconds: min(patience, longest)) != nil { expectMore() }
      if live.isOutdated { return try step() }
      try leaveIfDeserted()
      if isTold == nil, looksLeft == 0, !isExpecting { isTold = live.tellsOfCommits }
      return nil
    }
    let wasExpecting = isExpecting
    let hasChanged =
      wasExpecting
      ? signals.changes(withinMilliseconds: min(patience, Self.pauseMilliseconds))
      : signals.wait(milliseconds: min(patience, Self.idleMilliseconds)) == .changed
    if hasChanged {
      expectMore()
    } else if !wasExpecting {
      return nil
    }
    return try step()
  }

  private var isExpecting: Bool { SystemClock.milliseconds < isExpectingUntil }

  private func expectMore() {
    isExpectingUntil = SystemClock.milliseconds + Self.expectingMilliseconds
    looksLeft = Self.looksAfterSignal
    isTold = nil
  }

  /// Nil: it is the same version still.
  private func step() throws(EngineError) -> RealmStep? {
    if !live.isKeptForUs {
      guard try LiveReading.mayHaveChanged(live, path, key: key, joining: isJoining) else { return nil }
    }
    let (file, database) = try Self.newest(path, key, isJoining, isComparing, after: live)
    let (oldFile, old) = (live, current)
    if isComparing, !file.isSameFile(as: oldFile), database.isAnotherRealm(than: old) {
      throw EngineError(
        .notFound, "the realm that was watched is gone: another one is at \(path.displayName)",
        naming: path.displayName,
        hint: "watch again to see what it does")
    }
    let isSame = database.dataVersion == old.dataVersion && file.isSameFile(as: oldFile)
    (live, current) = (file, database)
    if isSame { return nil }
    // A commit leaves what the version before it consists of alone; one that is kept is left alone by all.
    let isSharing =
      file.isSameFile(as: oldFile)
      && (oldFile.isKeptForUs && file.isKeptForUs || database.dataVersion == old.dataVersion + 1)
    return RealmStep(old: old, new: database, isSharing: isSharing)
  }

  /// What the others leave behind keeps realm-cli's own writers out.
  private func leaveIfDeserted() throws(EngineError) {
    guard looksLeft > 0, SystemClock.milliseconds >= nextLook else { return }
    nextLook = SystemClock.milliseconds + Self.lookMilliseconds
    guard live.isDeserted else {
      looksLeft -= 1
      return
    }
    guard !live.isOutdated, let copy = live.copied(), copy.isCopy else { return }
    current = try Database(copy)
    live = copy
  }
}
