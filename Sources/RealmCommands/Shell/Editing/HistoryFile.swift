// What was typed in earlier sessions. Layer: RealmCommands, Shell, Editing.
// Invariants: only its user can read the file, and no key is ever written to it. A line a statement; several sessions
// may add to it at once.

import ByteText
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `$XDG_STATE_HOME/realm-cli/history`. A session goes on without one where it cannot be read or written.
package struct HistoryFile {
  private let path: FilePath

  private static let permissions: mode_t = 0o600
  private static let folderPermissions: UInt16 = 0o700
  private static let lineCountMax = 2000
  private static let sizeMax = 1 << 20

  /// Nil where the user has no home.
  init?(environment: (String) -> [UInt8]?) {
    guard let folder = UserFolders.state(environment) else { return nil }
    path = FilePath(folder.bytes + Array("/history".utf8))
  }

  /// The lines of earlier sessions, the newest last.
  func lines() -> [[UInt8]] {
    guard let handle = ownFile(O_RDONLY),
      let content = try? [UInt8].content(of: handle.descriptor, sizeMax: Self.sizeMax)
    else { return [] }
    let lines = content.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    let recent = Array(lines.suffix(Self.lineCountMax))
    if lines.count > 2 * Self.lineCountMax || content.count > Self.sizeMax { rewrite(recent) }
    return recent
  }

  /// Adds a line at the end, unless it must not be kept.
  func add(_ line: [UInt8]) {
    guard Self.mayBeKept(line) else { return }
    UserFolders.make(path.directory, permissions: Self.folderPermissions)
    append(line + [UInt8(ascii: "\n")])
  }

  /// A line that begins with a blank is not meant to be kept, and one that holds a key must not be.
  package static func mayBeKept(_ line: [UInt8]) -> Bool {
    guard let first = line.first, first != UInt8(ascii: " ") else { return false }
    return !holdsKey(line)
  }

  /// Whether some run of the characters that keys are written in is as long as a key.
  private static func holdsKey(_ line: [UInt8]) -> Bool {
    let separators = Array(" \t'\"`;,()[]{}".utf8)
    if line.split(whereSeparator: separators.contains).contains(where: { KeyText.isKey(Array($0)) }) {
      return true
    }
    // A list of numbers, or hexadecimal digits in groups.
    let groups = line.split { !($0 == UInt8(ascii: "-") || isHexadecimalDigit($0)) && !isGlue($0) }
    return groups.contains { KeyText.isKey(Array($0.drop(while: isGlue))) }
  }

  private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    hexadecimalValue(byte) != nil || byte == 0x78
  }

  private static func isGlue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
  }

  private func rewrite(_ lines: [[UInt8]]) {
    guard let handle = ownFile(O_WRONLY), (try? handle.truncate(to: 0)) != nil else { return }
    write(lines.flatMap { $0 + [UInt8(ascii: "\n")] }, to: handle)
  }

  private func append(_ bytes: [UInt8]) {
    guard let handle = ownFile(O_WRONLY | O_CREAT | O_APPEND),
      fchmod(handle.descriptor, Self.permissions) == 0
    else { return }
    write(bytes, to: handle)
  }

  private func write(_ bytes: [UInt8], to handle: FileHandle) {
    var buffer = ByteBuffer()
    buffer.append(bytes)
    try? buffer.write(to: handle.descriptor)
  }

  /// The file, where it is one of the user's own: no link, no other name of something else.
  private func ownFile(_ flags: Int32) -> FileHandle? {
    guard let handle = try? FileHandle.openCompanion(path, flags, mode: Self.permissions),
      let status = try? handle.status(), status.owner == geteuid()
    else { return nil }
    return handle
  }
}

extension KeyText {
  /// Whether this is a key in one of its text forms.
  fileprivate static func isKey(_ text: [UInt8]) -> Bool {
    text.count > keySize && (try? parse(text)) != nil
  }
}
