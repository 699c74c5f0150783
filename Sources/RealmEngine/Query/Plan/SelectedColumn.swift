// A column of a result: what is read of each object, and what it is called. Layer: Query, Plan.

/// One column, looked up.
package struct SelectedColumn: Sendable {
  package enum Source: Sendable {
    case objectKey
    /// A property, with the collection or embedded object it may hold, of the object that the to-one hops lead to.
    case property([Hop], Property)
    /// What must be calculated: counts, aggregates, elements, paths to several objects.
    /// `hasTypedLinks`: links among its values all lead to one class.
    case operand(BoundOperand, hasTypedLinks: Bool)

    package var isObjectKey: Bool { if case .objectKey = self { true } else { false } }
  }

  /// The alias, or else the text it was asked for with.
  package let name: String
  package let source: Source

  package init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// The column under the name of its property; nil where it is none of the object's own.
  package var stored: SelectedColumn? {
    guard case .property(let hops, let property) = source, hops.isEmpty else { return nil }
    return SelectedColumn(name: property.name, source: source)
  }

  /// All properties of a class, in stored order.
  package static func all(of table: Table) -> [SelectedColumn] {
    table.schema.properties.map { SelectedColumn(name: $0.name, source: .property([], $0)) }
  }
}

/// What a column holds for one object.
package enum SelectedCell: Sendable {
  case objectKey(ObjectKey)
  /// A property of a stored object, which may be another than the row's.
  case stored(Property, ObjectPosition, of: Table)
  case value(Value, hasTypedLinks: Bool)
  case list([Value], hasTypedLinks: Bool)
  /// Values, and how often there is each.
  case counts([(value: Value, count: Int)])
}
