// What a property is to become: a single value, a collection, or an object that does not exist yet. Layer: Objects.
// Texts and data own their bytes: they are read after nodes have changed.

/// A value to be written.
package indirect enum NewValue: Sendable {
  case single(Value)
  case list([NewValue])
  /// Elements of a set, in any order; equal ones count once.
  case set([NewValue])
  case dictionary([(key: ByteString, value: NewValue)])
  /// An embedded object that comes into being with its owner.
  case embedded([(property: String, value: NewValue)])

  package static let null = NewValue.single(.null)
}

extension NewValue {
  /// The word for messages.
  var kindName: String {
    switch self {
    case .single(let value): value.kindName
    case .list: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    case .embedded: "an embedded object"
    }
  }
}

extension Value {
  /// The word for messages.
  var kindName: String {
    switch self {
    case .null: "null"
    case .data: "data"
    case .link: "a link"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .int, .objectID: "an \(type?.name ?? "")"
    default: "a \(type?.name ?? "")"
    }
  }

  /// Whether it names nodes that belong to somebody else.
  var isCollection: Bool {
    switch self {
    case .list, .dictionary: true
    default: false
    }
  }

  /// The same value with bytes of its own.
  package func owned() -> Value {
    switch self {
    case .string(let text): .string(text.owned())
    case .data(let data): .data(data.owned())
    default: self
    }
  }
}
