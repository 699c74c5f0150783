// What expressions are for: assignments, and columns of a result. Layer: Syntax.

/// `property = expression`
package struct Assignment: Hashable, Sendable {
  package let target: PropertyPath
  package let value: Expression
  package let range: SourceRange
}

/// One column of a result: `path`, `age * 2 as twice` or `@key`.
package struct SelectItem: Hashable, Sendable {
  package let value: Expression
  /// The name behind `as`.
  package let alias: Name?
  package let range: SourceRange
}
