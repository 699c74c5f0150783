// Groups that are whole: those that are wanted, in their order. Layer: Query, Aggregation.

import RealmQueryLanguage

/// Groups of one part of the result, in order.
final class FinishedPartition: @unchecked Sendable {
  // Made by one thread, then read by another.
  private enum Records {
    case table(GroupTable, [Int32])
    /// In their order, in memory or in the file.
    case run(SpillablePartition)
  }

  private let records: Records
  let count: Int

  init(_ table: GroupTable, _ order: [Int32]) {
    records = .table(table, order)
    count = order.count
  }

  init(_ run: SpillablePartition, count: Int) {
    records = .run(run)
    self.count = count
  }

  func makeCursor(_ space: GroupSpace, _ recordWidth: Int) -> PartitionCursor {
    switch records {
    case .table(let table, let order): PartitionCursor(.table(table, order), count, recordWidth)
    case .run(let run) where run.isInMemory: PartitionCursor(.memory(run.run), count, recordWidth)
    case .run(let run): PartitionCursor(.file(run, space), count, recordWidth)
    }
  }
}

/// Goes through the records of a part.
final class PartitionCursor {
  enum Source {
    case table(GroupTable, [Int32])
    case memory(RecordBuffer)
    case file(SpillablePartition, GroupSpace)
  }

  private let source: Source
  private let recordWidth: Int
  private let count: Int
  private var position = -1
  /// The words at the position.
  private var record: [UInt64]
  /// Of records in a file those around the position.
  private var window = RecordBuffer()
  private var windowStart = 0

  /// Records that are read from the file at a time.
  private static let windowLength = 1024

  init(_ source: Source, _ count: Int, _ recordWidth: Int) {
    self.source = source
    self.count = count
    self.recordWidth = recordWidth
    record = [UInt64](repeating: 0, count: recordWidth)
  }

  /// False at the end.
  func advance() throws(EngineError) -> Bool {
    position += 1
    guard position < count else { return false }
    switch source {
    case .table(let table, let order): read { table.word(Int(order[position]), $0) }
    case .memory(let run): read { run.word(position * recordWidth + $0) }
    case .file(let run, let space):
      if position == 0 || position >= windowStart + Self.windowLength {
        windowStart = position
        window.clear()
        let length = min(Self.windowLength, count - position)
        try run.read(position * recordWidth, into: window.extend(by: length * recordWidth), from: space)
      }
      read { window.word((position - windowStart) * recordWidth + $0) }
    }
    return true
  }

  private func read(_ word: (Int) -> UInt64) {
    for place in record.indices { record[place] = word(place) }
  }

  func word(_ place: Int) -> UInt64 { record[place] }
}

/// Filters and sorts groups.
struct GroupFinisher: Sendable {
  let query: AggregateQuery
  let cells: [GroupCell]
  let space: GroupSpace
  /// Whether tables are parts of many groups, of which only the records are worth keeping.
  let isPart: Bool

  /// A part's groups that are wanted, in the order of the result.
  func finished(_ table: GroupTable) throws(EngineError) -> FinishedPartition {
    var groups = Array(0..<Int32(table.count))
    if query.condition != nil {
      let columns = query.columns
      let kept = try query.kept(groups.count) { row throws(EngineError) in
        try columns.indices.map { column throws(EngineError) in
          try cells[column].value { table.word(Int(groups[row]), $0) }
        }
      }
      groups = kept.map { groups[$0] }
    }
    groups = try sorted(groups, table)
    if let wanted = query.rowsNeeded, groups.count > wanted { groups.removeLast(groups.count - wanted) }
    guard isPart else { return FinishedPartition(table, groups) }
    let run = SpillablePartition()
    run.run.reserve(groups.count * table.layout.recordWidth)
    table.copy(groups, to: run.run)
    if space.take(groups.count * table.layout.recordWidth * 8) { try run.spill(to: space) }
    return FinishedPartition(run, count: groups.count)
  }

  private func sorted(_ groups: [Int32], _ table: GroupTable) throws(EngineError) -> [Int32] {
    let keys = query.sortKeys
    guard groups.count > 1, !keys.isEmpty else { return groups }
    if let wanted = query.rowsNeeded, let first = try FirstGroups.of(groups, table, keys, cells, wanted) {
      return first
    }
    let haveWords = keys.allSatisfy { key in
      let cell = cells[key.column]
      if case .key = cell { return true }
      return groups.allSatisfy { group in cell.hasOrderWords { table.word(Int(group), $0) } }
    }
    guard haveWords else { return try sortedByValues(groups, table, keys) }
    var levels: [SortLevel] = []
    for key in keys {
      let cell = cells[key.column]
      var words = [[UInt64]](repeating: [], count: cell.orderWidth)
      for index in words.indices { words[index].reserveCapacity(groups.count) }
      for group in groups {
        var index = 0
        try cell.forEachOrderWord {
          table.word(Int(group), $0)
        } _: { word in
          words[index].append(word)
          index += 1
        }
      }
      let cut = TruncatedKeys(texts: cutTexts(of: groups, table, cell))
      levels += words.map { SortLevel($0, isAscending: key.isAscending, cut: cut) }
    }
    return RowOrder.sorted(groups.count, by: levels).map { groups[Int($0)] }
  }

  /// The texts that words are cut of, empty for others; none where no word is cut.
  private func cutTexts(of groups: [Int32], _ table: GroupTable, _ cell: GroupCell) -> [ByteString] {
    let isCut = groups.contains { group in cell.cutText { table.word(Int(group), $0) } != nil }
    guard isCut else { return [] }
    return groups.map { group in
      ByteString(borrowing: cell.cutText { table.word(Int(group), $0) } ?? .empty)
    }
  }

  private func sortedByValues(
    _ groups: [Int32], _ table: GroupTable, _ keys: [GroupOrdering.Key]
  ) throws(EngineError) -> [Int32] {
    var values: [[Value]] = []
    for group in groups {
      values.append(
        try keys.map { key throws(EngineError) in
          try cells[key.column].value { table.word(Int(group), $0) }
        })
    }
    let order = values.indices.sorted { keys.order(values[$0], values[$1]) < 0 }
    return order.map { groups[$0] }
  }
}

extension [GroupOrdering.Key] {
  /// Negative, zero or positive as the values of these keys sort before, with or after others.
  func order(_ left: [Value], _ right: [Value]) -> Int {
    for index in indices {
      let order = AggregateQuery.order(left[index], right[index])
      if order != 0 { return self[index].isAscending ? order : -order }
    }
    return 0
  }
}

extension AggregateQuery {
  static func order(_ left: Value, _ right: Value) -> Int {
    switch (left, right) {
    case (.list(let left), .list(let right)), (.dictionary(let left), .dictionary(let right)):
      left.rootOffset < right.rootOffset ? -1 : left.rootOffset == right.rootOffset ? 0 : 1
    default: left.storedOrder(right)
    }
  }

  private static func order(_ left: [Value], _ right: [Value]) -> Int {
    zip(left, right).lazy.map { order($0, $1) }.first { $0 != 0 } ?? 0
  }

  /// Groups in order, with those joined that hashing keeps apart and the stored order does not: by 0.0 and -0.0, NaN, 1.0 and
  /// 1.00.
  static func joined<Group>(
    _ groups: [Group], _ keys: (Group) -> [Value], join: (inout Group, Group) -> Void
  ) -> [Group] {
    var joined: [Group] = []
    // The standard library's sort keeps the order of equals, so that the first one's values are shown.
    for group in groups.sorted(by: { order(keys($0), keys($1)) < 0 }) {
      if let last = joined.last.map(keys), order(last, keys(group)) == 0 {
        join(&joined[joined.count - 1], group)
      } else {
        joined.append(group)
      }
    }
    return joined
  }

  /// What groups are sorted by: what was asked for last decides first, the keys last.
  var sortKeys: [GroupOrdering.Key] {
    var keys: [GroupOrdering.Key] = []
    for ordering in orderings.reversed() { if case .sort(let sort) = ordering { keys += sort } }
    keys += (0..<keyCount).map { GroupOrdering.Key(column: $0, isAscending: true) }
    var known: Set<Int> = []
    return keys.filter { known.insert($0.column).inserted }
  }

  /// Whether all that takes rows away stands behind all that sorts them.
  var sortsFirst: Bool {
    var takes = false
    for ordering in orderings {
      switch ordering {
      case .sort: if takes { return false }
      case .limit, .offset: takes = true
      }
    }
    return true
  }

  /// LIMIT and OFFSET together, where they follow all that sorts.
  var window: RowWindow {
    RowWindow(
      orderings.compactMap { ordering in
        switch ordering {
        case .sort: nil
        case .limit(let count): .limit(count)
        case .offset(let count): .offset(count)
        }
      })
  }

  /// Rows of the result that may be wanted of a part; nil: all.
  var rowsNeeded: Int? { sortsFirst ? window.rowsNeeded : nil }
}
