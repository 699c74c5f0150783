// Reading the schema document: what `create` and migrations are given. Layer: Schema.
// Invariant: a description that comes out can be made: names keep their limits, links lead to classes that there are,
// keys and indexes stand where the format has them. Whatever else is written is refused with its place.

import ByteText
package import TextFormats

extension SchemaDescription {
  /// Reads a schema document.
  package init(document: DocumentNode) throws(TextFormatError) {
    let what = "a schema document"
    _ = try document.fields(of: what, ["realm_schema", "schema_version", "classes"])
    let form = try document.required("realm_schema", of: what)
    guard form.integer == Self.documentVersion else {
      throw TextFormatError(
        "realm_schema must be \(Self.documentVersion), the version of this format", at: form.location)
    }
    var version: Int64?
    if let node = document["schema_version"], !node.isNull {
      version = try node.requiredInteger("schema_version")
      guard version ?? 0 >= 0 else {
        throw TextFormatError("schema_version must not be negative", at: node.location)
      }
    }
    let classesNode = try document.required("classes", of: what)
    let entries = try classesNode.mapping("classes")
    guard entries.count <= GroupEditor.slotsMax else {
      throw TextFormatError(
        "a realm holds at most \(GroupEditor.slotsMax) classes, not \(entries.count)",
        at: classesNode.location)
    }
    let classes = try entries.map { entry throws(TextFormatError) in try ClassDefinition(entry) }
    let description = SchemaDescription(version: version, classes: classes)
    let known = description.classesByName
    for entry in entries { try Self.checkLinks(of: entry, among: known) }
    self = description
  }

  private static func checkLinks(
    of entry: DocumentEntry, among classes: [String: ClassDefinition]
  ) throws(TextFormatError) {
    guard let owner = classes[entry.key] else { return }
    let properties = Dictionary(owner.properties.map { ($0.name, $0) }) { first, _ in first }
    for node in entry.value["properties"]?.entries ?? [] {
      guard let property = properties[node.key] else { continue }
      try property.checkTarget(among: classes, at: node.value.location)
    }
  }
}

extension ClassDefinition {
  private static let kinds: [ClassSchema.Kind] = [.object, .embedded, .asymmetric]

  /// Reads a class: its name is the entry's key.
  package init(_ entry: DocumentEntry) throws(TextFormatError) {
    let size = entry.key.utf8.count
    guard size > 0, size <= ClassDefinition.nameSizeMax else {
      throw TextFormatError(
        "a class name has 1 to \(ClassDefinition.nameSizeMax) bytes, not \(size)", at: entry.keyLocation)
    }
    let what = "the class \(entry.key)"
    _ = try entry.value.fields(of: what, ["kind", "primary_key", "properties"])
    try self.init(
      entry.key, document: entry.value, properties: try entry.value.required("properties", of: what))
  }

  /// Reads a class whose name stands elsewhere; `document` may have the fields `kind` and `primary_key`.
  package init(
    _ name: String, document: DocumentNode, properties: DocumentNode
  ) throws(TextFormatError) {
    var kind = ClassSchema.Kind.object
    if let node = document["kind"] {
      let word = try node.requiredWord("kind", among: Self.kinds.map(\.name))
      kind = Self.kinds.first { $0.name == word } ?? .object
    }
    var key: (name: String, location: TextLocation)?
    if let node = document["primary_key"], !node.isNull {
      key = (try node.requiredText("primary_key"), node.location)
    }
    var descriptions: [PropertyDefinition] = []
    for entry in try properties.mapping("properties of \(name)") {
      descriptions.append(try PropertyDefinition(entry, of: name))
      guard let flag = entry.value["primary_key"], try flag.requiredBool("primary_key") else { continue }
      guard key.map({ $0.name == entry.key }) ?? true else {
        throw TextFormatError("\(name) has two primary keys", at: flag.location)
      }
      key = (entry.key, entry.value.location)
    }
    if let key {
      descriptions = try Self.withPrimaryKey(key.name, of: name, kind, descriptions, at: key.location)
    }
    self.init(name, kind: kind, primaryKey: key?.name, properties: descriptions)
  }

  /// A primary key has an index without saying so.
  private static func withPrimaryKey(
    _ key: String, of name: String, _ kind: ClassSchema.Kind, _ properties: [PropertyDefinition],
    at location: TextLocation
  ) throws(TextFormatError) -> [PropertyDefinition] {
    guard kind != .embedded else {
      throw TextFormatError("the embedded class \(name) cannot have a primary key", at: location)
    }
    guard let index = properties.firstIndex(where: { $0.name == key }) else {
      let nearest = EditDistance.nearest(to: key, among: properties.map(\.name))
      throw TextFormatError(
        "\(name) has no property \(key) for its primary key", at: location,
        hint: nearest.map { "did you mean '\($0)'?" })
    }
    let property = properties[index]
    guard ClassDefinition.canBePrimaryKey(property.type.type, property.type.collection),
      property.index != .fullText
    else {
      throw TextFormatError(
        "\(name).\(key) cannot be a primary key: only int, string, objectId and uuid can", at: location)
    }
    var changed = properties
    changed[index] = PropertyDefinition(key, property.type, index: .general)
    return changed
  }
}

extension PropertyDefinition {
  /// Reads a property of a class: its name is the entry's key, its value a type's word or a mapping.
  package init(_ entry: DocumentEntry, of className: String) throws(TextFormatError) {
    let size = entry.key.utf8.count
    guard size > 0, size <= PropertyDefinition.nameSizeMax else {
      throw TextFormatError(
        "a property name has 1 to \(PropertyDefinition.nameSizeMax) bytes, not \(size)",
        at: entry.keyLocation)
    }
    if let entries = entry.value.entries {
      if let field = entries.first(where: { $0.key == "fulltext" }) {
        throw TextFormatError(
          "the property \(className).\(entry.key) has no field 'fulltext'", at: field.keyLocation,
          hint: "write indexed: fulltext")
      }
      _ = try entry.value.fields(
        of: "the property \(className).\(entry.key)", ["type", "target", "indexed", "primary_key"])
    }
    try self.init(entry.key, document: entry.value, place: "\(className).\(entry.key)")
  }

  /// Reads the type, and in a mapping the index, of a property; other fields are the caller's.
  package init(_ name: String, document: DocumentNode, place: String) throws(TextFormatError) {
    let typeNode =
      document.entries == nil ? document : try document.required("type", of: "the property \(place)")
    let word = try typeNode.requiredText("the type of \(place)")
    let type: PropertyType
    do throws(PropertyType.Refusal) {
      type = try PropertyType(word: word, target: document["target"].map { $0.text ?? "" })
    } catch {
      throw Self.refused(word, error, at: typeNode.location)
    }
    var index = Property.Index.none
    if let node = document["indexed"] {
      index = node.text == "fulltext" ? .fullText : try node.requiredBool("indexed") ? .general : .none
      guard PropertyDefinition.canIndex(type.type, type.collection, index) else {
        let kind = index == .fullText ? "a full-text index" : "an index"
        throw TextFormatError("\(place) is a \(type.word) and cannot have \(kind)", at: node.location)
      }
    }
    self.init(name, type, index: index)
  }

  private static func refused(
    _ word: String, _ refusal: PropertyType.Refusal, at location: TextLocation
  ) -> TextFormatError {
    switch refusal {
    case .malformed where (try? PropertyType(word: word, target: word)) != nil:
      return TextFormatError(
        "'\(word)' needs the name of a class", at: location,
        hint: "write { type: \"\(word)\", target: CLASS }")
    case .malformed:
      let nearest = PropertyType.nearest(to: word)
      return TextFormatError(
        "'\(word)' is not a type", at: location,
        hint: nearest.map { "did you mean '\($0)'?" }
          ?? "types are written like int, string?, Dog?, list<Dog> or dictionary<int?>")
    case .optionalLink:
      return TextFormatError("'\(word)': a list or set of links holds no null", at: location)
    case .optionalCollection:
      return TextFormatError(
        "'\(word)': a collection is never null, it is empty", at: location,
        hint: "write the ? inside: list<int?>")
    }
  }

  /// Throws unless a link leads to one of `classes`.
  package func checkTarget(
    among classes: [String: ClassDefinition], at location: TextLocation
  ) throws(TextFormatError) {
    guard let target = type.target else { return }
    guard let found = classes[target] else {
      let names = classes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let nearest =
        EditDistance.nearest(to: target, among: names + PropertyType.words)
        ?? PropertyType.nearest(to: target)
      throw TextFormatError(
        "'\(target)' is neither a type nor a class of the schema", at: location,
        hint: nearest.map { "did you mean '\($0)'?" })
    }
    guard found.kind != .asymmetric else {
      throw TextFormatError("\(target) is asymmetric: nothing can link to its objects", at: location)
    }
    guard found.kind != .embedded || type.collection != .set else {
      throw TextFormatError("a set cannot hold embedded objects", at: location)
    }
  }
}
