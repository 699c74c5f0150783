// What became of the watched objects of one class: of all, or of those that met a condition before or meet it now.
// Layer: RealmCommands, Reading.

import RealmEngine

/// Compares two versions of a class.
struct ClassComparison {
  let old: Table
  let new: Table
  let oldObjects: WatchedObjects
  let newObjects: WatchedObjects
  /// Nil where all properties are watched.
  let properties: Set<ColumnKey>?
  /// Objects whose embedded objects were changed, with the columns that lead there.
  let owners: [ObjectKey: Set<ColumnKey>]
  /// Objects from which watched paths lead to what was changed.
  let origins: Set<ObjectKey>

  enum Change {
    case inserted(ObjectPosition)
    case deleted(ObjectPosition)
    case modified(ObjectPosition, ObjectPosition, [PropertyPair])
  }

  func run(isSharing: Bool, _ body: (Change) throws(EngineError) -> Void) throws(EngineError) {
    // These are found by what they were, or are, apart from their own values.
    let moved = newObjects.moved(since: oldObjects).union(owners.keys).union(origins)
    var seen: Set<ObjectKey> = []
    var difference = try TableDifference(from: old, to: new, isSharing: isSharing)
    while let change = try difference.next() {
      if moved.contains(change.key) { seen.insert(change.key) }
      try report(change.key, change.old, change.new, change.properties, body)
    }
    for key in moved.subtracting(seen).sorted() {
      try report(key, try old.find(key), try new.find(key), [], body)
    }
  }

  private func report(
    _ key: ObjectKey, _ before: ObjectPosition?, _ after: ObjectPosition?, _ changed: [PropertyPair],
    _ body: (Change) throws(EngineError) -> Void
  ) throws(EngineError) {
    switch (try before.watched(by: oldObjects), try after.watched(by: newObjects)) {
    case (nil, nil): return
    case (nil, let position?): try body(.inserted(position))
    case (let position?, nil): try body(.deleted(position))
    case (let before?, let after?):
      let watched = (changed + embeddedPairs(key, besides: changed)).filter { pair in
        properties?.contains(pair.new.columnKey) ?? true
      }
      if !watched.isEmpty || origins.contains(key) { try body(.modified(before, after, watched)) }
    }
  }

  private func embeddedPairs(_ key: ObjectKey, besides known: [PropertyPair]) -> [PropertyPair] {
    guard let columns = owners[key] else { return [] }
    return new.schema.properties.compactMap { property in
      guard columns.contains(property.columnKey),
        !known.contains(where: { $0.new.columnKey == property.columnKey }),
        let before = old.schema.properties.first(where: { $0.columnKey == property.columnKey })
      else { return nil }
      return PropertyPair(old: before, new: property)
    }
  }
}

extension ObjectPosition? {
  /// Nil where there is none, and where it is not watched.
  fileprivate func watched(by objects: WatchedObjects) throws(EngineError) -> ObjectPosition? {
    guard let position = self, try objects.contains(position) else { return nil }
    return position
  }
}
