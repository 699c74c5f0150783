// Finding an object by its primary key, or by another value that an index knows. Layer: Objects.

extension Table {
  /// Formats before this one have no such index for most primary keys, or one of another kind.
  private static let firstFormatWithIndexes = 10

  /// The object whose primary key is `value`; nil where there is none, or where the class has no primary key.
  /// Cost: a few nodes with an index, else every value of the key.
  package func find(primaryKey value: Value) throws(EngineError) -> ObjectPosition? {
    guard let property = schema.primaryKey else { return nil }
    if hasSearchIndex(property) {
      guard let key = try firstKey(of: value, by: property) else { return nil }
      return try find(key)
    }
    var cursor = blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count where try leaf.value(row, in: snapshot) == value {
        return ObjectPosition(block: block, row: row)
      }
    }
    return nil
  }
  /// Whether objects are found by values of the property without looking at all of them.
  func hasSearchIndex(_ property: Property) -> Bool {
    let isGeneral = property.index == .general || property.columnKey == schema.primaryKey?.columnKey
    return isGeneral && property.indexRef != nil && snapshot.format >= Self.firstFormatWithIndexes
  }

  /// The lowest key of the objects with that value of a property that has an index. Cost: a few nodes.
  func firstKey(of value: Value, by property: Property) throws(EngineError) -> ObjectKey? {
    guard let index = property.indexRef else { return nil }
    return try SearchIndex(index, in: snapshot).firstKey(of: value) { key throws(EngineError) in
      guard let position = try find(key) else { return nil }
      return try position.block.leaf(property).value(position.row, in: snapshot)
    }
  }
}
