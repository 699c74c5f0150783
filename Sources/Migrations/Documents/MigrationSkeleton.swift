// The text of a new migration file. Layer: Migrations, Documents.
// Invariant: nothing is guessed. What a difference of schemas does not say for sure stands in comments.

import ByteText
import RealmEngine

package enum MigrationSkeleton {
  /// A file to fill in; with `changes` also the operations that make them.
  package static func text(from: Int64, to: Int64, name: String, changes: [SchemaChange]?) -> String {
    var text = """
      realm_migration: 1
      from: \(from)
      to: \(to)
      name: \(name)
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
          "maybe instead: - rename_property: { class: \(className), from: \(old.name), to: \(new.name) }")
      }
    }
    for case .classRemoved(let old) in changes {
      for case .classAdded(let new) in changes
      where Set(new.properties.map(\.name)) == Set(old.properties.map(\.name)) {
        lines.append("maybe instead: - rename_class: { from: \(old.name), to: \(new.name) }")
      }
    }
    return lines
  }

  private static func lines(_ change: SchemaChange) -> [String] {
    switch change {
    case .classAdded(let new):
      var head = "- add_class: { name: \(new.name)"
      if new.kind != .object { head += ", kind: \(new.kind.name)" }
      if let primaryKey = new.primaryKey { head += ", primary_key: \(primaryKey)" }
      let properties = new.properties.map { property in
        let isKey = property.name == new.primaryKey
        return
          "\(property.name): \(isKey || property.index == .none ? "\"\(property.type.word)\"" : "{ type: \"\(property.type.word)\", indexed: \(word(property.index)) }")"
      }
      return [head + ", properties: { \(properties.joined(separator: ", ")) } }"]
    case .classRemoved(let old): return ["- drop_class: { class: \(old.name) }"]
    case .kindChanged(let name, _, let to):
      return to == .embedded
        ? ["- make_embedded: { class: \(name), orphans: fail, shared: fail }"]
        : ["- make_object: { class: \(name) }"]
    case .primaryKeyChanged(let name, _, let to):
      return ["- change_primary_key: { class: \(name), to: \(to ?? "null"), duplicates: fail }"]
    case .propertyAdded(let name, let property):
      let index = property.index == .none ? "" : ", indexed: \(word(property.index))"
      let isFree =
        property.type.isOptional || property.type.collection != nil || property.type.type == .mixed
      let value = isFree ? "" : ", value: \"fail('what do existing objects get?')\""
      return [
        "- add_property: { class: \(name), name: \(property.name), type: \"\(property.type.word)\"\(index)\(value) }"
      ]
    case .propertyRemoved(let name, let property):
      return ["- drop_property: { class: \(name), name: \(property.name) }"]
    case .typeChanged(let name, let property, let from, let to):
      let isOptionality =
        from.type == to.type && from.collection == to.collection && from.target == to.target
      if isOptionality, to.isOptional {
        return ["- make_optional: { class: \(name), property: \(property) }"]
      }
      if isOptionality { return ["- make_required: { class: \(name), property: \(property), nulls: fail }"] }
      return [
        "- change_type: { class: \(name), property: \(property), to: \"\(to.word)\", value: \"\(conversion(to))\" }"
      ]
    case .indexChanged(let name, let property, _, let to):
      return to == .none
        ? ["- drop_index: { class: \(name), property: \(property) }"]
        : [
          "- add_index: { class: \(name), property: \(property), kind: \(to == .fullText ? "fulltext" : "general") }"
        ]
    }
  }

  private static func word(_ index: Property.Index) -> String { index == .fullText ? "fulltext" : "true" }

  private static func conversion(_ type: PropertyType) -> String {
    switch type.type {
    case .int, .string, .bool, .double, .date, .uuid: "\(type.type.name)(old)"
    case .decimal128: "decimal(old)"
    case .objectID: "objectId(old)"
    default: "old"
    }
  }
}
