// The form of what commands write for programs, and its JSON Schema. Layer: RealmCommands, Program.

import TextFormats

/// What a JSON value looks like.
indirect enum JSONShape: Sendable {
  case anything, text, integer, flag
  case word([String])
  case list(JSONShape)
  /// `isOpen`: other keys may follow.
  case object([JSONField], isOpen: Bool)
  case either([JSONShape])

  static func object(_ fields: JSONField...) -> JSONShape { .object(fields, isOpen: false) }
  static let row = JSONShape.object([], isOpen: true)

  var orNull: JSONShape { .either([self, .word([])]) }

  /// As JSON Schema says it.
  var schema: DocumentNode {
    switch self {
    case .anything: .mapping([])
    case .text: Self.type("string")
    case .integer: Self.type("integer")
    case .flag: Self.type("boolean")
    case .word(let words) where words.isEmpty: Self.type("null")
    case .word(let words): .mapping([DocumentEntry("enum", .sequence(words.map { .string($0) }))])
    case .list(let element): Self.type("array", [DocumentEntry("items", element.schema)])
    case .object(let fields, let isOpen):
      Self.type(
        "object",
        [
          DocumentEntry("properties", .mapping(fields.map { DocumentEntry($0.name, $0.shape.schema) })),
          DocumentEntry("required", .sequence(fields.filter(\.isRequired).map { .string($0.name) })),
          DocumentEntry("additionalProperties", .bool(isOpen)),
        ])
    case .either(let shapes): .mapping([DocumentEntry("anyOf", .sequence(shapes.map(\.schema)))])
    }
  }

  /// A schema that stands alone.
  var document: DocumentNode {
    guard case .mapping(let entries) = schema.content else { return schema }
    return .mapping(
      [DocumentEntry("$schema", .string("https://json-schema.org/draft/2020-12/schema"))] + entries)
  }

  private static func type(_ name: String, _ more: [DocumentEntry] = []) -> DocumentNode {
    .mapping([DocumentEntry("type", .string(name))] + more)
  }
}

/// A key of an object, and what stands behind it.
struct JSONField: Sendable {
  let name: String
  let shape: JSONShape
  let isRequired: Bool

  init(_ name: String, _ shape: JSONShape, isRequired: Bool = true) {
    self.name = name
    self.shape = shape
    self.isRequired = isRequired
  }

  static func text(_ name: String) -> JSONField { JSONField(name, .text) }
  static func integer(_ name: String) -> JSONField { JSONField(name, .integer) }
  static func flag(_ name: String) -> JSONField { JSONField(name, .flag) }
  static func texts(_ name: String) -> JSONField { JSONField(name, .list(.text)) }
  /// Where the original is now.
  static let backup = JSONField("backup", JSONShape.text.orNull)

  var optional: JSONField { JSONField(name, shape, isRequired: false) }
  var orNull: JSONField { JSONField(name, shape.orNull, isRequired: isRequired) }
}
