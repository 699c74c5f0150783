// Classes and properties that are to be made. Layer: Schema.

/// A property as a schema document describes it.
package struct PropertyDefinition: Sendable {
  package var name: String
  package var type: ValueType
  package var collection: CollectionKind?
  /// Of the value, or of a collection's elements. To-one links and mixed values are always optional.
  package var isOptional: Bool
  package var index: Property.Index
  /// The class that links lead to.
  package var target: String?

  package init(
    _ name: String, _ type: ValueType, collection: CollectionKind? = nil, isOptional: Bool = false,
    index: Property.Index = .none, target: String? = nil
  ) {
    self.name = name
    self.type = type
    self.collection = collection
    self.isOptional = isOptional
    self.index = index
    self.target = target
  }

  package static let nameSizeMax = 63

  /// The column's attributes that are part of its key.
  var attributes: ColumnAttributes {
    var attributes: ColumnAttributes =
      switch collection {
      case .list: .list
      case .set: .set
      case .dictionary: .dictionary
      case nil: []
      }
    let isNullable =
      switch type {
      case .mixed: true
      case .object: collection == nil || collection == .dictionary
      default: isOptional
      }
    if isNullable { attributes.insert(.nullable) }
    return attributes
  }

  /// The number that the spec keeps beside the key: dictionaries have texts as keys.
  var typeWord: Int64 {
    Int64(type.rawValue) | (collection == .dictionary ? Int64(ValueType.string.rawValue) << 16 : 0)
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

/// A class as a schema document describes it.
package struct ClassDefinition: Sendable {
  package var name: String
  package var kind: ClassSchema.Kind
  package var primaryKey: String?
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

  /// Whether a property of this type can be a primary key.
  package static func canBePrimaryKey(_ type: ValueType, _ collection: CollectionKind?) -> Bool {
    collection == nil && [.int, .string, .objectID, .uuid].contains(type)
  }
}
