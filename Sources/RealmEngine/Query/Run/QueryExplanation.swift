// How a query was answered, found out by answering it. Layer: Query, Run.

/// A query's plan, what it had to look at, and how long each part took.
package struct QueryExplanation: Sendable {
  package let query: BoundQuery
  package let plan: QueryPlan
  package let threadCount: Int
  /// Objects that were looked at.
  package let examinedCount: Int
  /// Objects that meet the condition.
  package let matchedCount: Int
  /// Objects that are left after DISTINCT, LIMIT and OFFSET.
  package let resultCount: Int
  package let planNanoseconds: Int
  package let searchNanoseconds: Int
  /// For the orderings alone; nil where there are none.
  package let orderNanoseconds: Int?

  /// Cost: answers the query, with orderings twice.
  package init(_ query: BoundQuery, in realm: ReadTransaction) throws(EngineError) {
    let started = SystemClock.nanoseconds
    let executor = try QueryExecutor(query, in: realm)
    let planned = SystemClock.nanoseconds
    matchedCount = try executor.matchedCount()
    let searched = SystemClock.nanoseconds
    let isOrdered = !query.orderings.isEmpty
    resultCount = isOrdered ? try executor.keys().count : matchedCount
    let ordered = SystemClock.nanoseconds
    self.query = query
    plan = executor.plan
    threadCount = executor.workerCount
    examinedCount = executor.examinedCount
    planNanoseconds = planned - started
    searchNanoseconds = searched - planned
    // Ordering began with a search of its own.
    orderNanoseconds = isOrdered ? max(0, ordered - searched - searchNanoseconds) : nil
  }
}

extension PlannedCondition {
  /// The condition's parts, outermost first, each with how deep it stands and how it is asked.
  package var steps: [(depth: Int, text: String)] {
    var steps: [(depth: Int, text: String)] = []
    describe(at: 0, into: &steps)
    return steps
  }

  private func describe(at depth: Int, into steps: inout [(depth: Int, text: String)]) {
    switch self {
    case .and(let parts):
      steps.append((depth, "all of, the most selective first"))
      for part in parts { part.describe(at: depth + 1, into: &steps) }
    case .or(let parts):
      steps.append((depth, "any of"))
      for part in parts { part.describe(at: depth + 1, into: &steps) }
    case .not(let part):
      steps.append((depth, "not"))
      part.describe(at: depth + 1, into: &steps)
    case .anyElement(let property, let choice, let condition):
      steps.append((depth, "\(property.name): \(choice.isOne ? "one" : "any") element"))
      condition.describe(at: depth + 1, into: &steps)
    default: steps.append((depth, text))
    }
  }

  /// How a condition without parts is asked.
  private var text: String {
    switch self {
    case .constant(let isTrue): isTrue ? "every object" : "no object"
    case .column(let property, .integerSet), .column(let property, .dateSet):
      "\(property.name): \(property.type.name) values of a set, a block at a time"
    case .column(let property, _), .texts(let property, _), .identifier(let property, _):
      "\(property.name): \(property.type.name) values, a block at a time"
    case .anyOf(let property, let parts):
      "\(property.name): one of \(parts.count) values, a block at a time"
    case .mixed(let property, _): "\(property.name): mixed values, by their types first"
    case .entries(let condition):
      switch condition.part {
      case .value: "\(condition.property.name): value under a key"
      case .anyValue: "\(condition.property.name): any value"
      case .anyKey: "\(condition.property.name): any key"
      }
    case .tested(let condition):
      "\(condition.property.name): \(condition.property.type.name) values, one by one"
    case .numbers: "numbers that are calculated a block at a time"
    case .values: "two values of each object"
    case .linkedValues: "two values behind links, a block at a time"
    case .isNull(let property): "\(property.name): null"
    case .links(let property, let keys, _):
      "\(property.name): link to one of \(keys.set.count) objects that were found first"
    case .anyLinked(let property, let keys):
      "\(property.name): any link to one of \(keys.set.count) objects that were found first"
    case .anyIncoming(_, let keys):
      "incoming link from one of \(keys.set.count) objects that were found first"
    case .elementCount(let property, _): "\(property.name): number of elements"
    case .incomingCount: "number of incoming links"
    case .keys(let keys): "one of \(keys.count) objects that an index named"
    case .computed: "values that are computed a block at a time"
    case .rows: "object by object"
    case .and, .or, .not, .anyElement: ""
    }
  }
}
