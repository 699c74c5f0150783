// What is known of values before any object is read. Layer: Query, Types. One system of types for conditions, computed
// values, orders and groups.

/// A class that links lead to.
package struct LinkedClass: Hashable, Sendable {
  package let table: TableKey
  package let name: String
  /// Whether its objects are parts of others, so that nothing but their owners can hold them.
  package var isEmbedded = false

  package static func == (left: LinkedClass, right: LinkedClass) -> Bool { left.table == right.table }
  package func hash(into hasher: inout Hasher) { hasher.combine(table) }
}

/// The type that values have, apart from null.
package enum StaticType: Sendable, Hashable {
  /// Whatever only the file can tell that is not there yet.
  case unknown
  case null
  /// Never `.object`, `.backlink` or `.typedLink`.
  case value(ValueType)
  /// Objects of one class, where it is known.
  case link(LinkedClass?)
  /// The result of `@type`.
  case typeNames

  static let int = StaticType.value(.int)
  static let string = StaticType.value(.string)
  static let mixed = StaticType.value(.mixed)

  private static let numbers: [StaticType] = [
    .value(.int), .value(.float), .value(.double), .value(.decimal128),
  ]

  /// The place of a number's type from narrow to wide; nil for other types.
  var numberRank: Int? { Self.numbers.firstIndex(of: self) }

  var isNumber: Bool { numberRank != nil }

  /// Whether values of any type may come.
  var isOpen: Bool { self == .mixed || self == .unknown }

  var isLink: Bool { if case .link = self { true } else { false } }

  /// What string operators can work on.
  var isText: Bool { self == .string || self == .value(.data) || isOpen }

  /// Whether values of both types can be equal or in order.
  func isComparable(to other: StaticType) -> Bool {
    if self == other || isNumber && other.isNumber || self == .unknown || other == .unknown { return true }
    if self == .typeNames || other == .typeNames { return false }
    if self == .null || other == .null || self == .mixed || other == .mixed { return true }
    return isLink && other.isLink && (self == .link(nil) || other == .link(nil))
  }

  /// The wider of two types of numbers; mixed when either is.
  func wider(_ other: StaticType) -> StaticType {
    if isOpen || other.isOpen { return .mixed }
    return Self.numbers[max(numberRank ?? 0, other.numberRank ?? 0)]
  }

  /// The word for users.
  var name: String {
    switch self {
    case .unknown: "mixed"
    case .null: "null"
    case .value(let type): type.name
    case .link: "link"
    case .typeNames: "type"
    }
  }
}

extension StaticType {
  /// The type of a constant; what a class is unknown of is mixed.
  init(of value: Value) {
    self =
      switch value {
      case .null: .null
      case .link(let link): .link(LinkedClass(table: link.table, name: "?"))
      default: value.type.map(StaticType.value) ?? .mixed
      }
  }
}

/// The type of an expression: of its values, whether they are several, and whether null may be among them.
package struct ExpressionType: Hashable, Sendable {
  package let kind: StaticType
  /// Several values instead of one.
  package let isList: Bool
  package let isOptional: Bool

  package init(_ kind: StaticType, isList: Bool = false, isOptional: Bool = false) {
    self.kind = kind
    self.isList = isList
    self.isOptional = isOptional
  }

  package static let unknown = ExpressionType(.unknown, isOptional: true)
  static let null = ExpressionType(.null, isOptional: true)

  static func value(_ type: ValueType, isOptional: Bool = false) -> ExpressionType {
    ExpressionType(.value(type), isOptional: isOptional)
  }

  /// The type of a literal or another known value.
  init(of value: Value) { self.init(StaticType(of: value), isOptional: value == .null) }

  func optional(_ isOptional: Bool = true) -> ExpressionType {
    ExpressionType(kind, isList: isList, isOptional: isOptional)
  }

  /// Of one element of a list.
  package var element: ExpressionType { ExpressionType(kind, isOptional: isOptional) }

  /// Whether values of any type may come.
  package var isOpen: Bool { kind.isOpen }

  var isNumber: Bool { !isList && kind.isNumber }

  func isValue(_ type: ValueType) -> Bool { !isList && kind == .value(type) }

  /// The wider of two types of numbers.
  func wider(_ other: ExpressionType) -> ExpressionType? {
    guard isNumber, other.isNumber else { return nil }
    return ExpressionType(kind.wider(other.kind), isOptional: isOptional || other.isOptional)
  }

  /// The type of what is one or the other; nil where the two have nothing in common.
  func joined(with other: ExpressionType) -> ExpressionType? {
    if isList != other.isList, !isOpen, !other.isOpen, kind != .null, other.kind != .null { return nil }
    let isOptional = isOptional || other.isOptional
    if isOpen || other.isOpen { return .unknown }
    if kind == .null { return other.optional() }
    if other.kind == .null || kind == other.kind { return optional(isOptional) }
    if kind.isLink, other.kind.isLink {
      return ExpressionType(.link(nil), isList: isList, isOptional: isOptional)
    }
    return wider(other)
  }

  /// Whether one value may be of either type, as on both sides of `??`.
  package func goes(with other: ExpressionType) -> Bool { joined(with: other) != nil }

  /// As schemas spell it.
  package var name: String {
    var word = kind.name
    if case .link(let target?) = kind { word = "link to \(target.name)" }
    return isList ? "list of \(word)" : word
  }
}

extension ExpressionType {
  /// Why values of this type cannot be stored in a property; nil where they can, or where that shows only then.
  package func misfit(for target: PropertyType) -> (message: String, hint: String?)? {
    if isOpen, kind == .unknown || !isList { return nil }
    let word = target.word
    if target.collection == .dictionary { return ("a dictionary cannot be computed", nil) }
    if target.collection != nil, !isList { return ("\(name) cannot be stored as \(word)", nil) }
    if target.type == .mixed, target.collection == nil, isList {
      return (
        "a list cannot be computed for a mixed property",
        "the statement 'upsert CLASS {…}' stores lists there"
      )
    }
    if target.collection == nil, isList {
      return ("\(name) cannot be stored as \(word)", "take one of them: first(…), or join(…, ', ')")
    }
    switch (kind, target.type) {
    case (.null, .mixed), (.null, .object): return nil
    case (.null, _): return target.isOptional ? nil : ("null cannot be stored as \(word)", nil)
    case (.link(let found?), .mixed) where found.isEmbedded:
      return ("the embedded object is part of its owner and cannot be stored as mixed", nil)
    case (_, .mixed), (.value(.mixed), _): return nil
    case (.link(let found), .object):
      return found == nil || found?.name == target.target
        ? nil : ("a link to \(found?.name ?? "") cannot be stored as \(word)", nil)
    case (.value(let type), let wanted):
      if type == wanted || ValueFitting.widens(type, to: wanted) { return nil }
      return ("\(name) cannot be stored as \(word)", ValueFitting.conversion(to: wanted, ofList: isList))
    default: return ("\(name) cannot be stored as \(word)", nil)
    }
  }

  /// Whether null may come where the property has no room for it.
  package func mayMissValue(for target: PropertyType) -> Bool {
    isOptional && !isOpen && !target.isOptional && target.collection == nil && target.type != .mixed
      && target.type != .object
  }
}
