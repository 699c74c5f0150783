// The classes and properties that a source in JSON needs, told from all of it. Layer: RealmSession, Importing.

import RealmEngine
import TextFormats

/// Reads a source for what its objects have.
struct JSONSchemaGuess: ~Copyable {
  private var reader: JSONReader
  private let options: ImportOptions
  private var isLines: Bool
  /// In the order in which they come.
  private(set) var classes: [(name: String, guess: JSONClassGuess)] = []
  private var indexes: [String: Int] = [:]

  /// No realm has more tables.
  private static let classesMax = 65535

  init(_ input: consuming TextInput, isLines: Bool, _ options: ImportOptions) {
    reader = JSONReader(input, framing: isLines ? .lines : .values)
    self.isLines = isLines
    self.options = options
  }

  /// Another source is read next.
  mutating func goOn(_ input: consuming TextInput, isLines: Bool) {
    reader = JSONReader(input, framing: isLines ? .lines : .values)
    self.isLines = isLines
  }

  /// Reads everything. `className`: the class of objects that do not say theirs.
  mutating func read(className: String?) throws {
    var oneByOne = 0
    while true {
      if let className, oneByOne == 0 {
        oneByOne = try classes[classIndex(className)].guess.readPlain(from: &reader, options)
      }
      if classes.first?.guess.isForecast ?? false { return }
      oneByOne -= 1
      do {
        let token = try reader.next()
        if token == .end { return }
        try readValue(token, className)
      } catch let error as TextFormatError where isLines && options.keepsRejects && error.systemError == nil {
        // The line is refused when it is read for its object.
        try reader.skipLine()
      }
    }
  }

  /// Whether what was read as one object is what `export` writes: objects by class, those of `className` among them.
  func listsClasses(with className: String) -> Bool {
    !isLines && classes.count == 1 && classes[0].guess.listsObjects(under: className)
  }

  private mutating func readValue(_ token: JSONToken, _ className: String?) throws {
    switch token {
    case .beginArray:
      guard let className else { return try reader.skipRest(of: token) }
      try readElements(of: className)
    case .beginObject:
      let first = try reader.next()
      guard let className else { return try readClasses(first) }
      try read(first, of: className)
    default: return
    }
  }

  private mutating func readElements(of className: String) throws {
    while case let token = try reader.next(), token != .endArray {
      if token == .beginObject {
        try read(try reader.next(), of: className)
      } else {
        try reader.skipRest(of: token)
      }
    }
  }

  /// `{"Person":[…],"Dog":[…]}`, whose brace was passed.
  private mutating func readClasses(_ first: JSONToken) throws {
    var token = first
    while token == .key {
      let name = reader.text.string
      let value = try reader.next()
      if value == .beginArray {
        // One without objects is a class too.
        _ = try classIndex(name)
        try readElements(of: name)
      } else {
        try reader.skipRest(of: value)
      }
      token = try reader.next()
    }
  }

  private mutating func read(_ first: JSONToken, of className: String) throws {
    try classes[classIndex(className)].guess.read(first, from: &reader, options)
  }

  /// The place of a class, which it gets where it has none.
  private mutating func classIndex(_ className: String) throws -> Int {
    if let index = indexes[className] { return index }
    guard classes.count < Self.classesMax else {
      throw ImportFault(
        "a realm cannot hold more than \(Self.classesMax) tables, and each class is one",
        at: reader.location())
    }
    indexes[className] = classes.count
    classes.append((className, JSONClassGuess()))
    return classes.count - 1
  }
}
