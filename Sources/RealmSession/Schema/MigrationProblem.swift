// What is wrong with a migration, and where in its file. Layer: RealmSession, Schema.

import RealmEngine
package import TextFormats

/// A text that migrations, sums or schemas are read from.
package struct DocumentSource: Sendable {
  /// As messages call it.
  package let name: String
  package let bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// One complaint about a migration file.
package struct MigrationProblem: Sendable {
  package enum Severity: Sendable { case error, warning }

  package let severity: Severity
  /// One line; it names the class and property that it is about.
  package let message: String
  package let hint: String?
  package let source: DocumentSource
  package let location: TextLocation
  /// Bytes that the complaint is about; at least one.
  package let length: Int

  package init(
    _ severity: Severity = .error, _ message: String, hint: String? = nil, in source: DocumentSource,
    at location: TextLocation, length: Int = 1
  ) {
    self.severity = severity
    self.message = message
    self.hint = hint
    self.source = source
    self.location = location
    self.length = length
  }

  /// `file:line:column: message`
  package var text: String {
    let prefix = severity == .warning ? "warning – " : ""
    return "\(source.name):\(location.line):\(location.column): \(prefix)\(message)"
  }
}

/// Gathers complaints about one file.
package final class ProblemReport {
  package let source: DocumentSource
  package private(set) var problems: [MigrationProblem] = []

  package init(_ source: DocumentSource) { self.source = source }

  package var hasErrors: Bool { problems.contains { $0.severity == .error } }

  package func error(
    _ message: String, at location: TextLocation, length: Int = 1, hint: String? = nil,
    suggestion: String? = nil
  ) {
    add(.error, message + Self.clause(suggestion), location, length, hint)
  }

  /// About a scalar, which is marked as a whole.
  package func error(
    _ message: String, at node: DocumentNode, hint: String? = nil, suggestion: String? = nil
  ) {
    error(message, at: node.location, length: length(of: node), hint: hint, suggestion: suggestion)
  }

  package func warn(_ message: String, at node: DocumentNode, hint: String? = nil) {
    add(.warning, message, node.location, length(of: node), hint)
  }

  package func warn(_ message: String, at location: TextLocation, hint: String? = nil) {
    add(.warning, message, location, 1, hint)
  }

  private func add(
    _ severity: MigrationProblem.Severity, _ message: String, _ location: TextLocation, _ length: Int,
    _ hint: String?
  ) {
    problems.append(
      MigrationProblem(severity, message, hint: hint, in: source, at: location, length: length))
  }

  private static func clause(_ suggestion: String?) -> String {
    suggestion.map { " (did you mean '\($0)'?)" } ?? ""
  }

  package func length(of node: DocumentNode) -> Int {
    switch node.content {
    case .scalar(let text, let isQuoted): max(1, text.utf8.count + (isQuoted && hasQuote(at: node) ? 2 : 0))
    case .sequence, .mapping: 1
    }
  }

  /// A scalar that was given quotes for its property's sake stands in the document without.
  private func hasQuote(at node: DocumentNode) -> Bool {
    let offset = node.location.offset
    guard offset < source.bytes.count else { return false }
    return source.bytes[offset] == UInt8(ascii: "\"") || source.bytes[offset] == UInt8(ascii: "'")
  }
}
