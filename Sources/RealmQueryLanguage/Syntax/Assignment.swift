// What expressions are for: assignments, and columns of a result. Layer: Syntax.

/// `property = expression`
package struct Assignment: Hashable, Sendable {
  package enum Symbol: String, Hashable, Sendable {
    case set = "="
    /// Adds a number or a text, or elements to a list or set.
    case add = "+="
    case remove = "-="
  }

  package let target: PropertyPath
  package let symbol: Symbol
  package let value: Expression
  package let range: SourceRange
}

/// One column of a result: `path`, `age * 2 as twice` or `@key`.
package struct SelectItem: Hashable, Sendable {
  package let value: Expression
  /// The name behind `as`.
  package let alias: Name?
  package let range: SourceRange

  package init(value: Expression, alias: Name?, range: SourceRange) {
    self.value = value
    self.alias = alias
    self.range = range
  }
}

extension SelectItem {
  /// `unnest(tags)`: the collection that is shown element by element, a row each.
  package var unnested: Expression? {
    guard case .call(let call) = value.kind, call.name.text.lowercased() == "unnest",
      call.arguments.count == 1
    else { return nil }
    return call.arguments[0]
  }
}
