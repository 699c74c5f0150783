// Paths and functions of an expression. Layer: Expressions.

import ByteText
import RealmQueryLanguage

extension ExpressionBinder {
  /// A path from the object, `old`, or in the whole realm a class or a computed value.
  mutating func bind(_ reference: PropertyReference) throws(BindingFailure) -> Bound {
    switch scope.subject {
    case .object(let className, let old):
      if let word = reference.path.keywordReading, case .bool(let value) = word, reference.question == nil,
        case .name(let name)? = reference.path.steps.first?.kind
      {
        if case .known = scope.schema.property(name.text, of: className) {
        } else {
          return (.constant(.bool(value)), .value(.bool))
        }
      }
      let reference = try replacingOld(reference, by: old)
      let type = try type(of: reference, from: className)
      return (.path(addPath(PathUse(reference: reference, className: nil))), type)
    case .realm(let names): return try bindInRealm(reference, names)
    }
  }

  /// The same path with the property's name for `old`.
  private func replacingOld(
    _ reference: PropertyReference, by old: String?
  ) throws(BindingFailure) -> PropertyReference {
    guard let old, let first = reference.path.steps.first, case .name(let name) = first.kind,
      name.text == "old", !name.isQuoted
    else { return reference }
    let steps =
      [PathStep(.name(Name(old, isQuoted: true, range: first.range)), range: first.range)]
      + reference.path.steps.dropFirst()
    return PropertyReference(
      path: PropertyPath(steps: steps, range: reference.path.range), question: reference.question,
      range: reference.range)
  }

  private mutating func bindInRealm(
    _ reference: PropertyReference, _ names: [String: ExpressionType]
  ) throws(BindingFailure) -> Bound {
    guard case .name(let first)? = reference.path.steps.first?.kind else {
      throw BindingFailure(.property, "expected a class or a name", at: reference.range)
    }
    if let type = names[first.text], reference.path.steps.count == 1, reference.question == nil {
      return (.named(first.text), type)
    }
    if case .absent(let classes) = scope.schema.hasClass(first.text) {
      throw BindingFailure(
        .classLookup, "'\(first.text)' is neither a class nor a computed value", at: first.range,
        suggestion: EditDistance.nearest(to: first.text, among: classes + names.keys.sorted()))
    }
    let rest = Array(reference.path.steps.dropFirst())
    guard let next = rest.first else {
      let type = ExpressionType(.link(first.text), isList: true)
      if let question = reference.question {
        throw BindingFailure(
          .operation, "a class has no such question", at: question.range, hint: "write count(\(first.text))")
      }
      return (.allObjects(className: first.text), type)
    }
    let path = PropertyPath(steps: rest, range: next.range.joined(with: reference.path.range))
    let inner = PropertyReference(path: path, question: reference.question, range: reference.range)
    let type = try type(of: inner, from: first.text)
    return (
      .allValues(addPath(PathUse(reference: inner, className: first.text))),
      ExpressionType(type.kind, isList: true, isOptional: type.isOptional)
    )
  }

  /// What a path leads to, as far as names tell. What they do not tell is found out in the file.
  private func type(
    of reference: PropertyReference, from className: String
  ) throws(BindingFailure) -> ExpressionType {
    var className = className
    var type = ExpressionType(.link(className))
    var isObject = true
    for (index, step) in reference.path.steps.enumerated() {
      switch step.kind {
      case .name(let name):
        if index == 0, reference.path.keywordReading == .wholeObject { continue }
        guard isObject else { return .unknown }
        switch scope.schema.property(name.text, of: className) {
        case .unknown: return .unknown
        case .absent(let names):
          throw BindingFailure(
            .property, "unknown property '\(name.text)' on class '\(className)'", at: name.range,
            hint: name.text == "old" ? "there is no old value here" : nil,
            suggestion: EditDistance.nearest(to: name.text, among: names))
        case .known(let property):
          let next = ExpressionType(property)
          type = ExpressionType(
            next.kind, isList: type.isList || next.isList, isOptional: index > 0 || next.isOptional)
          isObject = property.type == .object
          if let target = property.target { className = target }
        }
      case .backlink(let origin, _):
        guard isObject else { return .unknown }
        className = origin.text
        type = ExpressionType(.link(origin.text), isList: true)
      case .position, .first, .last, .key: type = type.element.optional()
      case .all: break
      case .allBacklinks, .keys, .values, .argument, .keyPathArgument:
        return questionType(reference) ?? .unknown
      }
    }
    return questionType(reference, of: type) ?? type
  }

  private func questionType(
    _ reference: PropertyReference, of type: ExpressionType = .unknown
  ) -> ExpressionType? {
    switch reference.question?.kind {
    case nil: nil
    case .count?: .value(.int)
    case .type?, .aggregate(.avg, _)?: .unknown
    case .aggregate(_, property: .some)?: .unknown
    case .aggregate(_, property: nil)?: type.element.optional()
    }
  }

  // MARK: Functions

  mutating func bind(_ call: FunctionCall, at range: SourceRange) throws(BindingFailure) -> Bound {
    guard let function = ExpressionFunction.named(call.name.text) else {
      throw BindingFailure(
        .operation, "there is no function '\(call.name.text)'", at: call.name.range,
        suggestion: EditDistance.nearest(to: call.name.text, among: ExpressionFunction.all.map(\.name)))
    }
    guard function.accepts(argumentCount: call.arguments.count) else {
      throw BindingFailure(
        .argument, "\(function.name) does not take \(call.arguments.count) arguments", at: range,
        hint: "write \(function.usage)")
    }
    var nodes: [ExpressionNode] = []
    var types: [ExpressionType] = []
    for (index, argument) in call.arguments.enumerated() {
      let (node, type) = try bind(argument)
      let parameter = function.parameter(index, of: call.arguments.count)
      guard parameter.accepts(type) else {
        throw BindingFailure(
          .type, "\(function.name) needs \(parameter.description) here, not \(type.name)", at: argument.range,
          hint: "write \(function.usage)")
      }
      nodes.append(node)
      types.append(type)
    }
    return (.call(function, nodes, range), function.resultType(types))
  }
}
