// Objects found by a value, as `find` asks for them. Layer: Query, Evaluation.

/// Finds objects by the value of a property: through its index, else by a table of all values, made once.
final class ValueLookup {
  /// A property of a class.
  struct ClassProperty: Hashable {
    let table: TableKey
    let column: ColumnKey
  }

  private let property: Property
  private let table: Table
  private let type: PropertyType
  private let isIndexed: Bool
  /// The first object of each text, where all of them were looked at.
  private var texts: TextNumbers?
  /// The first object of each other value; with an index of those that were asked for.
  private var keys: [Value: ObjectKey?] = [:]

  /// Cost: with an index none, else every value of the property.
  init(_ property: Property, in table: Table) throws(EngineError) {
    self.property = property
    self.table = table
    type = PropertyType(property.type, isOptional: true)
    isIndexed = table.hasSearchIndex(property)
    if isIndexed { return }
    if property.type == .string { texts = TextNumbers() }
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count {
        switch try leaf.value(row, in: table.snapshot) {
        case .null: continue
        case .string(let text) where texts != nil: texts?.add(text.bytes, block.key(row).value)
        case let value: if keys[value] == nil { keys[value.owned()] = block.key(row) }
        }
      }
    }
  }

  /// The first object with that value, by object key. Null is nobody's value.
  func key(of value: Value) throws(EngineError) -> ObjectKey? {
    guard value != .null, let wanted = ValueFitting.fit(value, to: type) else { return nil }
    if let texts, case .string(let text) = wanted { return texts[text.bytes].map { ObjectKey($0) } }
    if let known = keys[wanted] { return known }
    guard isIndexed else { return nil }
    // Texts of what is asked for end with the block.
    let found = try table.firstKey(of: wanted, by: property)
    keys[wanted.owned()] = .some(found)
    return found
  }
}
