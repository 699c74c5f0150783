// The lock file that every process which has a realm open holds, and the way to be alone. Layer: Files.
// Participants hold a shared flock on `NAME.lock` for as long as they have the realm open. Whoever gets the exclusive
// one is alone; it empties the lock file, so that a latecomer, who waits for the shared lock, finds no stale session
// and begins a new one.
// Invariants: the exclusive lock is held from `acquire` until the lock is released or its process ends. The lock file
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
  /// Set for a lock file of our own.
  private let temporary: TemporaryName?

  private static let suffix = ".lock"
  private static let pauseMicroseconds: UInt32 = 10_000

  /// Waits up to `timeoutMilliseconds` for the others to leave. Throws `.busy` when they do not.
  package static func acquire(_ realm: FilePath, timeoutMilliseconds: Int = 0) throws(EngineError) -> FileLock
  {
    let path = realm.appending(suffix)
    let start = SystemClock.milliseconds
    while true {
      // A signal between making the file and knowing that it is ours would leave it behind.
      EndSignals.hold()
      defer { EndSignals.release() }
      guard let handle = FileHandle.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o644) else {
        throw FileHandle.failure("cannot open the lock file", path)
      }
      if handle.tryLockExclusively() {
        // Another process may have removed the file between our opening and locking it.
        let status = try handle.status()
        guard status.inode == path.status?.inode, status.device == path.status?.device else { continue }
        // Apps never leave an empty one: it is new, or a run of ours left it that was killed.
        let isOurs = status.size == 0
        if isOurs, let original = realm.status {
          // Where an app finds it after all, it must be able to use it.
          _ = fchown(handle.descriptor, original.owner, original.group)
        }
        try handle.truncate(to: 0)
        return FileLock(handle, isOurs: isOurs)
      }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw EngineError(
          .refused, "cannot lock \(path.displayName) – \(SystemCallError(code: errno).message)",
          hint: "the file system may not support locks; copy the realm to a local disk")
      }
      guard SystemClock.milliseconds - start < timeoutMilliseconds else { throw busy(realm, handle) }
      EndSignals.release()
      usleep(pauseMicroseconds)
    }
  }

  private init(_ handle: FileHandle, isOurs: Bool) {
    self.handle = handle
    temporary = isOurs ? TemporaryName(lockFile: handle.path, heldBy: handle.descriptor) : nil
  }

  /// The realm is gone, so its lock file may go too.
  func removeFile() {
    if platform_is_sole_opener(handle.descriptor) != 0 { handle.path.remove() }
  }

  deinit {
    if temporary != nil { removeFile() }
  }

  /// What the lock file of a live session tells about it.
  private static func busy(_ realm: FilePath, _ handle: FileHandle) -> EngineError {
    let participantsOffset = 12
    let headSize = 32
    var known = ""
    if let image = MemoryImage.reserving(size: headSize),
      let count = try? handle.read(into: image.mutableBytes(0, headSize), at: 0), count == headSize,
      image.bytes[0] == 1
    {
      let participants = image.bytes.load(UInt32.self, at: participantsOffset)
      if participants > 0 && participants < 10_000 {
        known = " by \(participants) process\(participants == 1 ? "" : "es")"
      }
    }
    return EngineError(
      .busy, "\(realm.displayName) is in use\(known)",
      hint: "close the apps that have it open, or wait for them with --lock-timeout")
  }
}
