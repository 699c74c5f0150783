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

  /// How JSON spells a value whose type is known.
  package enum JSONForm: Sendable {
    /// As a number, or as true or false.
    case bare
    /// As a text.
    case quoted
  }

  /// What others ask about a type: here once, a row for each.
  private var facts: (name: String, jsonTag: String?, jsonForm: JSONForm?) {
    switch self {
    case .int: ("int", nil, .bare)
    case .bool: ("bool", nil, .bare)
    case .string: ("string", "string", .quoted)
    case .data: ("data", "binary", .quoted)
    case .mixed: ("mixed", nil, nil)
    case .date: ("date", "date", .quoted)
    case .float: ("float", "float", .bare)
    case .double: ("double", "double", .bare)
    case .decimal128: ("decimal128", "decimal", .quoted)
    case .object: ("object", "link", nil)
    case .backlink: ("backlink", nil, nil)
    case .objectID: ("objectId", "oid", .quoted)
    case .typedLink: ("typedLink", nil, nil)
    case .uuid: ("uuid", "uuid", .quoted)
    }
  }

  /// The word for users, as schemas and dumps spell it.
  package var name: String { facts.name }

  /// The key that announces a value in dumps, less its `$`; nil where none does.
  package var jsonTag: String? { facts.jsonTag }

  /// Nil for links and mixed values, which need more than their type.
  package var jsonForm: JSONForm? { facts.jsonForm }
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
