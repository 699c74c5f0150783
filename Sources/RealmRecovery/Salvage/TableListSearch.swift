// Lists of tables that are recognised by what they lead to, and which of two is the newer. Layer: RealmRecovery, Salvage.
// They stand in for a top array that is lost: all tables of one version, none that was dropped before.

import RealmEngine

/// A list of tables, with how far each had come.
struct TableList {
  /// How far a slot had come: a slot that is given away again counts on, and a table counts its changes.
  struct Age: Comparable {
    let reuse: Int64
    /// -1 where no table is in the slot.
    let content: Int64

    /// Before the first table.
    static let unused = Age(reuse: -1, content: -1)

    static func < (left: Age, right: Age) -> Bool {
      (left.reuse, left.content) < (right.reuse, right.content)
    }
  }

  /// Nil where tables were found apart.
  let node: NodeView?
  /// By slot; nil for a table that cannot be read.
  let ages: [Age?]

  /// Slots with a table that can be read.
  var slots: [Int] { ages.indices.filter { ages[$0].map { $0.content >= 0 } ?? false } }

  /// Whether most slots that both tell about had come further. Versions of one realm agree on the direction.
  func isNewer(than other: TableList) -> Bool {
    var score = 0
    for slot in 0..<max(ages.count, other.ages.count) {
      guard let own = age(slot), let its = other.age(slot) else { continue }
      if its < own { score += 1 } else if own < its { score -= 1 }
    }
    return score > 0
  }

  private func age(_ slot: Int) -> Age? { slot < ages.count ? ages[slot] : .unused }
}

extension NodeSearch {
  private static let slotsMax = 65535
  /// A slot counts up in the upper half of a table's key, which has 31 bits.
  private static let reuseMax: Int64 = 0x7FFF
  /// Slots without a table that a list may have for each that has one, and so many more.
  private static let unusedPerTable = 64
  private static let unusedMin = 1024
  /// So many more places that lead to no table than ones that do tell that an array is no list, wherever it was looked at.
  private static let missesMax = 16
  /// Slots are looked at in this stride, since tables next to each other get lost together. It is prime: each slot of a list is
  /// met once whose size is no multiple of it.
  private static let stride = 8191

  /// The newest list that can be found; of equally new ones the last.
  func newestTableList() throws(EngineError) -> TableList? {
    var best: TableList?
    try forEachRefs { node in
      guard let list = tableList(node), !(best?.isNewer(than: list) ?? false) else { return }
      best = list
    }
    return best
  }

  /// The newest table of each slot, where no list names them.
  func looseTables() throws(EngineError) -> TableList {
    let roots = try tableRoots()
    let end = roots.keys.max().map { $0 + 1 } ?? 0
    return TableList(
      node: nil,
      ages: (0..<end).map { slot in
        roots[slot].map { TableList.Age(reuse: $0.reuse, content: $0.contentVersion) }
      })
  }

  /// The list that a version's top array names; nil where it cannot be read.
  func tableList(of top: Ref?) -> TableList? {
    guard let top = top.flatMap({ try? snapshot.refsNode($0) }),
      let node = (try? top.ref(GroupSlot.tables)).flatMap({ try? snapshot.refsNode($0) })
    else { return nil }
    return tableList(node)
  }

  /// Most arrays of refs are no such list, and each has to show that soon: what all of them together may take is limited.
  private func tableList(_ node: NodeView) -> TableList? {
    guard node.count <= Self.slotsMax else { return nil }
    var known: [(slot: Int, age: TableList.Age)] = []
    var found = 0
    var unused = 0
    var missed = 0
    for step in 0..<node.count {
      let slot = node.count % Self.stride == 0 ? step : step * Self.stride % node.count
      guard work.take(1), let element = try? node.slot(slot) else { return nil }
      if element & 1 == 1, 0...Self.reuseMax ~= element >> 1 {
        known.append((slot, TableList.Age(reuse: element >> 1, content: -1)))
        unused += 1
      } else if let ref = Ref(element), let table = try? snapshot.refsNode(ref), let root = tableRoot(table),
        root.slot == slot
      {
        known.append((slot, TableList.Age(reuse: root.reuse, content: root.contentVersion)))
        found += 1
      } else {
        missed += 1
      }
      guard missed <= found + Self.missesMax, unused <= Self.unusedMin + found * Self.unusedPerTable else {
        return nil
      }
    }
    guard found > missed else { return nil }
    var ages = [TableList.Age?](repeating: nil, count: node.count)
    for (slot, age) in known { ages[slot] = age }
    return TableList(node: node, ages: ages)
  }
}
