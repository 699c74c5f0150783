// What is known of an operand's values before any row is read. Layer: Query.

/// The type that the values of an operand have, apart from null.
enum StaticType: Sendable, Hashable {
  case null
  /// Never `.object`, `.backlink` or `.typedLink`.
  case value(ValueType)
  /// Objects of one class.
  case link(TableKey)
  /// The result of `@type`.
  case typeNames

  static let int = StaticType.value(.int)
  static let string = StaticType.value(.string)
  static let mixed = StaticType.value(.mixed)

  init(_ property: Property) {
    if property.type == .object, let target = property.target {
      self = .link(target)
    } else {
      self = property.type == .object || property.type == .typedLink ? .mixed : .value(property.type)
    }
  }

  var isNumber: Bool {
    switch self {
    case .value(.int), .value(.float), .value(.double), .value(.decimal128): true
    default: false
    }
  }

  var isLink: Bool { if case .link = self { true } else { false } }

  /// What string operators can work on.
  var isText: Bool { self == .string || self == .value(.data) || self == .mixed }

  /// Whether values of both types can be equal or in order.
  func isComparable(to other: StaticType) -> Bool {
    if self == other || isNumber && other.isNumber { return true }
    if self == .typeNames || other == .typeNames { return false }
    return self == .null || other == .null || self == .mixed || other == .mixed
  }

  /// The wider of two types of numbers; mixed when either is.
  func wider(_ other: StaticType) -> StaticType {
    if self == .mixed || other == .mixed { return .mixed }
    let order: [StaticType] = [.value(.int), .value(.float), .value(.double), .value(.decimal128)]
    let rank = max(order.firstIndex(of: self) ?? 0, order.firstIndex(of: other) ?? 0)
    return order[rank]
  }

  /// The word for users.
  var name: String {
    switch self {
    case .null: "null"
    case .value(let type): type.name
    case .link: "link"
    case .typeNames: "type"
    }
  }
}

extension StaticType {
  /// The type of a constant; typed links and all else that a class is unknown of are mixed.
  init(of value: Value) {
    self =
      switch value {
      case .null: .null
      case .int: .value(.int)
      case .bool: .value(.bool)
      case .float: .value(.float)
      case .double: .value(.double)
      case .string: .value(.string)
      case .data: .value(.data)
      case .date: .value(.date)
      case .decimal: .value(.decimal128)
      case .objectID: .value(.objectID)
      case .uuid: .value(.uuid)
      case .link(let link): .link(link.table)
      case .list, .dictionary: .mixed
      }
  }
}
