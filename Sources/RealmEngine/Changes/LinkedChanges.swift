// The objects from which a path of links leads to something that was changed, though they themselves store the same.
// Layer: Changes. Found from the far end: what was changed there, and who leads to it; so the cost is that of the changes.

/// One step of a path: a property of a class. All but the last one link to the class of the next.
package struct LinkStep: Sendable, Hashable {
  package let table: TableKey
  package let column: ColumnKey
}

extension RealmChange {
  /// Objects of the first step's class. `owners`: whose embedded objects were changed.
  package func origins(
    ofChangesAlong path: [LinkStep], _ owners: OwnerChanges
  ) throws(EngineError) -> Set<ObjectKey> {
    var found: Set<ObjectKey> = []
    for (step, next) in zip(path, path.dropFirst()).reversed() {
      found.formUnion(try changedObjects(next, owners))
      var origins: Set<ObjectKey> = []
      for key in found {
        try new.forEachOrigin(of: ObjectLink(table: next.table, key: key)) { origin, column in
          if origin.table == step.table, column == step.column { origins.insert(origin.key) }
        }
      }
      found = origins
    }
    return found
  }

  /// Those that both versions have.
  private func changedObjects(
    _ step: LinkStep, _ owners: OwnerChanges
  ) throws(EngineError) -> Set<ObjectKey> {
    guard let before = old.table(step.table), let after = new.table(step.table) else { return [] }
    var keys: Set<ObjectKey> = []
    for (key, columns) in owners.owners[step.table] ?? [:] where columns.contains(step.column) {
      keys.insert(key)
    }
    var difference = try TableDifference(from: before, to: after, isSharing: isSharing)
    while let change = try difference.next() {
      if change.properties.contains(where: { $0.new.columnKey == step.column }) { keys.insert(change.key) }
    }
    return keys
  }
}

/// Two versions of a realm, one after the other.
package struct RealmChange: Sendable {
  package let old: ReadTransaction
  package let new: ReadTransaction
  /// Whether what stands at the same place in both is the same.
  package let isSharing: Bool

  package init(from old: ReadTransaction, to new: ReadTransaction, isSharing: Bool) {
    self.old = old
    self.new = new
    self.isSharing = isSharing
  }
}
