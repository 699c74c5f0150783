// Which objects of the watched class are watched, in one version. Layer: RealmCommands, Reading.

import RealmEngine
import RealmQueryLanguage

/// All objects of a class, or those that meet a condition.
enum WatchedObjects {
  case all
  /// A condition on nothing but their own values: asked of those that were changed.
  case own(BoundPredicate, RowEvaluator, Table)
  /// Any other condition: who meets it may have been changed by what happened to other objects.
  case keys(Set<ObjectKey>)

  init(_ query: QueryText, of table: Table, in realm: ReadTransaction) throws {
    let bound = try query.bound(to: table, in: realm)
    if bound.orderings.isEmpty, bound.predicate.concernsObjectAlone {
      self = .own(bound.predicate, RowEvaluator(realm), table)
    } else {
      self = .keys(Set(try QueryExecutor(bound, in: realm).keys()))
    }
  }

  func contains(_ position: ObjectPosition) throws(EngineError) -> Bool {
    switch self {
    case .all: true
    case .own(let predicate, let evaluator, let table):
      try evaluator.matches(predicate, in: table, at: position)
    case .keys(let keys): keys.contains(position.key)
    }
  }

  /// Those that began or ceased to meet the condition though nothing of theirs was changed.
  func moved(since former: WatchedObjects) -> Set<ObjectKey> {
    guard case .keys(let new) = self else { return [] }
    guard case .keys(let old) = former else { return new }
    return old.symmetricDifference(new)
  }
}
