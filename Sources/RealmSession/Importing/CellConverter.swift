// From the text of a cell to the value of a property. Layer: RealmSession, Importing.
// The rules: blanks around what is no text are passed over; words of numbers and truth have any case; an int may have a fraction
// of zeros, as programs write that keep all numbers as doubles; an empty cell is null for what is no text, in quotes too, but for
// data and primary keys that are texts.

import ByteText
import RealmEngine
import TextFormats

/// Reads the cells of one column. There may be very many columns, so what they have in common is kept once.
struct CellConverter {
  /// What the columns of one class have in common.
  final class Common {
    let schema: ClassSchema
    let transaction: WriteTransaction
    let options: ImportOptions
    fileprivate let reader: ObjectReader

    init(_ schema: ClassSchema, _ options: ImportOptions, _ transaction: WriteTransaction) {
      self.schema = schema
      self.options = options
      self.transaction = transaction
      reader = ObjectReader(transaction: transaction)
    }
  }

  private final class Target {
    let schema: ClassSchema

    init(_ schema: ClassSchema) { self.schema = schema }
  }

  private let common: Common
  let property: Property
  /// The class that links lead to, or that is embedded.
  private let target: Target?
  private let dateForm: DateForm
  private let listSeparator: [UInt8]?
  /// Whether a cell may be a text as it stands, blanks included.
  private let isTextual: Bool

  init(_ property: Property, of common: Common, column: String) throws {
    self.common = common
    self.property = property
    target = try property.target.map { key throws(EngineError) in
      Target(try common.transaction.schema(key))
    }
    dateForm = common.options.dateForm(of: column)
    listSeparator = common.options.listSeparator(of: column)
    isTextual = property.type == .mixed || target?.schema.primaryKey?.type == .string
  }

  private var schema: ClassSchema { common.schema }

  /// The type as schemas spell it.
  private var typeWord: String { (try? common.transaction.word(for: property)) ?? property.type.name }

  /// The value of a cell of the reader's present record.
  func value(of column: Int, in record: borrowing DelimitedReader) throws -> EditValue {
    do {
      if isNull(column, in: record) { return try null() }
      // Links that wait for their objects need their place later.
      return try value(record.field(column), at: property.isLink ? record.place(column) : .start)
    } catch let fault as DocumentFault {
      throw DocumentFault(
        fault.message, at: place(record.place(column)), hint: fault.hint, code: fault.code)
    }
  }

  /// How large its cells may be; nil where that shows only when they have been read.
  var limit: DelimitedReader.FieldLimit? {
    guard property.collection == nil else { return nil }
    switch property.type {
    case .string: return .ofTexts("\(schema.name).\(property.name)")
    case .data:
      return DelimitedReader.FieldLimit(
        sizeMax: JSONReader.spelledSizeMax,
        refusal: "\(schema.name).\(property.name) holds at most \(TextLimits.dataSizeMax) bytes")
    default: return nil
    }
  }

  func isNull(_ column: Int, in record: borrowing DelimitedReader) -> Bool {
    record.isNull(column)
      || !common.options.nulls.isEmpty && common.options.nulls.contains(record.field(column))
  }

  /// The value of a cell that is null.
  private func null(at location: TextLocation = .start) throws -> EditValue {
    if let value = property.valueOfNull { return value }
    var fault = try common.reader.noNull(property, schema, place(location))
    if property.type == .string { fault.hint = "an empty text is written \"\"" }
    throw fault
  }

  /// The value of a cell; links keep `location`.
  private func value(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    if property.collection != nil { return try collection(text, at: location) }
    if property.type == .string { return .single(.string(ByteString(copying: text))) }
    if isTextual { return try element(text, at: location) }
    let text = text.trimmingBlanks
    if text.isEmpty, property.type != .data { return try null(at: location) }
    return try element(text, at: location)
  }

  private func place(_ location: TextLocation) -> DocumentPlace {
    DocumentPlace(path: .key(.root, property.name), location: location)
  }

  private func misfit(_ text: Span<UInt8>, _ location: TextLocation) -> DocumentFault {
    let shown = String(text.string.prefix(Self.shownCharactersMax))
    let wanted = property.type == .date ? " as \(dateForm.example)" : ""
    return DocumentFault(
      "\(schema.name).\(property.name) is \(typeWord)\(wanted), not \"\(shown)\"", at: place(location),
      hint: property.type == .decimal128 && Decimal128(text: text) != nil
        ? "a decimal128 holds at most 34 digits; a string holds all of them"
        : property.type == .date && property.collection == nil
          ? "--dates '\(property.name)=%d/%m/%Y' names another format" : nil)
  }

  private static let shownCharactersMax = 60

  // MARK: Single values

  private func element(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    switch property.type {
    case .object: return try link(text, at: location)
    case .mixed: return try mixed(text, at: location)
    case .string: return .single(.string(ByteString(copying: text)))
    default:
      guard let value = Self.value(text, as: property.type, dateForm) else { throw misfit(text, location) }
      return .single(value)
    }
  }

  /// The value of a type that is neither text, mixed nor a link; nil where the text spells none.
  static func value(_ text: Span<UInt8>, as type: ValueType, _ dateForm: DateForm) -> Value? {
    switch type {
    case .int: return Int64(decimalText: text).map(Value.int) ?? Value.wholeNumber(text)
    case .bool: return bool(text).map(Value.bool)
    case .double:
      return (Double(decimalText: text) ?? numberWord(text)).map(Value.double)
    case .float:
      return (Float(decimalText: text) ?? numberWord(text).map { Float($0) }).map(Value.float)
    case .date: return dateForm.date(text).map(Value.date) ?? distantDate(text)
    default: return Value.spelled(text, isQuoted: true, as: type)
    }
  }

  /// `[seconds,nanoseconds]`, as dates outside the calendar are exported.
  private static func distantDate(_ text: Span<UInt8>) -> Value? {
    guard text.count > 2, text[0] == UInt8(ascii: "["), text[text.count - 1] == UInt8(ascii: "]") else {
      return nil
    }
    let parts = text.extracting(1..<text.count - 1)
    guard let comma = parts.firstIndex(of: UInt8(ascii: ","), from: 0),
      let seconds = Int64(decimalText: parts.extracting(0..<comma)),
      let nanoseconds = Int64(decimalText: parts.extracting(comma + 1..<parts.count))
    else { return nil }
    return Value.date(parts: [seconds, nanoseconds])
  }

  static func bool(_ text: Span<UInt8>) -> Bool? {
    guard text.count <= 5 else { return nil }
    if text.count == 1, text[0] == UInt8(ascii: "1") || text[0] == UInt8(ascii: "0") {
      return text[0] == UInt8(ascii: "1")
    }
    // One bit tells small letters from large ones.
    var word: UInt64 = 0
    for index in text.indices { word = word << 8 | UInt64(text[index] | 0x20) }
    return switch word {
    // true, t, yes, y
    case 0x7472_7565, 0x74, 0x79_6573, 0x79: true
    // false, f, no, n
    case 0x66_616C_7365, 0x66, 0x6E6F, 0x6E: false
    default: nil
    }
  }

  /// The numbers that have no digits.
  static func numberWord(_ text: Span<UInt8>) -> Double? {
    guard text.count <= 9 else { return nil }
    switch text.string.lowercased() {
    case "nan": return .nan
    case "inf", "infinity", "+inf", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }

  // MARK: What leads elsewhere

  private func link(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    guard let target = target?.schema else { throw misfit(text, location) }
    let isText = target.primaryKey?.type == .string
    if target.kind == .embedded || text.count > 0 && text[0] == UInt8(ascii: "{") {
      // A text may only look like it.
      guard isText else { return try json(text, at: location) }
      if let value = try? json(text, at: location) { return value }
    }
    let place = place(location)
    guard let primaryKey = target.primaryKey else {
      guard let key = Int64(decimalText: text) else { throw misfit(text, location) }
      return .objectKey(ObjectLink(table: target.tableKey, key: ObjectKey(key)), in: target, place)
    }
    let key =
      primaryKey.type == .string
      ? .string(ByteString(copying: text)) : Self.value(text, as: primaryKey.type, dateForm)
    guard let key else {
      throw DocumentFault(
        "\(schema.name).\(property.name) is the primary key of \(target.name), \(primaryKey.type.name), not \"\(text.string.prefix(Self.shownCharactersMax))\"",
        at: place)
    }
    return .primaryKey(key, in: target, place)
  }

  /// Truth and numbers where they would be written with the same letters, and JSON; else a text.
  private func mixed(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    let word = text.trimmingBlanks
    if word.isEmpty { return .single(.string(ByteString(copying: text))) }
    if word[0] == UInt8(ascii: "{") || word[0] == UInt8(ascii: "[") {
      // What only looks like it is a text.
      if let value = try? json(word, at: location) { return value }
    }
    if word.equals("true") || word.equals("false") { return .single(.bool(word.equals("true"))) }
    if let number = Int64(decimalText: word), word.equals("\(number)") { return .single(.int(number)) }
    if let number = Double(decimalText: word) {
      var written = ByteBuffer(capacity: 32)
      written.append(shortest: number)
      if word.equals(written.text) { return .single(.double(number)) }
    }
    return .single(.string(ByteString(copying: text)))
  }

  private func collection(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    guard let listSeparator, property.collection != .dictionary else {
      let text = text.trimmingBlanks
      if text.isEmpty { return try null(at: location) }
      let opening = property.collection == .dictionary ? UInt8(ascii: "{") : UInt8(ascii: "[")
      guard text[0] == opening || text[0] == UInt8(ascii: "{") else {
        var fault = misfit(text, location)
        fault.hint =
          property.collection == .dictionary
          ? "write a dictionary as a JSON object"
          : "write a JSON array, or name the separator: --lists '\(property.name)=;'"
        throw fault
      }
      return try json(text, at: location)
    }
    var elements: [EditValue] = []
    var start = 0
    var index = 0
    while text.count > 0, index <= text.count {
      let isEnd = index == text.count
      guard isEnd || text.hasBytes(listSeparator.span, at: index) else {
        index += 1
        continue
      }
      let part = text.extracting(start..<index)
      elements.append(
        try element(property.type == .string ? part : part.trimmingBlanks, orMisfit: text, at: location))
      index += max(1, isEnd ? 1 : listSeparator.count)
      start = index
    }
    return property.collection == .set ? .set(elements) : .list(elements)
  }

  private func element(
    _ part: Span<UInt8>, orMisfit text: Span<UInt8>, at location: TextLocation
  ) throws -> EditValue {
    guard !part.isEmpty || property.type == .string else {
      guard property.allowsNull else { throw misfit(text, location) }
      return .single(.null)
    }
    return try element(part, at: location)
  }

  private func json(_ text: Span<UInt8>, at location: TextLocation) throws -> EditValue {
    var json = JSONReader(text)
    do {
      let value = try common.reader.value(
        try json.next(), from: &json, of: property, in: schema, at: .key(.root, property.name))
      guard try json.next() == .end else { throw misfit(text, location) }
      return property.isLink ? value.relocated(to: location) : value
    } catch let fault as DocumentFault {
      throw DocumentFault(
        fault.words, at: place(location), hint: fault.hint,
        code: fault.code)
    } catch let error as TextFormatError {
      throw DocumentFault(
        "\(schema.name).\(property.name) is \(typeWord), as JSON: \(error.message)", at: place(location),
        hint: error.hint)
    }
  }
}

extension DelimitedReader.FieldLimit {
  /// That of a text in a property.
  static func ofTexts(_ name: String) -> Self {
    Self(sizeMax: TextLimits.textSizeMax, refusal: "\(name) holds at most \(TextLimits.textSizeMax) bytes")
  }
}

extension JSONReader {
  /// The most bytes that any value has as it is spelled: those of data in base64, and blanks around it.
  static let spelledSizeMax = (TextLimits.dataSizeMax + 2) / 3 * 4 + 4096
}

extension Span<UInt8> {
  /// The text without blanks and tabs around it.
  var trimmingBlanks: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = 0
      var end = count
      while start < end, self[start] == UInt8(ascii: " ") || self[start] == UInt8(ascii: "\t") { start += 1 }
      while end > start, self[end - 1] == UInt8(ascii: " ") || self[end - 1] == UInt8(ascii: "\t") {
        end -= 1
      }
      return extracting(start..<end)
    }
  }
}
