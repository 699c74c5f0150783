// The values beside a query that `$0`, `%@` and `$K0` stand for. Layer: Query, Types.
// Surplus arguments are fine; a missing one is an error at its place in the query.

import ByteText
package import RealmQueryLanguage

/// One argument: a literal, a list or a region.
package struct QueryArgument: Sendable {
  package let expression: Expression
  /// What was written, where it may be read otherwise beside a property of another type; nil where it is what it is.
  package let spelling: [UInt8]?

  package init(_ expression: Expression) {
    self.expression = expression
    spelling = nil
  }

  /// What a user gives: a literal of the language, or just a word.
  package init(spelling: [UInt8]) throws(QueryError) {
    self.spelling = spelling
    do throws(QueryError) {
      expression = try Expression(argument: spelling)
    } catch {
      if let quoted = Self.unquoted(spelling) {
        expression = QueryArguments.text(quoted)
        return
      }
      // What looks like a number may be an identifier or a date, which the property says.
      guard let first = spelling.first, !Array("{'\"".utf8).contains(first),
        !spelling.contains(UInt8(ascii: "("))
      else { throw error }
      expression = QueryArguments.text(spelling)
    }
  }

  /// The text between single quotes that are doubled inside, as SQL has it; nil for what is no such text.
  private static func unquoted(_ spelling: [UInt8]) -> [UInt8]? {
    let quote = UInt8(ascii: "'")
    guard spelling.count > 2, spelling.first == quote, spelling.last == quote else { return nil }
    var (text, isHalf): ([UInt8], Bool) = ([], false)
    for byte in spelling.dropFirst().dropLast() {
      guard byte == quote || !isHalf, byte != UInt8(ascii: "\\") else { return nil }
      if byte == quote { isHalf.toggle() }
      if !isHalf { text.append(byte) }
    }
    return isHalf ? nil : text
  }

  /// The value, where it is one and no list or region.
  package var value: Value? {
    guard case .constant(let constant) = expression.kind, case .literal(let literal) = constant.kind else {
      return nil
    }
    return literal.plainValue
  }
}

/// Arguments in their order, and those that have names.
package struct QueryArguments: Sendable {
  private var values: [QueryArgument]
  private var named: [String: QueryArgument]

  /// `named`: without their `$`.
  package init(_ values: [QueryArgument], named: [String: QueryArgument] = [:]) {
    self.values = values
    self.named = named
  }

  /// `values` as `Expression(argument:)` reads them.
  package init(_ values: [Expression] = []) { self.init(values.map { QueryArgument($0) }) }

  /// An argument that is this text, whatever it looks like.
  package static func text(_ bytes: [UInt8]) -> Expression {
    let range = SourceRange(bytes.indices)
    return Expression(.constant(Constant(.literal(.string(bytes)), range: range)), range: range)
  }

  private func argument(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure)
    -> QueryArgument
  {
    guard reference.index < values.count else {
      let given = counted(values.count, "argument is", "arguments are")
      throw .query(
        QueryError(
          .argument, "\(reference.shown) is used but only \(given) given", at: range, parameter: .numbered))
    }
    return values[reference.index]
  }

  /// What `reference` stands for, with its own place in the query as the range of everything in it.
  func operand(_ reference: ArgumentReference, at range: SourceRange) throws(BindingFailure) -> ExpressionKind
  {
    let kind = try argument(reference, at: range).kind(at: range)
    if case .constant(let constant) = kind { try check(constant, reference, at: range) }
    return kind
  }

  /// What was written for `reference`, where it may be read otherwise.
  func spelling(_ reference: ArgumentReference) -> [UInt8]? {
    reference.index < values.count ? values[reference.index].spelling : nil
  }

  /// The argument of a path like `$name`; nil for any other path.
  func named(_ path: PropertyPath) throws(BindingFailure) -> QueryArgument? {
    guard path.steps.count == 1, case .name(let name) = path.steps[0].kind, !name.isQuoted,
      name.text.utf8.first == UInt8(ascii: "$")
    else { return nil }
    if let argument = named[String(name.text.dropFirst())] { return argument }
    throw .query(
      QueryError(
        .argument, "\(name.text) is used but not given", at: path.range,
        suggestion: EditDistance.nearest(to: name.text, among: named.keys.sorted().map { "$\($0)" }),
        parameter: .named(String(name.text.dropFirst()))))
  }

  /// The same, where `expression` is one of them alone and a property of `type` is to take it as it was written.
  package func fitting(_ expression: Expression, to type: ValueType) -> QueryArguments {
    var fitting = self
    switch expression.kind {
    case .constant(let constant):
      guard case .argument(let reference) = constant.kind, reference.index < values.count else { return self }
      fitting.values[reference.index] = values[reference.index].read(as: type)
    case .property(nil, let reference):
      guard let name = reference.path.steps.first?.kind, case .name(let name) = name else { return self }
      let key = String(name.text.dropFirst())
      if let argument = named[key] { fitting.named[key] = argument.read(as: type) }
    default: break
    }
    return fitting
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
  package func constant(
    _ reference: ArgumentReference, at range: SourceRange
  ) throws(BindingFailure) -> Literal {
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

  func count(_ count: RowCount, at range: SourceRange) throws(BindingFailure) -> Int {
    let reference: ArgumentReference
    switch count {
    case .number(let number): return Int(clamping: number)
    case .argument(let argument): reference = argument
    }
    guard case .int(let value) = try constant(reference, at: range), value >= 0 else {
      throw BindingFailure(.argument, "\(reference.shown) must be a whole number here, 0 or more", at: range)
    }
    return Int(value)
  }
}

extension QueryArgument {
  /// With its place in the query as the range of everything in it.
  func kind(at range: SourceRange) -> ExpressionKind {
    switch expression.kind {
    case .constant(let constant): return .constant(Constant(constant.kind, range: range))
    case .list(_, let list):
      let elements = list.elements.map { Constant($0.kind, range: range) }
      return .list(nil, ConstantList(elements: elements, range: range))
    default: return expression.kind
    }
  }

  /// What was written as a value of `type`, where it is another one by itself.
  fileprivate func read(as type: ValueType) -> QueryArgument {
    guard let spelling, case .constant(let constant) = expression.kind,
      case .literal(let literal) = constant.kind, literal != .null, let value = literal.plainValue,
      StaticType(of: value) != .value(type), let read = Literal(spelling: spelling, of: type)
    else { return self }
    return QueryArgument(
      Expression(.constant(Constant(.literal(read), range: expression.range)), range: expression.range))
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
