// SUBQUERY: how many objects of a collection meet a condition of their own. Layer: Query, Compile, Binding.

import RealmQueryLanguage

extension Binder {
  func bind(_ subquery: Subquery, at range: SourceRange) throws(BindingFailure) -> BoundSide {
    let collection = try expanded(subquery.collection)
    let walk = try walk(collection)
    if case .unknown = walk.place {
      _ = try Binder(context: context, schema: .unknown, variable: subquery.variable)
        .bind(subquery.condition)
      return BoundSide(operand: .constant(.null), type: .value(.int), range: range)
    }
    guard case .link(let hop) = walk.place, hop.leadsToCollection, let target = view.schema(hop.target) else {
      throw BindingFailure(
        .subquery, "SUBQUERY needs a list of objects; \(walk.description)", at: subquery.collection.range)
    }
    let binder = Binder(context: context, schema: target, variable: subquery.variable)
    let bound = BoundSubquery(
      hops: walk.hops + [hop], elementTable: hop.target, predicate: try binder.bind(subquery.condition))
    return BoundSide(operand: .subquery(bound), type: .value(.int), range: range)
  }
}

extension Hop {
  fileprivate var leadsToCollection: Bool {
    switch self {
    case .elements, .incoming: true
    case .toOne, .entries, .entry: false
    }
  }
}
