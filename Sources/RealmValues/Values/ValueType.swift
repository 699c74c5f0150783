// The types that properties, elements and mixed values have, with the format's numbers. Layer: Values.

/// A data type of the format; the raw value is the number that columns and mixed values carry.
package enum ValueType: UInt8, Sendable, CaseIterable {
  case int = 0
  case bool = 1
  case string = 2
  case data = 4
  case mixed = 6
  case date = 8
  case float = 9
  case double = 10
  case decimal128 = 11
  case object = 12
  case backlink = 14
  case objectID = 15
  case typedLink = 16
  case uuid = 17

  /// The word for users, as schemas and dumps spell it.
  package var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .mixed: "mixed"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .decimal128: "decimal128"
    case .object: "object"
    case .backlink: "backlink"
    case .objectID: "objectId"
    case .typedLink: "typedLink"
    case .uuid: "uuid"
    }
  }
}

/// How many values a property holds and how they are arranged.
package enum CollectionKind: Sendable, Hashable {
  case list, set, dictionary

  package var name: String {
    switch self {
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
