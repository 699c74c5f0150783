// Code that was written for a schema: one text, or a file for each class. Layer: RealmModels, Naming.

/// Code in one language.
package struct ModelCode: Sendable {
  /// Code that may be a file of its own.
  package struct Part: Sendable {
    package let name: String
    /// With the dot: `.swift`.
    package let suffix: String
    let imports: [String]
    let code: String

    /// `imports`: what only a file of its own needs to begin with.
    init(_ name: String, _ suffix: String, imports: [String] = [], _ lines: [String]) {
      self.name = name
      self.suffix = suffix
      self.imports = imports
      code = lines.joined(separator: "\n") + "\n"
    }
  }

  private let head, wholeHead, tail: String
  package let parts: [Part]

  /// `head` and `tail`: what every file begins and ends with. `wholeHead`: what follows the head where all parts are one file.
  init(head: [String] = [], wholeHead: [String] = [], tail: String = "", _ parts: [Part]) {
    self.head = Self.block(head)
    self.wholeHead = Self.block(wholeHead)
    self.tail = tail
    self.parts = parts
  }

  /// All parts in one text.
  package var text: String { head + wholeHead + parts.map(\.code).joined(separator: "\n") + tail }

  /// A part as a file.
  package func file(_ part: Part) -> String { head + Self.block(part.imports) + part.code + tail }

  /// Lines with an empty one behind them.
  private static func block(_ lines: [String]) -> String {
    lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n\n"
  }
}

extension [String] {
  /// Each line further to the right.
  func indented(by count: Int) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: " ", count: count) + $0 }
  }
}
