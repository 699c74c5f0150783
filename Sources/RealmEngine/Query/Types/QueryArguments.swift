// The values beside a query that `$0`, `%@` and `$K0` stand for. Layer: Query.
// Surplus arguments are fine; a missing one is an error at its place in the query.

package import RealmQueryLanguage

/// Arguments in their order, each a literal, a list or a region.
package struct QueryArguments: Sendable {
  private let values: [Expression]

  /// `values` as `Operand(argument:)` reads them.
  package init(_ values: [Expression] = []) { self.values = values }

  /// An argument that is this text, whatever it looks like.
  package static func text(_ bytes: [UInt8]) -> Expression {
    let range = SourceRange(bytes.indices)
    return Expression(.constant(Constant(.literal(.string(bytes)), range: range)), range: range)
  }

  private func argument(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure)
    -> Expression
  {
    guard reference.index < values.count else {
      let given = values.count == 1 ? "1 argument is" : "\(values.count) arguments are"
      throw BindingFailure(
        .argument, "\(reference.shown) is used but only \(given) given", at: range,
        hint: "give the values in order with --arg")
    }
    return values[reference.index]
  }

  /// What `reference` stands for, with its own place in the query as the range of everything in it.
  func operand(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> ExpressionKind
  {
    let argument = try argument(reference, at: range)
    switch argument.kind {
    case .constant(let constant):
      try check(constant, reference, at: range)
      return .constant(Constant(constant.kind, range: range))
    case .list(_, let list):
      let elements = list.elements.map { Constant($0.kind, range: range) }
      return .list(nil, ConstantList(elements: elements, range: range))
    default: return argument.kind
    }
  }

  /// `%d` and `%f` take numbers only.
  private func check(
    _ constant: Constant, _ reference: ArgumentReference, at range: SourceRange
  ) throws(BindingFailure) {
    guard case .specifier(let specifier) = reference.style, case .literal(let literal) = constant.kind else {
      return
    }
    let fits =
      switch (specifier, literal) {
      case (.integer, .int), (.integer, .decimal): true
      case (.floatingPoint, .int), (.floatingPoint, .decimal), (.floatingPoint, .double),
        (.floatingPoint, .float), (.floatingPoint, .infinity), (.floatingPoint, .notANumber):
        true
      case (.integer, _), (.floatingPoint, _): false
      default: true
      }
    guard fits else {
      let wanted = specifier == .integer ? "an integer" : "a number"
      throw BindingFailure(.argument, "\(reference.shown) needs \(wanted), not \(literal.shown)", at: range)
    }
  }

  /// A single value.
  func constant(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> Literal {
    if case .constant(let constant) = try operand(reference, at: range),
      case .literal(let literal) = constant.kind
    {
      return literal
    }
    throw BindingFailure(
      .argument, "\(reference.shown) must be a single value here", at: range)
  }

  /// A path, or another text.
  func text(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> String {
    guard case .string(let bytes) = try constant(reference, at: range) else {
      throw BindingFailure(
        .argument, "\(reference.shown) must be the text of a path", at: range)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func number(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> Double {
    switch try constant(reference, at: range) {
    case .int(let value): return Double(value)
    case .double(let value, _): return value
    case .float(let value, _): return Double(value)
    case .infinity(let isNegative): return isNegative ? -.infinity : .infinity
    case .notANumber: return .nan
    default: throw BindingFailure(.argument, "\(reference.shown) must be a number here", at: range)
    }
  }

  func count(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> Int {
    guard case .int(let value) = try constant(reference, at: range), value >= 0 else {
      throw BindingFailure(.argument, "\(reference.shown) must be a natural number here", at: range)
    }
    return Int(value)
  }
}

extension ArgumentReference {
  /// As a query writes it.
  var shown: String {
    switch style {
    case .dollar: "$\(index)"
    case .specifier: "argument \(index + 1)"
    }
  }
}
