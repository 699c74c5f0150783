// How many different values a property has, where an index knows it without a look at the objects. Layer: Query, Aggregation.

extension AggregateQuery {
  /// Nil where objects must be looked at.
  func indexedCount(_ executor: QueryExecutor) throws(EngineError) -> Int? {
    guard isSingleValue, condition == nil, orderings.isEmpty, executor.findsEverything,
      let calculation = calculations.first, calculation.function == .count, calculation.isDistinct,
      case .path(let path)? = calculation.operand, let property = path.directProperty,
      property.collection == nil
    else { return nil }
    return try table.valueCount(of: property)
  }
}
