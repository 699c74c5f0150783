// The directory beside a realm in which engines keep locks that have files of their own. Layer: RealmFiles.

/// `NAME.management`, and what engines put there.
struct ManagementFolder {
  let path: FilePath
  /// Names of files that engines made.
  let engineNames: [[UInt8]]
  /// Whether something else is in it, so that it has to stay.
  let holdsOthers: Bool

  private static let suffix = ".management"

  /// Mutexes are files, and condition variables pipes, or files where the system has no pipes with names. The last four are of
  /// old engines. Where file locks are not shared between descriptors of a process, pipes stand for them.
  private static let knownNames: Set<[UInt8]> = {
    let names =
      [
        "control.mx", "write.mx", "versions.mx", "new_commit.cv", "pick_next_writer.cv",
        "balance.mx", "room_to_write.cv", "work_to_do.cv", "daemon_becomes_ready.cv",
      ].map { "access_control.\($0)" }
    return Set((names + names.map { "\($0).fifo" } + ["lock.fifo"]).map { Array($0.utf8) })
  }()

  /// Nil where there is none; a link is none.
  init?(of realm: FilePath) throws(EngineError) {
    path = realm.appending(Self.suffix)
    guard try path.statusOfLink?.isDirectory ?? false else { return nil }
    let names = try FileHandle.openDirectory(path, followingLinks: false).entryNames()
    var known: [[UInt8]] = []
    for name in names where Self.knownNames.contains(name) {
      guard let status = try path.child(name).statusOfLink else { continue }
      if status.isRegular || status.isPipe { known.append(name) }
    }
    engineNames = known
    holdsOthers = known.count < names.count
  }

  /// What goes: the directory with all that is in it, or only the engines' part of that.
  var removedPaths: [FilePath] { holdsOthers ? engineNames.map(path.child) : [path] }

  /// Removes what engines put there, and the directory, which stands in `parent`, where that is all. Gives a remark where it stays.
  func remove(from parent: FileHandle) throws(EngineError) -> [String] {
    let directory = try FileHandle.openDirectory(path, followingLinks: false)
    for name in engineNames { try directory.removeFile(name) }
    guard !holdsOthers else {
      return ["\(path.displayName) stays, for something is in it that no engine puts there"]
    }
    try parent.removeDirectory(path.lastComponent)
    return []
  }
}
