// A schema by names alone, as users write it: independent of where anything is stored. Layer: Schema.

/// What a property holds.
package struct PropertyType: Sendable, Hashable {
  package let type: ValueType
  package let collection: CollectionKind?
  /// Whether the value, or an element of the collection, may be null. Mixed values always may.
  package let isOptional: Bool
  /// The class that links lead to.
  package let target: String?

  package init(_ type: ValueType, collection: CollectionKind? = nil, isOptional: Bool, target: String? = nil)
  {
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.target = target
  }

  /// As schemas spell it: `int`, `string?`, `list<Dog>`.
  package var word: String { word(element: target ?? type.name) }

  /// Says `object` for any class.
  package var wordWithoutTarget: String { word(element: type.name) }

  /// Spells what it holds as `element`.
  package func word(element: String) -> String {
    let optional = isOptional && type != .mixed ? element + "?" : element
    return collection.map { "\($0.name)<\(optional)>" } ?? optional
  }
}

/// A property by name.
package struct PropertyDescription: Sendable, Hashable {
  package let name: String
  package let type: PropertyType
  package let index: Property.Index

  package init(_ name: String, _ type: PropertyType, index: Property.Index = .none) {
    self.name = name
    self.type = type
    self.index = index
  }
}

/// A class by name.
package struct ClassDescription: Sendable, Hashable {
  package let name: String
  package let kind: ClassSchema.Kind
  package let primaryKey: String?
  /// In stored order.
  package let properties: [PropertyDescription]

  package init(
    _ name: String, kind: ClassSchema.Kind = .object, primaryKey: String? = nil,
    properties: [PropertyDescription]
  ) {
    self.name = name
    self.kind = kind
    self.primaryKey = primaryKey
    self.properties = properties
  }
}

/// The classes of a realm.
package struct SchemaDescription: Sendable, Hashable {
  /// Nil where none was set.
  package let version: Int64?
  /// By name.
  package let classes: [ClassDescription]

  package init(version: Int64?, classes: [ClassDescription]) {
    self.version = version
    self.classes = classes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The classes, to be looked up by name many times.
  package var classesByName: [String: ClassDescription] {
    Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
  }
}
