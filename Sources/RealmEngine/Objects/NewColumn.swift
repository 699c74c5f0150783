// What a property of many objects is to become, a column at a time. Layer: Objects.
// Values may borrow what they were read from: a column is written before that changes.

/// One value for each of some objects.
enum NewColumn {
  /// What stands in some rows of a leaf, which has the type of the property and holds no links.
  case leaf(Leaf, rows: [Int])
  /// Single values that fit the property.
  case values([Value])
  /// The same single value for all.
  case repeated(Value)
  /// Values of any kind, which own their bytes.
  case any([NewValue])
  /// An embedded object each, by its properties.
  case embedded([NamedColumn])

  /// The column for some of the objects.
  func selecting(_ indexes: [Int]) -> NewColumn {
    switch self {
    case .leaf(let leaf, let rows): .leaf(leaf, rows: indexes.map { rows[$0] })
    case .values(let values): .values(indexes.map { values[$0] })
    case .repeated: self
    case .any(let values): .any(indexes.map { values[$0] })
    case .embedded(let columns):
      .embedded(columns.selecting(indexes, of: -1))
    }
  }

  /// The value of an object; its bytes are its own.
  func newValue(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> NewValue {
    switch self {
    case .any(let values): return values[index]
    case .embedded(let columns):
      var values: [(property: String, value: NewValue)] = []
      for named in columns { values.append((named.property, try named.column.newValue(index, in: snapshot))) }
      return .embedded(values)
    default: return .single(try value(index, in: snapshot)?.owned() ?? .null)
    }
  }

  /// The single value of an object; nil where it is none.
  func value(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> Value? {
    switch self {
    case .leaf(let leaf, let rows): return try leaf.value(rows[index], in: snapshot)
    case .values(let values): return values[index]
    case .repeated(let value): return value
    case .any(let values):
      guard case .single(let value) = values[index] else { return nil }
      return value
    case .embedded: return nil
    }
  }
}

/// A property with its column.
struct NamedColumn {
  let property: String
  let column: NewColumn
}

extension [NamedColumn] {
  /// The columns for some of `count` objects.
  func selecting(_ indexes: [Int], of count: Int) -> [NamedColumn] {
    if indexes.count == count { return self }
    return map { NamedColumn(property: $0.property, column: $0.column.selecting(indexes)) }
  }
}
