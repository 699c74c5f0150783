// A schema written as a document, or as the statements that make it: what `schema` prints. Layer: RealmSession, Statements.
// Statements are read as the document that says as much, so that both have the same rules and keep their places.

import ByteText
package import RealmEngine
import RealmQueryLanguage
package import TextFormats

extension SchemaDescription {
  package init(text: [UInt8]) throws(TextFormatError) {
    let document =
      if let statements = try SchemaStatements(text) { statements.document } else {
        try DocumentNode.yamlOrJSON(text.span)
      }
    try self.init(document: document)
  }
}

/// `alter schema version 3` and `create class …`, as a document.
private struct SchemaStatements {
  private var version: Int64?
  private var classes: [DocumentEntry] = []
  private let text: [UInt8]
  /// The last place that was asked for, from which lines are counted on.
  private var last = TextLocation.start

  var document: DocumentNode {
    .mapping([
      .number("realm_schema", SchemaDescription.documentVersion), .number("schema_version", version),
      .object("classes", classes),
    ])
  }

  /// Nil: the text begins neither with such a statement nor with the comment that says the version.
  init?(_ text: [UInt8]) throws(TextFormatError) {
    let comment = Array(SchemaDescription.versionComment.utf8)
    if text.starts(with: comment) {
      let number = Array(text[comment.count...].prefix { $0 > 0x20 })
      version = Int64(decimalText: number.span)
    } else {
      var scanner = StatementScanner()
      guard case .statement(let first) = scanner.next(in: text, isAtEnd: true),
        let word = text.text(in: first).split(whereSeparator: \.isWhitespace).first,
        ["create", "alter"].contains(word.lowercased())
      else { return nil }
    }
    self.text = text
    for step in Script([text]).steps {
      switch step.statement {
      case .success(let statement): try add(statement.kind, at: step.range)
      case .failure(let error):
        throw TextFormatError(error.message, at: location(of: error.range), hint: error.hint)
      }
    }
    try refuseTwins(among: classes)
  }

  private mutating func add(_ statement: StatementKind, at range: SourceRange) throws(TextFormatError) {
    switch statement {
    case .setSchemaVersion(let number): version = number
    case .createClass(let declaration):
      let name = location(of: declaration.name.range)
      var properties: [DocumentEntry] = []
      for property in declaration.properties { properties.append(entry(property)) }
      try refuseTwins(among: properties)
      let fields = [
        DocumentEntry.text("kind", declaration.kind.rawValue), .object("properties", properties),
      ]
      classes.append(DocumentEntry(declaration.name.text, .mapping(fields), keyLocation: name))
    default:
      throw TextFormatError(
        "a schema has no statements but 'create class' and 'alter schema version'", at: location(of: range))
    }
  }

  private mutating func entry(_ property: PropertyDeclaration) -> DocumentEntry {
    let name = location(of: property.name.range)
    let type = location(of: property.type.range)
    func at(_ node: DocumentNode) -> DocumentNode { DocumentNode(node.content, at: type) }
    let (word, target) = property.type.wordAndTarget
    var fields = [DocumentEntry("type", at(.string(word)))]
    if let target { fields.append(.text("target", target)) }
    if let index = property.index {
      fields.append(DocumentEntry("indexed", at(index == .fulltext ? .string(index.rawValue) : .bool(true))))
    }
    if property.isPrimaryKey { fields.append(DocumentEntry("primary_key", at(.bool(true)))) }
    return DocumentEntry(property.name.text, at(.mapping(fields)), keyLocation: name)
  }

  private func refuseTwins(among entries: [DocumentEntry]) throws(TextFormatError) {
    var names: Set<ByteString> = []
    for entry in entries where !names.insert(ByteString(entry.key)).inserted {
      throw TextFormatError("'\(entry.key)' is declared twice", at: entry.keyLocation)
    }
  }

  /// Cost: what lies between this place and the last one.
  private mutating func location(of range: SourceRange) -> TextLocation {
    if range.offset < last.offset { last = .start }
    last = last.moved(over: text.span.extracting(last.offset..<range.offset))
    return last
  }
}
