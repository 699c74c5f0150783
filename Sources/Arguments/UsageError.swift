// What the parser refuses. Layer: Arguments.

/// A command line that means nothing.
package struct UsageError: Error, Sendable {
  /// One line without the program's name and without a full stop.
  package let message: String
  /// What to type instead.
  package let hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
