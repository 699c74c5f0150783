// What words are asked for: a value of a row, or one of an object that it leads to. Layer: Query.

/// To-one links, then a property whose values have words, or a key of a dictionary.
struct WordPath: Sendable {
  let links: [(property: Property, table: Table)]
  let property: Property
  let dictionaryKey: ByteString?

  /// Nil where values have no words.
  init?(_ path: BoundSortPath, in realm: ReadTransaction) {
    guard WordColumn.holds(path.property, dictionaryKey: path.dictionaryKey) else { return nil }
    var links: [(property: Property, table: Table)] = []
    for link in path.links {
      guard let table = realm.table(link.target), link.property.type == .object else { return nil }
      links.append((link.property, table))
    }
    self.links = links
    property = path.property
    dictionaryKey = path.dictionaryKey
  }

  /// Whether both lead to the same value.
  func isSame(as other: WordPath) -> Bool {
    property.columnKey == other.property.columnKey
      && dictionaryKey == other.dictionaryKey
      && links.map(\.property.columnKey) == other.links.map(\.property.columnKey)
  }
}
