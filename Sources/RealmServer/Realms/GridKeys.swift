// Which objects a page looks at, and in which order: by position where they stand so, else their keys, found once. The first ones
// of an order are there long before all are.
// Layer: RealmServer, Realms.

import CServer
package import RealmEngine
import RealmQueryLanguage
import RealmSession

/// What a grid shows: a class, a condition and an order, as texts.
package struct RowQuery: Hashable, Sendable {
  package let className: String
  package let condition: String
  package let sort: String

  /// Throws with the place in the text that is wrong.
  func bound(in realm: ReadTransaction, _ table: Table) throws -> BoundQuery {
    let source = Array((condition.isBlank ? "TRUEPREDICATE" : condition).utf8)
    let predicate = try Self.parsed(source) { source throws(QueryError) in try Predicate(parsing: source) }
    let query = try Self.bound(predicate, source, in: realm, table)
    return sort.isBlank ? query : try Self.sorted(query, by: Array(sort.utf8), in: realm)
  }

  private static func bound(
    _ predicate: Predicate, _ source: [UInt8], in realm: ReadTransaction, _ table: Table
  ) throws -> BoundQuery {
    try SessionError.binding(source) { () throws(BindingFailure) in
      try BoundQuery(predicate, source: source, of: table, in: realm, arguments: QueryArguments())
    }
  }

  private static func sorted(
    _ query: BoundQuery, by source: [UInt8], in realm: ReadTransaction
  ) throws -> BoundQuery {
    let keys = try parsed(source) { source throws(QueryError) in try SortKey.list(parsing: source) }
    return try SessionError.binding(source) { () throws(BindingFailure) in
      try query.sorted(by: keys, source: source, in: realm)
    }
  }

  private static func parsed<Result>(
    _ source: [UInt8], _ body: ([UInt8]) throws(QueryError) -> Result
  ) throws -> Result {
    do throws(QueryError) { return try body(source) } catch { throw SessionError(error, in: source) }
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

/// The objects of a query.
package enum GridKeys: Sendable {
  case all(count: Int)
  case rising(ObjectKeyList)
  case ordered([ObjectKey])
  /// An order that is found as far as somebody looks at it.
  case ranges(FoundRanges)
  /// The first ones of so many in an order.
  case first([ObjectKey], count: Int)

  /// So many of an order can be found without the others.
  package static let firstMax = 500
  /// Bytes that putting objects in order may take beside their keys.
  private static let memoryLimit = 160 << 20

  /// `end`: keys before it are wanted now.
  init(_ query: BoundQuery, upTo end: Int, in realm: ReadTransaction) throws(EngineError) {
    if case .constant(true) = query.predicate, query.orderings.isEmpty {
      self = .all(count: query.table.count)
      return
    }
    let executor = try QueryExecutor(query, in: realm)
    if executor.isStreaming {
      self = .rising(try executor.keyList())
    } else if end <= Self.firstMax {
      let first = try QueryExecutor(query.adding(.limit(end)), in: realm).keys()
      self =
        first.count < end ? .ordered(first) : .first(first, count: try executor.matchedCount())
    } else if let ranges = try executor.orderRanges(memoryLimit: Self.memoryLimit) {
      self = .ranges(FoundRanges(ranges))
    } else {
      self = .ordered(try executor.keys())
    }
  }

  /// Whether those before `end` are known.
  func reach(_ end: Int) -> Bool {
    if case .first(let keys, _) = self { end <= keys.count } else { true }
  }

  /// Bytes that they take, or more.
  var size: Int {
    switch self {
    case .all: 0
    case .rising(let keys): keys.count * MemoryLayout<ObjectKey>.stride
    case .ordered(let keys), .first(let keys, _): keys.count * MemoryLayout<ObjectKey>.stride
    case .ranges(let ranges): ranges.all.count * MemoryLayout<ObjectKey>.stride
    }
  }

  package var count: Int {
    switch self {
    case .all(let count): count
    case .rising(let keys): keys.count
    case .ordered(let keys): keys.count
    case .first(_, let count): count
    case .ranges(let ranges): ranges.all.count
    }
  }

  /// Some of them, as many as there are.
  func positions(
    _ wanted: Range<Int>, of query: RowQuery, _ table: Table, in realm: ReadTransaction
  ) throws -> [ObjectPosition] {
    let range = wanted.clamped(to: 0..<count)
    let keys: [ObjectKey]
    switch self {
    case .all: return try table.positions(range)
    case .rising(let list): keys = list[range]
    case .ranges(let ranges):
      keys = try ranges.keys(range) { try QueryExecutor(try query.bound(in: realm, table), in: realm) }
    case .ordered(let list), .first(let list, _): keys = Array(list[range.clamped(to: list.indices)])
    }
    var positions: [ObjectPosition] = []
    for key in keys {
      if let position = try table.find(key) { positions.append(position) }
    }
    return positions
  }
}

/// What is known of an order that is found range by range.
package final class FoundRanges: Sendable {
  let all: OrderRanges
  private let found = Exclusive<[Int: [ObjectKey]]>([:])

  init(_ all: OrderRanges) { self.all = all }

  /// `executor`: of the query whose ranges these are.
  func keys(_ wanted: Range<Int>, _ executor: () throws -> QueryExecutor) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    while keys.count < wanted.count {
      let row = wanted.lowerBound + keys.count
      let number = all.range(of: row)
      let range = all.starts[number]..<all.starts[number + 1]
      let known = try found.lend { found in
        if let known = found[number] { return known }
        let keys = try executor().keys(ofRange: number, of: all)
        found[number] = keys
        // What finding them took in small pieces.
        web_memory_return()
        return keys
      }
      let place = (row..<min(range.upperBound, wanted.upperBound))
      keys += known[place.lowerBound - range.lowerBound..<place.upperBound - range.lowerBound]
    }
    return keys
  }
}
