// How many different values a property has, where an index knows it without a look at the objects. Layer: Query, Aggregation.

extension AggregateQuery {
  /// Counts the different values of a property with single values.
  package init(countingValuesOf property: Property, of table: Table) {
    let operand = BoundOperand.path(BoundPath(end: .value(property)))
    let calculation = Calculation(
      function: .count, isDistinct: true, quantile: nil, operand: operand,
      operandType: .value(property.type, isOptional: property.isOptional))
    columns = [
      Column(name: "count", content: .calculation(calculation), type: .value(.int), shortName: nil)
    ]
    keyCount = 0
    condition = nil
    orderings = []
    self.table = table
    source = []
    arguments = QueryArguments()
    now = Timestamp(seconds: 0, nanoseconds: 0)
  }

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
