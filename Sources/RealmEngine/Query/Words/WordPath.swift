// What words are asked for: a value of a row, or one of an object that it leads to. Layer: Query.

/// To-one links, then a property whose values have words.
struct WordPath: Sendable {
  let links: [(property: Property, table: Table)]
  let property: Property

  /// Nil where values have no words.
  init?(_ path: BoundSortPath, in realm: ReadTransaction) {
    guard path.dictionaryKey == nil, WordColumn.holds(path.property) else { return nil }
    var links: [(property: Property, table: Table)] = []
    for link in path.links {
      guard let table = realm.table(link.target), link.property.type == .object else { return nil }
      links.append((link.property, table))
    }
    self.links = links
    property = path.property
  }

  /// Whether both lead to the same value.
  func isSame(as other: WordPath) -> Bool {
    property.columnKey == other.property.columnKey
      && links.map(\.property.columnKey) == other.links.map(\.property.columnKey)
  }
}
