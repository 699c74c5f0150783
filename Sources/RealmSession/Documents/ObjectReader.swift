// From JSON objects to edits: looks up properties, fits values to their types, follows nested objects. The one reader of objects:
// of statements, of imports and of dumps.
// Layer: RealmSession, Documents. Invariants: nothing is read or changed of objects here, so that a whole statement can be
// refused before it has begun; a value is read to its end, or an error names its place.

import ByteText
package import RealmEngine
package import TextFormats

/// Reads JSON objects as edits of one realm.
package struct ObjectReader {
  let transaction: WriteTransaction
  /// In a dump, digits alone are a whole number in a mixed value too, and no double where they are too many.
  private let isStrict: Bool

  let dialect: Dialect?

  package init(transaction: WriteTransaction, isStrict: Bool = false) {
    self.transaction = transaction
    self.isStrict = isStrict
    dialect = nil
  }

  init(transaction: WriteTransaction, _ dialect: Dialect) {
    self.transaction = transaction
    isStrict = false
    self.dialect = dialect
  }

  /// The column of objects that no primary key names, where the class has no such property.
  package static let keyColumn = "_key"

  /// What it is called where statements show it.
  static let shownKey = "@key"

  /// Others have columns of that name too.
  static let keyHint = "in a new class it is a property: --create --primary-key \(keyColumn)"

  /// What such a column must be called among those of a class that is not there yet: its own property `_key` makes it `__key`.
  static func keyColumn(among names: [String]) -> String {
    if names.contains(shownKey) { return shownKey }
    var name = keyColumn
    while names.contains("_" + name) { name = "_" + name }
    return name
  }

  /// The edit that the value asks for whose first token is `token`: an object of a class that is not embedded.
  package func edit(
    _ token: JSONToken, from reader: inout JSONReader, of schema: ClassSchema, path: JSONPath = .root
  ) throws -> ObjectEdit {
    let place = DocumentPlace(path: path, location: reader.location())
    guard token == .beginObject else {
      throw DocumentFault(
        "expected an object of \(schema.name), found \(Self.kindName(token, reader))", at: place)
    }
    return try edit(try reader.next(), from: &reader, of: schema, at: place)
  }

  /// The rest of an object whose brace was passed; `first` is the token behind it.
  func edit(
    _ first: JSONToken, from reader: inout JSONReader, of schema: ClassSchema, at place: DocumentPlace
  ) throws -> ObjectEdit {
    try Self.checkNesting(place.path, &reader)
    var edit = ObjectEdit(schema: schema, place: place)
    var given = [Bool](repeating: false, count: schema.properties.count)
    var expected = 0
    var inner = InnerValues()
    var token = first
    while token == .key {
      switch try target(&reader, schema, expected) {
      case .ignored?: try skipValue(&reader)
      case .inner(let path)?:
        guard !inner.overlaps(path), schema.propertyIndex(named: path[0]).map({ !given[$0] }) ?? false else {
          throw Self.repeated(&reader, place.path)
        }
        inner.add(path, try innerValue(path, from: &reader, of: schema, at: place.path))
      case .property(let index)?:
        guard !given[index], !inner.overlaps([schema.properties[index].name]) else {
          throw Self.repeated(&reader, place.path)
        }
        given[index] = true
        expected = index + 1
        let property = schema.properties[index]
        let path = JSONPath.key(place.path, property.name)
        let value = try self.value(try reader.next(), from: &reader, of: property, in: schema, at: path)
        if index == schema.primaryKeyIndex, case .single(let single) = value { edit.primaryKey = single }
        edit.values.append((property.name, value))
      case nil: try readKeyColumn(of: &edit, from: &reader)
      }
      token = try reader.next()
    }
    for (name, value) in try owned(inner, by: schema, place) {
      if let index = schema.propertyIndex(named: name) { given[index] = true }
      edit.values.append((name, value))
    }
    let missing = schema.properties.indices.first {
      !given[$0] && schema.properties[$0].needsValue(in: schema)
    }
    edit.missing = missing.map { schema.properties[$0].name }
    return edit
  }

  /// Passes over a value that nobody wants, whatever its size.
  private func skipValue(_ reader: inout JSONReader) throws(TextFormatError) {
    let textSizeMax = reader.textSizeMax
    reader.textSizeMax = .max
    defer { reader.textSizeMax = textSizeMax }
    try reader.skipRest(of: try reader.next())
  }

  /// What the present key stands for; nil where it means nothing.
  private func target(
    _ reader: inout JSONReader, _ schema: ClassSchema, _ expected: Int
  ) throws -> Dialect.Target? {
    let known = schema.propertyIndex(named: reader.text, expected: expected).map(Dialect.Target.property)
    guard let dialect, known == nil || dialect.renamesProperties else { return known }
    return try dialect.target(reader.text.string, schema) ?? known
  }

  /// A key that names no property: where objects are known by their object keys, that may be it.
  private func readKeyColumn(of edit: inout ObjectEdit, from reader: inout JSONReader) throws {
    let name = reader.text.string
    let place = DocumentPlace(path: .key(edit.place.path, name), location: reader.location())
    guard edit.schema.isKeyColumn(name) else {
      let nearest = EditDistance.nearest(to: name, among: edit.schema.properties.map(\.name))
      throw DocumentFault(
        "\(edit.schema.name) has no property '\(name)'", at: place,
        hint: nearest.map { "did you mean '\($0)'?" }, code: "unknown-property")
    }
    guard edit.objectKey == nil else { throw Self.repeated(&reader, edit.place.path) }
    let token = try reader.next()
    guard token == .integer, reader.integer >= 0 else {
      throw DocumentFault(
        "an object key is a whole number, not \(Self.kindName(token, reader))", at: place, hint: Self.keyHint)
    }
    edit.objectKey = ObjectKey(reader.integer)
  }

  private static func repeated(_ reader: inout JSONReader, _ path: JSONPath) -> DocumentFault {
    let name = reader.text.string
    return DocumentFault(
      "the key '\(name)' appears twice",
      at: DocumentPlace(path: .key(path, name), location: reader.location()))
  }

  // MARK: Properties

  /// Reads the value of a property whose first token is `token`.
  package func value(
    _ token: JSONToken, from reader: inout JSONReader, of property: Property, in schema: ClassSchema,
    at path: JSONPath
  ) throws -> EditValue {
    switch property.collection {
    case nil: return try element(token, from: &reader, of: property, in: schema, at: path)
    // In what others write, null may have no elements.
    case _? where token == .null && dialect != nil: return property.valueOfNull ?? .single(.null)
    case .list?: return .list(try elements(token, from: &reader, of: property, in: schema, at: path))
    case .set?:
      return .set(
        try unwrapped("$set", token, from: &reader, property, schema, path) {
          token, reader throws in try elements(token, from: &reader, of: property, in: schema, at: path)
        })
    case .dictionary?:
      let place = DocumentPlace(path: path, location: reader.location())
      guard token == .beginObject else { throw try misfit(token, reader, property, schema, place) }
      let first = try reader.next()
      let entry = { (token: JSONToken, reader: inout JSONReader, path: JSONPath) throws in
        try element(token, from: &reader, of: property, in: schema, at: path)
      }
      return .dictionary(try dictionary(first, from: &reader, at: path, entry))
    }
  }

  /// Reads a value that may stand inside `{"tag":…}`.
  private func unwrapped<Result>(
    _ tag: StaticString, _ token: JSONToken, from reader: inout JSONReader, _ property: Property,
    _ schema: ClassSchema, _ path: JSONPath, _ body: (JSONToken, inout JSONReader) throws -> Result
  ) throws -> Result {
    guard token == .beginObject else { return try body(token, &reader) }
    let place = DocumentPlace(path: path, location: reader.location())
    guard try reader.next() == .key, reader.text.equals(tag) else {
      throw try misfit("an object", property, schema, place)
    }
    let result = try body(try reader.next(), &reader)
    try expectEnd(&reader, place)
    return result
  }

  private func elements(
    _ token: JSONToken, from reader: inout JSONReader, of property: Property, in schema: ClassSchema,
    at path: JSONPath
  ) throws -> [EditValue] {
    guard token == .beginArray else {
      throw try misfit(
        token, reader, property, schema, DocumentPlace(path: path, location: reader.location()))
    }
    return try list(from: &reader, at: path) { token, reader, path throws in
      try element(token, from: &reader, of: property, in: schema, at: path)
    }
  }

  typealias ElementReader = (JSONToken, inout JSONReader, JSONPath) throws -> EditValue

  /// The elements up to the bracket that closes them.
  private func list(
    from reader: inout JSONReader, at path: JSONPath, _ element: ElementReader
  ) throws -> [EditValue] {
    var elements: [EditValue] = []
    while true {
      let next = try reader.next()
      if next == .endArray { return elements }
      if elements.isEmpty { try Self.checkNesting(path, &reader) }
      elements.append(try element(next, &reader, .index(path, elements.count)))
    }
  }

  /// The entries up to the brace that closes them; `first` is the token behind the one that opens them.
  private func dictionary(
    _ first: JSONToken, from reader: inout JSONReader, at path: JSONPath, _ element: ElementReader
  ) throws -> [(key: ByteString, value: EditValue)] {
    if first == .key, reader.text.equals("$dict") {
      let place = DocumentPlace(path: path, location: reader.location())
      let opening = try reader.next()
      guard opening == .beginObject else {
        throw DocumentFault("a dictionary is an object, not \(Self.kindName(opening, reader))", at: place)
      }
      let entries = try self.entries(try reader.next(), from: &reader, at: path, element)
      try expectEnd(&reader, place)
      return entries
    }
    return try entries(first, from: &reader, at: path, element)
  }

  private func entries(
    _ first: JSONToken, from reader: inout JSONReader, at path: JSONPath, _ element: ElementReader
  ) throws -> [(key: ByteString, value: EditValue)] {
    if first == .key { try Self.checkNesting(path, &reader) }
    var entries: [(key: ByteString, value: EditValue)] = []
    var seen: Set<ByteString> = []
    var token = first
    while token == .key {
      let key = ByteString(copying: reader.text)
      guard seen.insert(key).inserted else { throw Self.repeated(&reader, path) }
      entries.append((key, try element(try reader.next(), &reader, .key(path, key.text))))
      token = try reader.next()
    }
    return entries
  }

  /// A single value of the property's type.
  func element(
    _ token: JSONToken, from reader: inout JSONReader, of property: Property, in schema: ClassSchema,
    at path: JSONPath
  ) throws -> EditValue {
    if property.type == .mixed { return try mixed(token, from: &reader, at: path) }
    if token == .null {
      let place = DocumentPlace(path: path, location: reader.location())
      guard property.allowsNull else { throw try noNull(property, schema, place) }
      return .single(.null)
    }
    if property.isLink { return try link(token, from: &reader, of: property, in: schema, at: path) }
    if property.type == .date, let dialect, token == .string || token == .integer || token == .number,
      let date = dialect.date(property.name, reader.text)
    {
      return .single(.date(date))
    }
    if let dialect, token == .integer || token == .number, property.type == .string,
      dialect.isText(schema, property)
    {
      return .single(.string(ByteString(copying: reader.text)))
    }
    if token == .string || token == .integer || token == .number,
      let value = spelled(reader.text, isQuoted: token == .string, as: property.type)
    {
      if let size = value.excessiveSize {
        throw Self.tooLarge(size, value, DocumentPlace(path: path, location: reader.location()))
      }
      return .single(value)
    }
    let place = DocumentPlace(path: path, location: reader.location())
    if token == .beginObject {
      let first = try reader.next()
      let kind = Self.kindName(opening: first, reader)
      let isPlainData = property.type == .data && dialect?.hasPlainData ?? false
      guard first == .key, let announced = Self.announcedType(reader.text),
        announced.fits(property.type) || Self.isExtended(announced, property.type)
          || announced == .string && isPlainData,
        var value = try typed(announced, from: &reader, as: property.type, place)
      else { throw try misfit(kind, property, schema, place) }
      if isPlainData, case .string(let bytes) = value { value = .data(bytes) }
      if let size = value.excessiveSize { throw Self.tooLarge(size, value, place) }
      return .single(value)
    }
    let kind = Self.kindName(token, reader)
    guard let value = try plain(token, from: &reader, property.type) else {
      throw try misfit(kind, property, schema, place)
    }
    return .single(value)
  }

  /// Values inside each other are read by functions inside each other, and must be readable afterwards.
  private static func checkNesting(_ path: JSONPath, _ reader: inout JSONReader) throws(DocumentFault) {
    guard path.levelCount > Nesting.levelsMax else { return }
    throw DocumentFault(
      "values are nested more than \(Nesting.levelsMax) levels deep",
      at: DocumentPlace(path: path, location: reader.location()))
  }

  // MARK: Single values

  private static func tooLarge(_ size: Int, _ value: Value, _ place: DocumentPlace) -> DocumentFault {
    let (kind, sizeMax) =
      if case .data = value { ("data", TextLimits.dataSizeMax) } else { ("a text", TextLimits.textSizeMax) }
    return DocumentFault(
      "a property holds \(kind) of at most \(sizeMax) bytes, not of \(size)", at: place, code: "constraint")
  }

  private func spelled(_ text: Span<UInt8>, isQuoted: Bool, as type: ValueType) -> Value? {
    guard isQuoted, type == .data, let dialect, dialect.hasPlainData else {
      return Value.spelled(text, isQuoted: isQuoted, as: type)
    }
    return .data(ByteString(copying: text))
  }

  /// A value of a source as other programs write it: pandas ints as doubles, SQLite truth as numbers.
  func foreign(_ token: JSONToken, _ reader: borrowing JSONReader, as type: ValueType) -> Value? {
    guard dialect != nil else { return nil }
    return switch (type, token) {
    case (.int, .number): Value.wholeNumber(reader.text)
    case (.bool, .integer) where (0...1).contains(reader.integer): .bool(reader.integer == 1)
    case (.bool, .string) where dialect?.hasPlainData ?? false: Value.truth(reader.text.string)
    default: nil
    }
  }

  /// A value in the form that its type alone explains; nil when the token cannot be one.
  private func plain(
    _ token: JSONToken, from reader: inout JSONReader, _ type: ValueType
  ) throws -> Value? {
    switch token {
    case .true, .false: return type == .bool ? .bool(token == .true) : nil
    case .integer, .number, .string:
      if let value = Value.spelled(reader.text, isQuoted: token == .string, as: type) { return value }
      return foreign(token, reader, as: type)
    case .beginArray where type == .date:
      var parts: [Int64] = []
      var next = try reader.next()
      while next == .integer {
        parts.append(reader.integer)
        next = try reader.next()
      }
      // Else the reader stands inside the array, and what comes would be taken for what stands behind it.
      return next == .endArray ? Value.date(parts: parts) : nil
    default: return nil
    }
  }

  /// The value behind the key that announces it, such as `$date`, with the brace that ends it; nil where it is none.
  func typed(
    _ announced: ValueType, from reader: inout JSONReader, as type: ValueType, _ place: DocumentPlace
  ) throws -> Value? {
    let token = try reader.next()
    let plainType = type == .mixed ? announced : type
    let value: Value?
    if announced == .string {
      value = token == .string ? Value.bytes(base64: reader.text).map(Value.string) : nil
    } else if token == .beginObject {
      value = try extended(announced, from: &reader, as: type)
    } else {
      value = try plain(token, from: &reader, plainType) ?? Self.quotedNumber(token, reader, plainType)
    }
    if value != nil { try expectEnd(&reader, place) }
    return value
  }

  /// Any value that JSON can spell; objects without a tag become dictionaries.
  private func mixed(_ token: JSONToken, from reader: inout JSONReader, at path: JSONPath) throws -> EditValue
  {
    let place = DocumentPlace(path: path, location: reader.location())
    switch token {
    case .null: return .single(.null)
    case .true, .false: return .single(.bool(token == .true))
    case .string:
      let value = Value.string(ByteString(copying: reader.text))
      if let size = value.excessiveSize { throw Self.tooLarge(size, value, place) }
      return .single(value)
    case .integer: return .single(.int(reader.integer))
    case .beginArray: return .list(try list(from: &reader, at: path, mixed))
    case .number:
      if isStrict, reader.text.isWholeNumber { break }
      if let value = Value.widest(reader.text) { return .single(value) }
    case .beginObject:
      let first = try reader.next()
      guard first == .key, reader.text.count > 0, reader.text[0] == UInt8(ascii: "$"),
        !reader.text.equals("$dict")
      else { return .dictionary(try dictionary(first, from: &reader, at: path, mixed)) }
      let kind = Self.kindName(opening: first, reader)
      if let type = Self.announcedType(reader.text) {
        if type == .object {
          return try objectLink(from: &reader, place).0
        }
        if let value = try typed(type, from: &reader, as: .mixed, place) { return .single(value) }
      }
      throw DocumentFault("\(kind) is not a value", at: place)
    default: break
    }
    throw DocumentFault("\(Self.kindName(token, reader)) is not a value", at: place)
  }
}

extension Value {
  /// The size of a text or of data that is larger than a realm can hold.
  fileprivate var excessiveSize: Int? {
    switch self {
    case .string(let text) where text.count > TextLimits.textSizeMax: text.count
    case .data(let data) where data.count > TextLimits.dataSizeMax: data.count
    default: nil
    }
  }
}

extension ClassSchema {
  /// What object keys are called where objects come with theirs; nil where a primary key names objects.
  package var keyColumn: String? {
    guard primaryKeyIndex == nil, kind == .object else { return nil }
    var name = ObjectReader.keyColumn
    while propertyIndex(named: name) != nil { name = "_" + name }
    return name
  }

  /// Whether that is the name of what an object of the class may come with.
  func takes(_ name: String) -> Bool {
    propertyIndex(named: name) != nil || isKeyColumn(name)
  }

  /// Whether that is a name of the key that an object may come with.
  func isKeyColumn(_ name: String) -> Bool {
    keyColumn.map { $0 == name || name == ObjectReader.shownKey && propertyIndex(named: name) == nil }
      ?? false
  }

  /// The property of that name; objects mostly have them in one order, so the expected one is looked at first.
  func propertyIndex(named name: Span<UInt8>, expected: Int) -> Int? {
    if expected < properties.count, name.equals(properties[expected].name) { return expected }
    return propertyIndex(named: name.string)
  }
}
