// BETWEEN and TEXT. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func bindBetween(_ comparison: Comparison) throws(BindingFailure) -> BoundPredicate {
    let left = try side(comparison.left)
    let right = try side(comparison.right)
    guard case .bound(let operand) = left else {
      throw nothingToLookUp(comparison, at: left.range)
    }
    guard case .list(let terms, let quantifier, _) = right, terms.count == 2 else {
      throw BindingFailure(
        .between, "BETWEEN needs exactly two values", at: right.range, hint: "write BETWEEN {1, 5}")
    }
    guard quantifier == nil else {
      throw BindingFailure(.between, "the bounds of BETWEEN take no quantifier", at: right.range)
    }
    if operand.isPrimitiveCollection || operand.isKeys, operand.isList, operand.quantifier != .all {
      let text = context.source.text(in: operand.range)
      let path =
        operand.quantifier == nil ? text[...] : text.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
      throw BindingFailure(
        .between, "only ALL is allowed before a collection with BETWEEN", at: operand.range,
        hint: "write ALL \(path) BETWEEN …, or SUBQUERY for single elements of objects")
    }
    let pair = ComparedPair(
      relation: ComparisonTest(.lessOrEqual), symbol: .between, symbolRange: comparison.symbolRange,
      context: context)
    let low = try bound(terms[0], operand, pair)
    let high = try bound(terms[1], operand, pair)
    if let property = operand.directProperty {
      return .property(PropertyCondition(property: property, test: .isBetween(low, high)))
    }
    return .between(BetweenCondition(operand: operand.operand, low: low, high: high))
  }

  private func bound(
    _ term: ConstantTerm, _ operand: BoundSide, _ pair: ComparedPair
  ) throws(BindingFailure) -> Value {
    let value = try pair.value(term, for: operand, isRight: true)
    if value == .null {
      throw BindingFailure(.nullBound, "a bound of BETWEEN cannot be NULL", at: term.range)
    }
    return value
  }
}

extension Binder {
  func bindFullText(_ comparison: Comparison) throws(BindingFailure) -> BoundPredicate {
    let leftSide = try side(comparison.left)
    if case .bound(let left) = leftSide, left.kind == .unknown { return .constant(true) }
    guard case .bound(let left) = leftSide, let path = left.path, path.steps.isEmpty,
      path.conversion == nil, case .value(let property) = path.end, property.type == .string
    else {
      throw BindingFailure(
        .fullText, "TEXT needs a string property with a full-text index before it",
        at: comparison.left.range)
    }
    guard property.index == .fullText else {
      throw BindingFailure(
        .fullText, "'\(property.name)' has no full-text index", at: comparison.left.range,
        hint: "write \(context.source.text(in: left.range)) CONTAINS[c] 'word'")
    }
    guard case .constant(let term) = try side(comparison.right), case .literal(.string(let bytes)) = term.kind
    else {
      throw BindingFailure(.fullText, "TEXT needs words in quotes after it", at: comparison.right.range)
    }
    do throws(FullTextQuery.Fault) {
      let words = try FullTextQuery(bytes)
      return .fullText(FullTextCondition(path: path, property: property, words: words))
    } catch {
      throw BindingFailure(.fullText, error.message, at: comparison.right.range)
    }
  }
}
