// A new file that appears under its name whole, or not at all. Layer: RealmFiles.
// The content is written to a file without a name where the system has such (Linux), else under a hidden name beside
// the target. Only when it is complete and on the disk does it get the target's name, in one step.
// Invariants: nothing but a regular file is replaced; an error means that the target is untouched; what fails after it has changed is a
// remark, no error; after a failure or the end of the process nothing is left but perhaps a hidden file, which the next replacement of that target clears away. Whoever makes a hidden file holds it
// locked, so what nobody holds is a leftover: process numbers say nothing, for they differ between containers.

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// A file in the making.
package final class SafeReplacement {
  package let target: FilePath
  package let handle: FileHandle
  private var hidden: HiddenName?
  private var isFinished = false
  /// What belongs to a file that the new one takes the place of.
  package var companions: CompanionFiles?

  /// `like`: the file whose mode and, where permitted, owner the new one gets. Nil: `mode`, less what the user's mask takes,
  /// or readable by nobody but the user. Throws `.alreadyExists` where something else than a file stands there.
  package init(
    target: FilePath, like original: FileHandle.Status?, mode: mode_t = 0o600
  ) throws(EngineError) {
    self.target = target
    try target.requireReplaceable()
    HiddenName.clearLeftovers(of: target)
    (handle, hidden) = try Self.makeFile(target, mode)
    guard let original else { return }
    guard Self.adopt(original, handle.descriptor) else {
      let error = FileHandle.failure("cannot set the mode of a new file beside", target)
      discard()
      throw error
    }
  }

  deinit { discard() }

  /// Gives the file its name and waits until that is on the disk. `replacing` false: fails where the name exists.
  /// Signals should be held back while this runs: see `EndSignals`. Gives what went wrong when the file had its name.
  /// `isDurable` false: does not wait for the disk.
  package func commit(replacing: Bool, isDurable: Bool = true) throws(EngineError) -> [String] {
    if isDurable { try handle.synchronize() }
    try companions?.setAside()
    do throws(EngineError) {
      if replacing { try replaceTarget() } else { try nameTarget() }
    } catch {
      companions?.putBack()
      throw error
    }
    isFinished = true
    var remarks = companions?.remove() ?? []
    if let name = hidden?.path, !replacing, !name.unlink() {
      remarks.append(FileHandle.failure("cannot remove", name).message)
    }
    hidden = nil
    guard isDurable else { return remarks }
    do throws(EngineError) {
      try FileHandle.synchronizeDirectory(target.directory)
    } catch {
      remarks.append(
        "\(target.displayName) is in its place, but may be lost in a power cut: \(error.message)")
    }
    return remarks
  }

  /// Throws the file away.
  package func discard() {
    guard !isFinished else { return }
    isFinished = true
    hidden?.path.remove()
    hidden = nil
  }

  /// Does what may fail before a `commit` that replaces; it may be left out.
  package func prepare() throws(EngineError) { _ = try hiddenName() }

  /// The name of the file while it is in the making, for those who open files by name alone.
  package var hiddenPath: FilePath { get throws(EngineError) { try hiddenName().path } }

  private func hiddenName() throws(EngineError) -> HiddenName {
    if let hidden { return hidden }
    let name = try linkHidden()
    hidden = name
    return name
  }

  private func replaceTarget() throws(EngineError) {
    let name = try hiddenName()
    guard name.path.rename(to: target) else {
      let error = FileHandle.failure("cannot replace", target)
      // A file server may have done it before its answer was lost.
      if (try? isInPlace) ?? false { return }
      throw error
    }
  }

  private var isInPlace: Bool {
    get throws(EngineError) { try handle.status().isSameFile(as: try target.statusOfLink) }
  }

  private func nameTarget() throws(EngineError) {
    guard hidden?.path.link(to: target) ?? handle.linkUnnamed(to: target) else {
      throw FileHandle.failure("cannot create", target)
    }
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

  private static func makeFile(
    _ target: FilePath, _ mode: mode_t
  ) throws(EngineError) -> (FileHandle, HiddenName?) {
    if let handle = FileHandle.openUnnamed(in: target.directory, as: target, mode: mode), handle.canBeLinked {
      _ = handle.lockExclusively()
      return (handle, nil)
    }
    for number in 0..<HiddenName.attemptsMax {
      var name = HiddenName(beside: target, number: number)
      guard let handle = FileHandle.open(name.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode) else {
        guard errno == EEXIST else { throw FileHandle.failure("cannot create a file in", target.directory) }
        continue
      }
      name.register()
      _ = handle.lockExclusively()
      // Before it was locked, somebody who clears up may have taken it for a leftover.
      do throws(EngineError) {
        if try handle.status().isSameFile(as: name.path.status) { return (handle, name) }
      } catch {
        name.path.remove()
        throw error
      }
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
struct HiddenName {
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

  /// Whether this is what stands between prefix and suffix: two numbers.
  private static func areNumbers(_ middle: ArraySlice<UInt8>) -> Bool {
    let parts = middle.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDigit) }
  }

  /// Removes what runs that were killed left behind.
  static func clearLeftovers(of target: FilePath) {
    let prefix = prefix(target)
    for name in (try? target.directory.entryNames) ?? []
    where name.starts(with: prefix) && name.count > prefix.count + suffix.count
      && name.suffix(suffix.count) == suffix[...]
      && areNumbers(name[prefix.count..<name.count - suffix.count])
    {
      let path = target.sibling(name)
      guard (try? path.statusOfLink)?.isRegular ?? false,
        let handle = FileHandle.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
        handle.tryLockExclusively(),
        let status = try? handle.status(), let found = try? path.statusOfLink, status.isSameFile(as: found),
        status.linkCount == 1,
        status.owner == geteuid() || status.owner == (try? target.status)?.owner
      else { continue }
      path.remove()
    }
  }
}
