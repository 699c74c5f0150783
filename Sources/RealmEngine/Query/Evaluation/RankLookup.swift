// The places of objects in an order of their whole class, as `rank` and `row_number` give them.
// Layer: Query, Evaluation.

/// The rank of each object, from 1.
final class RankLookup {
  /// In the order of the class, which is that of the keys.
  private let keys: [Int64]
  private let ranks: [Int64]

  /// `values`: of the objects, in their order, null before all others. Cost: a sort.
  init(_ ranking: Ranking, _ keys: [Int64], _ values: [Value]) {
    func order(_ left: Int, _ right: Int) -> Int {
      let order = values[left].storedOrder(values[right])
      return ranking.isDescending ? -order : order
    }
    // The standard library's sort keeps the order of equals.
    let places = values.isEmpty ? Array(keys.indices) : values.indices.sorted { order($0, $1) < 0 }
    var ranks = [Int64](repeating: 0, count: keys.count)
    for (index, place) in places.enumerated() {
      let isShared = ranking.sharesRanks && index > 0 && order(places[index - 1], place) == 0
      ranks[place] = isShared ? ranks[places[index - 1]] : Int64(index) + 1
    }
    self.keys = keys
    self.ranks = ranks
  }

  func rank(of key: ObjectKey) -> Int64? {
    let place = keys.indices.partitionPoint { keys[$0] < key.value }
    return place < keys.count && keys[place] == key.value ? ranks[place] : nil
  }
}

extension ExpressionEvaluator {
  /// The ranks of objects among all of their class. `value` nil: by their order.
  func ranks(_ ranking: Ranking, _ value: ExpressionNode?, _ run: Rows) throws(EngineError)
    -> ExpressionColumn
  {
    guard let block = run.block, let table else { return .repeated(.null, count: run.rows.count) }
    let lookup: RankLookup
    if let known = rankings[ranking.number] {
      lookup = known
    } else {
      var keys: [Int64] = []
      var values: [Value] = []
      var cursor = table.blocks()
      while let block = try cursor.next() {
        let rows = Array(0..<block.count)
        keys += rows.map { block.key($0).value }
        guard let value else { continue }
        let column = try evaluate(value, Rows(block: block, rows: rows, positions: nil))
        for row in rows { values.append(try column.value(row).owned()) }
      }
      lookup = RankLookup(ranking, keys, values)
      rankings[ranking.number] = lookup
    }
    return .values(run.rows.map { lookup.rank(of: block.key($0)).map { .int($0) } ?? .null })
  }
}
