// Constants as they stand in the text, with arguments and named objects looked up. Layer: Query, Compile, Binding.

import ByteText
import RealmQueryLanguage

extension Binder {
  /// A constant or an argument; an argument may also be a list or a region.
  func resolve(_ constant: Constant) throws(BindingFailure) -> Side {
    switch constant.kind {
    case .object(let reference) where view.schema(named: reference.className.text).isUnknown:
      return .bound(.unknown(constant.range))
    case .literal, .object: return .constant(try term(constant))
    case .argument(let reference):
      switch try context.arguments.operand(reference, at: constant.range) {
      case .constant(let value):
        return .constant(try argument(value, context.arguments.spelling(reference)))
      case .list(_, let list): return .list(try terms(list), nil, constant.range)
      case .shape(let shape): return .region(GeoShape(shape.kind, range: constant.range))
      default: throw BindingFailure(.argument, "\(reference.shown) is not a value", at: constant.range)
      }
    }
  }

  /// An argument with a quantifier before it, which must be a list.
  func resolve(
    _ quantifier: Quantifier, _ reference: ArgumentReference, at range: SourceRange
  ) throws(BindingFailure) -> Side {
    guard case .list(_, let list) = try context.arguments.operand(reference, at: range) else {
      throw BindingFailure(
        .argument, "a quantifier needs a list, and \(reference.shown) is a single value", at: range)
    }
    return .list(try terms(list), quantifier, range)
  }

  func terms(_ list: ConstantList) throws(BindingFailure) -> [ConstantTerm] {
    return try list.elements.map { element throws(BindingFailure) in try term(element) }
  }

  private func term(_ constant: Constant) throws(BindingFailure) -> ConstantTerm {
    switch constant.kind {
    case .literal(let literal): return ConstantTerm(kind: .literal(literal), range: constant.range)
    case .object(let reference):
      return ConstantTerm(kind: .object(try object(reference, at: constant.range)), range: constant.range)
    case .argument(let reference):
      switch try context.arguments.operand(reference, at: constant.range) {
      case .constant(let value): return try argument(value, context.arguments.spelling(reference))
      default:
        throw BindingFailure(
          .argument, "\(reference.shown) must be a single value here", at: constant.range)
      }
    }
  }

  private func argument(_ value: Constant, _ spelling: [UInt8]?) throws(BindingFailure) -> ConstantTerm {
    var term = try term(value)
    term.isArgument = true
    term.spelling = spelling
    return term
  }

  /// What `$name` stands for, which is no property's name; nil for any other path.
  func namedArgument(_ reference: PropertyReference) throws(BindingFailure) -> Side? {
    guard reference.question == nil, let argument = try context.arguments.named(reference.path) else {
      return nil
    }
    switch argument.kind(at: reference.range) {
    case .constant(let value): return .constant(try self.argument(value, argument.spelling))
    case .list(_, let list): return .list(try terms(list), nil, reference.range)
    case .shape(let shape): return .region(GeoShape(shape.kind, range: reference.range))
    default: preconditionFailure("an argument is a literal, a list or a region")
    }
  }
}

extension Binder {
  /// The object that `obj('Class', key)` names; a link that equals no stored one when it does not exist.
  func object(
    _ reference: ObjectReference, at range: SourceRange
  ) throws(BindingFailure) -> ObjectLink {
    let name = reference.className.text
    let bareName = ClassSchema.className(ofTable: name) ?? name
    guard let schema = view.schema(named: name).found ?? view.schema(named: bareName).found else {
      throw BindingFailure(
        .object, "no class '\(name)'", at: reference.className.range,
        suggestion: view.nearestClassName(to: name))
    }
    guard let primaryKey = schema.primaryKey else {
      throw BindingFailure(
        .object, "class '\(schema.name)' has no primary key", at: reference.className.range)
    }
    let key: Literal
    switch reference.primaryKey {
    case .literal(let literal): key = literal
    case .argument(let argument):
      key = try context.arguments.constant(argument, at: reference.primaryKeyRange)
    }
    guard let value = key.primaryKeyValue(of: primaryKey) else {
      throw BindingFailure(
        .object,
        "the primary key of '\(schema.name)' is \(primaryKey.type.articled), not \(key.shown)",
        at: reference.primaryKeyRange)
    }
    let found = try BindingFailure.wrapping { () throws(EngineError) in
      try view.object(withPrimaryKey: value, of: schema.tableKey)
    }
    return ObjectLink(table: schema.tableKey, key: found ?? .nowhere)
  }
}

extension NameLookup {
  fileprivate var isUnknown: Bool { if case .unknown = self { true } else { false } }
  fileprivate var found: Found? { if case .known(let found) = self { found } else { nil } }
}

extension ObjectKey {
  /// What no stored link holds.
  static let nowhere = ObjectKey(Int64.min)
}

extension Literal {
  /// The literal as a value of the primary key `property`; nil when it is of another type.
  fileprivate func primaryKeyValue(of property: Property) -> Value? {
    switch (self, property.type) {
    case (.int(let value), .int): .int(value)
    case (.string(let bytes), .string): .string(ByteString(copying: bytes))
    case (.uuid, .uuid), (.objectID, .objectID): plainValue
    case (.null, _): property.isOptional ? .null : nil
    default: nil
    }
  }

  /// The value as it stands, fitted to nothing; nil for the raw object keys, whose class is not known here.
  package var plainValue: Value? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .decimal(let text): Decimal128(literal: text).map(Value.decimal)
    case .double(let value, _): .double(value)
    case .float(let value, _): .float(value)
    case .infinity(let isNegative): .double(isNegative ? -.infinity : .infinity)
    case .notANumber: .double(.nan)
    case .string(let bytes): .string(ByteString(copying: bytes))
    case .binary(let bytes): .data(ByteString(copying: bytes))
    case .date(let seconds, let nanoseconds):
      .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    case .uuid(let bytes): UUIDValue(bytes: bytes.span).map(Value.uuid)
    case .objectID(let bytes): ObjectID(bytes: bytes.span).map(Value.objectID)
    case .objectKey, .typedObjectKey: nil
    }
  }

  /// For messages.
  var shown: String {
    switch self {
    case .decimal(let text), .double(_, let text), .float(_, let text): text
    case .infinity(let isNegative): isNegative ? "-infinity" : "infinity"
    case .notANumber: "NaN"
    default: plainValue?.shown ?? "an object key"
    }
  }
}

extension Decimal128 {
  init?(literal text: String) {
    let bytes = Array(text.utf8)
    self.init(text: bytes.span)
  }
}
