// What must stand at a path before it is opened, emptied or removed. Layer: RealmFiles.
// A stranger may have put a link, a pipe, a device or a second name of another file where a realm or one of its
// companions is expected. Invariant: nothing here waits for another process or follows the last link of a companion.

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

extension FileHandle {
  /// Opens a realm for reading. What is no file is refused before it is opened: a pipe would be waited for, a device may
  /// do something. Only a pipe that the process was given open, such as `<(…)` of a shell, is read.
  package static func openRealm(_ path: FilePath) throws(EngineError) -> FileHandle {
    if path.isOpenDescriptor, try path.status?.isPipe ?? false { return try openForReading(path) }
    try path.requireFile()
    // Without O_NONBLOCK: it would fail where a file server holds a lease of the file.
    let handle = try openForReading(path, O_NOCTTY)
    guard try handle.status().isRegular else { throw path.notAFile(try handle.status()) }
    return handle
  }

  /// Opens a file that belongs to a realm or to the program: never through a link, and only where it is a regular file
  /// with no other name, which could be that of somebody's data. Nil leaves the reason in errno.
  package static func openCompanion(
    _ path: FilePath, _ flags: Int32, mode: mode_t = 0
  ) throws(EngineError) -> FileHandle? {
    if let status = try path.statusOfLink { try path.requireOwnFile(status) }
    guard let handle = open(path, flags | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, mode: mode) else { return nil }
    try path.requireOwnFile(try handle.status())
    return handle
  }

  /// Opens what a text is written to where it stands: a file is made, emptied (`O_TRUNC`) or added to (`O_APPEND`), but not one
  /// with another name, which could be that of somebody's data.
  package static func openTextTarget(
    _ path: FilePath, _ flags: Int32, mode: mode_t
  ) throws(EngineError) -> FileHandle {
    try path.requireTextTarget()
    let opening = O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | flags & ~O_TRUNC
    guard let handle = open(path, opening, mode: mode) else { throw failure("cannot write to", path) }
    let status = try handle.status()
    // Standard output is a file that its user opened himself.
    if status.isRegular, status.linkCount > 1, !path.isOpenDescriptor {
      throw EngineError(
        .alreadyExists, of: path, "has \(status.linkCount) names, and all would change",
        hint: "choose another name, or remove this one")
    }
    if flags & O_TRUNC != 0, status.isRegular { try handle.truncate(to: 0) }
    return handle
  }
}

extension FilePath {
  /// Throws where a text must not be written to what stands here: a link to a file, which could be any file of whoever follows
  /// it, a realm, a pipe, whose reader would be waited for, or a disk. Terminals and the like, and what the process has open, are
  /// there to be written to.
  package func requireTextTarget() throws(EngineError) {
    guard let link = try statusOfLink, !isOpenDescriptor else { return }
    guard let status = try status else {
      // What was there is gone meanwhile.
      guard link.isLink else { return }
      throw EngineError(.alreadyExists, of: self, "is a link that leads nowhere")
    }
    guard status.isRegular else {
      guard status.isCharacterDevice else { throw notReplaceable }
      return
    }
    guard !link.isLink else {
      throw EngineError(
        .alreadyExists, of: self, "is a link to a file", hint: "name the file itself to replace it")
    }
    if let probe = try? FileProbe(self), probe.isRealm {
      let kind = probe.header != nil ? "is a realm" : "appears to be an encrypted realm"
      throw EngineError(
        .alreadyExists, of: self, "\(kind), which no text replaces", hint: "choose another name")
    }
    // Who may not write a file may not replace it either.
    let opened = FileHandle.open(self, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
    // A file server that holds a lease of it would give that back to whoever waits.
    guard opened != nil || errno == EWOULDBLOCK else {
      throw FileHandle.failure("cannot open for writing", self)
    }
  }

  /// Throws where something else stands than a regular file, which is all that another file is ever put in the place of: a link, a
  /// pipe or a device would be gone.
  package func requireReplaceable() throws(EngineError) {
    guard let status = try statusOfLink, !status.isRegular else { return }
    guard !status.isLink else {
      throw EngineError(
        .alreadyExists, of: self, "is a link, which no file replaces",
        hint: "name what it leads to, or remove it")
    }
    throw notReplaceable
  }

  /// Throws where another file may not take the place of the one that stands there: from a directory such as /tmp only the
  /// owner of a file, or of the directory, takes it away.
  package func requireRenamable() throws(EngineError) {
    guard directory.isWritable else {
      throw EngineError(
        .permission, "cannot replace or remove \(displayName) – its directory is read-only for you",
        naming: displayName,
        hint: "copy it to a directory of your own")
    }
    let user = geteuid()
    guard let folder = try directory.status, folder.mode & mode_t(S_ISVTX) != 0, user != 0,
      user != folder.owner,
      let status = try statusOfLink, status.owner != user
    else { return }
    throw EngineError(
      .permission, "cannot replace \(displayName) – it belongs to another user, and so does its directory",
      naming: displayName,
      hint: "copy it to a directory of your own")
  }

  var notReplaceable: EngineError {
    EngineError(.alreadyExists, of: self, "exists and is not a file")
  }

  /// Throws where something else than a file stands, such as a pipe, whose writer would be waited for; links are followed.
  package func requireTextSource() throws(EngineError) {
    guard let status = try status, !status.isRegular else { return }
    throw EngineError(.refused, of: self, "is not a file, so nothing is read from it")
  }

  /// Throws where something else than a file stands, links followed. Nothing at all is left to whoever opens it.
  package func requireFile() throws(EngineError) {
    guard let status = try status, !status.isRegular else { return }
    throw notAFile(status)
  }

  /// Throws where a database of SQLite cannot be read at any place, in any order.
  package func requirePlaces() throws(EngineError) {
    guard let status = try status, !status.isRegular, !status.isDirectory else { return }
    throw EngineError(
      .notARealm, of: self, "is \(status.isPipe ? "a pipe" : "a device or socket"), not an SQLite database")
  }

  func notAFile(_ status: FileHandle.Status) -> EngineError {
    let kind = status.isDirectory ? "a directory" : status.isPipe ? "a pipe" : "a device or socket"
    let hint =
      status.isPipe
      ? "a realm comes through a pipe as '-', standard input"
      : status.isDirectory
        ? "for the realms in it: realm-cli each --recursive \(shellText) -- 'STATEMENT'" : nil
    return EngineError(.notARealm, of: self, "is \(kind), not a realm file", hint: hint)
  }

  fileprivate func requireOwnFile(_ status: FileHandle.Status) throws(EngineError) {
    guard status.isRegular else { throw foreign(status.isLink ? "a link" : "no regular file") }
    // Zero: it was removed a moment ago.
    guard status.linkCount <= 1 else { throw foreign("a file with \(status.linkCount) names") }
  }

  fileprivate func foreign(_ kind: String) -> EngineError {
    EngineError(
      .refused, of: self, "is \(kind), so nothing is written to it or removed",
      hint: "see what it is, and remove it where it is not wanted")
  }

  /// Whether the path stands for a descriptor that the process has open.
  var isOpenDescriptor: Bool {
    let descriptors = ["/dev/fd/", "/proc/self/fd/"].map { Array($0.utf8) }
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].map { Array($0.utf8) }
    return streams.contains(bytes) || descriptors.contains { bytes.starts(with: $0) }
  }
}
