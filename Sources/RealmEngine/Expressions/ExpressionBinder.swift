// Checks names and types of an expression. Layer: Expressions.
// Invariant: the first fault in the order of the text is the one reported, with its place.

import ByteText
package import RealmQueryLanguage

extension BoundExpression {
  /// Checks `expression`, parsed from `source`. Linear in its length.
  package init(
    _ expression: ValueExpression, source: [UInt8], in scope: ExpressionScope
  ) throws(BindingFailure) {
    var binder = ExpressionBinder(scope: scope, source: source)
    let (node, type) = try binder.bind(expression)
    self.init(
      root: node, type: type, source: source, paths: binder.paths, objects: binder.objects,
      subject: scope.subject, arguments: scope.arguments)
  }
}

struct ExpressionBinder {
  typealias Bound = (node: ExpressionNode, type: ExpressionType)

  let scope: ExpressionScope
  let source: [UInt8]
  private(set) var paths: [PathUse] = []
  private(set) var objects: [(reference: ObjectReference, range: SourceRange)] = []

  init(scope: ExpressionScope, source: [UInt8]) {
    self.scope = scope
    self.source = source
  }

  mutating func addPath(_ path: PathUse) -> Int {
    paths.append(path)
    return paths.count - 1
  }

  mutating func bind(_ expression: ValueExpression) throws(BindingFailure) -> Bound {
    switch expression.kind {
    case .constant(let constant): return try bind(constant)
    case .list(let list): return try bind(list)
    case .property(let reference): return try bind(reference)
    case .call(let call): return try bind(call, at: expression.range)
    case .not(let operand): return (.not(try condition(operand).node), .value(.bool, isOptional: true))
    case .negative(let operand): return try bindNegative(operand, at: expression.range)
    case .arithmetic(let first, let rest): return try bindArithmetic(first, rest)
    case .comparison(let left, let symbol, let right):
      return try bindComparison(left, symbol, right, at: expression.range)
    case .and(let operands): return (.and(try conditions(operands)), .value(.bool, isOptional: true))
    case .or(let operands): return (.or(try conditions(operands)), .value(.bool, isOptional: true))
    case .coalescing(let operands): return try bindCoalescing(operands)
    case .conditional(let branches, let otherwise): return try bindConditional(branches, otherwise)
    }
  }

  // MARK: Constants

  private mutating func bind(_ constant: Constant) throws(BindingFailure) -> Bound {
    switch constant.kind {
    case .literal(let literal): return try bind(literal, at: constant.range)
    case .argument(let reference):
      return try bind(try scope.arguments.constant(reference, at: constant.range), at: constant.range)
    case .object(let reference):
      if case .absent(let names) = scope.schema.hasClass(reference.className.text) {
        throw BindingFailure(
          .object, "no class '\(reference.className.text)'", at: reference.className.range,
          suggestion: EditDistance.nearest(to: reference.className.text, among: names))
      }
      objects.append((reference, constant.range))
      return (
        .object(objects.count - 1), ExpressionType(.link(reference.className.text), isOptional: true)
      )
    }
  }

  private func bind(_ literal: Literal, at range: SourceRange) throws(BindingFailure) -> Bound {
    guard let value = literal.plainValue else {
      throw BindingFailure(.constant, "\(literal.shown) has no value here", at: range)
    }
    return (.constant(value), ExpressionType(of: value))
  }

  private mutating func bind(_ list: ConstantList) throws(BindingFailure) -> Bound {
    var values: [Value] = []
    var type: ExpressionType?
    for element in list.elements {
      let (node, elementType) = try bind(element)
      guard case .constant(let value) = node else {
        throw BindingFailure(.lists, "a list holds plain values", at: element.range)
      }
      values.append(value)
      type = type.map { $0.joined(with: elementType) ?? .unknown } ?? elementType
    }
    let element = type ?? .unknown
    return (.constants(values), ExpressionType(element.kind, isList: true, isOptional: element.isOptional))
  }

  // MARK: Operators

  /// An operand that is true or false.
  private mutating func condition(_ operand: ValueExpression) throws(BindingFailure) -> Bound {
    let bound = try bind(operand)
    guard bound.type.isUnknown || bound.type.isValue(.bool) || bound.type.kind == .null else {
      throw BindingFailure(
        .type, "expected a condition, found \(bound.type.name)", at: operand.range,
        hint: "compare it with something")
    }
    return bound
  }

  private mutating func conditions(_ operands: [ValueExpression]) throws(BindingFailure) -> [ExpressionNode] {
    var nodes: [ExpressionNode] = []
    for operand in operands { nodes.append(try condition(operand).node) }
    return nodes
  }

  private mutating func bindNegative(
    _ operand: ValueExpression, at range: SourceRange
  ) throws(BindingFailure) -> Bound {
    let (node, type) = try bind(operand)
    guard type.isUnknown || type.numberRank != nil else {
      throw BindingFailure(.arithmetic, "expected a number, found \(type.name)", at: operand.range)
    }
    return (.negative(node, range), type)
  }

  private mutating func bindArithmetic(
    _ first: ValueExpression, _ rest: [ArithmeticStep<ValueExpression>]
  ) throws(BindingFailure) -> Bound {
    var (node, type) = try bind(first)
    var texts: [ExpressionNode]? = type.isValue(.string) ? [node] : nil
    var steps: [(ArithmeticOperator, ExpressionNode, SourceRange)] = []
    for step in rest {
      let (next, nextType) = try bind(step.operand)
      if step.symbol == .add, nextType.isValue(.string) { texts?.append(next) } else { texts = nil }
      type = try arithmeticType(type, step.symbol, nextType, at: step.symbolRange)
      steps.append((step.symbol, next, step.symbolRange))
    }
    if let texts { node = .concatenation(texts) } else { node = .arithmetic(first: node, rest: steps) }
    return (node, type)
  }

  private func arithmeticType(
    _ left: ExpressionType, _ symbol: ArithmeticOperator, _ right: ExpressionType, at range: SourceRange
  ) throws(BindingFailure) -> ExpressionType {
    if !left.isList, !right.isList {
      if left.isUnknown || right.isUnknown { return .unknown }
      if symbol == .add, left.isValue(.string), right.isValue(.string) {
        return .value(.string, isOptional: left.isOptional || right.isOptional)
      }
      if let type = left.wider(right) { return type }
    }
    let isJoining = symbol == .add && (left.isValue(.string) || right.isValue(.string))
    throw BindingFailure(
      .arithmetic, "\(symbol.rawValue) does not work on \(left.name) and \(right.name)", at: range,
      hint: isJoining && !left.isList && !right.isList ? "write string(…) around what is no string" : nil)
  }

  private mutating func bindComparison(
    _ left: ValueExpression, _ symbol: RealmQueryLanguage.ComparisonOperator, _ right: ValueExpression,
    at range: SourceRange
  ) throws(BindingFailure) -> Bound {
    let (leftNode, leftType) = try bind(left)
    let (rightNode, rightType) = try bind(right)
    guard leftType.isComparable(to: rightType), !leftType.isList, !rightType.isList else {
      throw BindingFailure(.type, "cannot compare \(leftType.name) with \(rightType.name)", at: range)
    }
    let isOrder = symbol != .equal && symbol != .notEqual
    return (
      .comparison(leftNode, symbol, rightNode),
      .value(.bool, isOptional: isOrder && (leftType.isOptional || rightType.isOptional))
    )
  }

  private mutating func bindCoalescing(_ operands: [ValueExpression]) throws(BindingFailure) -> Bound {
    var nodes: [ExpressionNode] = []
    var type: ExpressionType?
    for operand in operands {
      let (node, next) = try bind(operand)
      nodes.append(node)
      type =
        try type.map { soFar throws(BindingFailure) in
          try common(soFar, next, at: operand.range).optional(next.isOptional)
        } ?? next
    }
    return (.coalescing(nodes), type ?? .null)
  }

  private mutating func bindConditional(
    _ branches: [ConditionalBranch], _ otherwise: ValueExpression
  ) throws(BindingFailure) -> Bound {
    var bound: [(condition: ExpressionNode, value: ExpressionNode)] = []
    var type: ExpressionType?
    for branch in branches {
      let condition = try condition(branch.condition).node
      let (value, next) = try bind(branch.value)
      bound.append((condition, value))
      type =
        try type.map { soFar throws(BindingFailure) in
          try common(soFar, next, at: branch.value.range)
        } ?? next
    }
    let (last, lastType) = try bind(otherwise)
    let joined = try common(type ?? lastType, lastType, at: otherwise.range)
    return (.conditional(bound, otherwise: last), joined)
  }

  private func common(
    _ left: ExpressionType, _ right: ExpressionType, at range: SourceRange
  ) throws(BindingFailure) -> ExpressionType {
    guard let type = left.joined(with: right) else {
      throw BindingFailure(.type, "\(right.name) cannot stand in for \(left.name)", at: range)
    }
    return type
  }
}
