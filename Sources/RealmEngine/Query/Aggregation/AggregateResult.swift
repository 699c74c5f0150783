// The rows of a result over groups, in their order, as they are asked for. Layer: Query, Aggregation.

/// Rows of values.
package final class AggregateResult {
  package let names: [String]
  /// The columns whose links all lead to one class.
  package var linkColumns: Set<Int> {
    Set(query.columns.indices.filter { query.columns[$0].type.kind.isLink })
  }
  private let query: AggregateQuery
  private let rows: Rows

  private enum Rows {
    /// Sorted parts that are merged.
    case parts([FinishedPartition], [GroupCell], recordWidth: Int, GroupSpace, keeping: [GroupBuilder])
    case values([[Value]])
  }

  init(
    _ query: AggregateQuery, cells: [GroupCell], _ parts: [FinishedPartition], space: GroupSpace,
    keeping builders: [GroupBuilder]
  ) {
    self.query = query
    names = query.columns.map(\.name)
    let width = builders.first?.table.layout.recordWidth ?? 0
    rows = .parts(parts, cells, recordWidth: width, space, keeping: builders)
  }

  /// Rows that are sorted already.
  init(_ query: AggregateQuery, _ values: [[Value]]) {
    self.query = query
    names = query.columns.map(\.name)
    rows = .values(values)
  }

  /// How many rows there are where nothing limits them.
  package var groupCount: Int {
    switch rows {
    case .values(let values): values.count
    case .parts(let parts, _, _, _, _): parts.reduce(0) { $0 + $1.count }
    }
  }

  /// Calls `body` with the values of one row after the other, until it returns false.
  package func forEachRow(_ body: ([Value]) throws(EngineError) -> Bool) throws(EngineError) {
    guard query.sortsFirst else { return try forEachRowOfClauses(body) }
    var window = query.window
    try forEachSorted { row throws(EngineError) in
      guard !window.isClosed else { return false }
      if window.taken(of: [0]).isEmpty { return !window.isClosed }
      return try body(row)
    }
  }

  /// Calls `body` with the values of every row of a result without clauses, in any order, which takes less time.
  func forEachRowInAnyOrder(_ body: ([Value]) throws(EngineError) -> Void) throws(EngineError) {
    precondition(query.orderings.isEmpty, "limits are of rows in their order")
    switch rows {
    case .values(let values): for row in values { try body(row) }
    case .parts(let parts, let cells, let recordWidth, let space, _):
      for part in parts {
        try Interruption.check()
        let cursor = part.makeCursor(space, recordWidth)
        while try cursor.advance() {
          try body(try cells.map { cell throws(EngineError) in try cell.value { cursor.word($0) } })
        }
      }
    }
  }

  /// Where something is sorted behind a limit, one clause after the other.
  private func forEachRowOfClauses(_ body: ([Value]) throws(EngineError) -> Bool) throws(EngineError) {
    var rows: [[Value]] = []
    try forEachSorted { row in
      rows.append(row)
      return true
    }
    let byKeys = (0..<query.keyCount).map { GroupOrdering.Key(column: $0, isAscending: true) }
    rows.sort { byKeys.order($0, $1) < 0 }
    for ordering in query.orderings {
      switch ordering {
      case .sort(let keys):
        rows.sort { left, right in
          keys.order(keys.map { left[$0.column] }, keys.map { right[$0.column] }) < 0
        }
      case .limit(let count): rows.removeLast(max(0, rows.count - count))
      case .offset(let count): rows.removeFirst(min(count, rows.count))
      }
    }
    for row in rows { if try !body(row) { return } }
  }

  private func forEachSorted(_ body: ([Value]) throws(EngineError) -> Bool) throws(EngineError) {
    switch rows {
    case .values(let values):
      for row in values { if try !body(row) { return } }
    case .parts(let parts, let cells, let recordWidth, let space, _):
      var merge = try PartitionMerge(parts.map { $0.makeCursor(space, recordWidth) }, cells, query.sortKeys)
      var rowCount = 0
      while let row = try merge.next() {
        if rowCount % 1024 == 0 { try Interruption.check() }
        rowCount += 1
        if try !body(row) { return }
      }
    }
  }
}

/// Puts sorted parts together: a heap of those that have records left, the least record on top.
private struct PartitionMerge {
  private struct Head {
    /// Of the cursor: a reference to it would be counted whenever heads change places.
    let number: Int
    /// The first order words of the value that decides first; only where they are the same values are looked at.
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  private var heads: [Head] = []
  private let cursors: [PartitionCursor]
  private let cells: [GroupCell]
  private let keys: [GroupOrdering.Key]

  init(_ cursors: [PartitionCursor], _ cells: [GroupCell], _ keys: [GroupOrdering.Key]) throws(EngineError) {
    self.cursors = cursors
    self.cells = cells
    self.keys = keys
    for number in cursors.indices where try cursors[number].advance() {
      heads.append(Head(number: number))
      try readWords(heads.count - 1)
    }
    for place in heads.indices.reversed() { try sink(place) }
  }

  private mutating func readWords(_ place: Int) throws(EngineError) {
    guard let key = keys.first else { return }
    let cursor = cursors[heads[place].number]
    let flip: UInt64 = key.isAscending ? 0 : .max
    var count = 0
    try cells[key.column].forEachOrderWord {
      cursor.word($0)
    } _: { word in
      if count == 0 { heads[place].first = word ^ flip }
      if count == 1 { heads[place].second = word ^ flip }
      count += 1
    }
  }

  mutating func next() throws(EngineError) -> [Value]? {
    guard let head = heads.first else { return nil }
    let cursor = cursors[head.number]
    let row = try cells.map { cell throws(EngineError) in try cell.value { cursor.word($0) } }
    if try cursor.advance() {
      // Of one part alone nothing is compared.
      if heads.count > 1 { try readWords(0) }
    } else {
      heads.swapAt(0, heads.count - 1)
      heads.removeLast()
    }
    if heads.count > 1 { try sink(0) }
    return row
  }

  private mutating func sink(_ start: Int) throws(EngineError) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heads.count {
        if try comesBefore(heads[child], heads[least]) { least = child }
      }
      if least == place { return }
      heads.swapAt(place, least)
      place = least
    }
  }

  @inline(__always)
  private func comesBefore(_ head: Head, _ other: Head) throws(EngineError) -> Bool {
    if head.first != other.first { return head.first < other.first }
    if head.second != other.second { return head.second < other.second }
    return try comesBeforeByValues(head, other)
  }

  private func comesBeforeByValues(_ head: Head, _ other: Head) throws(EngineError) -> Bool {
    let (cursor, otherCursor) = (cursors[head.number], cursors[other.number])
    for key in keys {
      let order = try cells[key.column].order({ cursor.word($0) }, { otherCursor.word($0) })
      if order != 0 { return key.isAscending ? order < 0 : order > 0 }
    }
    return false
  }
}
