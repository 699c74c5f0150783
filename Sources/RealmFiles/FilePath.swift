// A path as the system knows it: bytes without a zero, not text. Layer: RealmFiles.

import ByteText

extension EngineError {
  /// `reason`: the message without the name of the file, with which it begins.
  package init(
    _ kind: Kind, of path: FilePath, _ reason: String, at place: String? = nil, hint: String? = nil
  ) {
    self.init(kind, of: path.displayName, reason, at: place, hint: hint)
  }
}

/// Bytes that name a file.
package struct FilePath: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
  package init(_ text: String) { bytes = Array(text.utf8) }

  /// What messages call what comes through a pipe.
  package static let standardInput = FilePath("standard input")

  /// For other programs: U+FFFD where the bytes are not UTF-8.
  package var name: String { String(decoding: bytes, as: UTF8.self) }

  /// For messages: what steers text is made visible.
  package var displayName: String { name.visible }

  /// The path as an argument: one that begins with a dash would be an option.
  package var word: [UInt8] { bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + bytes : bytes }

  /// For commands that messages print.
  package var shellText: String { shellWord(word) }

  /// What to do about a file that cannot be read.
  package var doctorHint: String { "to see what can be saved: realm-cli doctor --deep \(shellText)" }

  /// The directory that holds the file: `.` when the path has none.
  package var directory: FilePath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(Array(bytes[..<slash]))
  }

  package var lastComponent: [UInt8] {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes }
    return Array(bytes[(slash + 1)...])
  }

  /// The last component without `.realm` at its end.
  package var stem: [UInt8] {
    let (name, suffix) = (lastComponent, Array(".realm".utf8))
    return name.count > suffix.count && name.suffix(suffix.count) == suffix[...]
      ? Array(name.dropLast(suffix.count)) : name
  }

  /// Another name in the same directory.
  package func sibling(_ name: [UInt8]) -> FilePath { FilePath(bytes.dropLast(lastComponent.count) + name) }

  /// A name in this directory.
  package func child(_ name: [UInt8]) -> FilePath { FilePath(bytes + [UInt8(ascii: "/")] + name) }

  package func appending(_ suffix: String) -> FilePath { FilePath(bytes + Array(suffix.utf8)) }
}
