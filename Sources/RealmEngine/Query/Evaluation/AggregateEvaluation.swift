// `@min @max @sum @avg` over values. Layer: Query. Nulls and NaN are passed over.

extension ReferenceEvaluator {
  func evaluate(_ aggregate: BoundAggregate, _ row: Row) throws(EngineError) -> Evaluated {
    let rows = try objects(aggregate.hops, from: row)
    switch aggregate.source {
    case .property(let property):
      let values = try map(rows) { row throws(EngineError) in try row.value(property) }
      return .single(aggregate.function.result(over: values, of: property.type))
    case .elements(let property):
      let results = try map(rows) { row throws(EngineError) in
        let values =
          property.collection == .dictionary
          ? try row.entries(property).map(\.value) : try row.elements(property, .all)
        return aggregate.function.result(over: values, of: property.type)
      }
      if aggregate.isList { return .list(results) }
      return .single(results.first ?? aggregate.function.result(over: [], of: property.type))
    }
  }
}

extension BoundAggregate.Function {
  /// The aggregate of the elements of a collection or property of type `type`.
  package func result(over values: [Value], of type: ValueType) -> Value {
    switch self {
    case .minimum: return extreme(of: values) { $0 < 0 }
    case .maximum: return extreme(of: values) { $0 > 0 }
    case .sum: return sum(of: values.filter { $0.isNumber && !$0.isNaN }, type)
    case .average:
      let numbers = values.filter { $0.isNumber && !$0.isNaN }
      if numbers.isEmpty { return .null }
      if type == .int {
        // The sum of ints wraps; their average is of the numbers themselves.
        return .double(numbers.reduce(0) { $0 + ($1.doubleValue ?? 0) } / Double(numbers.count))
      }
      return ArithmeticOperation.divide(sum(of: numbers, type), .int(Int64(numbers.count)))
    }
  }

  /// Values of a mixed collection that are no numbers take part, in the order of all values.
  private func extreme(of values: [Value], _ isBetter: (Int) -> Bool) -> Value {
    var best = Value.null
    for value in values where value != .null && !value.isNaN {
      if best == .null || isBetter(value.storedOrder(best)) { best = value }
    }
    return best
  }

  private func sum(of numbers: [Value], _ type: ValueType) -> Value {
    switch type {
    case .int:
      return numbers.reduce(.int(0)) { ArithmeticOperation.add($0, $1) }
    case .float, .double:
      return .double(numbers.reduce(0) { $0 + ($1.doubleValue ?? 0) })
    default:
      return .decimal(numbers.reduce(Decimal128.zero) { $0 + ($1.decimalValue ?? .zero) })
    }
  }
}
