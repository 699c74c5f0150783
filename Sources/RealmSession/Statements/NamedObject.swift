// One object that a statement names by its primary key or its object key. Layer: RealmSession, Statements.

import ByteText
package import RealmEngine
package import RealmQueryLanguage

extension Property {
  /// What `text` means as this primary key; nil where it means nothing.
  package func primaryKeyValue(_ text: String) -> Value? {
    if isOptional, type != .string, text == "null" { return .null }
    return Value.spelled(text.utf8.span, isQuoted: type != .int, as: type)
  }

  /// What a literal means as this primary key; texts may spell identifiers.
  func primaryKeyValue(_ literal: Literal) -> Value? {
    switch (literal, type) {
    case (.int(let value), .int): .int(value)
    case (.string(let bytes), _) where type != .int: primaryKeyValue(String(decoding: bytes, as: UTF8.self))
    case (.uuid(let bytes), .uuid): UUIDValue(bytes: bytes.span).map(Value.uuid)
    case (.objectID(let bytes), .objectID): ObjectID(bytes: bytes.span).map(Value.objectID)
    default: nil
    }
  }
}

extension StatementText {
  /// The object of a class that a constant names: `7`, `'Ada'`, `@12`. `find` looks a primary key up, `has` an object key.
  /// `refusal`: where there is none, which is another thing for a link that is to lead there.
  func object(
    _ key: Constant, of schema: ClassSchema, _ find: (Value) throws(EngineError) -> ObjectKey?,
    _ has: (ObjectKey) throws(EngineError) -> Bool, orElse refusal: EngineError.Kind = .notFound
  ) throws -> ObjectKey {
    guard case .literal(let literal) = key.kind else { throw misfit(key, of: schema) }
    let found: ObjectKey?
    switch literal {
    case .objectKey(let number): found = try has(ObjectKey(number)) ? ObjectKey(number) : nil
    default:
      guard let property = schema.primaryKey else {
        throw SessionError(
          .statement(code: "no-primary-key", message: "\(schema.name) has no primary key to find objects by"),
          hint: "write an object key: \(schema.name) @7"
        ).located(at: key.range, in: source)
      }
      guard let value = property.primaryKeyValue(literal) else { throw misfit(key, of: schema) }
      found = try find(value)
    }
    guard let found else {
      let name = source.text(in: key.range)
      throw SessionError(
        .engine(EngineError(refusal, "\(schema.name) has no object \(name)"))
      ).located(at: key.range, in: source)
    }
    return found
  }

  private func misfit(_ key: Constant, of schema: ClassSchema) -> SessionError {
    let type = schema.primaryKey.map { "\($0.name): \($0.type.name)" } ?? "none"
    return SessionError(
      .statement(
        code: "type", message: "\(source.text(in: key.range)) is not a value of the primary key (\(type))")
    ).located(at: key.range, in: source)
  }
}

extension StatementSession {
  /// The object of a class that a statement names.
  package func object(
    _ key: Constant, of source: [UInt8], in table: Table
  ) throws -> ObjectKey {
    try StatementText(source).object(
      key, of: table.schema,
      { value throws(EngineError) in
        try table.find(primaryKey: value)?.key
      }, { key throws(EngineError) in key.value < 0 ? false : try table.find(key) != nil })
  }

  /// The condition that only the object which `named` names meets, `key`. A primary key has an index.
  func condition(_ named: Constant, _ key: ObjectKey, of schema: ClassSchema) -> Predicate {
    let range = named.range
    var step = PathStepKind.objectKey
    var value = Constant(.literal(.int(key.value)), range: range)
    if case .literal(let literal) = named.kind, let property = schema.primaryKey {
      switch (literal, property.type) {
      case (.int, .int), (.string, .string), (.uuid, .uuid), (.objectID, .objectID):
        step = .name(Name(property.name, isQuoted: true, range: range))
        value = named
      default: break
      }
    }
    let path = PropertyPath(steps: [PathStep(step, range: range)], range: range)
    let comparison = Comparison(
      left: Expression(.property(nil, PropertyReference(path: path, range: range)), range: range),
      symbol: .equal, symbolRange: range,
      right: Expression(.constant(value), range: range))
    return Predicate(condition: Expression(.comparison(comparison), range: range))
  }
}
