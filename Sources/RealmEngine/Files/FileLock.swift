// The lock file that every process which has a realm open holds, and the way to be alone. Layer: Files.
// Participants hold a shared flock on `NAME.lock` for as long as they have the realm open. Whoever gets the exclusive
// one is alone; it empties the lock file, so that a latecomer, who waits for the shared lock, finds no stale session
// and begins a new one.
// Invariant: the exclusive lock is held from `acquire` until the lock is released or its process ends.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Being the only one who has a realm open.
package final class FileLock: Sendable {
  private let handle: FileHandle
  private let wasThere: Bool

  private static let suffix = ".lock"
  private static let pauseMicroseconds: UInt32 = 10_000

  /// Waits up to `timeoutMilliseconds` for the others to leave. Throws `.busy` when they do not.
  package static func acquire(_ realm: FilePath, timeoutMilliseconds: Int = 0) throws(EngineError) -> FileLock
  {
    let path = realm.appending(suffix)
    let wasThere = path.status != nil
    let start = now()
    while true {
      guard let handle = FileHandle.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o644) else {
        throw FileHandle.failure("cannot open the lock file", path)
      }
      if flock(handle.descriptor, LOCK_EX | LOCK_NB) == 0 {
        // Another process may have removed the file between our opening and locking it.
        guard try handle.status().inode == path.status?.inode else { continue }
        try handle.truncate(to: 0)
        return FileLock(handle: handle, wasThere: wasThere)
      }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw EngineError(
          .refused, "cannot lock \(path.displayName) – \(unsafe String(cString: strerror(errno)))",
          hint: "the file system may not support locks; copy the realm to a local disk")
      }
      guard now() - start < timeoutMilliseconds else { throw busy(realm, handle) }
      usleep(pauseMicroseconds)
    }
  }

  private init(handle: FileHandle, wasThere: Bool) {
    self.handle = handle
    self.wasThere = wasThere
  }

  deinit {
    // A lock file that others made stays, empty; ours goes, while still locked, so that it is nobody's.
    if !wasThere { handle.path.remove() }
  }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
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
