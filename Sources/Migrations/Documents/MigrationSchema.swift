// The JSON Schema of migration files, for editors, made from the table of operations. Layer: Migrations, Documents.

import RealmSession
package import TextFormats

package enum MigrationSchema {
  /// The document.
  package static var document: DocumentNode {
    object([
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("realm-cli migration")), ("type", .string("object")),
      ("required", list(["realm_migration", "from", "to"])), ("additionalProperties", .bool(false)),
      (
        "properties",
        object([
          ("realm_migration", object([("const", .integer(1))])), ("from", integer), ("to", integer),
          ("name", string("what it does, in a few words")),
          (
            "before",
            closed([
              ("schema", string("the fingerprint that the schema must have")),
              ("let", names(string("an expression, computed before"))), ("assert", assertions),
            ])
          ),
          (
            "up", object([("type", .string("array")), ("items", object([("oneOf", .sequence(operations))]))])
          ),
          ("schema", .mapping([])),
          ("removed", object([("type", .string("array")), ("items", string(nil))])),
          ("after", closed([("assert", assertions)])),
        ])
      ),
    ])
  }

  private static var operations: [DocumentNode] {
    OperationEntry.specs.map { spec in
      object([
        ("type", .string("object")), ("description", .string(spec.summary)), ("required", list([spec.word])),
        ("additionalProperties", .bool(false)),
        (
          "properties",
          object([(spec.word, content(of: spec))])
        ),
      ])
    }
  }

  private static func content(of spec: OperationSpec) -> DocumentNode {
    if spec.takesAnyName { return names(string("an expression")) }
    guard let lone = spec.fields.first(where: { $0.name == spec.loneField }) else {
      return fields(spec.fields)
    }
    return object([("oneOf", .sequence([schema(lone), fields(spec.fields)]))])
  }

  private static func fields(_ specs: [FieldSpec]) -> DocumentNode {
    var entries: [(String, DocumentNode)] = [
      ("type", .string("object")), ("additionalProperties", .bool(false)),
      ("properties", object(specs.map { ($0.name, schema($0)) })),
    ]
    let required = specs.filter(\.isRequired).map(\.name)
    if !required.isEmpty { entries.append(("required", list(required))) }
    return object(entries)
  }

  private static func schema(_ spec: FieldSpec) -> DocumentNode {
    let description = ("description", DocumentNode.string(spec.summary))
    switch spec.kind {
    case .className, .propertyName, .text, .type, .expression, .predicate: return string(spec.summary)
    case .names:
      return object([("type", list(["string", "array"])), ("items", string(nil)), description])
    case .flag: return object([("type", .string("boolean")), description])
    case .count: return object([("type", .string("integer")), ("minimum", .integer(0)), description])
    case .oneOf(let words): return object([("enum", list(words)), description])
    case .flagOr(let words):
      return object([
        ("oneOf", .sequence([object([("type", .string("boolean"))]), object([("enum", list(words))])])),
        description,
      ])
    case .policy(let words, let specs):
      let alternatives = (words.isEmpty ? [] : [object([("enum", list(words))])]) + [fields(specs)]
      return object([("oneOf", .sequence(alternatives)), description])
    case .properties, .assignments, .classes: return object([("type", .string("object")), description])
    case .value: return object([("type", list(["string", "object", "array"])), description])
    case .objects:
      return object([
        ("type", .string("array")), ("items", object([("type", .string("object"))])), description,
      ])
    case .words(let words):
      return object([
        ("type", .string("object")), ("additionalProperties", object([("enum", list(words))])), description,
      ])
    case .nameOrNull: return object([("type", list(["string", "null"])), description])
    }
  }

  private static var integer: DocumentNode {
    object([("type", .string("integer")), ("minimum", .integer(0))])
  }

  private static func string(_ description: String?) -> DocumentNode {
    object(
      [("type", .string("string"))] + (description.map { [("description", .string($0))] } ?? []))
  }

  private static var assertions: DocumentNode {
    let count = closed([
      ("class", string(nil)), ("where", string(nil)), ("min", integer), ("max", integer), ("count", integer),
      ("message", string(nil)),
    ])
    return object([
      ("type", .string("array")),
      ("items", object([("oneOf", .sequence([string("an expression that is true"), count]))])),
    ])
  }

  private static func names(_ value: DocumentNode) -> DocumentNode {
    object([("type", .string("object")), ("additionalProperties", value)])
  }

  private static func closed(_ properties: [(String, DocumentNode)]) -> DocumentNode {
    object([
      ("type", .string("object")), ("additionalProperties", .bool(false)), ("properties", object(properties)),
    ])
  }

  private static func object(_ entries: [(String, DocumentNode)]) -> DocumentNode {
    .mapping(entries.map { DocumentEntry($0.0, $0.1) })
  }

  private static func list(_ words: [String]) -> DocumentNode { .sequence(words.map { .string($0) }) }
}
