// What type the values of a key have, told from all objects of a source in JSON. Layer: RealmSession, Importing.
// The rules: what is a number in JSON is one, what stands in quotes is a date, a uuid, an object id or a text; arrays of one type
// are lists; an object whose key announces a type is of that; other objects, and what differs from object to object, are mixed.

import ByteText
import RealmEngine
import TextFormats

/// The types that all values of a key allow.
struct JSONTypeGuess {
  private var numbers = TypeGuess()
  private var texts = TypeGuess()
  private var elements: [JSONTypeGuess] = []
  private var kinds: Kinds = []
  /// Of values that say their type themselves; mixed where these are several.
  private var announced: ValueType?
  private var hasNull = false
  /// In how many objects the key stands.
  private var count = 0

  private struct Kinds: OptionSet {
    let rawValue: UInt8

    static let bool = Kinds(rawValue: 1)
    static let number = Kinds(rawValue: 2)
    static let text = Kinds(rawValue: 4)
    static let array = Kinds(rawValue: 8)
    static let object = Kinds(rawValue: 16)
    /// A number that JSON spells as a text: beside numbers it is one.
    static let numberWord = Kinds(rawValue: 32)
    /// An object that announces a type.
    static let announced = Kinds(rawValue: 64)
  }

  /// Reads the value whose first token is `token`.
  mutating func read(_ token: JSONToken, from reader: inout JSONReader, dates: DateForm)
    throws(TextFormatError)
  {
    switch token {
    case .null: addNull()
    case .true, .false: addBool()
    case .integer, .number: add(number: reader.text, dates: dates)
    case .string: add(text: reader.text, dates: dates)
    case .beginArray:
      add(.array)
      if elements.isEmpty { elements = [JSONTypeGuess()] }
      while case let next = try reader.next(), next != .endArray {
        try elements[0].read(next, from: &reader, dates: dates)
      }
    default: try readObject(from: &reader)
    }
  }

  /// Reads an object whose brace was passed.
  private mutating func readObject(from reader: inout JSONReader) throws(TextFormatError) {
    var token = try reader.next()
    if token == .key, let type = ObjectReader.announcedType(reader.text), type != .object, type != .string {
      let value = try reader.next()
      if type == .int, value == .string || value == .integer {
        add(number: reader.text, dates: .iso)
      } else {
        add(.announced)
        add(announced: try ObjectReader.skip(value, of: type, in: &reader))
      }
      token = try reader.next()
    } else {
      add(.object)
    }
    while token == .key {
      try reader.skipRest(of: try reader.next())
      token = try reader.next()
    }
  }

  private mutating func add(announced type: ValueType) {
    announced = announced ?? type == type ? type : .mixed
  }

  @inline(__always)
  private mutating func add(_ kind: Kinds) {
    count += 1
    kinds.formUnion(kind)
  }

  mutating func addNull() {
    count += 1
    hasNull = true
  }

  mutating func addBool() { add(.bool) }

  @inline(__always)
  mutating func add(_ number: ShortNumber) {
    add(.number)
    numbers.add(number)
  }

  mutating func add(number text: Span<UInt8>, dates: DateForm) {
    add(.number)
    numbers.add(text, dates: .iso, isDateNamed: false)
    // A number of seconds is a date where the user says so.
    if dates != .iso { texts.add(text, dates: dates, isDateNamed: true) }
  }

  @inline(__always)
  mutating func add(text: Span<UInt8>, dates: DateForm) {
    if Self.isNumberWord(text) {
      add(.numberWord)
      numbers.add(text, dates: .iso, isDateNamed: false)
    } else {
      add(.text)
    }
    if !texts.isText { texts.add(text, dates: dates, isDateNamed: dates != .iso) }
  }

  @inline(__always)
  private static func isNumberWord(_ text: Span<UInt8>) -> Bool {
    guard text.count == 3 || text.count == 8 || text.count == 9 else { return false }
    return ["NaN", "Infinity", "-Infinity"].contains { text.equals($0) }
  }

  /// Notes the text behind a quote where it is written as most of its kind are. Gives where it ends.
  @inline(__always)
  mutating func addPlain(textIn bytes: Span<UInt8>, from start: Int) -> Int? {
    guard let end = texts.addPlain(in: bytes, from: start, before: UInt8(ascii: "\"")) else { return nil }
    add(.text)
    return end
  }

  /// Whether values that agree with the type that is told now leave it so.
  var isSettled: Bool {
    switch kinds {
    case [.bool]: true
    // Lines with decimals are read one by one, so that nothing is won.
    case [.number]: numbers.type(isDateNamed: false) != .decimal128
    case [.text]: texts.isSettledInQuotes
    default: false
    }
  }

  /// What its numbers or its texts allow, of a key with one kind of values.
  var guess: TypeGuess { kinds == [.number] ? numbers : texts }

  var isListOfObjects: Bool {
    kinds == [.array] && elements.allSatisfy { $0.kinds.isSubset(of: .object) && !$0.hasNull }
  }

  private var single: ValueType {
    switch kinds {
    case [.bool]: .bool
    case [.number], [.number, .numberWord]: numbers.type(isDateNamed: false)
    case [.text], [.numberWord], [.text, .numberWord]: texts.typeOfText
    case [.announced]: announced ?? .mixed
    // Only what has no other form announces its type there.
    case [.announced, .number] where announced == .double || announced == .decimal128: announced ?? .mixed
    case [.announced, .text] where announced == texts.typeOfText: texts.typeOfText
    case []: .string
    default: .mixed
    }
  }

  /// The property, of a class of which so many objects were read.
  func definition(_ name: String, objectCount: Int) -> PropertyDefinition {
    // For a list null is to have no elements, as it is to stand nowhere.
    if kinds == [.array], let element = elements.first {
      let type = element.single
      return PropertyDefinition(
        name, type, collection: .list, isOptional: element.hasNull || type == .mixed)
    }
    let type = single
    return PropertyDefinition(name, type, isOptional: hasNull || count < objectCount || type == .mixed)
  }
}

extension JSONTypeGuess: MergeableGuess {
  var continued: JSONTypeGuess {
    var guess = self
    guess.count = 0
    return guess
  }

  mutating func merge(_ other: JSONTypeGuess) {
    numbers.merge(other.numbers)
    texts.merge(other.texts)
    kinds.formUnion(other.kinds)
    if let type = other.announced { add(announced: type) }
    hasNull = hasNull || other.hasNull
    count += other.count
  }
}

/// What the objects of a class have in a source.
struct JSONClassGuess {
  /// Whether objects were left out because those before them foretell what they have.
  private(set) var isForecast = false
  private(set) var names: [String] = []
  private var guesses: [String: JSONTypeGuess] = [:]
  private var objectCount = 0

  /// Reads an object whose brace was passed; `first` is the token behind it.
  mutating func read(
    _ first: JSONToken, from reader: inout JSONReader, _ options: ImportOptions
  ) throws(TextFormatError) {
    objectCount += 1
    var token = first
    while token == .key {
      let name = reader.text.string
      if guesses[name] == nil { names.append(name) }
      var guess = guesses.removeValue(forKey: name) ?? JSONTypeGuess()
      try guess.read(try reader.next(), from: &reader, dates: options.dateForm(of: name))
      guesses[name] = guess
      token = try reader.next()
    }
  }

  /// Whether there was one object, all of whose values are arrays of objects, with one under this name.
  func listsObjects(under name: String) -> Bool {
    objectCount == 1 && guesses[name] != nil && guesses.values.allSatisfy(\.isListOfObjects)
  }

  /// The guess for a key.
  subscript(name: String) -> JSONTypeGuess? { guesses[name] }

  /// Whether an object, whose text this is, leaves the properties as they are.
  func agrees(with object: Span<UInt8>, _ options: ImportOptions) throws -> Bool {
    var other = self
    var reader = JSONReader(object)
    guard try reader.next() == .beginObject else { return false }
    try other.read(try reader.next(), from: &reader, options)
    return try other.definitions(options) == definitions(options)
  }

  private func definitions(_ options: ImportOptions) throws -> [PropertyDefinition] {
    try names.map { try definition($0, options) }
  }

  /// Reads lines that look like the next one, all of them or enough of them. Gives how many objects should be read one by one
  /// then.
  mutating func readPlain(from reader: inout JSONReader, _ options: ImportOptions) throws -> Int {
    guard try reader.beginLine() else { return .max }
    let line = try reader.linesAhead(inPiecesOf: 1, sizeMax: 1, piecesMax: 1)
    guard let first = line.pieces.first else { return .max }
    guard let form = PlainObjectSurvey(like: line.bytes.span.extracting(first), options) else {
      return BulkBlock.rowsMax
    }
    // What differs from object to object is foretold by none.
    let sampleRowCount =
      options.canForetell && (names.isEmpty || names == form.names) ? options.sampleRowCount : nil
    var survey = RowSurvey(form, rowsMax: sampleRowCount)
    var found = form.names.map { guesses[$0] ?? JSONTypeGuess() }
    var count = try survey.read(from: &reader, into: &found)
    while survey.hasSample, !isForecast {
      isForecast = found.allSatisfy(\.isSettled)
      if !isForecast {
        survey.goOn()
        count = try survey.read(from: &reader, into: &found)
      }
    }
    guard survey.rowCount > 0 else { return count }
    for (name, guess) in zip(form.names, found) {
      if guesses.updateValue(guess, forKey: name) == nil { names.append(name) }
    }
    objectCount += survey.rowCount
    return count
  }

  func definition(_ name: String, _ options: ImportOptions) throws -> PropertyDefinition {
    if let word = options.type(of: name) {
      return try options.definition(name, typed: word)
    }
    var definition = (guesses[name] ?? JSONTypeGuess()).definition(name, objectCount: objectCount)
    if options.namesDates(of: name) { definition.type.type = .date }
    return definition
  }
}

extension TypeGuess: ValueForecast {
  func agrees(withNumber text: Span<UInt8>) -> Bool { text.isPlainDouble || agrees(with: text) }

  func agrees(withQuoted text: Span<UInt8>) -> Bool {
    if isText { return true }
    var other = self
    other.add(text, dates: .iso, isDateNamed: false)
    return other.typeOfText == typeOfText
  }

  /// The type of what stands in quotes.
  var typeOfText: ValueType {
    let type = type(isDateNamed: true)
    return type == .date || type == .uuid || type == .objectID ? type : .string
  }

}
