// `@min @max @sum @avg` of one object. Layer: Query.

import RealmQueryLanguage

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
