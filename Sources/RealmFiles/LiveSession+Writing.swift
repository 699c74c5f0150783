// Committing in a session: what its readers still need, and how they learn of a version. Layer: RealmFiles; the bridge to the
// platform's functions for it.
// Invariants: room for the new version is in the list before anything of it is written, and it is added as the last step, so
// that a commit which fails before has not happened; the mutex of the session is held from before the first byte until all
// is told.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a commit must leave alone.
package struct SessionReaders {
  /// The oldest version that somebody reads: what versions up to it have given up is free.
  package let oldest: Int64
  /// The oldest version that somebody will advance from, for which he needs the history.
  package let oldestLive: Int64
  fileprivate let count: UInt64
}

extension LiveSession {
  /// Why this program cannot commit beside those who have the realm at `path` open; nil where nobody shares it, or where nothing
  /// is known that speaks against it.
  package static func obstacle(_ path: FilePath, isEncrypted: Bool) -> String? {
    let path = path.appending(suffix)
    guard let found = try? path.statusOfLink, !LockHolders(of: found).sharing.isEmpty else { return nil }
    if isEncrypted { return "their engine can take what is written to an encrypted realm for damage" }
    guard let layout = LockFileLayout.ofThisSystem else { return "sessions are joined on Linux only" }
    guard let handle = try? FileHandle.openCompanion(path, O_RDONLY) else { return nil }
    for _ in 0..<criticalLooksMax {
      guard let head = try? handle.head(layout.sizeMin) else { return nil }
      if let obstacle = head.withRawBytes({ layout.obstacle($0, fileSize: found.size) }) { return obstacle }
      if head[LockFileLayout.commitIsCritical] == 0 { return nil }
      guard (try? Interruption.pause(milliseconds: criticalPauseMilliseconds)) != nil else { return nil }
    }
    return "one of them ended in the midst of a commit, so all have to close it"
  }

  /// Every commit is at its critical point for a moment; who ended there is told by a mark that stays.
  private static let criticalLooksMax = 10
  private static let criticalPauseMilliseconds: Int32 = 50

  /// Says what the readers of the session need, and makes room for one more version.
  package func survey(_ path: FilePath) throws(EngineError) -> SessionReaders {
    var readers = platform_session_readers()
    let outcome = unsafe platform_session_survey(slot, handle.descriptor, Self.patienceMilliseconds, &readers)
    guard outcome == 0, let oldest = Int64(exactly: readers.oldest),
      let oldestLive = Int64(exactly: readers.oldest_live)
    else { throw Self.failure(outcome, path) }
    return SessionReaders(oldest: oldest, oldestLive: oldestLive, count: readers.count)
  }

  /// Runs `body` while nobody can join or leave the session.
  package func alone<Result>(
    _ path: FilePath, _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    let outcome = platform_session_hold(slot, Self.patienceMilliseconds)
    guard outcome == 0 else { throw Self.failure(outcome, path) }
    defer { platform_session_release(slot) }
    return try body()
  }

  /// Makes a version that is in the file the newest of the session, and wakes those who wait for it.
  package func publish(
    _ version: KeptVersion, _ readers: SessionReaders, _ path: FilePath
  ) throws(EngineError) {
    var entry = platform_session_version(
      version: version.version, top: UInt64(version.top), file_size: UInt64(version.size))
    let outcome = unsafe platform_session_publish(slot, Self.patienceMilliseconds, &entry)
    guard outcome == 0 else { throw Self.failure(outcome, path) }
    platform_session_announce(slot, version.version, readers.count + 1)
    wakeNotifiers()
  }

  /// Whether commits of this session keep a history, from which participants learn what was changed.
  package var keepsHistory: Bool { memory.bytes[LockFileLayout.historyType] != 0 }

  /// `outcome`: a negative errno.
  private static func failure(_ outcome: Int32, _ path: FilePath) -> EngineError {
    guard outcome != -EINTR else { return Interruption.error }
    return EngineError(
      .busy, "the processes that have \(path.displayName) open do not answer", naming: path.displayName,
      hint: "one of them may be stopped; try again, or close them")
  }
}
