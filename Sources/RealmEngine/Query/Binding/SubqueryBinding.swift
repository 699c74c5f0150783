// SUBQUERY: how many objects of a collection meet a condition of their own. Layer: Query.

import RealmQueryLanguage

extension QueryBinder {
  func bind(_ subquery: Subquery, at range: SourceRange) throws(BindingFailure) -> BoundSide {
    let collection = try expanded(subquery.collection)
    let walk = try walk(collection)
    guard case .link(let hop) = walk.place, hop.leadsToCollection, let target = realm.table(hop.target) else {
      throw BindingFailure(
        .subquery, "SUBQUERY needs a list of objects; \(walk.description)", at: subquery.collection.range)
    }
    let binder = QueryBinder(context: context, table: target, variable: subquery.variable)
    let bound = BoundSubquery(
      hops: walk.hops + [hop], elementTable: hop.target, predicate: try binder.bind(subquery.condition))
    return BoundSide(operand: .subquery(bound), type: .int, isList: false, range: range)
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
