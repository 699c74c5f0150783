// `@count`, `@type` and the aggregates at the end of a path. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func count(
    _ walk: PathWalk, _ quantifier: Quantifier?, at range: SourceRange
  ) throws(BindingFailure) -> BoundSide {
    let sizedTypes: [ValueType] = [.string, .data, .mixed]
    switch walk.place {
    case .allIncoming: return number(BoundPath(hops: walk.hops, end: .incomingCount), quantifier, range)
    case .link(let hop): return number(BoundPath(hops: walk.hops, end: .linkCount(hop)), quantifier, range)
    case .elements(let property, .all, _) where walk.steps.isEmpty,
      .dictionary(let property),
      .dictionaryValues(let property, _) where walk.steps.isEmpty:
      return number(BoundPath(hops: walk.hops, end: .elementCount(property)), quantifier, range)
    case .value(let property), .elements(let property, _, _), .dictionaryValue(let property, _),
      .dictionaryValues(let property, _):
      if sizedTypes.contains(property.type) { return walk.operand(quantifier, conversion: .size, at: range) }
    case .unknown: return BoundSide(operand: .constant(.null), type: .value(.int), range: range)
    case .object, .objectKey, .keys, .lengths: break
    }
    throw BindingFailure(.operation, "@count does not apply; \(walk.description)", at: range)
  }

  private func number(_ path: BoundPath, _ quantifier: Quantifier?, _ range: SourceRange) -> BoundSide {
    let keepsQuantifier = path.shape == .list || quantifier == .noneOf
    let path = BoundPath(
      hops: path.hops, end: path.end, quantifier: keepsQuantifier ? quantifier : nil)
    return BoundSide(
      operand: .path(path), type: ExpressionType(.int, isList: path.shape == .list), range: range)
  }

  func type(
    _ walk: PathWalk, _ quantifier: Quantifier?, at range: SourceRange
  ) throws(BindingFailure) -> BoundSide {
    switch walk.place {
    case .value(let property) where property.type == .mixed,
      .elements(let property, _, _) where property.type == .mixed,
      .dictionary(let property) where !property.isLink,
      .dictionaryValues(let property, _) where !property.isLink,
      .dictionaryValue(let property, _) where !property.isLink:
      return walk.operand(quantifier, conversion: .type, at: range)
    case .unknown: return .unknown(range)
    case .value(let property) where TypeNames(word: property.type.name) != nil:
      // All objects have it: it says something only beside another `@type`, as `ComparedPair` has it.
      let type = TypeNames(word: property.type.name)
      return BoundSide(
        operand: .constant(.int(type?.rawValue ?? 0)), type: ExpressionType(.typeNames), range: range)
    default:
      throw BindingFailure(
        .operation, "@type is for mixed values; \(walk.description), always", at: range)
    }
  }

  func bind(
    _ aggregate: Aggregate, _ property: Name?, of walk: PathWalk, at range: SourceRange
  ) throws(BindingFailure) -> BoundSide {
    let word = "@\(aggregate.rawValue)"
    let bound: BoundAggregate
    let elementType: StaticType
    switch walk.place {
    case .unknown: return .unknown(range)
    case .link(let hop):
      let name = context.source.text(in: walk.range)
      guard let property else {
        throw BindingFailure(
          .aggregate, "\(word) needs a property of the objects in '\(name)'", at: range,
          hint: "write \(name).\(word).property")
      }
      let target = try aggregated(property, word, over: hop)
      elementType = view.type(of: target)
      bound = BoundAggregate(
        aggregate, hops: walk.hops + [hop], source: .property(target), isChecked: isStrict)
    case .elements(let list, .all, _) where walk.steps.isEmpty:
      try refuse(property, word, walk)
      elementType = view.type(of: list)
      try require(
        elementType, word, "'\(context.source.text(in: walk.range))' holds \(list.type.name)", range)
      bound = BoundAggregate(aggregate, hops: walk.hops, source: .elements(list), isChecked: isStrict)
    case .dictionary(let dictionary),
      .dictionaryValues(let dictionary, _) where walk.steps.isEmpty:
      try refuse(property, word, walk)
      elementType = view.type(of: dictionary)
      // The least and greatest of all kinds of values are accepted here, as the reference engine has it.
      if aggregate == .sum || aggregate == .avg || elementType.isLink {
        let holding = "'\(context.source.text(in: walk.range))' holds \(dictionary.type.name)"
        try require(elementType, word, holding, range)
      }
      bound = BoundAggregate(aggregate, hops: walk.hops, source: .elements(dictionary), isChecked: isStrict)
    default:
      throw BindingFailure(.aggregate, "\(word) needs a collection; \(walk.description)", at: range)
    }
    let type = ExpressionType(
      aggregate.resultType(over: elementType, of: bound.source, isStrict: isStrict), isList: bound.isList,
      isOptional: aggregate != .sum)
    return BoundSide(operand: .aggregate(bound), type: type, range: range)
  }

  private func aggregated(_ name: Name, _ word: String, over hop: Hop) throws(BindingFailure) -> Property {
    guard let schema = view.schema(hop.target) else {
      throw BindingFailure(.aggregate, "\(word) needs a class that the file does not have", at: name.range)
    }
    guard let property = schema.property(named: name.text) else {
      throw UnknownProperty(name: name, schema: schema, view: view).failure(.aggregate)
    }
    let kind = property.collection.map { "a \($0.name)" } ?? property.type.articled
    let isDateExtreme = property.type == .date && (word == "@min" || word == "@max")
    guard property.collection == nil, isDateExtreme || view.type(of: property).isAggregable, !property.isLink
    else {
      throw BindingFailure(
        .aggregate, "\(word) needs numbers; '\(name.text)' is \(kind)", at: name.range)
    }
    return property
  }

  private func refuse(_ property: Name?, _ word: String, _ walk: PathWalk) throws(BindingFailure) {
    guard let property else { return }
    throw BindingFailure(
      .aggregate, "\(walk.description); no property can follow \(word)", at: property.range)
  }

  private func require(
    _ type: StaticType, _ word: String, _ reason: String, _ range: SourceRange
  ) throws(BindingFailure) {
    if !type.isAggregable {
      throw BindingFailure(.aggregate, "\(word) needs numbers; \(reason)", at: range)
    }
  }
}

extension StaticType {
  fileprivate var isAggregable: Bool { isNumber || isOpen }
}

extension Aggregate {
  /// `isStrict`: for a value that is computed instead of compared.
  fileprivate func resultType(
    over type: StaticType, of source: BoundAggregate.Source, isStrict: Bool
  ) -> StaticType {
    switch (self, type, source) {
    case (.min, _, _), (.max, _, _): type
    case (.sum, .value(.int), _): .int
    // A sum of floats is a double, but literals beside that of a collection are narrowed as beside its elements.
    case (_, .value(.float), .elements): type
    case (_, .value(.int), _), (_, .value(.float), _), (_, .value(.double), _): .value(.double)
    // A decimal, but literals beside it keep their type, and values of any other may be asked for.
    case (_, .mixed, _) where !isStrict: .mixed
    default: .value(.decimal128)
    }
  }
}
