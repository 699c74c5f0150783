// A new file that appears under its name whole, or not at all. Layer: Files.
// The content is written to a file without a name where the system has such (Linux), else under a hidden name beside
// the target. Only when it is complete and on the disk does it get the target's name, in one step.
// Invariants: until `commit` the target is untouched; after a failure or the end of the process nothing is left but
// perhaps a hidden file, which the next replacement of that target clears away. Whoever makes a hidden file holds it
// locked, so what nobody holds is a leftover: process numbers say nothing, for they differ between containers.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file in the making.
package final class SafeReplacement {
  package let target: FilePath
  package let handle: FileHandle
  private var hidden: HiddenName?
  private var isFinished = false

  /// `like`: the file whose mode and, where permitted, owner the new one gets. Nil: readable by nobody but the user.
  package init(target: FilePath, like original: FileHandle.Status?) throws(EngineError) {
    self.target = target
    HiddenName.clearLeftovers(of: target)
    (handle, hidden) = try Self.makeFile(target)
    guard let original else { return }
    guard Self.adopt(original, handle.descriptor) else {
      let error = FileHandle.failure("cannot set the mode of a new file beside", target)
      discard()
      throw error
    }
  }

  deinit { discard() }

  /// Gives the file its name and waits until that is on the disk. `replacing` false: fails where the name exists.
  /// Signals should be held back while this runs: see `EndSignals`.
  package func commit(replacing: Bool) throws(EngineError) {
    try handle.synchronize()
    if replacing { try replaceTarget() } else { try nameTarget() }
    isFinished = true
    hidden = nil
    try FileHandle.synchronizeDirectory(target.directory)
  }

  /// Throws the file away.
  package func discard() {
    guard !isFinished else { return }
    isFinished = true
    hidden?.path.remove()
    hidden = nil
  }

  private func replaceTarget() throws(EngineError) {
    let name: HiddenName
    if let hidden { name = hidden } else { name = try linkHidden() }
    hidden = name
    guard name.path.rename(to: target) else { throw FileHandle.failure("cannot replace", target) }
  }

  private func nameTarget() throws(EngineError) {
    if let hidden {
      guard hidden.path.link(to: target) else { throw FileHandle.failure("cannot create", target) }
      return hidden.path.remove()
    }
    guard handle.linkUnnamed(to: target) else { throw FileHandle.failure("cannot create", target) }
  }

  private func linkHidden() throws(EngineError) -> HiddenName {
    for number in 0..<HiddenName.attemptsMax {
      var name = HiddenName(beside: target, number: number)
      if handle.linkUnnamed(to: name.path) {
        name.register()
        return name
      }
      guard errno == EEXIST else { throw FileHandle.failure("cannot create", name.path) }
    }
    throw FileHandle.failure("cannot create a file beside", target, code: EEXIST)
  }

  private static func makeFile(_ target: FilePath) throws(EngineError) -> (FileHandle, HiddenName?) {
    if let handle = FileHandle.openUnnamed(in: target.directory, mode: 0o600), handle.canBeLinked {
      _ = handle.lockExclusively()
      return (handle, nil)
    }
    for number in 0..<HiddenName.attemptsMax {
      var name = HiddenName(beside: target, number: number)
      guard let handle = FileHandle.open(name.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600) else {
        guard errno == EEXIST else { throw FileHandle.failure("cannot create a file in", target.directory) }
        continue
      }
      name.register()
      _ = handle.lockExclusively()
      // Before it was locked, somebody who clears up may have taken it for a leftover.
      if try handle.status().inode == name.path.status?.inode { return (handle, name) }
    }
    throw FileHandle.failure("cannot create a file in", target.directory, code: EEXIST)
  }

  /// Gives a file the owner, the group and the mode of another, as far as that is permitted. A group that cannot be
  /// kept may not do more than everybody may, and nothing becomes a program that runs with its owner's rights. False leaves
  /// the reason in errno.
  private static func adopt(_ original: FileHandle.Status, _ descriptor: Int32) -> Bool {
    var mode = original.mode & 0o777
    let keepsGroup =
      fchown(descriptor, original.owner, original.group) == 0
      || fchown(descriptor, uid_t.max, original.group) == 0
    if !keepsGroup { mode &= ~0o070 | mode << 3 }
    return fchmod(descriptor, mode) == 0
  }
}

/// The name of a file that is not finished.
private struct HiddenName {
  let path: FilePath
  private var temporary: TemporaryName?

  static let attemptsMax = 1000
  private static let mark = Array(".realm-cli-".utf8)
  private static let suffix = Array(".tmp".utf8)
  /// A name may have 255 bytes on every file system in use; the rest of a hidden name needs some.
  private static let stemSizeMax = 200

  init(beside target: FilePath, number: Int) {
    let name = Self.prefix(target) + Array("\(getpid())-\(number)".utf8) + Self.suffix
    path = target.sibling(name)
  }

  /// The file is there and ours: it goes when a signal ends the process.
  mutating func register() { temporary = TemporaryName(path) }

  private static func prefix(_ target: FilePath) -> [UInt8] {
    [UInt8(ascii: ".")] + target.lastComponent.prefix(stemSizeMax) + mark
  }

  /// Removes what runs that were killed left behind.
  static func clearLeftovers(of target: FilePath) {
    let prefix = prefix(target)
    for name in target.directory.entryNames
    where name.starts(with: prefix) && name.count > prefix.count + suffix.count
      && name.suffix(suffix.count) == suffix[...]
    {
      let path = target.sibling(name)
      guard path.statusOfLink?.isRegular ?? false,
        let handle = FileHandle.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
        handle.tryLockExclusively(),
        let status = try? handle.status(), status.isSameFile(as: path.statusOfLink),
        status.owner == geteuid() || status.owner == target.status?.owner
      else { continue }
      path.remove()
    }
  }
}
