// Classes and properties by names alone, as users write them, as they are to be made, and as they are: independent of where
// anything is stored. Layer: Schema.

/// What a property holds.
package struct PropertyType: Sendable, Hashable {
  package var type: ValueType
  package var collection: CollectionKind?
  /// Whether the value, or an element of the collection, may be null. Mixed values always may.
  package var isOptional: Bool
  /// The class that links lead to.
  package var target: String?

  package init(_ type: ValueType, collection: CollectionKind? = nil, isOptional: Bool, target: String? = nil)
  {
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.target = target
  }

  /// Whether null may stand in it, or among its elements. A link to one object, and those of a dictionary, may always be null;
  /// those of lists and sets never.
  package var allowsNull: Bool {
    switch type {
    case .mixed: true
    case .object: collection == nil || collection == .dictionary
    default: isOptional
    }
  }

  /// Of one element of a collection; a single value is its own.
  package var element: PropertyType {
    PropertyType(type, isOptional: isOptional || type == .object, target: target)
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
package struct PropertyDefinition: Sendable, Hashable {
  package var name: String
  package var type: PropertyType
  package var index: Property.Index

  package init(_ name: String, _ type: PropertyType, index: Property.Index = .none) {
    self.name = name
    self.type = type
    self.index = index
  }

  package init(
    _ name: String, _ type: ValueType, collection: CollectionKind? = nil, isOptional: Bool = false,
    index: Property.Index = .none, target: String? = nil
  ) {
    let type = PropertyType(type, collection: collection, isOptional: isOptional, target: target)
    self.init(name, type, index: index)
  }

  package static let nameSizeMax = 63

  package static func canBeCalled(_ name: String) -> Bool { (1...nameSizeMax).contains(name.utf8.count) }

  /// The column's attributes that are part of its key.
  var attributes: ColumnAttributes {
    var attributes: ColumnAttributes =
      switch type.collection {
      case .list: .list
      case .set: .set
      case .dictionary: .dictionary
      case nil: []
      }
    if type.allowsNull { attributes.insert(.nullable) }
    return attributes
  }

  /// The number that the spec keeps beside the key: dictionaries have texts as keys.
  var typeWord: Int64 {
    Int64(type.type.rawValue) | (type.collection == .dictionary ? Int64(ValueType.string.rawValue) << 16 : 0)
  }

  package static func canIndex(_ type: ValueType, _ collection: CollectionKind?, _ index: Property.Index)
    -> Bool
  {
    switch (index, collection) {
    case (.none, _): true
    case (.fullText, let collection): collection == nil && type == .string
    case (.general, .list?): type == .string
    case (.general, _?): false
    case (.general, nil):
      [.int, .bool, .string, .date, .objectID, .uuid, .mixed].contains(type)
    }
  }
}

/// A class by name.
package struct ClassDefinition: Sendable, Hashable {
  package var name: String
  package var kind: ClassSchema.Kind
  package var primaryKey: String?
  /// In stored order.
  package var properties: [PropertyDefinition]

  package init(
    _ name: String, kind: ClassSchema.Kind = .object, primaryKey: String? = nil,
    properties: [PropertyDefinition]
  ) {
    self.name = name
    self.kind = kind
    self.primaryKey = primaryKey
    self.properties = properties
  }

  /// 63 bytes less the prefix of class tables.
  package static let nameSizeMax = 57

  package static func canBeCalled(_ name: String) -> Bool { (1...nameSizeMax).contains(name.utf8.count) }

  /// Whether a property of this type can be a primary key.
  package static func canBePrimaryKey(_ type: ValueType, _ collection: CollectionKind?) -> Bool {
    collection == nil && [.int, .string, .objectID, .uuid].contains(type)
  }
}
