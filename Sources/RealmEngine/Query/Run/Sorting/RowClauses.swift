// SORT, DISTINCT, LIMIT and OFFSET over rows with words. Layer: Query, Run, Sorting.

/// One clause; columns are numbers of paths.
enum RowClause: Sendable {
  struct SortKey: Sendable {
    let column: Int
    let isAscending: Bool
  }

  case sort([SortKey])
  case distinct([Int])
  case limit(Int)
  case offset(Int)

  fileprivate var columns: [Int] {
    switch self {
    case .sort(let keys): keys.map(\.column)
    case .distinct(let columns): columns
    case .limit, .offset: []
    }
  }
}

/// Clauses in their order, and the paths that they ask for.
struct RowClauses: Sendable {
  private let clauses: [RowClause]
  private let paths: [SortKeyPath]
  let pruning: TopKFilter?

  /// Nil where a value has no words.
  init?(_ orderings: [BoundOrdering], in realm: ReadTransaction) {
    var paths: [SortKeyPath] = []
    func column(_ value: BoundSortValue) -> Int? {
      guard let path = SortKeyPath(value, in: realm) else { return nil }
      if let known = paths.firstIndex(where: { $0.isSame(as: path) }) { return known }
      paths.append(path)
      return paths.count - 1
    }
    var clauses: [RowClause] = []
    for ordering in orderings {
      switch ordering {
      case .sort(let keys):
        let sort = keys.compactMap { key in
          column(key.value).map { RowClause.SortKey(column: $0, isAscending: key.isAscending) }
        }
        guard sort.count == keys.count else { return nil }
        clauses.append(.sort(sort))
      case .distinct(let paths):
        let columns = paths.compactMap(column)
        guard columns.count == paths.count else { return nil }
        clauses.append(.distinct(columns))
      case .limit(let count): clauses.append(.limit(count))
      case .offset(let count): clauses.append(.offset(count))
      }
    }
    self.clauses = clauses
    self.paths = paths
    pruning = clauses.first.flatMap {
      TopKFilter($0, wanted: RowWindow(orderings.dropFirst()).rowsNeeded, columnCount: paths.count)
    }
  }

  /// Whether the first rows may be all that is wanted.
  var mayEndEarly: Bool { pruning?.mayEndEarly ?? false }

  /// The one clause where that is a sort; else nil.
  var onlySort: [RowClause.SortKey]? {
    guard clauses.count == 1, case .sort(let keys) = clauses[0] else { return nil }
    return keys
  }

  /// Whether there may be values that words put into no order.
  var mayHaveUnordered: Bool { paths.contains(where: \.mayHaveUnordered) }

  var allColumns: Set<Int> { Set(paths.indices) }

  /// Bytes that a row's part of a column takes at most while rows are sorted, other than very long texts.
  func size(ofColumn number: Int) -> Int {
    switch paths[number].property.type {
    case .int, .bool, .float, .double: paths[number].computed == nil ? 40 : 96
    default: 96
    }
  }

  /// What it costs to make a row's words, as costs of conditions are told.
  var makingCost: Double {
    paths.reduce(0) { $0 + Self.costOfALink * Double($1.links.count + ($1.computed == nil ? 0 : 4)) }
  }

  private static let costOfALink = 50.0

  /// No rows yet.
  func noRows() -> SortRows { SortRows(paths) }

  /// The rows that were found, but for those that cannot be wanted.
  func rows(of found: BlockRows, in snapshot: Snapshot) throws(EngineError) -> SortRows {
    var rows = noRows()
    try rows.append(try pruning?.admitted(found, paths, in: snapshot) ?? found, paths, in: snapshot)
    pruning?.prunePart(&rows)
    return rows
  }

  /// The keys of what the clauses leave of `rows`, in their order; none where the user wants it to end.
  func keys(of rows: SortRows) -> [ObjectKey] {
    var rows = rows
    for (number, clause) in clauses.dropLast().enumerated() {
      if Interruption.isPending { return [] }
      let kept = kept(by: clause, of: rows)
      if Interruption.isPending { return [] }
      rows.keep(kept, columns: Set(clauses[(number + 1)...].flatMap(\.columns)))
    }
    if Interruption.isPending { return [] }
    let order = clauses.last.map { kept(by: $0, of: rows) } ?? Array(0..<Int32(rows.count))
    return Interruption.isPending ? [] : rows.keys.chosen(order)
  }

  private func kept(by clause: RowClause, of rows: SortRows) -> [Int32] {
    let count = Int32(rows.count)
    return switch clause {
    case .sort(let keys): RowOrder.sorted(rows.count, by: rows.levels(keys))
    case .distinct(let columns): rows.firsts(columns)
    case .limit(let limit): Array(0..<min(count, Int32(clamping: limit)))
    case .offset(let offset): Array(min(count, Int32(clamping: offset))..<count)
    }
  }
}
