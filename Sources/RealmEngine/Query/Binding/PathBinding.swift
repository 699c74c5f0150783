// A path and the question at its end as an operand. Layer: Query.

import RealmQueryLanguage

extension QueryBinder {
  /// A property path as a side of a comparison; a word such as `True` that no property is called is a constant.
  func bind(
    _ reference: PropertyReference, _ quantifier: Quantifier?, at range: SourceRange
  ) throws(BindingFailure) -> Side {
    if quantifier == nil, let constant = constantWord(reference) { return .constant(constant) }
    let reference = try expanded(reference)
    let walk = try walk(reference.path)
    let side: BoundSide
    switch reference.question?.kind {
    case nil: side = walk.operand(quantifier, conversion: nil, at: range)
    case .count?: side = try count(walk, quantifier, at: range)
    case .type?: side = try type(walk, quantifier, at: range)
    case .aggregate(let aggregate, let property)?:
      return .bound(try bind(aggregate, property, of: walk, at: range))
    }
    if quantifier != nil { try requireSeveral(walk, at: range) }
    return .bound(side)
  }

  private func constantWord(_ reference: PropertyReference) -> ConstantTerm? {
    guard reference.question == nil, case .name(let name)? = reference.path.steps.first?.kind,
      table.schema.propertyIndex(named: name.text) == nil,
      case .bool(let value)? = reference.path.keywordReading
    else { return nil }
    return ConstantTerm(kind: .literal(.bool(value)), range: reference.range)
  }

  /// Takes the steps of a path; SELF and the subquery's variable stand for the object itself.
  func walk(_ path: PropertyPath) throws(BindingFailure) -> PathWalk {
    var walk = PathWalk(from: table, at: path.range, context)
    var first = 0
    if case .name(let name)? = path.steps.first?.kind, isObjectItself(name, path) { first = 1 }
    for index in first..<path.steps.count { try walk.take(path.steps[index]) }
    return walk
  }

  private func isObjectItself(_ name: Name, _ path: PropertyPath) -> Bool {
    if let variable, variable.text.utf8.elementsEqual(name.text.utf8) { return true }
    return table.schema.propertyIndex(named: name.text) == nil && path.keywordReading == .wholeObject
  }

  /// ANY, ALL and NONE need something that may have several values, or none.
  private func requireSeveral(_ walk: PathWalk, at range: SourceRange) throws(BindingFailure) {
    guard walk.hops.allSatisfy(\.isToOne), walk.steps.isEmpty else { return }
    switch walk.place {
    case .value, .object: break
    default: return
    }
    let word = context.source.text(in: range).prefix { $0.isLetter }.uppercased()
    let name = context.quoted(walk.range)
    throw BindingFailure(.quantifier, "\(word) needs a to-many path; \(name) has one value", at: range)
  }
}

extension QueryBinder {
  /// The same path with the texts of `$K0` and `%K` in their places.
  func expanded(_ reference: PropertyReference) throws(BindingFailure) -> PropertyReference {
    guard reference.path.steps.contains(where: \.isKeyPathArgument) else { return reference }
    var steps: [PathStep] = []
    var question = reference.question
    for step in reference.path.steps {
      guard case .keyPathArgument(let argument) = step.kind else {
        steps.append(step)
        continue
      }
      let inner = try path(argument, at: step.range)
      steps += inner.path.steps.map { PathStep($0.kind.moved(to: step.range), range: step.range) }
      guard let innerQuestion = inner.question else { continue }
      guard question == nil, steps.count == reference.path.steps.count - 1 + inner.path.steps.count else {
        throw BindingFailure(
          .argument, "nothing can follow the path in \(argument.shown)", at: step.range)
      }
      question = innerQuestion
    }
    return PropertyReference(
      path: PropertyPath(steps: steps, range: reference.path.range), question: question,
      range: reference.range)
  }

  func expanded(_ path: PropertyPath) throws(BindingFailure) -> PropertyPath {
    let reference = try expanded(PropertyReference(path: path, range: path.range))
    if let question = reference.question {
      throw BindingFailure(.argument, "a path to a property is needed here", at: question.range)
    }
    return reference.path
  }

  private func path(
    _ argument: ArgumentReference, at range: SourceRange
  ) throws(BindingFailure) -> PropertyReference {
    let text = try context.arguments.text(argument, at: range)
    let hasSigns = text.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "[") }
    guard hasSigns else {
      let names = text.split(separator: ".", omittingEmptySubsequences: false)
      let steps = names.map { PathStep(.name(Name(String($0), isQuoted: true, range: range)), range: range) }
      return PropertyReference(path: PropertyPath(steps: steps, range: range), range: range)
    }
    let parsed: PropertyReference
    do throws(QueryError) {
      parsed = try PropertyReference(parsing: Array(text.utf8))
    } catch {
      throw BindingFailure(error.code, "in \(argument.shown): \(error.sentence)", at: range)
    }
    if parsed.path.steps.contains(where: \.isKeyPathArgument) {
      throw BindingFailure(.argument, "the path in \(argument.shown) cannot hold an argument", at: range)
    }
    return PropertyReference(
      path: parsed.path,
      question: parsed.question.map { PropertyQuestion($0.kind, range: range) }, range: range)
  }
}

extension PathStep {
  fileprivate var isKeyPathArgument: Bool {
    if case .keyPathArgument = kind { true } else { false }
  }
}

extension PathStepKind {
  /// The same step with its names said to stand at `range`.
  fileprivate func moved(to range: SourceRange) -> PathStepKind {
    switch self {
    case .name(let name): .name(Name(name.text, isQuoted: name.isQuoted, range: range))
    case .backlink(let className, let property):
      .backlink(
        className: Name(className.text, range: range), property: Name(property.text, range: range))
    default: self
    }
  }
}

extension PathWalk {
  /// The values that the path leads to.
  func operand(
    _ quantifier: Quantifier?, conversion: BoundPath.Conversion?, at range: SourceRange
  ) -> BoundSide {
    let (path, type) = end(quantifier, conversion)
    return BoundSide(operand: .path(path), type: type, isList: path.shape == .list, range: range)
  }

  private func end(
    _ quantifier: Quantifier?, _ conversion: BoundPath.Conversion?
  ) -> (BoundPath, StaticType) {
    let (hops, end, type, ownConversion) = parts
    let conversion = conversion ?? ownConversion
    let resultType: StaticType =
      switch conversion {
      case nil: steps.isEmpty ? type : .mixed
      case .size?, .length?: .int
      case .type?: .typeNames
      }
    var path = BoundPath(hops: hops, end: end, steps: steps, conversion: conversion, quantifier: quantifier)
    // On one value ANY and ALL say nothing.
    if path.shape == .single, quantifier != .noneOf {
      path = BoundPath(hops: hops, end: end, steps: steps, conversion: conversion)
    }
    return (path, resultType)
  }

  private var parts: (hops: [Hop], end: BoundPath.End, StaticType, BoundPath.Conversion?) {
    switch place {
    case .object: (hops, .object, .link(table.schema.tableKey), nil)
    case .value(let property): (hops, .value(property), StaticType(property), nil)
    case .elements(let property, let choice, _):
      (hops, .elements(property, choice), StaticType(property), nil)
    case .lengths(let property, let choice): (hops, .elements(property, choice), .int, .length)
    // The engine gives no better type than mixed to what is in a dictionary, and constants are fitted to that.
    case .dictionary(let property), .dictionaryValues(let property, _):
      (hops, .dictionaryValues(property), .mixed, nil)
    case .dictionaryValue(let property, let key): (hops, .dictionaryValue(property, key: key), .mixed, nil)
    case .keys(let property): (hops, .dictionaryKeys(property), .string, nil)
    case .allIncoming: (hops, .incomingCount, .int, nil)
    case .link(let hop):
      switch hop {
      case .toOne(let property, let target): (hops, .value(property), .link(target), nil)
      case .elements(let property, let target, let choice):
        (hops, .elements(property, choice), .link(target), nil)
      case .entries(let property, let target): (hops, .dictionaryValues(property), .link(target), nil)
      case .entry(let property, let target, let key):
        (hops, .dictionaryValue(property, key: key), .link(target), nil)
      case .incoming(_, let origin, _): (hops + [hop], .object, .link(origin), nil)
      }
    }
  }
}
