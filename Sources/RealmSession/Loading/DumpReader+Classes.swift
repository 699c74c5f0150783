// The lines of a dump that describe classes. Layer: RealmSession, Loading.
// Invariant: what is wrong with a class is told with the line that describes it.

import RealmEngine
import TextFormats

extension DumpReader {
  mutating func readClass() throws {
    let location = reader.location()
    let name = try readText("a class's name")
    var described = ClassLine(definition: ClassDefinition(name, properties: []), location: location)
    var token = try reader.next()
    while token == .key {
      if reader.text.equals("kind") {
        described.definition.kind = try readKind(name)
      } else if reader.text.equals("primary_key") {
        token = try reader.next()
        guard token == .null || token == .string else {
          throw TextFormatError("a primary key is a name or null", at: reader.location())
        }
        described.definition.primaryKey = token == .null ? nil : reader.text.string
      } else if reader.text.equals("properties") {
        described.definition.properties = try readProperties(of: name)
      } else if reader.text.equals("count") {
        try expect(.integer, "how many objects \(name) has")
        described.count = reader.integer
      } else {
        throw unknownField("a class")
      }
      token = try reader.next()
    }
    guard token == .endObject else {
      throw TextFormatError("expected a field of the class \(name)", at: reader.location())
    }
    classes.append(described)
  }

  private mutating func readText(_ what: String) throws -> String {
    try expect(.string, what)
    return reader.text.string
  }

  private mutating func readKind(_ name: String) throws -> ClassSchema.Kind {
    let word = try readText("the kind of \(name)")
    switch word {
    case "object": return .object
    case "embedded": return .embedded
    case "asymmetric": return .asymmetric
    case "table":
      throw TextFormatError(
        "\(name) is a table that is not a class; it cannot be loaded", at: reader.location(),
        hint: "dump without --all-tables")
    default: throw TextFormatError("there is no kind of class '\(word)'", at: reader.location())
    }
  }

  private mutating func readProperties(of name: String) throws -> [PropertyDefinition] {
    try expect(.beginArray, "the properties of \(name)")
    var properties: [PropertyDefinition] = []
    while true {
      let token = try reader.next()
      if token == .endArray { return properties }
      guard token == .beginObject else {
        throw TextFormatError("a property of \(name) is an object", at: reader.location())
      }
      properties.append(try readProperty(name))
    }
  }

  private mutating func readProperty(_ className: String) throws -> PropertyDefinition {
    var property = PropertyDefinition("", .int)
    var token = try reader.next()
    while token == .key {
      let key = reader.text.string
      switch key {
      case "name": property.name = try readText("a property's name")
      case "type":
        let word = try readText("a type")
        guard let type = ValueType.allCases.first(where: { $0.name == word }) else {
          throw TextFormatError("there is no type '\(word)'", at: reader.location())
        }
        property.type.type = type
      case "collection":
        let word = try readText("a kind of collection")
        guard let kind = [CollectionKind.list, .set, .dictionary].first(where: { $0.name == word }) else {
          throw TextFormatError("there is no collection '\(word)'", at: reader.location())
        }
        property.type.collection = kind
      case "optional": property.type.isOptional = try readFlag(key)
      case "indexed":
        let value = try reader.next()
        if value == .string, reader.text.equals("fulltext") {
          property.index = .fullText
        } else {
          guard value == .true || value == .false else {
            throw TextFormatError("indexed is true, false or \"fulltext\"", at: reader.location())
          }
          property.index = value == .true ? .general : .none
        }
      case "target": property.type.target = try readText("a class's name")
      default: throw unknownField("a property of \(className)")
      }
      token = try reader.next()
    }
    return property
  }

  private mutating func readFlag(_ name: String) throws -> Bool {
    let value = try reader.next()
    guard value == .true || value == .false else {
      throw TextFormatError("\(name) is true or false", at: reader.location())
    }
    return value == .true
  }

  /// Throws what is wrong with the classes, each for itself and among the others.
  func checkClasses() throws {
    var names: Set<ByteString> = []
    for described in classes {
      let name = described.definition.name
      guard names.insert(ByteString(name)).inserted else {
        throw TextFormatError("the class \(name) is described twice", at: described.location)
      }
    }
    for described in classes {
      do throws(EngineError) {
        try transaction.checkClass(described.definition, among: names)
      } catch {
        throw TextFormatError(error.message, at: described.location, hint: error.hint)
      }
    }
  }
}
