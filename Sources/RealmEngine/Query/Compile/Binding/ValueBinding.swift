// Computed values: names looked up, types checked. Layer: Query, Compile, Binding.
// Invariant: the first fault in the order of the text is the one reported, with its place.

import ByteText
package import RealmQueryLanguage

extension BoundExpression {
  /// Checks `expression`, parsed from `source`. Linear in its length.
  package init(
    _ expression: Expression, source: [UInt8], in scope: ExpressionScope
  ) throws(BindingFailure) {
    let context = BindingContext(view: scope.view, arguments: scope.arguments, source: source)
    context.rankingCount = 0
    var binder = Binder(scope.subject, context)
    binder.element = scope.element
    binder.isStrict = true
    let (node, type) = try binder.value(expression)
    self.init(
      syntax: expression, type: type, source: source, subject: scope.subject, element: scope.element,
      arguments: scope.arguments, searches: context.searches,
      constantRefusal: node.isConstant ? node.refusal(now: context.now) : nil)
  }

  /// Puts the columns of a file in the place of names. `schema` nil: on the whole realm.
  func resolved(of schema: ClassSchema?, in realm: ReadTransaction) throws(BindingFailure) -> ExpressionNode {
    let context = BindingContext(view: realm, arguments: arguments, source: source)
    context.rankingCount = 0
    var binder = Binder(subject, context)
    // The engine's own tables are no classes, and so have no name to be found by.
    if let schema { binder = Binder(context: context, schema: schema, old: binder.old, names: binder.names) }
    binder.element = element
    binder.isStrict = true
    return try binder.value(syntax).node
  }
}

/// What can be told before any object is looked at.
extension ExpressionNode {
  private func folded(now: Timestamp) -> Result<Value?, EngineError> {
    Result { () throws(EngineError) in
      let result = try ExpressionEvaluator(constant: self, now: now).result()
      return result.isList ? nil : try result.value(0)
    }
  }

  /// Nil where there is none, or an error that may never come up.
  fileprivate func value(now: Timestamp) -> Value? { try? folded(now: now).get() }

  /// The error that comes up whenever it is computed; nil where none does.
  fileprivate func refusal(now: Timestamp) -> EngineError? {
    if case .failure(let error) = folded(now: now) { error } else { nil }
  }
}

extension Binder {
  typealias Computed = (node: ExpressionNode, type: ExpressionType)

  init(_ subject: ExpressionScope.Subject, _ context: BindingContext) {
    switch subject {
    case .object(let className, let old, let names):
      let found = context.view.schema(named: className)
      guard case .known(let schema) = found else {
        self.init(context: context, schema: .unknown, old: old, names: names)
        return
      }
      self.init(context: context, schema: schema, old: old, names: names)
    case .realm(let names):
      self.init(context: context, schema: .unknown, isAboutRealm: true, names: names)
    }
  }

  /// A value of its own kind as a side of a comparison; a constant where no object has a say in it.
  func computed(_ expression: Expression, isLenient: Bool) throws(BindingFailure) -> Side {
    var binder = self
    binder.isStrict = !isLenient
    // What a query computes is computed for one object at a time.
    let rankingCount = context.rankingCount
    context.rankingCount = nil
    defer { context.rankingCount = rankingCount }
    let (node, type) = try binder.value(expression)
    if node.isConstant, !type.isList, let value = node.value(now: context.now) {
      return .constant(ConstantTerm(kind: .value(value), range: expression.range))
    }
    let operand = ComputedOperand(
      node: node, table: schema.tableKey, isList: type.isList, now: context.now, isLenient: isLenient)
    return .bound(BoundSide(operand: .computed(operand), type: type, range: expression.range))
  }

  /// What `expression` gives for each object.
  func value(_ expression: Expression) throws(BindingFailure) -> Computed {
    switch expression.kind {
    case .constant(let constant): return try constantValue(constant)
    case .list(nil, let list): return try listValue(try terms(list))
    case .property(nil, let reference): return try value(of: reference, at: expression.range)
    case .quantifiedArgument, .list, .property:
      throw BindingFailure(
        .quantifier, "ANY, ALL and NONE are allowed only in comparisons", at: expression.range)
    case .subquery(let subquery): return node(of: try bind(subquery, at: expression.range))
    case .shape:
      throw BindingFailure(.geospatial, "regions are allowed only after GEOWITHIN", at: expression.range)
    case .call(let call): return try value(of: call, at: expression.range)
    case .negative(let operand): return try negative(operand)
    case .arithmetic(let first, let rest): return try arithmetic(first, rest)
    case .coalescing(let operands): return try coalescing(operands)
    case .conditional(let branches, let otherwise): return try conditional(branches, otherwise)
    case .truth(let isTrue): return (.constant(.bool(isTrue)), .value(.bool))
    case .comparison(let comparison): return try value(of: comparison, at: expression.range)
    case .not(let operand): return (.not(try condition(operand)), .value(.bool, isOptional: true))
    case .and(let operands): return (.and(try conditions(operands)), .value(.bool, isOptional: true))
    case .or(let operands): return (.or(try conditions(operands)), .value(.bool, isOptional: true))
    }
  }

  // MARK: Leaves

  private func constantValue(_ constant: Constant) throws(BindingFailure) -> Computed {
    switch try resolve(constant) {
    case .bound(let side): return node(of: side)
    case .constant(let term): return try termValue(term)
    case .list(let terms, _, _): return try listValue(terms)
    case .region:
      throw BindingFailure(.geospatial, "regions are allowed only after GEOWITHIN", at: constant.range)
    }
  }

  private func termValue(_ term: ConstantTerm) throws(BindingFailure) -> Computed {
    if case .object(let link) = term.kind {
      let type = ExpressionType(.link(view.linkedClass(link.table)), isOptional: true)
      return (.constant(link.key == .nowhere ? .null : .link(link)), type)
    }
    if case .literal(.typedObjectKey(let table, let key)) = term.kind, let table = TableKey(table) {
      let link = ObjectLink(table: table, key: ObjectKey(key))
      return (.constant(.link(link)), ExpressionType(.link(view.linkedClass(table)), isOptional: true))
    }
    guard let value = term.plainValue else {
      throw BindingFailure(.constant, "\(term.shown) has no value here", at: term.range)
    }
    return (.constant(value), ExpressionType(of: value))
  }

  private func listValue(_ terms: [ConstantTerm]) throws(BindingFailure) -> Computed {
    var values: [Value] = []
    var type: ExpressionType?
    for term in terms {
      let (node, elementType) = try termValue(term)
      guard case .constant(let value) = node else {
        throw BindingFailure(.lists, "a list holds plain values", at: term.range)
      }
      values.append(value)
      type = type.map { $0.joined(with: elementType) ?? .unknown } ?? elementType
    }
    let element = type ?? .unknown
    return (.constants(values), ExpressionType(element.kind, isList: true, isOptional: element.isOptional))
  }

  private func node(of side: BoundSide) -> Computed {
    var type = side.computedType
    if type.kind == .typeNames, case .constant(.int(let names)) = side.operand {
      return (.constant(.string(ByteString(TypeNames(rawValue: names).firstWord ?? ""))), .value(.string))
    }
    if type.kind == .typeNames { type = ExpressionType(.string, isList: type.isList, isOptional: true) }
    return (.operand(side.operand, isList: type.isList), type)
  }

  private func value(
    of reference: PropertyReference, at range: SourceRange
  ) throws(BindingFailure) -> Computed {
    if let element = try elementValue(reference) { return element }
    if let name = computedName(reference) { return (.constant(name.value ?? .null), name.type) }
    if isAboutRealm { return try valueInRealm(reference) }
    switch try bind(reference, nil, at: range) {
    case .bound(let side): return node(of: side)
    case .constant(let term): return try termValue(term)
    case .list, .region: throw BindingFailure(.expectation, "expected a property", at: range)
    }
  }

  /// A class, a path from all its objects, or a value that was computed before.
  private func valueInRealm(
    _ reference: PropertyReference
  ) throws(BindingFailure) -> Computed {
    guard case .name(let first)? = reference.path.steps.first?.kind else {
      throw BindingFailure(.property, "expected a class or a name", at: reference.range)
    }
    let origin: ClassSchema
    switch view.schema(named: first.text) {
    case .known(let schema): origin = schema
    case .unknown: origin = .unknown
    case .absent:
      throw BindingFailure(
        .classLookup, "'\(first.text)' is neither a class nor a computed value", at: first.range,
        suggestion: EditDistance.nearest(to: first.text, among: view.classNames + names.keys.sorted()))
    }
    guard let next = reference.path.steps.dropFirst().first else {
      if let question = reference.question {
        throw BindingFailure(
          .operation, "a class has no such property", at: question.range, hint: "write count(\(first.text))")
      }
      let link = LinkedClass(table: origin.tableKey, name: first.text)
      return (.allObjects(origin.tableKey), ExpressionType(.link(link), isList: true))
    }
    let bound = try bind(reference, from: next, of: origin)
    let type = ExpressionType(bound.kind, isList: true, isOptional: bound.type.isOptional)
    return (.allValues(bound.operand, of: origin.tableKey), type)
  }

  /// What a reference says of objects of a class from its second step on.
  func bind(
    _ reference: PropertyReference, from second: PathStep, of schema: ClassSchema
  ) throws(BindingFailure) -> BoundSide {
    let path = PropertyPath(
      steps: Array(reference.path.steps.dropFirst()), range: second.range.joined(with: reference.path.range))
    let inner = PropertyReference(path: path, question: reference.question, range: reference.range)
    var binder = Binder(context: context, schema: schema)
    binder.isStrict = isStrict
    guard case .bound(let side) = try binder.bind(inner, nil, at: reference.range) else {
      throw BindingFailure(.expectation, "expected a property", at: reference.range)
    }
    return side
  }

  // MARK: Conditions

  /// An operand that is true or false.
  private func condition(_ operand: Expression) throws(BindingFailure) -> ExpressionNode {
    let (node, type) = try value(operand)
    guard type.isOpen || type.isValue(.bool) || type.kind == .null else {
      throw BindingFailure(
        .type, "expected a condition, found \(type.name)", at: operand.range,
        hint: "compare it with something")
    }
    return node
  }

  private func conditions(_ operands: [Expression]) throws(BindingFailure) -> [ExpressionNode] {
    return try operands.map { operand throws(BindingFailure) in try condition(operand) }
  }

  /// Of single values null is in no order with any; everything else is a condition as behind WHERE.
  private func value(
    of comparison: Comparison, at range: SourceRange
  ) throws(BindingFailure) -> Computed {
    guard let symbol = comparison.symbol.comparison, comparison.options.isEmpty,
      comparison.left.mayBeValue, comparison.right.mayBeValue
    else {
      if element != nil { return try elementRelation(comparison, at: range) }
      if !isAboutRealm { return (.condition(try bind(comparison)), .value(.bool)) }
      throw BindingFailure(
        .operation, "\(comparison.symbol.rawValue) needs an object, and there is none here",
        at: comparison.symbolRange, hint: "compare single values with == to >=")
    }
    let (left, leftType) = try value(comparison.left)
    let (right, rightType) = try value(comparison.right)
    if leftType.isList || rightType.isList, !isAboutRealm, element == nil {
      return (.condition(try bind(comparison)), .value(.bool))
    }
    guard leftType.kind.isComparable(to: rightType.kind), !leftType.isList, !rightType.isList else {
      throw BindingFailure(.type, "cannot compare \(leftType.name) with \(rightType.name)", at: range)
    }
    let isOrder = symbol != .equal && symbol != .notEqual
    return (
      .comparison(left, symbol, right),
      .value(.bool, isOptional: isOrder && (leftType.isOptional || rightType.isOptional))
    )
  }

  // MARK: Operators

  private func negative(_ operand: Expression) throws(BindingFailure) -> Computed {
    let (node, type) = try value(operand)
    guard type.isOpen || type.isNumber else {
      throw BindingFailure(.arithmetic, "expected a number, found \(type.name)", at: operand.range)
    }
    return (.negative(node), type)
  }

  private func arithmetic(
    _ first: Expression, _ rest: [ArithmeticStep]
  ) throws(BindingFailure) -> Computed {
    var (node, type) = try value(first)
    var texts: [ExpressionNode]? = type.isValue(.string) ? [node] : nil
    var steps: [(ArithmeticOperator, ExpressionNode)] = []
    for step in rest {
      let (next, nextType) = try value(step.operand)
      if step.symbol == .add, nextType.isValue(.string) { texts?.append(next) } else { texts = nil }
      type = try arithmeticType(type, step.symbol, nextType, at: step.symbolRange)
      steps.append((step.symbol, next))
    }
    if let texts { node = .concatenation(texts) } else { node = .arithmetic(first: node, rest: steps) }
    return (node, type)
  }

  private func arithmeticType(
    _ left: ExpressionType, _ symbol: ArithmeticOperator, _ right: ExpressionType, at range: SourceRange
  ) throws(BindingFailure) -> ExpressionType {
    if !left.isList, !right.isList {
      if left.isOpen || right.isOpen { return .unknown }
      if symbol == .add, left.isValue(.string), right.isValue(.string) {
        return .value(.string, isOptional: left.isOptional || right.isOptional)
      }
      if let type = left.wider(right) { return type }
    }
    let isJoining = symbol == .add && (left.isValue(.string) || right.isValue(.string))
    throw BindingFailure(
      .arithmetic, "\(symbol.rawValue) does not work on \(left.name) and \(right.name)", at: range,
      hint: isJoining && !left.isList && !right.isList
        ? "write string(…) around values that are not strings" : nil)
  }

  private func coalescing(_ operands: [Expression]) throws(BindingFailure) -> Computed {
    var nodes: [ExpressionNode] = []
    var types: [ExpressionType] = []
    var type: ExpressionType?
    for operand in operands {
      let (node, next) = try value(operand)
      nodes.append(node)
      types.append(next)
      type =
        try type.map { soFar throws(BindingFailure) in
          try common(soFar, next, at: operand.range).optional(next.isOptional)
        } ?? next
    }
    return widened(.coalescing(nodes), type ?? .null, of: types)
  }

  private func conditional(
    _ branches: [ConditionalBranch], _ otherwise: Expression
  ) throws(BindingFailure) -> Computed {
    var bound: [(condition: ExpressionNode, value: ExpressionNode)] = []
    var types: [ExpressionType] = []
    var type: ExpressionType?
    for branch in branches {
      let condition = try condition(branch.condition)
      let (value, next) = try value(branch.value)
      bound.append((condition, value))
      types.append(next)
      type =
        try type.map { soFar throws(BindingFailure) in
          try common(soFar, next, at: branch.value.range)
        } ?? next
    }
    let (last, lastType) = try value(otherwise)
    let joined = try common(type ?? lastType, lastType, at: otherwise.range)
    return widened(.conditional(bound, otherwise: last), joined, of: types + [lastType])
  }

  /// What is one of several values, or made of them: as numbers of one type, where they have different ones.
  func widened(_ node: ExpressionNode, _ type: ExpressionType, of parts: [ExpressionType]) -> Computed {
    guard case .value(let wide) = type.kind, type.kind.isNumber,
      parts.contains(where: { $0.kind != type.kind })
    else { return (node, type) }
    return (.widened(node, to: wide), type)
  }

  private func common(
    _ left: ExpressionType, _ right: ExpressionType, at range: SourceRange
  ) throws(BindingFailure) -> ExpressionType {
    guard let type = left.joined(with: right) else {
      throw BindingFailure(.type, "\(left.name) and \(right.name) have no common type", at: range)
    }
    return type
  }
}

extension Expression {
  /// Whether it is no operand that only comparisons know.
  fileprivate var mayBeValue: Bool {
    switch kind {
    case .quantifiedArgument, .list, .shape: false
    case .property(let quantifier, _): quantifier == nil
    default: true
    }
  }
}
