// Where a new realm file may stand, and being alone with what it replaces. Layer: Files.

/// The place of a file that is about to be made.
enum FilePlace {
  /// The path, links followed. Throws when something is there that may not be replaced.
  static func find(_ path: FilePath, replacing: Bool) throws(EngineError) -> FilePath {
    guard let existing = path.status else { return path }
    guard existing.isRegular else {
      throw EngineError(.alreadyExists, "\(path.displayName) exists and is not a file")
    }
    guard replacing else {
      throw EngineError(
        .alreadyExists, "\(path.displayName) exists already",
        hint: "choose another name, or replace it with --force")
    }
    return path.resolved ?? path
  }

  /// Locks the file at `place`, if there is one, under its own name and under the one that was given for it.
  static func lock(
    _ place: FilePath, given: FilePath, timeoutMilliseconds: Int
  ) throws(EngineError) -> [FileLock] {
    guard place.status != nil else { return [] }
    var locks = [try FileLock.acquire(place, timeoutMilliseconds: timeoutMilliseconds)]
    if given.statusOfLink?.isLink ?? false {
      locks.append(try FileLock.acquire(given, timeoutMilliseconds: timeoutMilliseconds))
    }
    return locks
  }
}
