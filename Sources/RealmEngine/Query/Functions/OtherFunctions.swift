// Identifiers, time, digests and refusals. Layer: Query, Functions.

import ByteText

extension ExpressionFunction {
  static let otherFunctions: [ExpressionFunction] = [
    ExpressionFunction(
      "uuid(text)", "a new random uuid, or the one that a text spells", [], optional: [.anything],
      gives: gives(.uuid),
      alternative: .conversion(to: "uuid") { values, _ in
        switch values[0] {
        case .uuid: values[0]
        case .string(let text): UUIDValue(text: text.bytes.span).map(Value.uuid)
        default: nil
        }
      }, .generates { .uuid($0.environment.makeUUID()) }),
    ExpressionFunction(
      "objectId(text)", "a new objectId, or the one that a text spells", [], optional: [.anything],
      gives: gives(.objectID),
      alternative: .conversion(to: "objectId") { values, _ in
        switch values[0] {
        case .objectID: values[0]
        case .string(let text): ObjectID(text: text.bytes.span).map(Value.objectID)
        default: nil
        }
      }, .generates { .objectID($0.environment.makeObjectID()) }),
    ExpressionFunction(
      "now()", "the time of the run", [], gives: gives(.date),
      .values { _, context in .date(context.environment.now) }),
    ExpressionFunction(
      "hash(value)", "the SHA-256 of its text or data, as 64 hexadecimal digits", [.anything],
      gives: gives(.string),
      .values { arguments, context throws(EngineError) in try hash(arguments[0], context) }),
    ExpressionFunction(
      "type(value)", "the name of its type, which matters for mixed: 'int', 'string', 'link', 'list' …",
      [.anything], gives: gives(.string),
      .values { arguments, context throws(EngineError) in
        try context.text(Array(arguments[0].typeName.utf8), by: "type")
      }),
    ExpressionFunction(
      "fail(message)", "stops with that message", [.text], gives: { _ in .unknown },
      .values { arguments, _ throws(EngineError) in
        // Not what values cause, which conditions pass over.
        throw EngineError(.refused, try text(arguments[0]).text)
      }),
  ]

  private static func hash(_ value: Value, _ context: EvaluationContext) throws(EngineError) -> Value {
    var bytes = ByteBuffer()
    if case .data(let data) = value {
      bytes.append(data.bytes.span)
    } else {
      guard let text = try textForm(value, context)?.textBytes else {
        throw EngineError(.constraint, "hash cannot read \(value.kindName)")
      }
      bytes.append(text.bytes.span)
    }
    let digest = SHA256Digest()
    digest.update(bytes)
    let result = digest.finish()
    return try context.text(by: "hash") { output in
      for byte in result { output.append(hexadecimal: byte) }
    }
  }
}

extension Value {
  /// As schemas spell the types.
  fileprivate var typeName: String {
    switch self {
    case .link: "link"
    case .list: "list"
    case .dictionary: "dictionary"
    default: StaticType(of: self).name
    }
  }
}
