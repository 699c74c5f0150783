// SORT, DISTINCT and LIMIT: paths that give each object one value. Layer: Query.

package import RealmQueryLanguage

extension QueryBinder {
  func bind(_ orderings: [Ordering]) throws(BindingFailure) -> [BoundOrdering] {
    var bound: [BoundOrdering] = []
    for ordering in orderings {
      switch ordering.kind {
      case .sort(let keys): bound.append(sort: try bind(keys))
      case .distinct(let paths):
        bound.append(.distinct(try bind(distinct: paths)))
      case .limit(let count): bound.append(.limit(Int(clamping: count)))
      case .limitArgument(let reference):
        bound.append(.limit(try context.arguments.count(reference, at: ordering.range)))
      }
    }
    return bound
  }

  func bind(_ keys: [SortKey]) throws(BindingFailure) -> [BoundSortKey] {
    var bound: [BoundSortKey] = []
    for key in keys {
      bound.append(BoundSortKey(try bind(key.path, toDo: "sort"), isAscending: key.isAscending))
    }
    return bound
  }

  func bind(distinct paths: [PropertyPath]) throws(BindingFailure) -> [BoundSortPath] {
    var bound: [BoundSortPath] = []
    for path in paths { bound.append(try bind(path, toDo: "make distinct")) }
    return bound
  }

  private func bind(_ path: PropertyPath, toDo verb: String) throws(BindingFailure) -> BoundSortPath {
    let walk = try walkForSorting(path)
    var links: [(property: Property, target: TableKey)] = []
    for hop in walk.hops {
      guard case .toOne(let property, let target) = hop else { throw unfit(path, walk, verb) }
      links.append((property, target))
    }
    guard walk.steps.isEmpty else { throw unfit(path, walk, verb) }
    switch walk.place {
    case .value(let property), .link(.toOne(let property, _)):
      return BoundSortPath(links: links, property: property)
    case .dictionaryValue(let property, let key), .link(.entry(let property, _, let key)):
      return BoundSortPath(links: links, property: property, dictionaryKey: key)
    default: throw unfit(path, walk, verb)
    }
  }

  /// Unknown names are a matter of the clause here.
  private func walkForSorting(_ path: PropertyPath) throws(BindingFailure) -> PathWalk {
    do throws(BindingFailure) {
      return try walk(try expanded(path))
    } catch {
      guard case .query(let error) = error, error.code != .argument else { throw error }
      throw BindingFailure(
        .sorting, error.message, at: error.range, hint: error.hint, suggestion: error.suggestion)
    }
  }

  private func unfit(_ path: PropertyPath, _ walk: PathWalk, _ verb: String) -> BindingFailure {
    BindingFailure(
      .sorting, "cannot \(verb) by \(context.quoted(path.range)): each object must have one value there",
      at: path.range, hint: walk.description)
  }
}

extension BoundQuery {
  /// The same objects in another order; `source` is the text that `keys` were parsed from.
  package func sorted(
    by keys: [SortKey], source: [UInt8], in realm: ReadTransaction
  ) throws(BindingFailure) -> BoundQuery {
    var orderings = orderings
    orderings.append(sort: try binder(realm, source).bind(keys))
    return BoundQuery(table: table, predicate: predicate, orderings: orderings, warnings: warnings)
  }

  /// Only the first object of each combination of values.
  package func distinct(
    by paths: [PropertyPath], source: [UInt8], in realm: ReadTransaction
  ) throws(BindingFailure) -> BoundQuery {
    adding(.distinct(try binder(realm, source).bind(distinct: paths)))
  }

  /// Applies one more clause behind the others.
  package func adding(_ ordering: BoundOrdering) -> BoundQuery {
    BoundQuery(
      table: table, predicate: predicate, orderings: orderings + [ordering], warnings: warnings)
  }

  private func binder(_ realm: ReadTransaction, _ source: [UInt8]) -> QueryBinder {
    let context = BindingContext(realm: realm, arguments: QueryArguments(), source: source)
    return QueryBinder(context: context, table: table, variable: nil)
  }
}

extension [BoundOrdering] {
  /// Of two sorts in a row the later one decides first.
  mutating func append(sort keys: [BoundSortKey]) {
    if case .sort(let earlier)? = last {
      self[count - 1] = .sort(keys + earlier)
    } else {
      append(.sort(keys))
    }
  }
}
