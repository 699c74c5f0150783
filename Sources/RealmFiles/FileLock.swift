// The lock file that every process which has a realm open holds, and the way to be alone. Layer: RealmFiles.
// Participants hold a shared flock on `NAME.lock` for as long as they have the realm open. Whoever gets the exclusive
// one is alone; it empties the lock file, so that a latecomer, who waits for the shared lock, finds no stale session
// and begins a new one.
// Invariants: nothing is followed, emptied or given away that is no lock file, whoever put it there; the exclusive lock is held from `acquire` until the lock is released or its process ends. The lock file
// is removed only where no app left it, and only while nobody else has it open: two processes that hold different
// files of one name would both think that they are alone.

import ByteText
import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Being the only one who has a realm open.
package final class FileLock: Sendable {
  private let handle: FileHandle
  private let status: FileHandle.Status
  /// Set for a lock file of our own.
  private let temporary: TemporaryName?

  private static let suffix = ".lock"
  private static let pauseMilliseconds: Int32 = 10
  /// Others may make the file and remove it between two of our calls.
  private static let openingAttemptsMax = 1000
  private static let processesShownMax = 8
  private static let removalAttemptsMax = 5
  private static let removalPauseMicroseconds: UInt32 = 300

  /// Waits up to `timeoutMilliseconds` for the others to leave. Throws `.busy` when they do not, and `.refused` where what
  /// stands in the lock file's place is something else.
  package static func acquire(_ realm: FilePath, timeoutMilliseconds: Int = 0) throws(EngineError) -> FileLock
  {
    let path = realm.appending(suffix)
    let start = SystemClock.milliseconds
    while true {
      let isLastAttempt = SystemClock.milliseconds - start >= timeoutMilliseconds
      switch try attempt(path, of: realm, pauses: !isLastAttempt) {
      case .locked(let lock): return lock
      case .gone: continue
      case .inUse(let holders):
        if isLastAttempt { throw busy(realm, holders) }
      }
    }
  }

  private enum Attempt {
    case locked(FileLock)
    /// The lock file was removed meanwhile.
    case gone
    case inUse(Holders)
  }

  /// What a lock file that somebody else holds tells about them.
  private struct Holders {
    let status: FileHandle.Status?
    let participantCount: Int?
  }

  /// One attempt, after which the lock file is open no longer unless it is locked: whoever ends while others have it open
  /// leaves it to them, and they have to come again. `pauses`: waits a moment before that where it is in use.
  private static func attempt(
    _ path: FilePath, of realm: FilePath, pauses: Bool
  ) throws(EngineError) -> Attempt {
    // A signal between making the file and knowing that it is ours would leave it behind.
    EndSignals.hold()
    defer { EndSignals.release() }
    let (handle, isNew) = try open(path, of: realm)
    do throws(EngineError) {
      if try isLocked(handle) {
        return try emptied(handle).map { .locked(FileLock(handle, $0)) } ?? .gone
      }
    } catch {
      if isNew, platform_is_sole_opener(handle.descriptor) != 0 { path.remove() }
      throw error
    }
    guard pauses else {
      return .inUse(
        Holders(
          status: try? handle.status(), participantCount: (try? LockFileHead(handle))?.participantCount))
    }
    EndSignals.release()
    try Interruption.pause(milliseconds: pauseMilliseconds)
    return .inUse(Holders(status: nil, participantCount: nil))
  }

  /// Opens the lock file, or makes one. Its owner and mode are changed only where it was made here.
  private static func open(
    _ path: FilePath, of realm: FilePath
  ) throws(EngineError) -> (handle: FileHandle, isNew: Bool) {
    for _ in 0..<openingAttemptsMax {
      if let handle = FileHandle.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o644) {
        if let original = try? realm.status {
          // Where an app finds it after all, it must be able to use it; so must everybody who may write the realm.
          if fchown(handle.descriptor, original.owner, original.group) != 0 {
            _ = fchown(handle.descriptor, uid_t.max, original.group)
          }
          _ = fchmod(handle.descriptor, 0o644 | original.mode & 0o666)
        }
        return (handle, true)
      }
      guard errno == EEXIST else { break }
      if let handle = try FileHandle.openCompanion(path, O_RDWR) { return (handle, false) }
      guard errno == ENOENT else { break }
    }
    throw FileHandle.failure("cannot open the lock file", path)
  }

  /// False: somebody else has it.
  private static func isLocked(_ handle: FileHandle) throws(EngineError) -> Bool {
    if handle.tryLockExclusively() { return true }
    guard errno != EWOULDBLOCK else { return false }
    throw EngineError(
      .refused, "cannot lock \(handle.path.displayName) – \(SystemCallError(code: errno).message)",
      naming: handle.path.displayName,
      hint: "the file system may not support locks; copy the realm to a local disk")
  }

  /// Empties the lock file; gives what it was before. Nil: another process removed it between our opening and locking it.
  private static func emptied(_ handle: FileHandle) throws(EngineError) -> FileHandle.Status? {
    let status = try handle.status()
    guard status.linkCount > 0, status.isSameFile(as: try handle.path.statusOfLink) else { return nil }
    guard status.size > 0 else { return status }
    guard try LockFileHead(handle).isOfLockFile else {
      throw EngineError(
        .refused, of: handle.path, "is not a lock file, so nothing is written to it",
        hint: "move it away where it is wanted, remove it where not")
    }
    try handle.truncate(to: 0)
    return status
  }

  /// `status`: of the lock file as it was found. Apps never leave an empty one: it is new, or a run of ours left it that was
  /// killed.
  private init(_ handle: FileHandle, _ status: FileHandle.Status) {
    self.handle = handle
    self.status = status
    temporary = status.size == 0 ? TemporaryName(lockFile: handle.path, heldBy: handle.descriptor) : nil
  }

  /// The realm is gone, so its lock file may go too.
  func removeFile() {
    // Who finds it locked and does not wait has it open for a fraction of a millisecond, and leaves it to us.
    for attempt in 1...Self.removalAttemptsMax {
      guard let found = try? handle.path.statusOfLink, status.isSameFile(as: found) else { return }
      if platform_is_sole_opener(handle.descriptor) != 0 { return handle.path.remove() }
      if attempt < Self.removalAttemptsMax { usleep(Self.removalPauseMicroseconds) }
    }
  }

  deinit {
    if temporary != nil { removeFile() }
  }

  /// What the system and the lock file of a live session tell about it.
  private static func busy(_ realm: FilePath, _ holders: Holders) -> EngineError {
    EngineError(
      .busy, of: realm, "is in use\(users(holders))",
      hint: "close the apps that have it open, or wait for them with --lock-timeout")
  }

  /// The lock file counts participants that were killed too, so whom the system names goes first.
  private static func users(_ holders: Holders) -> String {
    let processes = holders.status.map { LockHolders(of: $0).processes } ?? []
    let counted = processes.isEmpty ? holders.participantCount : processes.count
    guard let count = counted else { return "" }
    let numbers = processes.prefix(processesShownMax).map(String.init)
    let rest = processes.count > numbers.count ? ["…"] : []
    let names = numbers.isEmpty ? "" : " (pid \((numbers + rest).joined(separator: ", ")))"
    return " by \(count) process\(count == 1 ? "" : "es")\(names)"
  }
}
