// What a condition or a column depends on, for those who watch objects: on the object alone, or on what its links lead to.
// Layer: Query, Plan.

extension BoundPredicate {
  /// Whether an object meets it or not by its own values alone, so that it does as long as these stay the same.
  package var concernsObjectAlone: Bool {
    switch self {
    case .constant, .property: true
    case .and(let conditions), .or(let conditions): conditions.allSatisfy(\.concernsObjectAlone)
    case .not(let condition): condition.concernsObjectAlone
    case .comparison(let comparison):
      comparison.left.concernsObjectAlone && comparison.right.concernsObjectAlone
    case .between(let condition): condition.operand.concernsObjectAlone
    case .fullText(let condition): condition.path.concernsObjectAlone
    case .geoWithin: false
    }
  }
}

extension BoundOperand {
  fileprivate var concernsObjectAlone: Bool {
    switch self {
    case .constant, .constants: true
    case .path(let path): path.concernsObjectAlone
    case .aggregate(let aggregate):
      if case .elements = aggregate.source { aggregate.hops.isEmpty } else { false }
    case .subquery: false
    case .computed(let operand): operand.node.concernsObjectAlone
    }
  }
}

extension ExpressionNode {
  fileprivate var concernsObjectAlone: Bool {
    switch self {
    case .operand(let operand, isList: _): operand.concernsObjectAlone
    case .constant, .constants, .calculated: parts.allSatisfy(\.concernsObjectAlone)
    // What is called may be the time.
    default: false
    }
  }
}

extension BoundPath {
  fileprivate var concernsObjectAlone: Bool {
    // A mixed value's step may lead to another object.
    guard hops.isEmpty, steps.isEmpty else { return false }
    return switch end {
    case .objectKey, .value, .elements, .dictionaryValues, .dictionaryKeys, .dictionaryValue, .elementCount:
      true
    case .object, .linkCount, .incomingCount: false
    }
  }
}

extension SelectedColumn {
  /// The properties that stand between an object of `table` and the column's values, and the one that holds them. Nil for
  /// what is no plain path along links.
  package func linkSteps(from table: Table) -> [LinkStep]? {
    let hops: [Hop]
    let last: Property
    switch source {
    case .property(let path, let property): (hops, last) = (path, property)
    case .operand(.path(let path), hasTypedLinks: _):
      guard let property = path.watchedProperty else { return nil }
      (hops, last) = (path.hops, property)
    case .objectKey, .operand: return nil
    }
    var steps: [LinkStep] = []
    var key = table.schema.tableKey
    for hop in hops {
      guard let property = hop.ownProperty else { return nil }
      steps.append(LinkStep(table: key, column: property.columnKey))
      key = hop.target
    }
    return steps + [LinkStep(table: key, column: last.columnKey)]
  }
}

extension BoundPath {
  /// The property at its end, whatever is taken of it.
  fileprivate var watchedProperty: Property? {
    switch end {
    case .value(let property), .elements(let property, _), .dictionaryValues(let property),
      .dictionaryKeys(let property), .dictionaryValue(let property, key: _), .elementCount(let property):
      property
    case .linkCount(let hop): hop.ownProperty
    case .object, .objectKey, .incomingCount: nil
    }
  }
}

extension Hop {
  /// The property that is followed forwards; nil for incoming links.
  fileprivate var ownProperty: Property? {
    switch self {
    case .toOne(let property, _), .elements(let property, _, _), .entries(let property, _),
      .entry(let property, _, key: _):
      property
    case .incoming: nil
    }
  }
}
