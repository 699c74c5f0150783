// What every node of a syntax tree has: what it is, and where it stands. Layer: Syntax.

/// A piece of syntax with its place in the source text.
///
/// Its kind is not asked to be hashable here: the run-time library would look for each kind's conformance at the first
/// use, which takes longer than parsing a query.
package struct SyntaxNode<Kind: Sendable>: Sendable {
  package let kind: Kind
  /// Without parentheses around it.
  package let range: SourceRange

  package init(_ kind: Kind, range: SourceRange) {
    self.kind = kind
    self.range = range
  }
}

extension SyntaxNode: Equatable where Kind: Equatable {}
extension SyntaxNode: Hashable where Kind: Hashable {}
