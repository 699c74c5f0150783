// The tree of a small document, the same whether it was written as JSON or as YAML.
// Layer: TextFormats, Document. Scalars are untyped text: whoever knows the field gives it its type.

import ByteText

/// A scalar, a sequence or a mapping with the order of its keys.
package struct DocumentNode: Sendable {
  package enum Content: Sendable {
    /// `isQuoted` tells `"7"` from `7`; a JSON string is always quoted.
    case scalar(text: String, isQuoted: Bool)
    case sequence([DocumentNode])
    case mapping([DocumentEntry])
  }

  package let content: Content
  /// Where it stands in the document it was read from.
  package let location: TextLocation
  /// Whether YAML is to be written on one line, `{ a: 1 }`.
  package let isFlow: Bool

  package init(_ content: Content, at location: TextLocation = .start, isFlow: Bool = false) {
    self.content = content
    self.location = location
    self.isFlow = isFlow
  }
}

/// A key of a mapping with its value.
package struct DocumentEntry: Sendable {
  package let key: String
  package let keyLocation: TextLocation
  package let value: DocumentNode

  package init(_ key: String, _ value: DocumentNode, keyLocation: TextLocation = .start) {
    self.key = key
    self.keyLocation = keyLocation
    self.value = value
  }
}

/// Entries that are written; what is nil is null.
extension DocumentEntry {
  package static func text(_ key: String, _ text: String?) -> DocumentEntry {
    DocumentEntry(key, text.map(DocumentNode.string) ?? .null)
  }

  package static func number(_ key: String, _ value: Int64?) -> DocumentEntry {
    DocumentEntry(key, value.map(DocumentNode.integer) ?? .null)
  }

  package static func number(_ key: String, _ value: Int?) -> DocumentEntry {
    .number(key, value.map { Int64($0) })
  }

  package static func flag(_ key: String, _ value: Bool) -> DocumentEntry { DocumentEntry(key, .bool(value)) }

  package static func list(_ key: String, _ items: [DocumentNode]) -> DocumentEntry {
    DocumentEntry(key, .sequence(items))
  }

  package static func object(_ key: String, _ entries: [DocumentEntry]) -> DocumentEntry {
    DocumentEntry(key, .mapping(entries))
  }
}

extension DocumentNode {
  /// The items of a sequence; nil for anything else.
  package var items: [DocumentNode]? {
    if case .sequence(let items) = content { items } else { nil }
  }

  /// The entries of a mapping; nil for anything else.
  package var entries: [DocumentEntry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The text of a scalar, quoted or not; nil for anything else.
  package var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The text of a scalar that stands without quotes; nil for anything else.
  package var plainText: String? {
    if case .scalar(let text, false) = content { text } else { nil }
  }

  /// Whether it is `null`, `~` or nothing at all, without quotes.
  package var isNull: Bool {
    switch plainText {
    case "null", "~", "": true
    default: false
    }
  }

  /// `true` or `false` without quotes; nil for anything else.
  package var bool: Bool? {
    switch plainText {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// A 64-bit integer without quotes; nil for anything else.
  package var integer: Int64? {
    plainText.flatMap { Int64(decimalText: $0.utf8.span) }
  }

  /// The value of `key` in a mapping, whose keys are compared byte by byte. Cost: O(entries).
  package subscript(key: String) -> DocumentNode? {
    entries?.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// A text, which JSON writes in quotes and YAML where it must.
  package static func string(_ text: String) -> DocumentNode {
    DocumentNode(.scalar(text: text, isQuoted: true))
  }

  package static func integer(_ value: Int64) -> DocumentNode {
    DocumentNode(.scalar(text: String(value), isQuoted: false))
  }

  package static func bool(_ value: Bool) -> DocumentNode {
    DocumentNode(.scalar(text: value ? "true" : "false", isQuoted: false))
  }

  package static var null: DocumentNode {
    DocumentNode(.scalar(text: "null", isQuoted: false))
  }

  package static func sequence(_ items: [DocumentNode], isFlow: Bool = false) -> DocumentNode {
    DocumentNode(.sequence(items), isFlow: isFlow)
  }

  package static func mapping(_ entries: [DocumentEntry], isFlow: Bool = false) -> DocumentNode {
    DocumentNode(.mapping(entries), isFlow: isFlow)
  }
}

extension DocumentNode: Equatable {
  /// The same tree with keys in the same order, wherever it stands and however it was laid out.
  package static func == (left: DocumentNode, right: DocumentNode) -> Bool {
    switch (left.content, right.content) {
    case (.scalar(let leftText, let leftQuoted), .scalar(let rightText, let rightQuoted)):
      leftQuoted == rightQuoted && leftText.utf8.elementsEqual(rightText.utf8)
    case (.sequence(let leftItems), .sequence(let rightItems)):
      leftItems == rightItems
    case (.mapping(let leftEntries), .mapping(let rightEntries)):
      leftEntries.elementsEqual(rightEntries) {
        $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
      }
    default:
      false
    }
  }
}
