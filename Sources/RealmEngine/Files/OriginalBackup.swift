// The file as it was, under a name beside it, before another takes its place. Layer: Files.
// Invariants: no file that stands there is ever replaced; a backup that turns out not to be needed goes again, also
// when a signal ends the process, but never while the original is not in its place.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A second name for a file that is about to be replaced, or a copy where the file system has no second names.
package final class OriginalBackup {
  package let path: FilePath
  private let original: FilePath
  private let originalStatus: FileHandle.Status?
  /// Nil once the backup is to stay, and for one that an interrupted run made.
  private var temporary: TemporaryName?

  private static let numberMax = 10_000

  /// Names the file at `original` `NAME.LABEL.backup.realm`, `NAME` without `.realm`; then `.2` and so on behind that.
  package init(of original: FilePath, label: String) throws(EngineError) {
    self.original = original
    originalStatus = try original.status
    for number in 1...Self.numberMax {
      let path = Self.path(of: original, label, number)
      if try Self.isMade(path, of: original) {
        self.path = path
        temporary = TemporaryName(path)
        try FileHandle.synchronizeDirectory(path.directory)
        return
      }
      // A run that was killed between making its backup and replacing the file left this one. A link is no backup: what it
      // leads to is about to be replaced.
      if let old = try path.statusOfLink, old.isSameFile(as: originalStatus) {
        self.path = path
        return
      }
    }
    throw FileHandle.failure("cannot make a backup of", original, code: EEXIST)
  }

  deinit {
    if temporary != nil, originalStatus?.isSameFile(as: try? original.status) ?? false { path.remove() }
  }

  /// The file was replaced: the backup stays.
  package func keep() { temporary = nil }

  private static func path(of original: FilePath, _ label: String, _ number: Int) -> FilePath {
    let path = original.sibling(original.stem).appending(".\(label).backup.realm")
    return number == 1 ? path : path.appending(".\(number)")
  }

  /// False: something stands there.
  private static func isMade(_ path: FilePath, of original: FilePath) throws(EngineError) -> Bool {
    if original.link(to: path) { return true }
    if errno == EEXIST { return false }
    // Not every file system has second names, nor may everybody give one to a file of somebody else.
    do throws(EngineError) {
      try copy(original, to: path)
      return true
    } catch {
      if error.kind == .alreadyExists { return false }
      throw error
    }
  }

  private static func copy(_ original: FilePath, to path: FilePath) throws(EngineError) {
    let source = try FileHandle.openRealm(original)
    let replacement = try SafeReplacement(target: path, like: try source.status())
    try source.copyContent(to: replacement.handle) { _ in }
    // What is not known to be on the disk is no backup.
    let remarks = try replacement.commit(replacing: false)
    if let remark = remarks.first {
      path.remove()
      throw EngineError(.other, remark)
    }
  }
}
