// What every node of a syntax tree has: what it is, and where it stands. Layer: Syntax.

/// A piece of syntax with its place in the source text.
package struct SyntaxNode<Kind: Hashable & Sendable>: Hashable, Sendable {
  package let kind: Kind
  /// Without parentheses around it.
  package let range: SourceRange

  package init(_ kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}
