// What is known of an expression's values before any object is read. Layer: Expressions.

/// The type of an expression.
package struct ExpressionType: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Anything: mixed values, and what only the file can tell.
    case unknown
    /// Nothing but null.
    case null
    /// Never mixed or a link.
    case value(ValueType)
    /// Objects of a class, where it is known.
    case link(String?)
  }

  package let kind: Kind
  /// Several values instead of one.
  package let isList: Bool
  /// Whether null may be among them.
  package let isOptional: Bool

  package init(_ kind: Kind, isList: Bool = false, isOptional: Bool = false) {
    self.kind = kind
    self.isList = isList
    self.isOptional = isOptional
  }

  package static let unknown = ExpressionType(.unknown, isOptional: true)
  static let null = ExpressionType(.null, isOptional: true)

  static func value(_ type: ValueType, isOptional: Bool = false) -> ExpressionType {
    ExpressionType(.value(type), isOptional: isOptional)
  }

  /// The type of a property's values.
  package init(_ type: PropertyType) {
    let kind: Kind =
      switch type.type {
      case .mixed: .unknown
      case .object: .link(type.target)
      default: .value(type.type)
      }
    self.init(
      kind, isList: type.collection != nil,
      isOptional: type.isOptional || type.type == .mixed || type.type == .object && type.collection == nil)
  }

  /// The type of a literal or another known value.
  init(of value: Value) {
    let type: ValueType? =
      switch value {
      case .null, .link, .list, .dictionary: nil
      case .int: .int
      case .bool: .bool
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .decimal: .decimal128
      case .objectID: .objectID
      case .uuid: .uuid
      }
    self = value == .null ? .null : type.map { .value($0) } ?? .unknown
  }

  func optional(_ isOptional: Bool = true) -> ExpressionType {
    ExpressionType(kind, isList: isList, isOptional: isOptional)
  }

  var element: ExpressionType { ExpressionType(kind, isOptional: isOptional) }

  var isUnknown: Bool { kind == .unknown }

  private static let numbers: [ValueType] = [.int, .float, .double, .decimal128]

  /// The place of a number's type from narrow to wide; nil for other types.
  var numberRank: Int? {
    guard !isList, case .value(let type) = kind else { return nil }
    return Self.numbers.firstIndex(of: type)
  }

  func isValue(_ type: ValueType) -> Bool { !isList && kind == .value(type) }

  /// The wider of two types of numbers.
  func wider(_ other: ExpressionType) -> ExpressionType? {
    guard let left = numberRank, let right = other.numberRank else { return nil }
    return .value(Self.numbers[max(left, right)], isOptional: isOptional || other.isOptional)
  }

  /// The type of what is one or the other; nil where the two have nothing in common.
  func joined(with other: ExpressionType) -> ExpressionType? {
    if isList != other.isList, !isUnknown, !other.isUnknown, kind != .null, other.kind != .null { return nil }
    let isOptional = isOptional || other.isOptional
    if isUnknown || other.isUnknown { return .unknown }
    if kind == .null { return other.optional() }
    if other.kind == .null || kind == other.kind { return optional(isOptional) }
    if case .link = kind, case .link = other.kind {
      return ExpressionType(.link(nil), isList: isList, isOptional: isOptional)
    }
    return wider(other)
  }

  /// Whether values of both types can be compared.
  func isComparable(to other: ExpressionType) -> Bool { joined(with: other) != nil }

  /// As schemas spell it.
  package var name: String {
    let word =
      switch kind {
      case .unknown: "mixed"
      case .null: "null"
      case .value(let type): type.name
      case .link(let name): name.map { "link to \($0)" } ?? "link"
      }
    return isList ? "list of \(word)" : word
  }
}

extension ExpressionType {
  /// Why values of this type cannot be stored in a property; nil where they can, or where that shows only then.
  package func misfit(for target: PropertyType) -> (message: String, hint: String?)? {
    if isUnknown { return nil }
    let word = target.word
    if target.collection == .dictionary { return ("a dictionary cannot be computed", nil) }
    if target.collection != nil, !isList { return ("\(name) cannot be stored as \(word)", nil) }
    if target.collection == nil, isList {
      return ("\(name) cannot be stored as \(word)", "take one of them: first(…), or join(…, ', ')")
    }
    switch (kind, target.type) {
    case (.null, .mixed), (.null, .object): return nil
    case (.null, _): return target.isOptional ? nil : ("null cannot be stored as \(word)", nil)
    case (_, .mixed): return nil
    case (.link(let name), .object):
      return name == nil || name == target.target
        ? nil : ("a link to \(name ?? "") cannot be stored as \(word)", nil)
    case (.value(let type), let wanted):
      if type == wanted || ValueFitting.widens(type, to: wanted) { return nil }
      return ("\(name) cannot be stored as \(word)", ValueFitting.conversion(to: wanted, from: type))
    default: return ("\(name) cannot be stored as \(word)", nil)
    }
  }

  /// Whether null may come where the property has no room for it.
  package func mayMissValue(for target: PropertyType) -> Bool {
    isOptional && !isUnknown && !target.isOptional && target.collection == nil && target.type != .mixed
      && target.type != .object
  }
}
