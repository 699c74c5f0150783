// A JSON Schema of what `export --format json` writes. Layer: RealmModels, Formats.

import ByteText
import RealmEngine
import TextFormats

extension SchemaDescription {
  /// An object with an array for each class.
  func jsonSchema(_ chosen: Set<String>?) -> ModelCode {
    let byName = classesByName
    let shown = classes.filter { $0.kind != .table && (chosen?.contains($0.name) ?? true) }
    let arrays = shown.filter { $0.kind != .embedded }.map { description in
      DocumentEntry(
        description.name,
        .fields(
          ("type", .string("array")), ("items", .fields(("$ref", .string(Self.reference(description.name))))))
      )
    }
    // Embedded objects stand in those that own them.
    var described = shown
    var names = Set(shown.map(\.name))
    var next = 0
    while next < described.count {
      for target in described[next].properties.compactMap(\.type.target) {
        guard let owned = byName[target], owned.kind == .embedded, names.insert(target).inserted else {
          continue
        }
        described.append(owned)
      }
      next += 1
    }
    let definitions = described.map { DocumentEntry($0.name, $0.jsonSchema(byName)) }
    var text = ByteBuffer()
    text.append(
      json: .fields(
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")), ("type", .string("object")),
        ("properties", .mapping(arrays)), ("$defs", .mapping(definitions))), indentation: 2)
    return ModelCode([.init("schema", ".json", [text.text])])
  }

  /// A JSON pointer inside a URI.
  fileprivate static func reference(_ name: String) -> String {
    var text = ByteBuffer()
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "~"): text.append(literal: "~0")
      case UInt8(ascii: "/"): text.append(literal: "~1")
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
        text.append(byte)
      default:
        text.append(UInt8(ascii: "%"))
        text.append(hexadecimal: byte)
      }
    }
    return "#/$defs/" + text.text
  }
}

extension ClassDefinition {
  fileprivate func jsonSchema(_ classes: [String: ClassDefinition]) -> DocumentNode {
    .fields(
      ("type", .string("object")),
      (
        "properties",
        .mapping(properties.map { DocumentEntry($0.name, $0.type.jsonSchema(classes)) })
      ), ("required", .sequence(properties.map { .string($0.name) })))
  }
}

extension PropertyType {
  fileprivate func jsonSchema(_ classes: [String: ClassDefinition]) -> DocumentNode {
    switch collection {
    case .list, .set: .fields(("type", .string("array")), ("items", element(classes)))
    case .dictionary: .fields(("type", .string("object")), ("additionalProperties", element(classes)))
    case nil: element(classes)
    }
  }

  private func element(_ classes: [String: ClassDefinition]) -> DocumentNode {
    if type == .mixed { return .bool(true) }
    let value = value(classes)
    return isOptional ? .fields(("anyOf", .sequence([value, .fields(("type", .string("null")))]))) : value
  }

  private static let textRules: [ValueType: (String, String)] = [
    .data: ("contentEncoding", "base64"), .uuid: ("format", "uuid"),
    .objectID: ("pattern", "^[0-9a-f]{24}$"),
  ]

  private func value(_ classes: [String: ClassDefinition]) -> DocumentNode {
    if type == .date {
      let number = DocumentNode.fields(("type", .string("integer")))
      let calendarForm = DocumentNode.fields(("type", .string("string")), ("format", .string("date-time")))
      // Seconds and nanoseconds since 1970, in years that have no calendar form.
      let pair = DocumentNode.fields(
        ("type", .string("array")), ("prefixItems", .sequence([number, number])), ("items", .bool(false)),
        ("minItems", .integer(2)))
      return .fields(("anyOf", .sequence([calendarForm, pair])))
    }
    if type.jsonForm == .quoted {
      let fields: [(String, String)?] = [("type", "string"), Self.textRules[type]]
      return .mapping(fields.compactMap { $0 }.map { DocumentEntry.text($0.0, $0.1) })
    }
    switch type {
    case .int: return .fields(("type", .string("integer")))
    case .bool: return .fields(("type", .string("boolean")))
    case .float, .double:
      let names = ["NaN", "Infinity", "-Infinity"].map(DocumentNode.string)
      return .fields(
        ("anyOf", .sequence([.fields(("type", .string("number"))), .fields(("enum", .sequence(names)))])))
    default: break
    }
    guard type == .object, let target, let description = classes[target] else { return .bool(true) }
    if description.kind == .embedded {
      return .fields(("$ref", .string(SchemaDescription.reference(target))))
    }
    let key = description.properties.first { $0.name == description.primaryKey }
    guard let key else { return .fields(("type", .string("integer"))) }
    let value = key.type.value(classes)
    guard key.type.isOptional else { return value }
    // An object whose primary key is null.
    let link = DocumentNode.fields(("type", .string("object")), ("required", .sequence([.string("$link")])))
    return .fields(("anyOf", .sequence([value, link])))
  }
}

extension DocumentNode {
  fileprivate static func fields(_ fields: (String, DocumentNode)...) -> DocumentNode {
    .mapping(fields.map { DocumentEntry($0.0, $0.1) })
  }
}
