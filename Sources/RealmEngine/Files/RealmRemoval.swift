// Takes a realm away with all that engines keep beside it. Layer: Files.
// Invariants: nobody else has the realm open; nothing goes that is no realm's; links are never followed out of the
// management directory; the lock file goes last.

/// A realm that can be removed; nobody opens it while this object lives.
package final class RealmRemoval {
  private let realm: FilePath
  /// Set where the name is a link to the realm.
  private let link: FilePath?
  private let lock: FileLock
  /// What will be removed, without the lock file.
  package let paths: [FilePath]
  /// Bytes of the realm itself.
  package let size: Int

  private static let depthMax = 8

  /// Throws `.busy` where the realm is in use, and `.notARealm` for what does not look like one.
  package init(_ path: FilePath, lockTimeoutMilliseconds: Int) throws(EngineError) {
    let handle = try FileHandle.openForReading(path)
    let status = try handle.status()
    guard status.isRegular, let realm = path.resolved else {
      throw EngineError(.notARealm, "\(path.displayName) is not a file")
    }
    try Self.checkKind(handle, status.size)
    self.realm = realm
    size = status.size
    link = path.statusOfLink?.isLink ?? false ? path : nil
    lock = try FileLock.acquire(realm, timeoutMilliseconds: lockTimeoutMilliseconds)
    let companions = [".note", ".management"].map(realm.appending).filter { $0.statusOfLink != nil }
    paths = (link.map { [$0] } ?? []) + [realm] + companions
  }

  /// An empty file is a realm that nothing was written to yet.
  private static func checkKind(_ handle: FileHandle, _ size: Int) throws(EngineError) {
    guard size > 0, let content = MemoryImage.mapping(descriptor: handle.descriptor, size: size) else {
      return
    }
    guard FileHeader(content.bytes.slice(0, min(size, FileHeader.size))) == nil else { return }
    let image = FileImage(plain: content)
    let signature = FileSignature(content.bytes)
    guard !signature.looksEncrypted(image) else { return }
    throw EngineError(
      .notARealm, signature.explanation(image, handle.path),
      hint: "other files are removed with the system's rm")
  }

  /// Removes everything.
  package func run() throws(EngineError) {
    EndSignals.hold()
    defer { EndSignals.release() }
    if let link { try remove(link) }
    try remove(realm)
    for path in paths where path != realm && path != link { try removeTree(path, depth: 0) }
    lock.removeFile()
    try FileHandle.synchronizeDirectory(realm.directory)
  }

  private func remove(_ path: FilePath) throws(EngineError) {
    guard path.unlink() else { throw FileHandle.failure("cannot remove", path) }
  }

  private func removeTree(_ path: FilePath, depth: Int) throws(EngineError) {
    guard path.statusOfLink?.isDirectory ?? false else { return try remove(path) }
    guard depth < Self.depthMax else {
      throw EngineError(.other, "\(path.displayName) has too many levels of directories")
    }
    for name in path.entryNames where name != Array(".".utf8) && name != Array("..".utf8) {
      try removeTree(path.appending("/").appending(name), depth: depth + 1)
    }
    guard path.removeDirectory() else { throw FileHandle.failure("cannot remove", path) }
  }
}
