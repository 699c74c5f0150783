// What an object has in one of its properties, with the place of each value. Layer: RealmSQL, Tables.

import RealmEngine

extension Snapshot {
  /// Calls `body` with each value that a row of a leaf of links or collections has, and with its place: a number in a list or
  /// set, a key in a dictionary, null for a single link. Stops where `body` returns false.
  func forEachElement(
    of property: Property, _ leaf: Leaf, _ row: Int, budget: TraversalBudget?,
    _ body: (_ place: SQLValue, Value) throws(EngineError) -> Bool
  ) throws(EngineError) {
    if case .links(let links) = leaf, let key = links.existing(row), let target = property.target {
      _ = try body(.null, .link(ObjectLink(table: target, key: key)))
    }
    guard case .collections(let roots) = leaf, let root = try roots.root(row) else { return }
    if property.collection == .dictionary {
      for entry in try entries(of: property, at: root, budget: budget) {
        guard try body(SQLValue(entry.key) ?? .null, entry.value) else { return }
      }
      return
    }
    var number: Int64 = 0
    try forEachElement(of: property, at: root, budget: budget) { element throws(EngineError) in
      defer { number += 1 }
      return try body(.integer(number), element)
    }
  }
}
