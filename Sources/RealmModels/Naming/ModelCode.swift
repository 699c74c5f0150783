// Code that was written for a schema: one text, or a file for each class. Layer: RealmModels, Naming.

/// A line that code begins with.
struct HeadLine: ExpressibleByStringInterpolation {
  let text: String
  /// Left out of code that names none of these; with none it is always there.
  var names: [Substring] = []

  init(_ text: String, for names: String = "") {
    self.text = text
    self.names = names.split(separator: " ")
  }

  init(stringLiteral text: String) { self.init(text) }
}

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

  private let head: [HeadLine]
  private let wholeHead, tail: String
  package let parts: [Part]
  /// What the code does not say of the schema.
  package let warning: String?

  /// `head` and `tail`: what every file begins and ends with. `wholeHead`: what follows the head where all parts are one file.
  init(
    head: [HeadLine] = [], wholeHead: [String] = [], tail: String = "", _ parts: [Part],
    warning: String? = nil
  ) {
    self.warning = warning
    self.head = head
    self.wholeHead = Self.block(wholeHead)
    self.tail = tail
    self.parts = parts
  }

  /// All parts in one text.
  package var text: String {
    let code = parts.map(\.code).joined(separator: "\n")
    return head(of: code) + wholeHead + code + tail
  }

  /// A part as a file.
  package func file(_ part: Part) -> String {
    head(of: part.code) + Self.block(part.imports) + part.code + tail
  }

  private func head(of code: String) -> String {
    let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    return Self.block(
      head.filter { $0.names.isEmpty || !words.isDisjoint(with: $0.names) }.map(\.text))
  }

  /// Lines with an empty one behind them.
  private static func block(_ lines: [String]) -> String {
    lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n\n"
  }
}

extension [String] {
  /// The first of many names.
  var shortList: String {
    prefix(5).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "")
  }

  /// Each line further to the right.
  func indented(by count: Int) -> [String] {
    map { $0.isEmpty ? $0 : String(repeating: " ", count: count) + $0 }
  }
}
