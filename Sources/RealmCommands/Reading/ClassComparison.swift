// What became of the watched objects of one class: of all, or of those that met a condition before or meet it now.
// Layer: RealmCommands, Reading.

import RealmEngine

/// Compares two versions of a class.
struct ClassComparison {
  let old: Table
  let new: Table
  /// Nil where all objects are watched.
  let oldMatches: Set<ObjectKey>?
  let newMatches: Set<ObjectKey>?
  /// Nil where all properties are watched.
  let properties: [String]?
  /// Objects whose embedded objects were changed, with the columns that lead there.
  let owners: [ObjectKey: Set<ColumnKey>]

  enum Change {
    case inserted(ObjectPosition)
    case deleted(ObjectPosition)
    case modified(ObjectPosition, ObjectPosition, [PropertyPair])
  }

  private var seen: Set<ObjectKey> = []

  init(
    old: Table, new: Table, oldMatches: Set<ObjectKey>?, newMatches: Set<ObjectKey>?, properties: [String]?,
    owners: [ObjectKey: Set<ColumnKey>]
  ) {
    self.old = old
    self.new = new
    self.oldMatches = oldMatches
    self.newMatches = newMatches
    self.properties = properties
    self.owners = owners
  }

  mutating func run(
    isSharing: Bool, _ body: (Change) throws(EngineError) -> Void
  ) throws(EngineError) {
    var difference = try TableDifference(from: old, to: new, isSharing: isSharing)
    while let change = try difference.next() {
      // Others are found by what they were, or are, apart from the condition.
      if oldMatches != nil || owners[change.key] != nil { seen.insert(change.key) }
      try report(change.key, change.old, change.new, change.properties, body)
    }
    let moved = (oldMatches ?? []).symmetricDifference(newMatches ?? []).union(owners.keys)
    for key in moved.subtracting(seen).sorted() {
      try report(key, try old.find(key), try new.find(key), [], body)
    }
  }

  private func report(
    _ key: ObjectKey, _ before: ObjectPosition?, _ after: ObjectPosition?, _ changed: [PropertyPair],
    _ body: (Change) throws(EngineError) -> Void
  ) throws(EngineError) {
    let was = oldMatches?.contains(key) ?? true ? before : nil
    let now = newMatches?.contains(key) ?? true ? after : nil
    switch (was, now) {
    case (nil, nil): return
    case (nil, let position?): try body(.inserted(position))
    case (let position?, nil): try body(.deleted(position))
    case (let before?, let after?):
      let watched = (changed + embeddedPairs(key, besides: changed)).filter { pair in
        properties?.contains(pair.new.name) ?? true
      }
      if !watched.isEmpty { try body(.modified(before, after, watched)) }
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
