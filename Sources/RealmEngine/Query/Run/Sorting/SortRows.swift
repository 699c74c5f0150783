// Rows that are being put in order: their keys, and the words of those properties that decide.
// Layer: Query, Run, Sorting.

/// Rows by number, with their keys.
struct SortRows: Sendable {
  private(set) var keys = RowKeys()
  /// By the properties' numbers; nil where nobody asks any more.
  private(set) var columns: [KeyColumn?]

  init(_ paths: [SortKeyPath]) { columns = paths.map { KeyColumn($0) } }

  var count: Int { keys.count }
  /// Whether there is a value that words put into no order.
  var hasUnordered: Bool { columns.contains { $0?.hasUnordered ?? false } }

  /// Bytes of texts and data that were joined of chunks for these rows, other than those that links led to.
  var joinedSize: Int { columns.reduce(0) { $0 + ($1?.joinedSize ?? 0) } }

  mutating func append(
    _ rows: BlockRows, _ paths: [SortKeyPath], in snapshot: Snapshot
  ) throws(EngineError) {
    reserve(count + rows.count)
    for (number, path) in paths.enumerated() {
      try columns[number]?.append(rows, of: path, in: snapshot)
    }
    keys.append(rows)
  }

  mutating func append(_ other: SortRows) {
    keys.append(other.keys)
    for (number, column) in other.columns.enumerated() {
      if let column { columns[number]?.append(column) }
    }
  }

  /// Makes room for `count` rows in all.
  mutating func reserve(_ count: Int) {
    keys.reserve(count)
    for number in columns.indices { columns[number]?.reserve(count) }
  }

  /// Keeps only the rows `kept`, in that order, and only the columns in `needed`.
  mutating func keep(_ kept: [Int32], columns needed: Set<Int>) {
    for number in columns.indices {
      if needed.contains(number) { columns[number]?.keep(kept) } else { columns[number] = nil }
    }
    keys.keep(kept)
  }

  // MARK: Orders

  /// Negative, zero or positive as a row sorts before, is, or sorts behind a row of others of the same columns; rows that
  /// are equal go by their keys.
  func order(_ row: Int, _ other: SortRows, _ otherRow: Int, by sort: [RowClause.SortKey]) -> Int {
    for key in sort {
      guard let column = columns[key.column], let otherColumn = other.columns[key.column] else {
        preconditionFailure("a column that is asked for is kept")
      }
      let order = column.order(row, otherColumn, otherRow)
      if order != 0 { return key.isAscending ? order : -order }
    }
    let (key, otherKey) = (
      UInt64(bitPattern: keys[row].value), UInt64(bitPattern: other.keys[otherRow].value)
    )
    return key == otherKey ? 0 : key < otherKey ? -1 : 1
  }

  /// The rows that sort neither before number `low` of some sorted rows nor as number `high` or behind it; a number that
  /// none of these has is no bound.
  func between(_ low: Int, _ high: Int, of bounds: SortRows, by sort: [RowClause.SortKey]) -> [Int32] {
    func isIn(_ row: Int) -> Bool {
      (low < 0 || order(row, bounds, low, by: sort) >= 0)
        && (high >= bounds.count || order(row, bounds, high, by: sort) < 0)
    }
    let all = 0..<Int32(count)
    guard let key = sort.first, let column = columns[key.column], let other = bounds.columns[key.column],
      column.absent.isEmpty, other.absent.isEmpty
    else { return all.filter { isIn(Int($0)) } }
    // Mostly the first word tells.
    let flip = key.isAscending ? 0 : UInt64.max
    let least = low < 0 ? 0 : other.first[low] ^ flip
    let greatest = high >= bounds.count ? .max : other.first[high] ^ flip
    let words = column.first.span
    var rows: [Int32] = []
    for row in words.indices {
      let word = words[row] ^ flip
      guard word >= least, word <= greatest else { continue }
      if word > least && word < greatest || isIn(row) { rows.append(Int32(truncatingIfNeeded: row)) }
    }
    return rows
  }

  /// How many rows are in each of the ranges that sorted rows begin, but for the first range.
  func counts(between bounds: SortRows, by sort: [RowClause.SortKey]) -> [Int] {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    var firsts: [UInt64] = []
    var words: [UInt64] = []
    if let key = sort.first, let column = columns[key.column], let other = bounds.columns[key.column],
      column.absent.isEmpty, other.absent.isEmpty
    {
      let flip = key.isAscending ? 0 : UInt64.max
      firsts = other.first.map { $0 ^ flip }
      words = column.first.map { $0 ^ flip }
    }
    for row in 0..<count {
      var (low, high) = (0, bounds.count)
      if !words.isEmpty {
        // Mostly the first word tells.
        low = (0..<firsts.count).partitionPoint { firsts[$0] < words[row] }
        high = low
        while high < firsts.count, firsts[high] == words[row] { high += 1 }
      }
      while low < high {
        let middle = (low + high) / 2
        if order(row, bounds, middle, by: sort) >= 0 { low = middle + 1 } else { high = middle }
      }
      counts[low] += 1
    }
    return counts
  }

  func levels(_ sort: [RowClause.SortKey]) -> [SortLevel] {
    sort.flatMap { levels($0.column, isAscending: $0.isAscending) }
  }

  /// The first row of each combination of values in some columns, but for rows that lead to no value.
  func firsts(_ numbers: [Int]) -> [Int32] {
    let absent = numbers.compactMap { columns[$0]?.absent }.filter { !$0.isEmpty }
    let firsts = RowOrder.firsts(count, by: numbers.flatMap { levels($0, isAscending: true) })
    return absent.isEmpty ? firsts : firsts.filter { row in absent.allSatisfy { $0[Int(row)] == 0 } }
  }

  private func levels(_ number: Int, isAscending: Bool) -> [SortLevel] {
    guard let column = columns[number] else { preconditionFailure("a column that is asked for is kept") }
    return column.levels(isAscending: isAscending)
  }
}
