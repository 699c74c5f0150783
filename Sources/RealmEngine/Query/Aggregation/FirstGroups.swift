// The first few of many groups, in their order: what LIMIT leaves is found without sorting the rest.
// Layer: Query, Aggregation.

/// Groups that come before all others that were looked at, with the words of their order.
struct FirstGroups {
  private let wanted: Int
  private var groups: [Int32] = []
  /// As many for each group.
  private var words: [[UInt64]] = []

  /// More are sorted with all others.
  private static let wantedMax = 64
  /// So many times as many groups are worth looking at each alone.
  private static let shareMin = 16

  /// Nil where groups are to be sorted in another way.
  static func of(
    _ groups: [Int32], _ table: GroupTable, _ keys: [GroupOrdering.Key], _ cells: [GroupCell], _ wanted: Int
  ) throws(EngineError) -> [Int32]? {
    guard wanted > 0, wanted <= wantedMax, groups.count >= shareMin * wanted else { return nil }
    var first = FirstGroups(wanted: wanted)
    let columns = keys.map { (cell: cells[$0.column], flip: $0.isAscending ? 0 : UInt64.max) }
    // Where a value may be none, because a sum is too large, all are asked for.
    let mayFail = columns.contains { if case .integerSum = $0.cell { true } else { false } }
    var scratch: [UInt64] = []
    for group in groups {
      scratch.removeAll(keepingCapacity: true)
      for (cell, flip) in columns {
        guard cell.hasOrderWords({ table.word(Int(group), $0) }) else { return nil }
        try cell.forEachOrderWord {
          table.word(Int(group), $0)
        } _: { word in
          scratch.append(word ^ flip)
        }
        // Mostly the first column tells that others come before.
        if !mayFail, first.isBehind(scratch) { break }
      }
      first.add(group, scratch)
    }
    return first.groups
  }

  private init(wanted: Int) { self.wanted = wanted }

  /// Whether a group whose words begin so is none of the first.
  private func isBehind(_ words: [UInt64]) -> Bool {
    guard groups.count == wanted, let last = self.words.last else { return false }
    for index in words.indices where words[index] != last[index] { return words[index] > last[index] }
    return false
  }

  private mutating func add(_ group: Int32, _ words: [UInt64]) {
    if groups.count == wanted {
      guard let last = self.words.last, words.lexicographicallyPrecedes(last) else { return }
      groups.removeLast()
      self.words.removeLast()
    }
    // Behind those that are equal.
    let place = self.words.firstIndex { words.lexicographicallyPrecedes($0) } ?? groups.count
    groups.insert(group, at: place)
    self.words.insert(words, at: place)
  }
}
