// Literal values of a migration file as JSON, which is what objects are read from. Layer: RealmSession, Operations.
// Scalars of YAML have no type of their own: the property that they are for gives them one.

import ByteText
import RealmEngine
import TextFormats

/// Gives scalars the form that JSON has for values of their properties; places stay.
struct LiteralTyping {
  private let schema: SimulatedSchema

  init(_ schema: SimulatedSchema) { self.schema = schema }

  func typed(_ node: DocumentNode, of className: String) -> DocumentNode {
    guard let entries = node.entries, let known = schema.classes[className] else { return plain(node, nil) }
    return DocumentNode(
      .mapping(
        entries.map { entry in
          entry.with(typed(entry.value, as: known.property(entry.key)?.type))
        }), at: node.location)
  }

  private func typed(_ node: DocumentNode, as type: PropertyType?) -> DocumentNode {
    switch node.content {
    case .sequence(let items):
      return DocumentNode(.sequence(items.map { typed($0, as: type) }), at: node.location)
    case .mapping(let entries):
      if let target = type?.target, type?.collection == nil, !node.isTagged {
        return typed(node, of: target)
      }
      return DocumentNode(
        .mapping(entries.map { $0.with(typed($0.value, as: $0.isTag ? type?.tagged($0.key) : type)) }),
        at: node.location)
    case .scalar: return plain(node, type.flatMap(plainType))
    }
  }

  /// The type of the scalar itself: of a link the primary key's. Nil where the scalar tells its own.
  private func plainType(_ type: PropertyType) -> ValueType? {
    if type.type == .mixed { return nil }
    guard let target = type.target else { return type.type }
    guard case .property(let key)? = schema.classes[target]?.primaryKey else { return nil }
    return schema.classes[target]?.property(key)?.type.type
  }

  /// A scalar as JSON writes a value of that type; nil: of the type that it looks like.
  private func plain(_ node: DocumentNode, _ type: ValueType?) -> DocumentNode {
    guard let text = node.plainText else { return node }
    if node.isNull { return DocumentNode(DocumentNode.null.content, at: node.location) }
    if type == .int, let number = node.integer {
      return DocumentNode(DocumentNode.integer(number).content, at: node.location)
    }
    let isPlain = type.map { !$0.isQuotedInJSON(text) } ?? true
    guard !isPlain || node.bool == nil && !text.isNumberInJSON else { return node }
    return DocumentNode(.scalar(text: text, isQuoted: true), at: node.location)
  }
}

extension DocumentEntry {
  /// Whether the key says what the value is: `$date`.
  var isTag: Bool { key.hasPrefix("$") }

  fileprivate func with(_ value: DocumentNode) -> DocumentEntry {
    DocumentEntry(key, value, keyLocation: keyLocation)
  }
}

extension DocumentNode {
  /// Whether it is `{ $date: … }` or the like.
  var isTagged: Bool { entries?.first?.isTag ?? false }
}

extension PropertyType {
  /// What a value behind a word such as `$date` is of; of `$set`, `$dict` and `$embedded` the same.
  fileprivate func tagged(_ key: String) -> PropertyType? {
    guard let type = ValueType(announcedBy: key.utf8.span) else { return self }
    return type == .object ? nil : PropertyType(type == .string ? .data : type, isOptional: false)
  }
}

extension ValueType {
  fileprivate func isQuotedInJSON(_ text: String) -> Bool {
    // Decimals are read from a number too.
    isFloating ? !(Double(text) ?? .nan).isFinite : jsonForm == .quoted && self != .decimal128
  }
}

extension String {
  /// Whether JSON has a number spelled like this: `-1.5e3`, and neither `+1` nor `.5` nor `0x10`.
  fileprivate var isNumberInJSON: Bool {
    let bytes = Array(utf8)
    var reader = JSONReader(bytes.span)
    guard let token = try? reader.next(), token == .integer || token == .number else { return false }
    return (try? reader.next()) == .end
  }
}
