// SORT, DISTINCT and LIMIT: values of which each object has one. Layer: Query, Compile, Binding.

package import RealmQueryLanguage

extension Binder {
  func bind(_ orderings: [Ordering]) throws(BindingFailure) -> [BoundOrdering] {
    var bound: [BoundOrdering] = []
    for ordering in orderings.withOffsetsFirst {
      switch ordering.kind {
      case .sort(let keys):
        if bound.contains(where: \.isLimit) {
          context.warn(
            "a limit before a sort cuts the objects first, in the order of their keys; write sort(…) before limit(…)",
            at: ordering.range, isAdvice: true)
        }
        bound.append(sort: try bind(keys))
      case .distinct(let values):
        bound.append(.distinct(try bind(distinct: values)))
      case .limit(let count): bound.append(.limit(try context.arguments.count(count, at: ordering.range)))
      case .offset(let count): bound.append(.offset(try context.arguments.count(count, at: ordering.range)))
      }
    }
    return bound
  }

  func bind(_ keys: [SortKey]) throws(BindingFailure) -> [BoundSortKey] {
    var bound: [BoundSortKey] = []
    for key in keys {
      bound.append(BoundSortKey(try bind(key.value, toDo: "sort"), isAscending: key.isAscending))
    }
    return bound
  }

  func bind(distinct values: [Expression]) throws(BindingFailure) -> [BoundSortValue] {
    return try values.map { value throws(BindingFailure) in try bind(value, toDo: "make distinct") }
  }

  private func bind(_ value: Expression, toDo verb: String) throws(BindingFailure) -> BoundSortValue {
    var reason: String?
    if case .property(nil, let reference) = value.kind, reference.question == nil {
      let walk = try walkForSorting(reference.path)
      if let path = Self.storedPath(walk) { return .path(path) }
      if case .unknown = walk.place { return sortValue(.unknown(value.range)) }
      reason = walk.description
      if context.isForReference { throw unfit(value.range, walk.description, verb) }
    }
    let side = try measured(value)
    guard !side.isList else { throw unfit(value.range, reason ?? "it is \(side.type.name)", verb) }
    return sortValue(side)
  }

  private func sortValue(_ side: BoundSide) -> BoundSortValue {
    .computed(computed(side), text: context.source.text(in: side.range))
  }

  /// The path, if it leads through links to a property, whose values need no computing.
  private static func storedPath(_ walk: PathWalk) -> BoundSortPath? {
    var links: [(property: Property, target: TableKey)] = []
    for hop in walk.hops {
      guard case .toOne(let property, let target) = hop else { return nil }
      links.append((property, target))
    }
    guard walk.steps.isEmpty else { return nil }
    switch walk.place {
    case .value(let property), .link(.toOne(let property, _)):
      return BoundSortPath(links: links, property: property)
    case .dictionaryValue(let property, let key), .link(.entry(let property, _, let key)):
      return BoundSortPath(links: links, property: property, dictionaryKey: key)
    default: return nil
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

  private func unfit(_ range: SourceRange, _ reason: String, _ verb: String) -> BindingFailure {
    BindingFailure(
      .sorting, "cannot \(verb) by \(context.quoted(range)): each object must have one value there",
      at: range, hint: reason)
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
    by values: [Expression], source: [UInt8], in realm: ReadTransaction
  ) throws(BindingFailure) -> BoundQuery {
    adding(.distinct(try binder(realm, source).bind(distinct: values)))
  }

  /// Applies one more clause behind the others.
  package func adding(_ ordering: BoundOrdering) -> BoundQuery {
    BoundQuery(
      table: table, predicate: predicate, orderings: orderings + [ordering], warnings: warnings)
  }

  private func binder(_ realm: ReadTransaction, _ source: [UInt8]) -> Binder {
    let context = BindingContext(view: realm, arguments: QueryArguments(), source: source)
    return Binder(context: context, schema: table.schema)
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

extension BoundOrdering {
  fileprivate var isLimit: Bool { if case .limit = self { true } else { false } }
}
