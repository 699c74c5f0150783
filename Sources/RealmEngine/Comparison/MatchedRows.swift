// The rows of two tables side by side, in key order. Layer: Comparison.

/// Rows of two blocks that have the same keys.
struct MatchedRows {
  /// Row numbers; nil where each row of one block belongs to the row of the other with its number.
  private var rows: [(left: Int32, right: Int32)]?
  private(set) var count: Int

  /// All rows of two blocks.
  init(whole count: Int) { self.count = count }

  init(_ rows: [(left: Int32, right: Int32)]) {
    self.rows = rows
    count = rows.count
  }

  var isEmpty: Bool { count == 0 }
  var isWhole: Bool { rows == nil }

  func left(_ index: Int) -> Int { rows.map { Int($0[index].left) } ?? index }
  func right(_ index: Int) -> Int { rows.map { Int($0[index].right) } ?? index }

  /// Takes out pairs by their numbers, which ascend.
  mutating func remove(_ indices: [Int]) {
    guard !indices.isEmpty else { return }
    var kept: [(left: Int32, right: Int32)] = []
    var removed = indices[...]
    for index in 0..<count {
      if removed.first == index {
        removed.removeFirst()
      } else {
        kept.append((Int32(left(index)), Int32(right(index))))
      }
    }
    rows = kept
    count = kept.count
  }
}

/// Goes through the blocks of a table from some block on, up to a key.
struct KeyedRows {
  private let directory: BlockDirectory
  private var next: Int
  private let end: Int64
  private(set) var block: RowBlock?
  /// The first row that was not handed out.
  private var row = 0
  /// Rows of the block that belong here.
  private var rowEnd = 0

  /// `end`: the first key that does not belong here; the largest number for none.
  init(_ directory: BlockDirectory, from first: Int, below end: Int64) {
    self.directory = directory
    next = first
    self.end = end
  }

  /// Opens the next block that has rows; there is none any more where `block` is nil then.
  mutating func open(skippingBelow start: Int64 = .min) throws(EngineError) {
    block = nil
    while next < directory.count {
      let place = try directory.place(next)
      next += 1
      row = Self.firstRow(of: place, from: start)
      rowEnd = end == .max ? place.count : Self.firstRow(of: place, from: end)
      if row < rowEnd {
        block = directory.block(place)
        return
      }
      // Those behind it are beyond the end too.
      if rowEnd == 0, place.count > 0 { next = directory.count }
    }
  }

  mutating func openIfEnded() throws(EngineError) {
    if row >= rowEnd { try open() }
  }

  /// The first row whose key is not below `key`.
  private static func firstRow(of place: BlockPlace, from key: Int64) -> Int {
    return (0..<place.count).partitionPoint { place.key($0).value < key }
  }

  /// Hands out rows of both until one's block ends: those with the same keys, and into `onlyLeft` and `onlyRight` the keys of
  /// the others.
  static func match(
    _ left: inout KeyedRows, _ right: inout KeyedRows, _ onlyLeft: inout [ObjectKey],
    _ onlyRight: inout [ObjectKey]
  ) -> MatchedRows {
    guard let leftPlace = left.block?.place, let rightPlace = right.block?.place else {
      return MatchedRows([])
    }
    if left.isWhole, right.isWhole, hasSameKeys(leftPlace, rightPlace) {
      left.row = left.rowEnd
      right.row = right.rowEnd
      return MatchedRows(whole: left.rowEnd)
    }
    var pairs: [(left: Int32, right: Int32)] = []
    while left.row < left.rowEnd, right.row < right.rowEnd {
      let (leftKey, rightKey) = (leftPlace.key(left.row), rightPlace.key(right.row))
      if leftKey == rightKey { pairs.append((Int32(left.row), Int32(right.row))) }
      if leftKey < rightKey { onlyLeft.append(leftKey) }
      if leftKey > rightKey { onlyRight.append(rightKey) }
      if leftKey <= rightKey { left.row += 1 }
      if leftKey >= rightKey { right.row += 1 }
    }
    return MatchedRows(pairs)
  }

  /// Whether all rows of the block are still to be handed out.
  private var isWhole: Bool { row == 0 && rowEnd == block?.count }

  private static func hasSameKeys(_ left: BlockPlace, _ right: BlockPlace) -> Bool {
    guard left.count == right.count else { return false }
    if let leftRun = left.keyRun, let rightRun = right.keyRun { return leftRun == rightRun }
    return (0..<left.count).allSatisfy { left.key($0) == right.key($0) }
  }

  /// The keys of all rows that are left.
  mutating func takeRest(_ keys: inout [ObjectKey]) throws(EngineError) {
    while let block {
      for row in row..<rowEnd { keys.append(block.key(row)) }
      try open()
    }
  }
}
