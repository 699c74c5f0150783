// Where a new realm file may stand, and being alone with what it replaces. Layer: RealmFiles.
// Invariant: whether something is replaced is decided once, with the lock of it held; what appears at a free place
// afterwards is not replaced.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The place of a file that is about to be made, held until this value goes.
package struct FilePlace {
  /// Links followed.
  package let path: FilePath
  /// Whether a file stands there, which is to go.
  package let isTaken: Bool
  private let locks: [FileLock]
  /// Locked where the file has several names: who comes by another one finds another lock file.
  private let file: FileHandle?

  private static let pauseMilliseconds: Int32 = 10

  private init(_ path: FilePath, isTaken: Bool, _ locks: [FileLock], file: FileHandle? = nil) {
    self.path = path
    self.isTaken = isTaken
    self.locks = locks
    self.file = file
  }

  /// Beside a file that is only rehearsed on, so that nobody need leave.
  package init(rehearsalAt path: FilePath) { self.init(path, isTaken: true, []) }

  /// The place of `path`. Throws when something is there that may not be replaced, and `.busy` when it is in use.
  package static func hold(
    _ path: FilePath, replacing: Bool, timeoutMilliseconds: Int
  ) throws(EngineError) -> FilePlace {
    let place = try find(path, replacing: replacing)
    guard try place.status != nil else { return FilePlace(place, isTaken: false, []) }
    // Who may not write a file may not replace it either.
    _ = try DiskBacking.open(place)
    return try hold(place, given: path, timeoutMilliseconds: timeoutMilliseconds)
  }

  /// The place of a file that is changed or made anew where it stands, under its own name and the one that was given for it.
  package static func hold(
    _ place: FilePath, given: FilePath, timeoutMilliseconds: Int
  ) throws(EngineError) -> FilePlace {
    var locks = [try FileLock.acquire(place, timeoutMilliseconds: timeoutMilliseconds)]
    if try given.statusOfLink?.isLink ?? false {
      locks.append(try FileLock.acquire(given, timeoutMilliseconds: timeoutMilliseconds))
    }
    return FilePlace(
      place, isTaken: true, locks, file: try lockedFile(place, timeoutMilliseconds: timeoutMilliseconds))
  }

  /// The file itself, locked, where it has several names; no engine locks it. Nil also where the file system has no locks.
  package static func lockedFile(
    _ place: FilePath, timeoutMilliseconds: Int
  ) throws(EngineError) -> FileHandle? {
    guard try place.status?.linkCount ?? 1 > 1 else { return nil }
    // For writing: file servers lock nothing else.
    guard let file = FileHandle.open(place, O_RDWR | O_CLOEXEC | O_NOCTTY) else {
      throw FileHandle.failure("cannot open", place)
    }
    let start = SystemClock.milliseconds
    while !file.tryLockExclusively() {
      guard errno == EWOULDBLOCK else { return nil }
      guard SystemClock.milliseconds - start < timeoutMilliseconds else {
        throw EngineError(
          .busy, of: place, "is in use under another of its names",
          hint: "--lock-timeout waits until it is closed")
      }
      try Interruption.pause(milliseconds: pauseMilliseconds)
    }
    return file
  }

  /// The realm is gone, so its lock files may go too.
  func removeLockFiles() { for lock in locks { lock.removeFile() } }

  /// The path, links followed.
  private static func find(_ path: FilePath, replacing: Bool) throws(EngineError) -> FilePath {
    guard let existing = try path.status else {
      guard let link = try path.statusOfLink else { return path }
      // Somebody has made it meanwhile.
      guard link.isLink else { return try find(path, replacing: replacing) }
      throw EngineError(.alreadyExists, of: path, "is a link that leads nowhere")
    }
    guard existing.isRegular else { throw path.notReplaceable }
    guard replacing else {
      throw EngineError(
        .alreadyExists, of: path, "already exists",
        hint: "choose another name, or replace it with --force")
    }
    guard let place = try path.resolved, try path.statusOfLink?.isLink ?? false else { return path }
    // Who made the link may have meant any file of whoever follows it.
    guard existing.size == 0 || (try? FileProbe(place))?.isRealm ?? false else {
      throw EngineError(
        .alreadyExists, of: path, "is a link to a file that is not a realm: \(place.displayName)",
        hint: "name the file itself to replace it")
    }
    return place
  }
}
