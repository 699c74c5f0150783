// A new file that appears under its name whole, or not at all. Layer: Files.
// The content is written to a file without a name where the system has such (Linux), else under a hidden name beside
// the target. Only when it is complete and on the disk does it get the target's name, in one step.
// Invariants: until `commit` the target is untouched; after a failure or the end of the process nothing is left but
// perhaps a hidden file, which the next replacement in that directory clears away.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file in the making.
package final class SafeReplacement {
  package let target: FilePath
  package let handle: FileHandle
  /// The hidden name, while there is one.
  private var hiddenName: FilePath?
  private var isFinished = false

  private static let hiddenMark = ".realm-cli-"
  private static let hiddenSuffix = ".tmp"

  /// `like`: the file whose mode and owner the new one gets. Nil: a file of the user's own, readable by nobody else.
  package init(target: FilePath, like original: FileHandle.Status?) throws(EngineError) {
    self.target = target
    Self.clearLeftovers(of: target)
    (handle, hiddenName) = try Self.makeFile(target)
    guard let original else { return }
    _ = fchown(handle.descriptor, original.owner, original.group)
    guard fchmod(handle.descriptor, original.mode) == 0 else {
      discard()
      throw FileHandle.failure("cannot set the mode of a new file beside", target)
    }
  }

  deinit { discard() }

  /// Gives the file its name and waits until that is on the disk. `replacing` false: fails where the name exists.
  package func commit(replacing: Bool) throws(EngineError) {
    try handle.synchronize()
    if replacing {
      try replaceTarget()
    } else {
      try linkTarget()
    }
    isFinished = true
    hiddenName = nil
    try FileHandle.synchronizeDirectory(target.directory)
  }

  /// Throws the file away.
  package func discard() {
    guard !isFinished else { return }
    isFinished = true
    hiddenName?.remove()
    hiddenName = nil
  }

  private func replaceTarget() throws(EngineError) {
    let source: FilePath
    if let hiddenName {
      source = hiddenName
    } else {
      source = Self.hiddenPath(target)
      try link(to: source)
      hiddenName = source
    }
    guard source.rename(to: target) else { throw FileHandle.failure("cannot replace", target) }
  }

  private func linkTarget() throws(EngineError) {
    guard let hiddenName else { return try link(to: target) }
    guard hiddenName.link(to: target) else { throw FileHandle.failure("cannot create", target) }
    hiddenName.remove()
  }

  /// Names the unnamed file.
  private func link(to path: FilePath) throws(EngineError) {
    #if os(Linux)
      let source = FilePath("/proc/self/fd/\(handle.descriptor)")
      guard source.link(to: path, followingLinks: true) else {
        throw FileHandle.failure("cannot create", path)
      }
    #endif
  }

  private static func makeFile(_ target: FilePath) throws(EngineError) -> (FileHandle, FilePath?) {
    #if os(Linux)
      if let handle = FileHandle.open(target.directory, O_RDWR | O_CLOEXEC | openUnnamed, mode: 0o600) {
        return (handle, nil)
      }
    #endif
    let hidden = hiddenPath(target)
    guard let handle = FileHandle.open(hidden, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600) else {
      throw FileHandle.failure("cannot create a file in", target.directory)
    }
    return (handle, hidden)
  }

  private static func hiddenPath(_ target: FilePath) -> FilePath {
    let prefix = Array(".".utf8) + target.lastComponent + Array(hiddenMark.utf8)
    return FilePath(
      target.directory.bytes + Array("/".utf8) + prefix + Array("\(getpid())".utf8) + Array(hiddenSuffix.utf8)
    )
  }

  /// Removes what runs that were killed left behind: hidden files of processes that are gone.
  private static func clearLeftovers(of target: FilePath) {
    let prefix = Array(".".utf8) + target.lastComponent + Array(hiddenMark.utf8)
    let suffix = Array(hiddenSuffix.utf8)
    for name in target.directory.entryNames {
      guard name.starts(with: prefix), name.count > prefix.count + suffix.count,
        name.suffix(suffix.count) == suffix[...]
      else { continue }
      let number = String(decoding: name[prefix.count..<(name.count - suffix.count)], as: UTF8.self)
      guard let process = pid_t(number), process != getpid(), kill(process, 0) != 0, errno == ESRCH else {
        continue
      }
      FilePath(target.directory.bytes + Array("/".utf8) + name).remove()
    }
  }
}

#if os(Linux)
  /// O_TMPFILE, which the C library hides behind a feature macro.
  private let openUnnamed: Int32 = 0o20_000_000 | O_DIRECTORY
#endif
