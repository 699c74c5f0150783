// Equality, orderings, membership and the text operators. Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

extension Binder {
  func bind(_ comparison: Comparison) throws(BindingFailure) -> BoundPredicate {
    switch comparison.symbol {
    case .between: return try bindBetween(comparison)
    case .text: return try bindFullText(comparison)
    case .geoWithin: return try bindGeoWithin(comparison)
    default: break
    }
    let left = try side(comparison.left)
    let right = try rightSide(comparison.right, beside: left)
    if comparison.symbol == .in { try requireList(right) }
    if comparison.symbol == .matches { try requireExpression(right) }
    let relation = ComparisonTest(comparison.symbol.relationKind, folding: comparison.options.folding)
    let pairs = ComparedPair(
      relation: relation, symbol: comparison.symbol, symbolRange: comparison.symbolRange, context: context)
    switch (left, right) {
    case (.bound(let left), .bound(let right)): return try pairs.bind(left, right)
    case (.bound(let left), .constant(let term)): return try pairs.bind(left, term)
    case (.bound(let left), .list(let terms, let quantifier, _)):
      return try pairs.bind(left, terms, quantifier)
    case (.constant(let term), .bound(let right)): return try pairs.bind(term, right)
    case (.list(let terms, let quantifier, _), .bound(let right)):
      return try pairs.bind(terms, quantifier, right)
    case (.region, _), (_, .region):
      throw BindingFailure(
        .geospatial, "regions are allowed only after GEOWITHIN", at: comparison.symbolRange)
    case (.constant, _), (.list, _):
      throw nothingToLookUp(comparison, at: comparison.left.range.joined(with: comparison.right.range))
    }
  }

  /// The complaint about two constants; one of them may be the name of a property in double quotes, as SQL has names.
  func nothingToLookUp(_ comparison: Comparison, at range: SourceRange) -> BindingFailure {
    let texts = [comparison.left, comparison.right].compactMap { side -> String? in
      guard case .constant(let constant) = side.kind, case .literal(.string(let bytes)) = constant.kind,
        context.source[side.range.offset] == UInt8(ascii: "\"")
      else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    let name = texts.first { schema.property(named: $0) != nil }
    return BindingFailure(
      .constant, "nothing to look up: both sides are constants", at: range,
      hint: name.map { "in quotes it is a text; the property is \(spelledName($0, as: .property))" })
  }

  /// One side, looked up.
  func side(_ operand: Expression) throws(BindingFailure) -> Side {
    switch operand.kind {
    case .constant(let constant): return try resolve(constant)
    case .quantifiedArgument(let quantifier, let reference):
      return try resolve(quantifier, reference, at: operand.range)
    case .list(let quantifier, let list): return .list(try terms(list), quantifier, operand.range)
    case .property(let quantifier, let reference):
      return try bind(reference, quantifier, at: operand.range)
    case .subquery(let subquery): return .bound(try bind(subquery, at: operand.range))
    case .arithmetic(let first, let rest): return try arithmeticSide(first, rest, of: operand)
    case .shape(let shape): return .region(shape)
    case .call, .negative, .coalescing, .conditional, .truth, .comparison, .not, .and, .or:
      return try computed(operand, isLenient: true)
    }
  }

  /// Numbers as the reference engine calculates them; what it cannot is computed.
  private func arithmeticSide(
    _ first: Expression, _ rest: [ArithmeticStep], of operand: Expression
  ) throws(BindingFailure) -> Side {
    if rest.contains(where: { $0.symbol == .remainder }) { return try computed(operand, isLenient: true) }
    do throws(BindingFailure) {
      return try bindArithmetic(first, rest, at: operand.range)
    } catch {
      guard !context.isForReference, case .query(let fault) = error, fault.code == .arithmetic else {
        throw error
      }
      return try computed(operand, isLenient: true)
    }
  }

  /// The right side; an unknown name beside a text was probably meant as one.
  private func rightSide(_ operand: Expression, beside left: Side) throws(BindingFailure) -> Side {
    do throws(BindingFailure) {
      return try side(operand)
    } catch {
      guard case .query(let error) = error, error.code == .property, error.suggestion == nil,
        case .bound(let left) = left, left.kind.isText, error.range == operand.range
      else { throw error }
      let word = context.source.text(in: error.range).filter { $0 != "`" }
      throw BindingFailure(
        error.code, error.message, at: error.range, hint: "quote strings: '\(word)'")
    }
  }

  /// A regular expression is prepared once, so it must be there before any object is.
  private func requireExpression(_ side: Side) throws(BindingFailure) {
    guard case .constant(let term) = side, let value = term.fitted(to: .value(.string)),
      case .string(let pattern) = value
    else {
      throw BindingFailure(.constant, "MATCHES needs a regular expression in quotes", at: side.range)
    }
    do throws(RegularExpression.Fault) {
      _ = try RegularExpression(pattern.bytes.array(), foldsCase: false)
    } catch {
      // Behind a quote the pattern stands as it is, unless escapes make it shorter than its text.
      let range = term.range
      let isVerbatim = range.length == pattern.bytes.count + 2
      let place = isVerbatim ? SourceRange(offset: range.offset + 1 + error.offset, length: 1) : range
      throw BindingFailure(.constant, error.message, at: place)
    }
  }

  private func requireList(_ side: Side) throws(BindingFailure) {
    switch side {
    case .list: return
    case .bound(let bound) where bound.isList || bound.kind == .unknown: return
    default:
      throw BindingFailure(
        .membership, "right side of IN must be a list", at: side.range,
        hint: "write {a, b}, or a path to several values")
    }
  }
}

extension ComparisonSymbol {
  /// The comparison of two plain values that it stands for; nil for those that ask of lists and texts.
  var comparison: ComparisonOperator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .in, .beginsWith, .endsWith, .contains, .like, .matches, .text, .between, .geoWithin: nil
    }
  }

  /// Of the operators that compare values.
  var relationKind: ComparisonTest.Kind {
    if let comparison { return .compare(comparison) }
    return switch self {
    case .in: .equal
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .matches: .matches
    case .text, .between, .geoWithin, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      preconditionFailure("bound on their own")
    }
  }
}

extension StringOptions {
  var folding: TextFolding {
    switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
    case (false, false): .none
    case (true, false): .latinCase
    case (false, true): .diacritics
    case (true, true): .diacriticsAndCase
    }
  }
}
