// Taking part, as one who reads, in the session of the processes that have a realm open. Layer: RealmFiles; the bridge to the
// platform's functions for it.
// A participant shares the lock of `NAME.lock`, is counted there, and has the list of versions keep the one that it reads:
// what that consists of stays in the file until it leaves.
// Invariants: nothing is locked, counted or written where no other process has the realm open, and where the lock file is
// not exactly what an engine of this system makes; whatever ends the process but SIGKILL leaves the session.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A version that the session of a realm keeps for us.
package struct KeptVersion: Sendable, Equatable {
  package let version: UInt64
  /// Offset of its top array.
  package let top: Int
  /// Bytes of data that belong to it.
  package let size: Int

  package init(version: UInt64, top: Int, size: Int) {
    self.version = version
    self.top = top
    self.size = size
  }
}

/// Our part in a session.
package final class LiveSession: Sendable {
  /// The shared lock is held until this closes.
  let handle: FileHandle
  let memory: MemoryImage
  let layout: LockFileLayout
  let slot: Int32
  /// What the session keeps as long as this object lives.
  package let kept: KeptVersion

  static let suffix = ".lock"
  /// A commit holds the mutex of the session while it writes.
  static let patienceMilliseconds: Int32 = 5000
  /// The list may outgrow what was mapped of it.
  private static let mappingsMax = 5
  /// Address space behind a lock file whose list a writer may lengthen.
  private static let writersRoom = 1 << 20
  private static let listIsLonger = -ERANGE

  /// Takes part in the session of those who have the realm at `path` open, under that name or the one behind a link. Nil:
  /// nobody has, or this process cannot.
  /// `writingWithin`: also becomes the one who may commit, within so many milliseconds, and until it is left.
  package static func join(_ path: FilePath, writingWithin patience: Int32? = nil) -> LiveSession? {
    guard let layout = LockFileLayout.ofThisSystem else { return nil }
    if let session = join(path, layout, patience) { return session }
    guard (try? path.statusOfLink)??.isLink ?? false, let place = try? path.resolved else { return nil }
    return join(place, layout, patience)
  }

  private static func join(_ realm: FilePath, _ layout: LockFileLayout, _ patience: Int32?) -> LiveSession? {
    let path = realm.appending(suffix)
    // Opened only where there is a session: a job that works alone removes its empty lock file where nobody has it open.
    // Whatever is wrong with the lock file is told to those who need it.
    guard let found = try? path.statusOfLink, found.size >= layout.sizeMin,
      countsParticipants(path, found, layout), !LockHolders(of: found).sharing.isEmpty,
      isTrusted(found, realm),
      let handle = try? FileHandle.openCompanion(path, O_RDWR),
      let status = try? handle.status(), status.isSameFile(as: found), handle.tryLockShared()
    else { return nil }
    return join(handle, layout, patience)
  }

  private static func join(
    _ handle: FileHandle, _ layout: LockFileLayout, _ patience: Int32?
  ) -> LiveSession? {
    for _ in 0..<mappingsMax {
      guard let session = attempt(handle, layout, patience) else { return nil }
      if let session = session.value { return session }
    }
    return nil
  }

  /// The same session with its newest version kept besides. Nil where it has ended. The system is not asked who else is there,
  /// which would take many times as long: nobody begins a session anew as long as we share the lock.
  package func joinedAgain() -> LiveSession? { Self.join(handle, layout, nil) }

  /// Whether the lock file says that somebody takes part. Asked before the system is, which looks at the locks of all
  /// processes and waits for every processor to do so; the last one who leaves a session sets the number to 0.
  private static func countsParticipants(
    _ path: FilePath, _ found: FileHandle.Status, _ layout: LockFileLayout
  ) -> Bool {
    guard found.isRegular,
      let handle = try? FileHandle.openForReading(path, O_NOFOLLOW | O_NOCTTY | O_NONBLOCK),
      let head = try? handle.head(LockFileLayout.headSize)
    else { return false }
    return head.withRawBytes { layout.countsParticipants($0, fileSize: found.size) }
  }

  /// A mutex in the file of a stranger would let him write into our memory.
  private static func isTrusted(_ status: FileHandle.Status, _ realm: FilePath) -> Bool {
    guard let original = try? realm.status else { return false }
    return [original.owner, geteuid(), 0].contains(status.owner)
  }

  private struct Attempt { let value: LiveSession? }

  /// Nil: it cannot be. Without a value: what was mapped is too short by now.
  private static func attempt(
    _ handle: FileHandle, _ layout: LockFileLayout, _ patience: Int32?
  ) -> Attempt? {
    let room = patience == nil ? 0 : writersRoom
    guard let status = try? handle.status(), status.size >= layout.sizeMin,
      let memory = MemoryImage.shared(descriptor: handle.descriptor, size: status.size + room),
      layout.fits(memory.bytes, fileSize: status.size),
      patience == nil || layout.obstacle(memory.bytes, fileSize: status.size) == nil
    else { return nil }
    var places = layout.places
    let slot = unsafe memory.mutableBytes(0, memory.size).withBuffer { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return -EINVAL }
      return unsafe platform_session_join(base, buffer.count, &places, patienceMilliseconds)
    }
    guard slot >= 0 else { return nil }
    if let patience, platform_session_begin_writing(slot, patience) != 0 {
      platform_session_leave(slot)
      return nil
    }
    var version = platform_session_version()
    let outcome = unsafe platform_session_pin(slot, patienceMilliseconds, &version)
    guard outcome == 0, let kept = KeptVersion(version) else {
      platform_session_leave(slot)
      return outcome == listIsLonger ? Attempt(value: nil) : nil
    }
    return Attempt(value: LiveSession(handle, memory, layout, slot, kept))
  }

  private init(
    _ handle: FileHandle, _ memory: MemoryImage, _ layout: LockFileLayout, _ slot: Int32,
    _ kept: KeptVersion
  ) {
    self.handle = handle
    self.memory = memory
    self.layout = layout
    self.slot = slot
    self.kept = kept
  }

  deinit { platform_session_leave(slot) }

  /// The number of the newest version, whoever made it. Costs one access to memory.
  package var latestVersion: UInt64 { memory.sharedNumber(at: LockFileLayout.latestVersion) }

  /// The number of the version that is kept.
  package var keptVersion: UInt64 { kept.version }

  /// Whether nobody takes part any more but those who read as we do.
  package var isDeserted: Bool {
    guard let status = try? handle.status() else { return false }
    return LockHolders(of: status).otherPrograms.isEmpty
  }

  /// Whether somebody is writing a page of an encrypted file, or was when he ended.
  package var isWriting: Bool { memory.sharedNumber(at: layout.writtenPage) != 0 }
}

extension KeptVersion {
  /// Nil for numbers that no engine writes.
  init?(_ version: platform_session_version) {
    guard let top = Int(exactly: version.top), let size = Int(exactly: version.file_size),
      version.version > 0, version.version <= UInt64(Int64.max), top % 8 == 0, top >= FileHeader.size,
      top <= size - 8
    else { return nil }
    self.init(version: version.version, top: top, size: size)
  }
}
