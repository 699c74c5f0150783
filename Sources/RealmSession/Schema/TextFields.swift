// Expressions and predicates that stand in a migration file, parsed, with the way back to their places in it.
// Layer: RealmSession, Schema.

import RealmEngine
package import RealmQueryLanguage
package import TextFormats

/// A name with its place.
package struct Located<Item: Sendable>: Sendable {
  package let value: Item
  package let node: DocumentNode

  package init(_ value: Item, _ node: DocumentNode) {
    self.value = value
    self.node = node
  }
}

extension Located<String> {
  /// The key of an entry.
  package init(key entry: DocumentEntry) {
    self.init(entry.key, DocumentNode(.scalar(text: entry.key, isQuoted: false), at: entry.keyLocation))
  }
}

/// A text of the query language in a document.
package struct LanguageText<Syntax: Sendable>: Sendable {
  package let syntax: Syntax
  package let source: [UInt8]
  package let node: DocumentNode
}

package typealias ExpressionText = LanguageText<Expression>
package typealias PredicateText = LanguageText<Predicate>

extension ProblemReport {
  /// A complaint of the query language about a text that stands at `node`.
  func error(_ error: QueryError, in source: [UInt8], at node: DocumentNode) {
    let (location, length) = place(of: error.range, in: source, at: node)
    self.error(
      error.message, at: location, length: length, hint: error.hint, suggestion: error.suggestion)
  }

  /// Where a part of a scalar's text stands. A text with escapes that are not followed is marked as a whole.
  private func place(
    of range: SourceRange, in text: [UInt8], at node: DocumentNode
  ) -> (TextLocation, length: Int) {
    guard node.text != nil else { return (node.location, 1) }
    return ScalarText(text, at: node.location, in: source.bytes).place(range.offset, range.length)
      ?? (node.location, length(of: node))
  }

  func error(_ failure: BindingFailure, in source: [UInt8], at node: DocumentNode) {
    switch failure {
    case .query(let error): self.error(error, in: source, at: node)
    case .engine(let error): self.error(error.message, at: node, hint: error.hint)
    }
  }

  func parse<Syntax>(
    _ node: DocumentNode, _ parse: ([UInt8]) throws(QueryError) -> Syntax
  ) -> LanguageText<Syntax>? {
    guard let text = node.text else {
      error("expected a text here", at: node)
      return nil
    }
    let source = Array(text.utf8)
    do throws(QueryError) {
      return LanguageText(syntax: try parse(source), source: source, node: node)
    } catch {
      self.error(error, in: source, at: node)
      return nil
    }
  }

  package func expression(_ node: DocumentNode) -> ExpressionText? {
    parse(node) { source throws(QueryError) in try Expression(parsing: source) }
  }

  /// An expression that was put together from those of `node`.
  func expression(_ source: [UInt8], at node: DocumentNode) -> ExpressionText? {
    do throws(QueryError) {
      return ExpressionText(syntax: try Expression(parsing: source), source: source, node: node)
    } catch {
      self.error(error.message, at: node)
      return nil
    }
  }

  package func predicate(_ node: DocumentNode) -> PredicateText? {
    parse(node) { source throws(QueryError) in try Predicate(parsing: source) }
  }
}
