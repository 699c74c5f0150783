// `@min @max @sum @avg` of one object. Layer: Query.

import RealmQueryLanguage

extension RowEvaluator {
  func evaluate(_ aggregate: BoundAggregate, _ row: Row) throws(EngineError) -> Evaluated {
    let rows = try objects(aggregate.hops, from: row)
    switch aggregate.source {
    case .property(let property):
      let values = try map(rows) { row throws(EngineError) in try row.value(property) }
      return .single(try aggregate.result(over: values, of: property.type))
    case .elements(let property):
      let results = try map(rows) { row throws(EngineError) in
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
