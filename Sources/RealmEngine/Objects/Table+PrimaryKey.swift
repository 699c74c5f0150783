// Finding an object by its primary key. Layer: Objects.

extension Table {
  /// Formats before this one have no such index for most primary keys, or one of another kind.
  private static let firstFormatWithIndexes = 10

  /// The object whose primary key is `value`; nil where there is none, or where the class has no primary key.
  /// Cost: a few nodes with an index, else every value of the key.
  package func find(primaryKey value: Value) throws(EngineError) -> ObjectPosition? {
    guard let property = schema.primaryKey else { return nil }
    if let index = property.indexRef, snapshot.format >= Self.firstFormatWithIndexes {
      for key in try SearchIndex(index, in: snapshot).candidates(value) {
        guard let position = try find(key) else { continue }
        let leaf = try position.block.leaf(property)
        if try leaf.value(position.row, in: snapshot) == value { return position }
      }
      return nil
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
}
