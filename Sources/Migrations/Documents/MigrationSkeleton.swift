// The text of a new migration file. Layer: Migrations, Documents.
// Invariant: nothing is guessed. What a difference of schemas does not say for sure stands in comments.

import ByteText
import RealmEngine
import TextFormats

package enum MigrationSkeleton {
  /// A file to fill in; with `changes` also the operations that make them.
  package static func text(from: Int64, to: Int64, name: String, changes: [SchemaChange]?) -> String {
    var text = """
      realm_migration: 1
      from: \(from)
      to: \(to)
      name: \(DocumentNode.string(name).yamlLine)
      up:

      """
    guard let changes else {
      return text + """
          # one operation a line, such as:
          # - add_property: { class: Person, name: nick, type: "string?" }
          []

        """
    }
    if changes.isEmpty { return text + "  []\n" }
    for line in suggestions(changes) { text += "  # \(line)\n" }
    for change in changes { for line in lines(change) { text += "  \(line)\n" } }
    return text
  }

  /// Pairs that may be renames.
  private static func suggestions(_ changes: [SchemaChange]) -> [String] {
    var lines: [String] = []
    for case .propertyRemoved(let className, let old) in changes {
      for case .propertyAdded(className, let new) in changes where new.type == old.type {
        lines.append(
          "maybe instead: "
            + line(
              "rename_property", ("class", .string(className)), ("from", .string(old.name)),
              ("to", .string(new.name))))
      }
    }
    for case .classRemoved(let old) in changes {
      for case .classAdded(let new) in changes
      where Set(new.properties.map(\.name)) == Set(old.properties.map(\.name)) {
        lines.append(
          "maybe instead: " + line("rename_class", ("from", .string(old.name)), ("to", .string(new.name))))
      }
    }
    return lines
  }

  /// The operations that make a change.
  private static func lines(_ change: SchemaChange) -> [String] {
    switch change {
    case .classAdded(let new):
      var fields: [(String, DocumentNode)] = [("name", .string(new.name))]
      if new.kind != .object { fields.append(("kind", .string(new.kind.name))) }
      if let primaryKey = new.primaryKey { fields.append(("primary_key", .string(primaryKey))) }
      let properties = new.properties.map { property in
        DocumentEntry(property.name, property.document(isPrimaryKey: property.name == new.primaryKey))
      }
      return [line("add_class", fields + [("properties", .mapping(properties, isFlow: true))])]
    case .classRemoved(let old): return [line("drop_class", ("class", .string(old.name)))]
    case .kindChanged(let name, _, let to):
      return to == .embedded
        ? [
          line(
            "make_embedded", ("class", .string(name)), ("orphans", .string("fail")),
            ("shared", .string("fail")))
        ]
        : [line("make_object", ("class", .string(name)))]
    case .primaryKeyChanged(let name, _, let to):
      let key = to.map { DocumentNode.string($0) } ?? .null
      return [
        line("change_primary_key", ("class", .string(name)), ("to", key), ("duplicates", .string("fail")))
      ]
    case .propertyAdded(let name, let property): return [addition(of: property, to: name)]
    case .propertyRemoved(let name, let property):
      return [line("drop_property", ("class", .string(name)), ("name", .string(property.name)))]
    case .typeChanged(let name, let property, let from, let to):
      return [line(conversion(of: property, in: name, from: from, to: to))]
    case .indexChanged(let name, let property, _, let to):
      let place: [(String, DocumentNode)] = [("class", .string(name)), ("property", .string(property))]
      guard to != .none else { return [line("drop_index", place)] }
      return [line("add_index", place + [("kind", .string(to == .fullText ? "fulltext" : "general"))])]
    }
  }

  private static func addition(of property: PropertyDescription, to className: String) -> String {
    var fields: [(String, DocumentNode)] = [
      ("class", .string(className)), ("name", .string(property.name)), ("type", property.type.document),
    ]
    if property.index != .none {
      fields.append(("indexed", property.index == .fullText ? .string("fulltext") : .bool(true)))
    }
    let isFree =
      property.type.isOptional || property.type.collection != nil || property.type.type == .mixed
    if !isFree { fields.append(("value", .string("fail('what do existing objects get?')"))) }
    return line("add_property", fields)
  }

  private static func conversion(
    of property: String, in className: String, from: PropertyType, to: PropertyType
  ) -> (String, [(String, DocumentNode)]) {
    let place: [(String, DocumentNode)] = [("class", .string(className)), ("property", .string(property))]
    let isOptionality =
      from.type == to.type && from.collection == to.collection && from.target == to.target
    if isOptionality, to.isOptional { return ("make_optional", place) }
    if isOptionality { return ("make_required", place + [("nulls", .string("fail"))]) }
    return ("change_type", place + [("to", to.document), ("value", .string(conversion(to)))])
  }

  private static func line(_ word: String, _ fields: (String, DocumentNode)...) -> String {
    line(word, fields)
  }

  private static func line(_ operation: (word: String, fields: [(String, DocumentNode)])) -> String {
    line(operation.word, operation.fields)
  }

  /// `- word: { … }`: names are the document's business, so that none can end its text.
  private static func line(_ word: String, _ fields: [(String, DocumentNode)]) -> String {
    "- \(word): \(DocumentNode.mapping(fields.map { DocumentEntry($0.0, $0.1) }, isFlow: true).yamlLine)"
  }

  private static func conversion(_ type: PropertyType) -> String {
    switch type.type {
    case .int, .string, .bool, .double, .date, .uuid: "\(type.type.name)(old)"
    case .decimal128: "decimal(old)"
    case .objectID: "objectId(old)"
    default: "old"
    }
  }
}

extension DocumentNode {
  /// A scalar or a flow as YAML, without a line end.
  fileprivate var yamlLine: String {
    var text = ByteBuffer()
    text.append(yaml: self)
    text.truncate(to: text.count - 1)
    return text.text
  }
}
