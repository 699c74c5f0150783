// Answers queries one row at a time with boxed values: the plainest transcription of the language's meaning, kept as
// the judge of everything faster. Layer: Query, Evaluation.

import RealmQueryLanguage

/// Finds what a bound query asks for, slowly and surely. Used by one thread.
package struct RowEvaluator {
  let realm: ReadTransaction
  /// What computed operands are asked of, object by object.
  let kept = KeptEvaluators()

  package init(_ realm: ReadTransaction) { self.realm = realm }

  /// The keys of the objects that meet the query, in its order.
  package func keys(_ query: BoundQuery) throws(EngineError) -> [ObjectKey] {
    var rows: [Row] = []
    var cursor = query.table.blocks()
    while let block = try cursor.next() {
      try Interruption.check()
      for index in 0..<block.count {
        let row = Row(table: query.table, position: ObjectPosition(block: block, row: index))
        if try matches(query.predicate, row) { rows.append(row) }
      }
    }
    for ordering in query.orderings { rows = try apply(ordering, to: rows) }
    return rows.map(\.position.key)
  }

  /// Whether one object meets a predicate that is bound to its class.
  package func matches(
    _ predicate: BoundPredicate, in table: Table, at position: ObjectPosition
  ) throws(EngineError) -> Bool {
    try matches(predicate, Row(table: table, position: position))
  }

  /// What an operand that is bound to `table` gives for one object.
  package func evaluate(
    _ operand: BoundOperand, in table: Table, at position: ObjectPosition
  ) throws(EngineError) -> Evaluated {
    try evaluate(operand, Row(table: table, position: position))
  }

  func matches(_ predicate: BoundPredicate, _ row: Row) throws(EngineError) -> Bool {
    switch predicate {
    case .constant(let value): return value
    case .and(let conditions):
      for condition in conditions where try !matches(condition, row) { return false }
      return true
    case .or(let conditions):
      for condition in conditions where try matches(condition, row) { return true }
      return false
    case .not(let condition): return try !matches(condition, row)
    case .property(let condition):
      return condition.test.holds(try row.value(condition.property), condition.property)
    case .comparison(let comparison): return try holds(comparison, row)
    case .between(let condition): return try holds(condition, row)
    case .fullText(let condition):
      let texts = try evaluate(condition.path, row).values
      return (condition.path.quantifier ?? .any).holds(over: texts) { condition.words.accepts(words(in: $0)) }
    case .geoWithin(let condition): return try holds(condition, row)
    }
  }

  private func words(in value: Value) -> Set<[UInt8]> {
    guard case .string(let text) = value else { return [] }
    return FullTextWords.words(in: text.bytes)
  }

  private func holds(_ condition: GeoCondition, _ row: Row) throws(EngineError) -> Bool {
    let isInside = try objects(condition.path.hops, from: row).map { place throws(EngineError) in
      guard case .string(let type) = try place.value(condition.typeProperty),
        type.text.lowercased() == "point"
      else { return false }
      let coordinates = try place.elements(condition.coordinatesProperty, .all)
      guard coordinates.count >= 2, case .double(let longitude) = coordinates[0],
        case .double(let latitude) = coordinates[1]
      else { return false }
      return condition.region.contains(GeoPosition(longitude: longitude, latitude: latitude))
    }
    return switch condition.path.quantifier ?? .any {
    case .any: isInside.contains(true)
    // As in the reference engine, and unlike all other conditions: false where there is nothing.
    case .all: !isInside.isEmpty && !isInside.contains(false)
    case .noneOf: !isInside.contains(true)
    }
  }
}

/// Evaluators by the seeds of their operands: to make one takes longer than an object's result.
final class KeptEvaluators {
  var all: [UInt64: ExpressionEvaluator] = [:]
}

extension PropertyCondition.Test {
  /// Whether `value`, of `property`, passes.
  package func holds(_ value: Value, _ property: Property) -> Bool {
    switch self {
    // Of texts null is the smallest there.
    case .compare(let relation, let constant) where relation.isOrdering && property.type == .string:
      relation.comparison?.holds(order: value.storedOrder(constant)) ?? false
    default: holds(value)
    }
  }

  /// Whether `value`, which is not the own text of a row, passes.
  package func holds(_ value: Value) -> Bool {
    switch self {
    case .compare(let relation, let constant): return relation.holds(value, constant)
    case .isOneOf(let constants): return constants.contains { ComparisonTest.equal.holds(value, $0) }
    case .isBetween(let low, let high):
      return ComparisonTest(.greaterOrEqual).holds(value, low)
        && ComparisonTest(.lessOrEqual).holds(value, high)
    }
  }
}

/// `@min @max @sum @avg` of one object.
extension RowEvaluator {
  func evaluate(_ aggregate: BoundAggregate, _ row: Row) throws(EngineError) -> Evaluated {
    let rows = try objects(aggregate.hops, from: row)
    switch aggregate.source {
    case .property(let property):
      let values = try rows.map { row throws(EngineError) in try row.value(property) }
      return .single(try aggregate.result(over: values, of: property.type))
    case .elements(let property):
      let results = try rows.map { row throws(EngineError) in
        let values =
          property.collection == .dictionary
          ? try row.entries(property).map(\.value) : try row.elements(property, .all)
        return try aggregate.result(over: values, of: property.type)
      }
      if aggregate.isList { return .list(results) }
      if let result = results.first { return .single(result) }
      return .single(try aggregate.result(over: [], of: property.type))
    }
  }
}

extension BoundAggregate {
  fileprivate func result(over values: [Value], of type: ValueType) throws(EngineError) -> Value {
    if isChecked, function == .sum, type == .int { return try function.checkedResult(over: values) }
    return function.result(over: values, of: type)
  }
}
