// A command as a shell takes it. Layer: FirstAid.

import ByteText
import RealmEngine

/// A line to type.
package struct ShellCommand: Sendable, Equatable {
  package let text: String

  /// A line of this program.
  package static func realm(_ words: [[UInt8]]) -> ShellCommand {
    ShellCommand([Array("realm-cli".utf8)] + words)
  }

  package init(_ words: [[UInt8]]) { self.init(text: words.map(shellWord).joined(separator: " ")) }

  package init(text: String) { self.text = text }
}

extension FilePath {
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
