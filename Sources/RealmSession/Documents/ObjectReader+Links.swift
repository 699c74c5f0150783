// Links and embedded objects in JSON, and the words of what does not fit. Layer: RealmSession, Documents.

import ByteText
import RealmEngine
import TextFormats

extension ObjectReader {
  func link(
    _ token: JSONToken, from reader: inout JSONReader, of property: Property, in schema: ClassSchema,
    at path: JSONPath
  ) throws -> EditValue {
    let place = DocumentPlace(path: path, location: reader.location())
    guard let target = property.target else { throw try misfit(token, reader, property, schema, place) }
    let targetSchema = try transaction.schema(target)
    if targetSchema.kind == .embedded {
      return try embedded(token, from: &reader, of: property, targetSchema, in: schema, place)
    }
    guard token == .beginObject else {
      return try named(token, reader, of: property, targetSchema, in: schema, place)
    }
    let first = try reader.next()
    if first == .key, reader.text.equals("$link") {
      let (link, named) = try objectLink(from: &reader, place)
      guard named.tableKey == target else {
        throw DocumentFault(
          "\(schema.name).\(property.name) links to \(targetSchema.name), not to \(named.name)", at: place)
      }
      return link
    }
    // A primary key of another form than JSON has, such as a text that is not UTF-8.
    if first == .key, let announced = ValueType(announcedBy: reader.text), let key = targetSchema.primaryKey,
      !targetSchema.takes(reader.text.string), announced.fits(key.type)
    {
      guard let value = try typed(announced, from: &reader, as: key.type, place) else {
        throw DocumentFault(
          "this is not a primary key of \(targetSchema.name), which is \(key.type.name)", at: place)
      }
      return .primaryKey(value, in: targetSchema, place)
    }
    return .object(try edit(first, from: &reader, of: targetSchema, at: place))
  }

  private func embedded(
    _ token: JSONToken, from reader: inout JSONReader, of property: Property, _ target: ClassSchema,
    in schema: ClassSchema, _ place: DocumentPlace
  ) throws -> EditValue {
    guard token == .beginObject, property.collection != .set else {
      throw try misfit(token, reader, property, schema, place)
    }
    var first = try reader.next()
    let isTagged = first == .key && reader.text.equals("$embedded")
    if isTagged {
      let opening = try reader.next()
      guard opening == .beginObject else { throw try misfit(opening, reader, property, schema, place) }
      first = try reader.next()
    }
    let edit = try edit(first, from: &reader, of: target, at: place)
    if let missing = edit.missing { throw Self.lack(missing, edit) }
    if isTagged { try expectEnd(&reader, place) }
    return .embedded(edit)
  }

  /// A link by the primary key of its object, or where there is none, by its object key.
  private func named(
    _ token: JSONToken, _ reader: borrowing JSONReader, of property: Property, _ target: ClassSchema,
    in schema: ClassSchema, _ place: DocumentPlace
  ) throws -> EditValue {
    guard let primaryKey = target.primaryKey else {
      if token == .integer, reader.integer >= 0 {
        let key = reader.integer
        return .objectKey(ObjectLink(table: target.tableKey, key: ObjectKey(key)), in: target, place)
      }
      throw DocumentFault(
        "\(schema.name).\(property.name) links to \(target.name), which has no primary key", at: place,
        hint: "write its object key or the object itself")
    }
    let isText = token == .string || token == .integer || token == .number
    guard isText,
      let key = Value.spelled(reader.text, isQuoted: token == .string, as: primaryKey.type)
        ?? foreign(token, reader, as: primaryKey.type)
    else {
      throw DocumentFault(
        "the primary key of \(target.name) is \(primaryKey.type.name), not \(Self.kindName(token, reader))",
        at: place)
    }
    return .primaryKey(key, in: target, place)
  }

  /// The content of `{"$link":…}`, with the brace that ends it: an object by its object key, or by its primary key.
  func objectLink(
    from reader: inout JSONReader, _ place: DocumentPlace
  ) throws -> (EditValue, ClassSchema) {
    var name: String?
    var key: Int64?
    var primaryKey: SpelledKey?
    if try reader.next() == .beginObject {
      while try reader.next() == .key {
        let isClass = reader.text.equals("class")
        let isKey = reader.text.equals("key")
        let isPrimaryKey = reader.text.equals("primary_key")
        let token = try reader.next()
        if isClass, token == .string { name = reader.text.string }
        if isKey, token == .integer { key = reader.integer }
        if isPrimaryKey {
          primaryKey = try spelledKey(token, from: &reader, place)
        } else {
          try reader.skipRest(of: token)
        }
      }
    }
    guard let name, key != nil || primaryKey != nil else {
      throw DocumentFault(
        "a link needs a class and an object key or a primary key", at: place,
        hint: "write {\"$link\":{\"class\":\"Person\",\"key\":3}}")
    }
    guard let schema = try transaction.schema(named: name) else {
      throw DocumentFault("there is no class '\(name)'", at: place, code: "unknown-class")
    }
    try expectEnd(&reader, place)
    if let key {
      let link = ObjectLink(table: schema.tableKey, key: ObjectKey(key))
      try dialect?.former.note(link, to: schema)
      return (.objectKey(link, in: schema, place), schema)
    }
    guard let property = schema.primaryKey else {
      throw DocumentFault("\(name) has no primary key", at: place, code: "no-primary-key")
    }
    guard let value = primaryKey?.value(of: property) else {
      throw DocumentFault("this is not a primary key of \(name), which is \(property.type.name)", at: place)
    }
    return (.primaryKey(value, in: schema, place), schema)
  }

  /// A primary key whose class may be told behind it.
  private struct SpelledKey {
    /// Nil for null.
    let text: String?
    let isQuoted: Bool
    /// What the key before it says: `{"$uuid":…}`.
    let announced: ValueType?

    func value(of property: Property) -> Value? {
      guard let text else { return property.isOptional ? .null : nil }
      guard let announced else { return Value.spelled(text.utf8.span, isQuoted: isQuoted, as: property.type) }
      guard announced.fits(property.type) else { return nil }
      // Text that is not UTF-8.
      if announced == .string { return Value.bytes(base64: text.utf8.span).map(Value.string) }
      return Value.spelled(text.utf8.span, isQuoted: isQuoted, as: property.type)
    }
  }

  private func spelledKey(
    _ token: JSONToken, from reader: inout JSONReader, _ place: DocumentPlace
  ) throws -> SpelledKey? {
    switch token {
    case .null: return SpelledKey(text: nil, isQuoted: false, announced: nil)
    case .string, .integer:
      return SpelledKey(text: reader.text.string, isQuoted: token == .string, announced: nil)
    case .beginObject:
      let first = try reader.next()
      guard first == .key, let type = ValueType(announcedBy: reader.text), try reader.next() == .string
      else {
        throw DocumentFault("this is not a primary key", at: place)
      }
      let key = SpelledKey(text: reader.text.string, isQuoted: true, announced: type)
      try expectEnd(&reader, place)
      return key
    default:
      try reader.skipRest(of: token)
      return nil
    }
  }

  // MARK: Refusals

  /// The brace behind the one key that stands in such a value.
  func expectEnd(_ reader: inout JSONReader, _ place: DocumentPlace) throws {
    guard try reader.next() == .endObject else {
      throw DocumentFault("this value takes exactly one key", at: place)
    }
  }

  /// The complaint about a new object without a value that it must have.
  static func lack(_ name: String, _ edit: ObjectEdit) -> DocumentFault {
    DocumentFault(
      "\(edit.schema.name).\(name) is missing", at: edit.place.key(name, at: edit.place.location),
      hint: edit.schema.primaryKey?.name == name ? "it is the primary key" : nil, code: "missing-property")
  }

  func misfit(
    _ token: JSONToken, _ reader: borrowing JSONReader, _ property: Property, _ schema: ClassSchema,
    _ place: DocumentPlace
  ) throws -> DocumentFault {
    try misfit(Self.kindName(token, reader), property, schema, place)
  }

  func misfit(
    _ kind: String, _ property: Property, _ schema: ClassSchema, _ place: DocumentPlace
  ) throws -> DocumentFault {
    DocumentFault(
      "\(schema.name).\(property.name) is \(try transaction.word(for: property)), not \(kind)", at: place,
      hint: property.collection == nil ? Self.example(property.type).map { "write \($0)" } : nil)
  }

  private static func example(_ type: ValueType) -> String? {
    switch type {
    case .date: "\"2020-01-31T12:00:00Z\""
    case .data: "its bytes as base64 in quotes"
    case .objectID: "24 hexadecimal digits in quotes"
    case .uuid: "\"123e4567-e89b-12d3-a456-426614174000\""
    case .decimal128: "a number of at most 34 digits, or \"NaN\", \"Infinity\", \"-Infinity\""
    case _ where type.isFloating: "a number, or \"NaN\", \"Infinity\", \"-Infinity\""
    default: nil
    }
  }

  private static let shownCharactersMax = 40

  /// What a value is, for messages: told from its first token.
  static func kindName(_ token: JSONToken, _ reader: borrowing JSONReader) -> String {
    switch token {
    case .beginArray, .endArray: "a list"
    case .beginObject, .endObject, .key: "an object"
    case .string: "\"\(reader.text.string.prefix(shownCharactersMax))\""
    case .integer, .number: "\(reader.text.string.prefix(shownCharactersMax))"
    case .true: "true"
    case .false: "false"
    case .null: "null"
    case .end: "the end of the text"
    }
  }

  /// What kind of object it is, told from the token behind its brace.
  static func kindName(opening first: JSONToken, _ reader: borrowing JSONReader) -> String {
    guard first == .key, reader.text.count > 0, reader.text[0] == UInt8(ascii: "$") else {
      return "an object"
    }
    return "{\"\(reader.text.string.prefix(shownCharactersMax))\":…}"
  }
}

extension WriteTransaction {
  /// The type of a property as schemas spell it.
  func word(for property: Property) throws(EngineError) -> String {
    var target: String?
    if let key = property.target { target = try schema(key).name }
    return PropertyType(
      property.type, collection: property.collection, isOptional: property.isOptional, target: target
    ).word
  }
}
