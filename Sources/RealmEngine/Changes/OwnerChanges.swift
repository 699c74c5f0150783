// The objects whose embedded objects were changed, though they themselves still store the same: a change of an embedded
// object is one of its owner. Layer: Changes.

/// Owners of changed embedded objects, by class.
package struct OwnerChanges {
  /// By owner: the columns that lead to what was changed.
  package private(set) var owners: [TableKey: [ObjectKey: Set<ColumnKey>]] = [:]

  /// `tables`: pairs of one class in both versions; all of them.
  package init(
    _ tables: [(old: Table, new: Table)], in realm: ReadTransaction, isSharing: Bool
  ) throws(EngineError) {
    var changed: [ObjectLink] = []
    for (old, new) in tables where new.schema.kind == .embedded {
      var difference = try TableDifference(from: old, to: new, isSharing: isSharing)
      while let change = try difference.next() {
        // What was made or deleted changed its owner's own bytes.
        guard change.old != nil, change.new != nil else { continue }
        changed.append(ObjectLink(table: new.schema.tableKey, key: change.key))
      }
    }
    var seen = Set(changed)
    while let object = changed.popLast() {
      try realm.forEachOrigin(of: object) { owner, column in
        guard let table = realm.table(owner.table) else { return }
        if table.schema.kind == .embedded {
          if seen.insert(owner).inserted { changed.append(owner) }
        } else {
          owners[owner.table, default: [:]][owner.key, default: []].insert(column)
        }
      }
    }
  }
}

extension ReadTransaction {
  /// Calls `body` with every object that links to `object`, and with the property by which it does.
  package func forEachOrigin(
    of object: ObjectLink, _ body: (ObjectLink, ColumnKey) throws(EngineError) -> Void
  ) throws(EngineError) {
    guard let table = table(object.table), let position = try table.find(object.key) else { return }
    for column in table.schema.backlinks {
      guard let origin = column.originTable else { continue }
      let origins = try position.block.backlinks(column)[position.row]
      try snapshot.forEachOrigin(origins) { key throws(EngineError) in
        try body(ObjectLink(table: origin, key: key), column.originColumn)
        return true
      }
    }
  }
}
