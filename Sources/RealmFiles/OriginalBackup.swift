// The file as it was, under a name beside it, before another takes its place. Layer: RealmFiles.
// Invariants: no other file that stands there is ever replaced; once the original is replaced, its backup has no other name; a
// backup that turns out not to be needed goes again, also when a signal ends the process, but never while the original is
// not in its place.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A second name for a file that is about to be replaced, or a copy where it has one already or the file system has none.
package final class OriginalBackup {
  package let path: FilePath
  private let original: FilePath
  private let originalStatus: FileHandle.Status?
  /// Nil once the backup is to stay, and for one that an interrupted run made.
  private var temporary: TemporaryName?

  private static let numberMax = 10_000

  /// Names the file at `original` `NAME.LABEL.backup.realm`, `NAME` without `.realm`; then `.2` and so on behind that.
  /// Signals that end the process are held back before and after, but come through while the file has to be copied.
  package init(of original: FilePath, label: String) throws(EngineError) {
    self.original = original
    let status = try original.status
    originalStatus = status
    let hasOtherNames = (status?.linkCount ?? 1) > 1
    for number in 1...Self.numberMax {
      let path = Self.path(of: original, label, number)
      // A link is no backup: what it leads to is about to be replaced.
      guard let found = try path.statusOfLink else {
        guard try Self.isMade(path, of: original, copying: hasOtherNames) else { continue }
        self.path = path
        temporary = TemporaryName(path)
        try FileHandle.synchronizeDirectory(path.directory)
        return
      }
      guard found.isSameFile(as: status) else { continue }
      // A run that was killed between making its backup and replacing the file left this one.
      if found.linkCount > 2 {
        try Self.finish(Self.copyInterruptibly(original, to: path), replacing: true)
      }
      self.path = path
      return
    }
    throw FileHandle.failure("cannot make a backup of", original, code: EEXIST)
  }

  deinit {
    if temporary != nil, originalStatus?.isSameFile(as: try? original.status) ?? false { path.remove() }
  }

  /// The file was replaced: the backup stays.
  package func keep() { temporary = nil }

  /// Where a run was killed between making a backup and replacing the file, the backup is another name of the file: makes it
  /// a file of its own, before what is changed in place changes in both.
  package static func separate(from original: FilePath) throws(EngineError) {
    guard let status = try original.status, status.linkCount > 1,
      // A directory that cannot be listed shows no backup to anybody.
      let names = try? original.directory.entryNames
    else { return }
    // The file may have been renamed since.
    for name in names where isBackup(name) && name != original.lastComponent {
      let path = original.sibling(name)
      guard try path.statusOfLink?.isSameFile(as: status) ?? false else { continue }
      do throws(EngineError) {
        try finish(copy(original, to: path), replacing: true)
      } catch {
        guard error.kind != .cancelled else { throw error }
        throw EngineError(
          error.kind,
          "\(path.displayName), a backup, is another name of \(original.displayName) and would change with it; it cannot become a file of its own: \(error.message)",
          naming: original.displayName,
          hint: "remove that name, or copy it elsewhere")
      }
    }
  }

  /// Whether this program calls a backup so. Other files of the suffix are somebody's own.
  package static func isBackup(_ name: [UInt8]) -> Bool {
    func isNumber(_ text: some StringProtocol) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    }
    var parts = String(decoding: name, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
    if let last = parts.last, isNumber(last) { parts.removeLast() }
    guard parts.count > 3, parts.suffix(2) == ["backup", "realm"] else { return false }
    let label = parts[parts.count - 3]
    return plainLabels.contains(String(label))
      || numberedLabels.contains { label.hasPrefix($0) && isNumber(label.dropFirst($0.count)) }
  }

  private static let plainLabels = ["synced", "damaged"]
  private static let numberedLabels = ["schema-", "format-"]
  private static let suffix = Array(".backup.realm".utf8)

  private static func path(of original: FilePath, _ label: String, _ number: Int) -> FilePath {
    let path = original.sibling(original.stem + Array(".\(label)".utf8) + suffix)
    return number == 1 ? path : path.appending(".\(number)")
  }

  /// False: something stands there by now. `isCopied`: the file has other names, under which somebody may change it.
  private static func isMade(
    _ path: FilePath, of original: FilePath, copying isCopied: Bool
  ) throws(EngineError) -> Bool {
    if !isCopied {
      if original.link(to: path) { return true }
      if errno == EEXIST { return false }
    }
    // Not every file system has second names, nor may everybody give one to a file of somebody else.
    do throws(EngineError) {
      try finish(copyInterruptibly(original, to: path), replacing: false)
      return true
    } catch {
      if error.kind == .alreadyExists { return false }
      throw error
    }
  }

  /// Copies with signals let through: it may take long, and no name changes.
  private static func copyInterruptibly(
    _ original: FilePath, to path: FilePath
  ) throws(EngineError) -> SafeReplacement {
    EndSignals.release()
    defer { EndSignals.hold() }
    return try copy(original, to: path)
  }

  /// A copy on the disk that has yet to get its name.
  private static func copy(
    _ original: FilePath, to path: FilePath
  ) throws(EngineError) -> SafeReplacement {
    let source = try FileHandle.openRealm(original)
    let copy = try SafeReplacement(target: path, like: try source.status())
    try source.copyContent(to: copy.handle) { _ throws(EngineError) in try Interruption.check() }
    try copy.handle.synchronize()
    return copy
  }

  private static func finish(_ copy: SafeReplacement, replacing: Bool) throws(EngineError) {
    // What is not known to be on the disk is no backup.
    if let remark = try copy.commit(replacing: replacing).first {
      if !replacing { copy.target.remove() }
      throw EngineError(.other, remark)
    }
  }
}
