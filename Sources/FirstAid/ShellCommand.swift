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
