// The form of what commands and the API write for programs, and its JSON Schema. Layer: Rendering, JSON.

package import TextFormats

/// What a JSON value looks like.
package indirect enum JSONShape: Sendable {
  case anything, text, integer, flag
  case word([String])
  case list(JSONShape)
  /// `isOpen`: other keys may follow.
  case object([JSONField], isOpen: Bool)
  case either([JSONShape])

  package static func object(_ fields: JSONField...) -> JSONShape { .object(fields, isOpen: false) }
  /// With other keys as well.
  package static func open(_ fields: JSONField...) -> JSONShape { .object(fields, isOpen: true) }
  package static let row = JSONShape.object([], isOpen: true)

  package var orNull: JSONShape { .either([self, .word([])]) }

  /// As JSON Schema says it.
  package var schema: DocumentNode {
    switch self {
    case .anything: .mapping([])
    case .text: Self.type("string")
    case .integer: Self.type("integer")
    case .flag: Self.type("boolean")
    case .word(let words) where words.isEmpty: Self.type("null")
    case .word(let words): .mapping([.list("enum", words.map { .string($0) })])
    case .list(let element): Self.type("array", [DocumentEntry("items", element.schema)])
    case .object(let fields, let isOpen):
      Self.type(
        "object",
        [
          .object("properties", fields.map { DocumentEntry($0.name, $0.shape.schema) }),
          .list("required", fields.filter(\.isRequired).map { .string($0.name) }),
          .flag("additionalProperties", isOpen),
        ])
    case .either(let shapes): .mapping([.list("anyOf", shapes.map(\.schema))])
    }
  }

  /// A schema that stands alone.
  package var document: DocumentNode {
    guard case .mapping(let entries) = schema.content else { return schema }
    return .mapping(
      [.text("$schema", "https://json-schema.org/draft/2020-12/schema")] + entries)
  }

  private static func type(_ name: String, _ more: [DocumentEntry] = []) -> DocumentNode {
    .mapping([.text("type", name)] + more)
  }
}

/// A key of an object, and what stands behind it.
package struct JSONField: Sendable {
  package let name: String
  package let shape: JSONShape
  package let isRequired: Bool

  package init(_ name: String, _ shape: JSONShape, isRequired: Bool = true) {
    self.name = name
    self.shape = shape
    self.isRequired = isRequired
  }

  package static func text(_ name: String) -> JSONField { JSONField(name, .text) }
  package static func integer(_ name: String) -> JSONField { JSONField(name, .integer) }
  package static func flag(_ name: String) -> JSONField { JSONField(name, .flag) }
  package static func texts(_ name: String) -> JSONField { JSONField(name, .list(.text)) }
  /// Where the original is now.
  package static let backup = JSONField("backup", JSONShape.text.orNull)

  package var optional: JSONField { JSONField(name, shape, isRequired: false) }
  package var orNull: JSONField { JSONField(name, shape.orNull, isRequired: isRequired) }
}
