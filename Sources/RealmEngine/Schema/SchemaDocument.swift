// The schema document: what `create` and migrations read, as YAML or JSON. Layer: Schema.

import ByteText
package import TextFormats

extension SchemaDescription {
  /// Version of the document's own form.
  package static let documentVersion: Int64 = 1
  /// Begins the comment that says the version where a schema is written as statements. A comment, because the statements may be
  /// run on a realm that has a version of its own.
  package static let versionComment = "-- schema version "

  /// The document, properties in stored order, defaults left out.
  package var document: DocumentNode {
    var entries = [DocumentEntry("realm_schema", .integer(Self.documentVersion))]
    if let version { entries.append(DocumentEntry("schema_version", .integer(version))) }
    entries.append(
      DocumentEntry("classes", .mapping(classes.map { DocumentEntry($0.name, $0.document) })))
    return .mapping(entries)
  }

  /// `sha256:` and the digest of the canonical document: classes and properties by name, no blanks, one line. The
  /// version is not part of it, so that the same schema has the same fingerprint in every app version.
  package func fingerprint() throws(EngineError) -> String {
    let canonical = DocumentNode.mapping([
      DocumentEntry("realm_schema", .integer(Self.documentVersion)),
      DocumentEntry("classes", .mapping(classes.map { DocumentEntry($0.name, $0.document(sorted: true)) })),
    ])
    var text = ByteBuffer()
    text.append(json: canonical)
    let digest = SHA256Digest()
    digest.update(text)
    var name = ByteBuffer()
    name.append(literal: "sha256:")
    for byte in digest.finish() { name.append(hexadecimal: byte) }
    return name.text
  }
}

extension ClassDefinition {
  /// What stands behind the class's name, properties in stored order.
  package var document: DocumentNode { document(sorted: false) }

  fileprivate func document(sorted: Bool) -> DocumentNode {
    var entries: [DocumentEntry] = []
    if kind != .object { entries.append(DocumentEntry("kind", .string(kind.name))) }
    if let primaryKey { entries.append(DocumentEntry("primary_key", .string(primaryKey))) }
    let properties =
      sorted
      ? properties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } : properties
    entries.append(
      DocumentEntry(
        "properties",
        .mapping(properties.map { DocumentEntry($0.name, $0.document(isPrimaryKey: $0.name == primaryKey)) }))
    )
    return .mapping(entries)
  }
}

extension PropertyDefinition {
  /// The type's word alone where that says everything. A primary key is indexed without saying so.
  package func document(isPrimaryKey: Bool) -> DocumentNode {
    var entries = type.entries
    switch index {
    case .fullText: entries.append(DocumentEntry("indexed", .string("fulltext")))
    case .general where !isPrimaryKey: entries.append(DocumentEntry("indexed", .bool(true)))
    case .general, .none: break
    }
    return entries.count == 1 ? entries[0].value : .mapping(entries, isFlow: true)
  }
}

extension PropertyType {
  /// The word, or a mapping where the class that links lead to has a name that the word cannot hold.
  package var document: DocumentNode {
    let entries = entries
    return entries.count == 1 ? entries[0].value : .mapping(entries, isFlow: true)
  }

  fileprivate var entries: [DocumentEntry] {
    guard let target, Self.isMistakable(target) else { return [DocumentEntry("type", .string(word))] }
    return [DocumentEntry("type", .string(wordWithoutTarget)), DocumentEntry("target", .string(target))]
  }

  /// Whether a class's name could be read as a type.
  private static func isMistakable(_ name: String) -> Bool {
    ValueType.allCases.contains { $0.name == name } || name.contains { "<>?".contains($0) }
  }
}
