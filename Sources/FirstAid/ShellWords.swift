// A command as a shell takes it. Layer: FirstAid.
// Invariant: whatever bytes a file's name has, the words come out of the shell as they went in.

import RealmEngine

/// A line to type.
package struct ShellCommand: Sendable, Equatable {
  package let text: String

  /// A line of this program.
  package static func realm(_ words: [[UInt8]]) -> ShellCommand {
    ShellCommand([Array("realm-cli".utf8)] + words)
  }

  package init(_ words: [[UInt8]]) { self.init(text: words.map(Self.quoted).joined(separator: " ")) }

  package init(text: String) { self.text = text }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:=@%,".utf8)

  /// One word for any shell.
  package static func quoted(_ word: [UInt8]) -> String {
    if !word.isEmpty, word.allSatisfy(plain.contains) { return String(decoding: word, as: UTF8.self) }
    let isText =
      word.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && String(validating: word, as: UTF8.self) != nil
    guard isText else {
      let octal = word.map { byte in
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
      return "\"$(printf '\(octal.joined())')\""
    }
    let quote = UInt8(ascii: "'")
    let inner = word.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] }
    return "'" + String(decoding: inner, as: UTF8.self) + "'"
  }
}

extension FilePath {
  /// The path as an argument: one that begins with a dash would be an option.
  var word: [UInt8] { bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + bytes : bytes }

  /// A free name beside the file: `app.recovered.realm`.
  func freeName(_ label: String) -> FilePath {
    for number in 1..<1000 {
      let suffix = number == 1 ? ".\(label).realm" : ".\(label)-\(number).realm"
      let path = sibling(stem + Array(suffix.utf8))
      if ((try? path.statusOfLink) ?? nil) == nil { return path }
    }
    return sibling(stem + Array(".\(label).realm".utf8))
  }
}
