// Values of properties from JSON: the forms of a dump, and the plain ones that most programs write. Layer: RealmSession,
// Loading. Invariant: a value is read to its end, or an error names its place.

import ByteText
import RealmEngine
import TextFormats

/// Reads values, each for the property that it is to stand in.
struct JSONValueReader {
  /// Class schemas by the table that links and embedded objects name.
  let schema: (TableKey) throws(EngineError) -> ClassSchema
  let tableKey: (String) throws(EngineError) -> TableKey?

  /// Reads the value whose first token is `token`.
  func value(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> NewValue {
    switch property.collection {
    case nil: try element(token, from: &reader, for: property)
    case .list: .list(try elements(token, from: &reader, for: property, "a list"))
    case .set: .set(try setElements(token, from: &reader, for: property))
    case .dictionary: .dictionary(try dictionary(token, from: &reader, for: property))
    }
  }

  // MARK: Collections

  private func elements(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property, _ what: String
  ) throws -> [NewValue] {
    guard token == .beginArray else { throw unfit(token, what, property, &reader) }
    var elements: [NewValue] = []
    while true {
      let next = try reader.next()
      if next == .endArray { return elements }
      elements.append(try element(next, from: &reader, for: property))
    }
  }

  private func setElements(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> [NewValue] {
    guard token == .beginObject else { return try elements(token, from: &reader, for: property, "a set") }
    try expectKey("$set", in: &reader, property)
    let elements = try elements(try reader.next(), from: &reader, for: property, "a set")
    try expectEnd(&reader, property)
    return elements
  }

  private func dictionary(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> [(key: ByteString, value: NewValue)] {
    guard token == .beginObject else { throw unfit(token, "a dictionary", property, &reader) }
    let first = try reader.next()
    guard first == .key, reader.text.equals("$dict") else {
      return try entries(first, from: &reader, for: property)
    }
    guard try reader.next() == .beginObject else { throw unfit(first, "a dictionary", property, &reader) }
    let entries = try entries(try reader.next(), from: &reader, for: property)
    try expectEnd(&reader, property)
    return entries
  }

  private func entries(
    _ first: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> [(key: ByteString, value: NewValue)] {
    var entries: [(key: ByteString, value: NewValue)] = []
    var seen: Set<ByteString> = []
    var token = first
    while token == .key {
      let key = ByteString(copying: reader.text)
      guard seen.insert(key).inserted else {
        throw TextFormatError("\(property.name) has the key \(key.text) twice", at: reader.location())
      }
      entries.append((key, try element(try reader.next(), from: &reader, for: property)))
      token = try reader.next()
    }
    return entries
  }

  // MARK: Elements

  /// A value that is not a property's collection.
  private func element(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> NewValue {
    if token == .null { return .null }
    if property.type == .mixed { return try mixed(token, from: &reader, for: property) }
    guard token == .beginObject else {
      guard let value = try plain(token, from: &reader, property.type) else {
        throw unfit(token, "\(property.type.name)", property, &reader)
      }
      return .single(value)
    }
    let first = try reader.next()
    if property.type == .object, let target = property.target {
      return try object(first, from: &reader, for: property, target)
    }
    guard first == .key, let value = try typed(from: &reader, for: property) else {
      throw unfit(.beginObject, "\(property.type.name)", property, &reader)
    }
    return .single(value)
  }

  private func object(
    _ first: JSONToken, from reader: inout JSONReader, for property: Property, _ target: TableKey
  ) throws -> NewValue {
    let schema = try schema(target)
    guard schema.kind == .embedded else {
      guard first == .key, let value = try typed(from: &reader, for: property) else {
        throw unfit(.beginObject, "a link", property, &reader)
      }
      return .single(value)
    }
    guard first == .key, reader.text.equals("$embedded") else {
      return .embedded(try values(first, from: &reader, of: schema))
    }
    guard try reader.next() == .beginObject else { throw unfit(first, "an object", property, &reader) }
    let values = try values(try reader.next(), from: &reader, of: schema)
    try expectEnd(&reader, property)
    return .embedded(values)
  }

  /// The properties of an object whose brace was passed; `first` is the token behind it.
  func values(
    _ first: JSONToken, from reader: inout JSONReader, of schema: ClassSchema
  ) throws -> [(property: String, value: NewValue)] {
    var values: [(property: String, value: NewValue)] = []
    var token = first
    while token == .key {
      let name = reader.text.string
      guard let property = schema.property(named: name) else { throw unknown(name, schema, &reader) }
      values.append((name, try value(try reader.next(), from: &reader, for: property)))
      token = try reader.next()
    }
    return values
  }

  /// Nested collections stand in mixed values only.
  private func mixed(
    _ token: JSONToken, from reader: inout JSONReader, for property: Property
  ) throws -> NewValue {
    switch token {
    case .beginArray: return .list(try elements(token, from: &reader, for: property, "a list"))
    case .beginObject:
      let first = try reader.next()
      guard first == .key else { return .dictionary([]) }
      if reader.text.equals("$dict") {
        guard try reader.next() == .beginObject else {
          throw unfit(first, "a dictionary", property, &reader)
        }
        let entries = try entries(try reader.next(), from: &reader, for: property)
        try expectEnd(&reader, property)
        return .dictionary(entries)
      }
      if let value = try typed(from: &reader, for: property) { return .single(value) }
      return .dictionary(try entries(first, from: &reader, for: property))
    case .string: return .single(.string(ByteString(copying: reader.text)))
    case .integer: return .single(.int(reader.integer))
    default:
      // Digits alone are a whole number, and no double where they are too many.
      let isTooLarge = token == .number && reader.text.isWholeNumber
      if !isTooLarge, let value = try plain(token, from: &reader, token == .number ? .double : .bool) {
        return .single(value)
      }
      throw unfit(token, "a value", property, &reader)
    }
  }

  // MARK: Single values

  /// A value in the form that its type alone explains; nil when the token cannot be one.
  private func plain(
    _ token: JSONToken, from reader: inout JSONReader, _ type: ValueType
  ) throws -> Value? {
    switch token {
    case .true, .false: type == .bool ? .bool(token == .true) : nil
    case .integer, .number, .string:
      Value.spelled(reader.text, isQuoted: token == .string, as: type)
    case .beginArray where type == .date: try dateParts(&reader)
    default: nil
    }
  }

  /// The value that a key such as `$date` announces; the reader stands on the key. Nil for another key.
  private func typed(from reader: inout JSONReader, for property: Property) throws -> Value? {
    guard let word = TypedWord(reader.text), property.type == .mixed || word.types.contains(property.type)
    else { return nil }
    let token = try reader.next()
    let value: Value?
    if word == .link {
      value = .link(try link(token, from: &reader, property))
    } else if word == .string {
      value = token == .string ? Value.bytes(base64: reader.text).map(Value.string) : nil
    } else {
      value = try plain(token, from: &reader, property.type == .mixed ? word.types[0] : property.type)
    }
    guard let value else { throw unfit(token, "the value of $\(word.rawValue)", property, &reader) }
    try expectEnd(&reader, property)
    return value
  }

  private func dateParts(_ reader: inout JSONReader) throws -> Value {
    var parts: [Int64] = []
    while try reader.next() == .integer { parts.append(reader.integer) }
    guard let date = Value.date(parts: parts) else {
      throw TextFormatError("a date is [seconds, nanoseconds]", at: reader.location())
    }
    return date
  }

  private func link(
    _ token: JSONToken, from reader: inout JSONReader, _ property: Property
  ) throws -> ObjectLink {
    guard token == .beginObject, try reader.next() == .key, reader.text.equals("class"),
      try reader.next() == .string
    else { throw unfit(token, "a link", property, &reader) }
    let name = reader.text.string
    let place = reader.location()
    guard let table = try tableKey(name) else {
      throw TextFormatError("there is no class \(name)", at: place)
    }
    guard try reader.next() == .key, reader.text.equals("key"), try reader.next() == .integer else {
      throw unfit(token, "a link", property, &reader)
    }
    let key = ObjectKey(reader.integer)
    try expectEnd(&reader, property)
    return ObjectLink(table: table, key: key)
  }

  // MARK: Refusals

  private func expectKey(_ key: StaticString, in reader: inout JSONReader, _ property: Property) throws {
    guard try reader.next() == .key, reader.text.equals(key) else {
      throw TextFormatError("\(property.name): expected the key \(key)", at: reader.location())
    }
  }

  private func expectEnd(_ reader: inout JSONReader, _ property: Property) throws {
    guard try reader.next() == .endObject else {
      throw TextFormatError("\(property.name): one key stands alone in such a value", at: reader.location())
    }
  }

  private func unfit(
    _ token: JSONToken, _ wanted: String, _ property: Property, _ reader: inout JSONReader
  ) -> TextFormatError {
    TextFormatError("\(property.name) must be \(wanted), not \(token.kindName)", at: reader.location())
  }

  func unknown(_ name: String, _ schema: ClassSchema, _ reader: inout JSONReader) -> TextFormatError {
    let nearest = EditDistance.nearest(to: name, among: schema.properties.map(\.name))
    return TextFormatError(
      "\(schema.name) has no property \(name)", at: reader.location(),
      hint: nearest.map { "did you mean '\($0)'?" })
  }
}

extension JSONToken {
  /// What it is, for messages.
  fileprivate var kindName: String {
    switch self {
    case .beginObject, .endObject, .key: "an object"
    case .beginArray, .endArray: "an array"
    case .string: "that text"
    case .integer, .number: "that number"
    case .true, .false: "true or false"
    case .null: "null"
    case .end: "the end of the text"
    }
  }
}

extension Span<UInt8> {
  /// Digits alone, with or without a sign.
  fileprivate var isWholeNumber: Bool {
    indices.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[$0]) || self[$0] == UInt8(ascii: "-")
    }
  }

  func equals(_ text: StaticString) -> Bool { equals("\(text)") }

  func equals(_ text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    var index = 0
    for byte in text.utf8 {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
