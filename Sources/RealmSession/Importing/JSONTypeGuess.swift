// What type the values of a key have, told from all objects of a source in JSON. Layer: RealmSession, Importing.
// The rules: what is a number in JSON is one, what stands in quotes is a date, a uuid, an object id or a text; arrays of one type
// are lists; objects, and what differs from object to object, are mixed.

import ByteText
import RealmEngine
import TextFormats

/// The types that all values of a key allow.
struct JSONTypeGuess {
  private var numbers = TypeGuess()
  private var texts = TypeGuess()
  private var elements: [JSONTypeGuess] = []
  private var kinds: Set<Kind> = []
  private var hasNull = false
  /// In how many objects the key stands.
  private var count = 0

  private enum Kind: Hashable { case bool, number, text, array, object }

  /// Reads the value whose first token is `token`.
  mutating func read(_ token: JSONToken, from reader: inout JSONReader, dates: DateForm)
    throws(TextFormatError)
  {
    count += 1
    switch token {
    case .null: hasNull = true
    case .true, .false: kinds.insert(.bool)
    case .integer, .number:
      kinds.insert(.number)
      numbers.add(reader.text, dates: .iso, isDateNamed: false)
      // A number of seconds is a date where the user says so.
      if dates != .iso { texts.add(reader.text, dates: dates, isDateNamed: true) }
    case .string:
      kinds.insert(.text)
      texts.add(reader.text, dates: dates, isDateNamed: dates != .iso)
    case .beginArray:
      kinds.insert(.array)
      if elements.isEmpty { elements = [JSONTypeGuess()] }
      while case let next = try reader.next(), next != .endArray {
        try elements[0].read(next, from: &reader, dates: dates)
      }
    default:
      kinds.insert(.object)
      try reader.skipRest(of: token)
    }
  }

  private var single: ValueType {
    switch kinds {
    case [.bool]: .bool
    case [.number]: numbers.type(isDateNamed: false)
    case [.text]: texts.typeOfText
    case []: .string
    default: .mixed
    }
  }

  /// The property, of a class of which so many objects were read.
  func definition(_ name: String, objectCount: Int) -> PropertyDefinition {
    if kinds == [.array], !hasNull, let element = elements.first {
      let type = element.single
      return PropertyDefinition(
        name, type, collection: .list, isOptional: element.hasNull || type == .mixed)
    }
    let type = single
    return PropertyDefinition(name, type, isOptional: hasNull || count < objectCount || type == .mixed)
  }
}

/// What the objects of a class have in a source.
struct JSONClassGuess {
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

  func definition(_ name: String, _ options: ImportOptions) throws -> PropertyDefinition {
    if let word = options.types.last(where: { ColumnName.isSame($0.column, name) })?.type {
      return try options.definition(name, typed: word)
    }
    var definition = (guesses[name] ?? JSONTypeGuess()).definition(name, objectCount: objectCount)
    if name == options.primaryKey { definition.type.isOptional = false }
    return definition
  }
}

extension TypeGuess {
  /// The type of what stands in quotes.
  var typeOfText: ValueType {
    let type = type(isDateNamed: true)
    return [.date, .uuid, .objectID].contains(type) ? type : .string
  }
}
