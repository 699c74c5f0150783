// A path and the question at its end as an operand. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  /// A property path as a side of a comparison; a word such as `True` that no property is called is a constant.
  func bind(
    _ reference: PropertyReference, _ quantifier: Quantifier?, at range: SourceRange
  ) throws(BindingFailure) -> Side {
    if quantifier == nil {
      if let constant = constantWord(reference) { return .constant(constant) }
      if !isVariable(reference.path), let argument = try namedArgument(reference) { return argument }
    }
    if quantifier == nil, let name = computedName(reference) {
      guard let value = name.value else { return .bound(.unknown(range)) }
      return .constant(ConstantTerm(kind: .value(value), range: range))
    }
    let reference = replacingOld(try expanded(reference))
    let walk = try walk(reference.path)
    if case .unknown = walk.place, reference.question == nil { return .bound(.unknown(range)) }
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

  func constantWord(_ reference: PropertyReference) -> ConstantTerm? {
    guard reference.question == nil, case .name(let name)? = reference.path.steps.first?.kind,
      schema.propertyIndex(named: name.text) == nil,
      case .bool(let value)? = reference.path.keywordReading
    else { return nil }
    return ConstantTerm(kind: .literal(.bool(value)), range: reference.range)
  }

  /// Takes the steps of a path; SELF and the subquery's variable stand for the object itself.
  func walk(_ path: PropertyPath) throws(BindingFailure) -> PathWalk {
    var walk = PathWalk(from: schema, at: path.range, context)
    var first = 0
    if case .name(let name)? = path.steps.first?.kind, isObjectItself(name, path) { first = 1 }
    for index in first..<path.steps.count { try walk.take(path.steps[index]) }
    return walk
  }

  /// Whether it begins with the subquery's variable, or a property that has a name like one.
  private func isVariable(_ path: PropertyPath) -> Bool {
    guard case .name(let name)? = path.steps.first?.kind else { return false }
    return variable?.text.utf8.elementsEqual(name.text.utf8) ?? false
      || schema.propertyIndex(named: name.text) != nil
  }

  private func isObjectItself(_ name: Name, _ path: PropertyPath) -> Bool {
    if let variable, variable.text.utf8.elementsEqual(name.text.utf8) { return true }
    return schema.propertyIndex(named: name.text) == nil && path.keywordReading == .wholeObject
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

extension Binder {
  /// The same path with the property's name for `old`, or with the way to what is set inside of a property.
  private func replacingOld(_ reference: PropertyReference) -> PropertyReference {
    guard let old, let first = reference.path.steps.first, case .name(let name) = first.kind,
      name.text == "old", !name.isQuoted
    else { return reference }
    let isProperty = schema.propertyIndex(named: old) != nil
    let names =
      isProperty ? [old] : old.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let steps = names.map {
      PathStep(.name(Name($0, isQuoted: true, range: first.range)), range: first.range)
    }
    return PropertyReference(
      path: PropertyPath(steps: steps + reference.path.steps.dropFirst(), range: reference.path.range),
      question: reference.question, range: reference.range)
  }

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
    let (path, kind) = end(quantifier, conversion)
    // Only a property of the object itself, or of elements that are all there, is known to have a value.
    let isOptional =
      path.isConverted || !path.hops.isEmpty || path.property?.isOptional ?? !path.isObjectKey
      || kind == .mixed
    return BoundSide(
      operand: .path(path),
      type: ExpressionType(kind, isList: path.shape == .list, isOptional: isOptional), range: range)
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

  private func link(to key: TableKey) -> StaticType { .link(context.view.linkedClass(key)) }

  private var parts: (hops: [Hop], end: BoundPath.End, StaticType, BoundPath.Conversion?) {
    switch place {
    case .object, .unknown: (hops, .object, link(to: schema.tableKey), nil)
    case .value(let property): (hops, .value(property), context.view.type(of: property), nil)
    case .elements(let property, let choice, _):
      (hops, .elements(property, choice), context.view.type(of: property), nil)
    case .lengths(let property, let choice): (hops, .elements(property, choice), .int, .length)
    // The engine gives no better type than mixed to what is in a dictionary, and constants are fitted to that.
    case .dictionary(let property), .dictionaryValues(let property, _):
      (hops, .dictionaryValues(property), .mixed, nil)
    case .dictionaryValue(let property, let key): (hops, .dictionaryValue(property, key: key), .mixed, nil)
    case .objectKey: (hops, .objectKey, .int, nil)
    case .keys(let property): (hops, .dictionaryKeys(property), .string, nil)
    case .allIncoming: (hops, .incomingCount, .int, nil)
    case .link(let hop):
      switch hop {
      case .toOne(let property, let target): (hops, .value(property), link(to: target), nil)
      case .elements(let property, let target, let choice):
        (hops, .elements(property, choice), link(to: target), nil)
      case .entries(let property, let target): (hops, .dictionaryValues(property), link(to: target), nil)
      case .entry(let property, let target, let key):
        (hops, .dictionaryValue(property, key: key), link(to: target), nil)
      case .incoming(_, let origin, _): (hops + [hop], .object, link(to: origin), nil)
      }
    }
  }
}

extension BoundPath {
  fileprivate var isConverted: Bool { conversion != nil || !steps.isEmpty }

  /// The property whose values these are, or whose elements.
  fileprivate var property: Property? {
    switch end {
    case .value(let property), .elements(let property, .all): property
    default: nil
    }
  }
}
