// That every embedded object belongs to one object, and in the end to one that is not embedded (F-70).
// Layer: RealmInspection. Owners are counted by the links themselves: records of links may be wrong.
// Memory: a few words for each object of a class whose objects may own one another, nothing for others.

import RealmFiles

/// Which object of a class that may own itself belongs to which.
struct OwnershipChains: Sendable {
  /// An embedded object.
  struct Owned: Hashable, Sendable {
    let table: Int
    let object: Int64
  }

  private var owners: [Owned: Owned] = [:]

  mutating func add(_ owned: Owned, owner: Owned) { owners[owned] = owner }

  mutating func add(_ other: OwnershipChains) { owners.merge(other.owners) { first, _ in first } }

  /// Objects whose owners lead back to them: one of each circle, ordered.
  func circles() -> [Owned] {
    var isDone: Set<Owned> = []
    var found: [Owned] = []
    for start in owners.keys where !isDone.contains(start) {
      var path: Set<Owned> = []
      var next: Owned? = start
      while let object = next, !isDone.contains(object), path.insert(object).inserted {
        next = owners[object]
      }
      if let object = next, path.contains(object) { found.append(object) }
      isDone.formUnion(path)
    }
    return found.sorted { ($0.table, $0.object) < ($1.table, $1.object) }
  }
}

extension SnapshotInspection {
  /// Begins to count the owners of objects of embedded tables.
  func prepareOwners() {
    for table in tables where table.isEmbedded {
      table.owners = ledger.relation(.owners(table: table.slot))
    }
    hasEmbeddedTables = tables.contains { $0.isEmbedded }
    for table in tables where table.isEmbedded { table.mayOwnItself = mayOwn(table, itself: table) }
  }

  private func mayOwn(_ table: RawTable, itself target: RawTable) -> Bool {
    var seen: Set<Int> = []
    var waiting = [table]
    while let next = waiting.popLast() {
      for column in next.columns {
        if next.isEmbedded && column.mayLinkAnywhere { return true }
        guard let owned = column.ownedTable else { continue }
        if owned == target.slot { return true }
        if seen.insert(owned).inserted { waiting += tables.filter { $0.slot == owned } }
      }
    }
    return false
  }

  /// Counts the objects of a cluster as such that need an owner.
  func noteOwned(_ cluster: RawCluster, of table: RawTable) {
    guard let owners = table.owners, walk.place.part != .tombstones else { return }
    for row in 0..<cluster.count { ledger.addBackward(owners, origin: 0, target: cluster.key(row)) }
  }

  /// Counts a link as an owner, where it leads to an embedded object.
  func noteOwner(of link: RawValue?, _ column: RawColumn, _ table: RawTable, origin: Int64) {
    let target: RawTable?
    let key: Int64
    switch link {
    case .link(let object)?:
      guard let owned = column.ownedTable else { return }
      target = tablesBySlot[owned]
      key = object
    case .typedLink(let tableKey, let object)?:
      target = tablesByKey[tableKey]
      key = object
    default: return
    }
    guard let target, let owners = target.owners, key >= 0 else { return }
    ledger.addForward(owners, origin: 0, target: key)
    guard table.isEmbedded, target.mayOwnItself, followed.isEverything else { return }
    ownership.add(
      OwnershipChains.Owned(table: target.slot, object: key),
      owner: OwnershipChains.Owned(table: table.slot, object: origin))
  }

  /// Reports an embedded object with `surplus` owners more than one, or less.
  func reportOwners(of object: Int64, _ surplus: Int, table: Int) {
    // A link to an object that does not exist is reported as such.
    guard let owned = tablesBySlot[table], owned.directory.find(object) != nil else {
      return
    }
    walk.place = Place(table: table, object: object)
    walk.report(.owner, at: offset(of: table), expected: "exactly one owner", found: "\(1 + surplus)")
  }

  func reportOwnersInCircles() {
    for owned in ownership.circles() {
      walk.place = Place(table: owned.table, object: owned.object)
      walk.report(
        .owner, at: offset(of: owned.table), expected: "an owner that is not embedded in the end",
        found: "owners in a circle")
    }
  }
}
