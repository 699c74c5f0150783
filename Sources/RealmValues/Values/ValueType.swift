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

  /// How leaves keep the values of a type, as far as their single elements can be changed in place.
  package enum LeafForm: Sendable {
    case numbers, elements, texts, dates
    /// A leaf is written anew for each change.
    case whole
  }

  /// What others ask about a type: here once, a row for each.
  @inline(__always)
  private var facts: (name: String, jsonTag: String?, jsonForm: JSONForm?, leafForm: LeafForm, zero: Value) {
    switch self {
    case .int: ("int", nil, .bare, .numbers, .int(0))
    case .bool: ("bool", nil, .bare, .numbers, .bool(false))
    case .string: ("string", "string", .quoted, .texts, .string(ByteString(borrowing: .empty)))
    case .data: ("data", "binary", .quoted, .texts, .data(ByteString(borrowing: .empty)))
    case .mixed: ("mixed", nil, nil, .whole, .null)
    case .date: ("date", "date", .quoted, .dates, .date(Timestamp(seconds: 0, nanoseconds: 0)))
    case .float: ("float", "float", .bare, .elements, .float(0))
    case .double: ("double", "double", .bare, .elements, .double(0))
    case .decimal128: ("decimal128", "decimal", .quoted, .elements, .decimal(.zero))
    case .object: ("object", "link", nil, .numbers, .null)
    case .backlink: ("backlink", nil, nil, .whole, .null)
    case .objectID: ("objectId", "oid", .quoted, .whole, .objectID(ObjectID(high: 0, low: 0)))
    case .typedLink: ("typedLink", nil, nil, .whole, .null)
    case .uuid: ("uuid", "uuid", .quoted, .whole, .uuid(UUIDValue(high: 0, low: 0)))
    }
  }

  /// The word for users, as schemas and dumps spell it.
  package var name: String { facts.name }

  /// The key that announces a value in dumps, less its `$`; nil where none does.
  package var jsonTag: String? { facts.jsonTag }

  /// Nil for links and mixed values, which need more than their type.
  package var jsonForm: JSONForm? { facts.jsonForm }

  package var leafForm: LeafForm { facts.leafForm }

  /// What a new object has where null is not allowed; null for links and mixed values, which may always be null.
  package var zero: Value { facts.zero }
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
