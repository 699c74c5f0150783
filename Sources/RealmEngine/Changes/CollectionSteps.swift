// How one list, set or dictionary becomes another: which elements go, which come, which are replaced. Layer: Changes.
// Invariant: erasing the erased from the last to the first, inserting from the first to the last and then replacing gives the
// new collection.

/// The steps from one collection to another.
package struct CollectionSteps {
  /// Places in the old collection, ascending.
  package private(set) var erased: [Int] = []
  /// Places in the new collection, ascending.
  package private(set) var inserted: [Int] = []
  /// Places in the new collection of elements that were replaced, and in the old one.
  package private(set) var changed: [(index: Int, formerIndex: Int)] = []

  package var isEmpty: Bool { erased.isEmpty && inserted.isEmpty && changed.isEmpty }

  /// So many comparisons are made to find out what a list kept; beyond that it is all replaced.
  private static let comparisonsMax = 1 << 20

  package init(from old: CollectionContent, to new: CollectionContent) {
    switch new.kind {
    case .dictionary:
      compareMembers(old.keys, new.keys)
      compareKept(old, new)
    case .set: compareMembers(old.values, new.values)
    case .list, nil: compareLists(old.values, new.values)
    }
  }

  /// Each value once, and both in one order.
  private mutating func compareMembers(_ old: [Value], _ new: [Value]) {
    let (oldMembers, newMembers) = (Set(old), Set(new))
    erased = old.indices.filter { !newMembers.contains(old[$0]) }
    inserted = new.indices.filter { !oldMembers.contains(new[$0]) }
  }

  private mutating func compareKept(_ old: CollectionContent, _ new: CollectionContent) {
    var former: [Value: Int] = [:]
    for (index, key) in old.keys.enumerated() { former[key] = index }
    for (index, key) in new.keys.enumerated() {
      guard let formerIndex = former[key], old.values[formerIndex] != new.values[index] else { continue }
      changed.append((index, formerIndex))
    }
  }

  private mutating func compareLists(_ old: [Value], _ new: [Value]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    if oldEnd == newEnd {
      for index in start..<oldEnd where old[index] != new[index] { changed.append((index, index)) }
      return
    }
    let kept = Self.kept(old[start..<oldEnd], new[start..<newEnd])
    let (keptOld, keptNew) = (Set(kept.map(\.0)), Set(kept.map(\.1)))
    erased = (start..<oldEnd).filter { !keptOld.contains($0) }
    inserted = (start..<newEnd).filter { !keptNew.contains($0) }
  }

  /// Places of a longest sequence of elements that both have in this order.
  private static func kept(_ old: ArraySlice<Value>, _ new: ArraySlice<Value>) -> [(Int, Int)] {
    guard !old.isEmpty, !new.isEmpty, old.count <= comparisonsMax / new.count else { return [] }
    let width = new.count + 1
    var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
    for (row, oldIndex) in old.indices.enumerated().reversed() {
      for (column, newIndex) in new.indices.enumerated().reversed() {
        lengths[row * width + column] =
          old[oldIndex] == new[newIndex]
          ? lengths[(row + 1) * width + column + 1] + 1
          : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
      }
    }
    var kept: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < old.count, column < new.count {
      let (oldIndex, newIndex) = (old.startIndex + row, new.startIndex + column)
      if old[oldIndex] == new[newIndex] {
        kept.append((oldIndex, newIndex))
        row += 1
        column += 1
      } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return kept
  }
}
