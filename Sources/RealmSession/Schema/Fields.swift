// The entries of one mapping: no unknown ones, all that are needed, each of its type. Layer: RealmSession, Schema.

import ByteText
import RealmEngine
import RealmQueryLanguage
package import TextFormats

/// What a mapping may hold.
package struct FieldSpec: Sendable {
  package enum Kind: Sendable {
    case className, propertyName, text, names, type, expression, predicate, flag, count
    case oneOf([String])
    case flagOr([String])
    /// One of the words, or a mapping with these fields.
    case policy([String], [FieldSpec])
    /// A mapping of names to types or to mappings with a type.
    case properties
    /// A mapping of names to expressions.
    case assignments
    case nameOrNull
    /// An expression, or a mapping or list of them.
    case value
    /// A list of literal objects.
    case objects
    /// A mapping of class names to classes.
    case classes
    /// A mapping of names to one of these words each.
    case words([String])
  }

  package let name: String
  package let kind: Kind
  package let isRequired: Bool
  package let summary: String

  package init(_ name: String, _ kind: Kind, required isRequired: Bool = false, _ summary: String) {
    self.name = name
    self.kind = kind
    self.isRequired = isRequired
    self.summary = summary
  }
}

/// The entries of a mapping that were found to be known.
package struct Fields {
  package let node: DocumentNode
  package let report: ProblemReport
  private let what: String

  /// Complains about what is unknown or missing; nil where nothing can be made of it.
  package init?(
    _ node: DocumentNode, _ specs: [FieldSpec], of what: String, _ report: ProblemReport,
    takesAnyName: Bool = false
  ) {
    self.node = node
    self.report = report
    self.what = what
    guard let entries = node.entries else {
      let names = specs.filter(\.isRequired).map { "\($0.name): …" }.joined(separator: ", ")
      report.error("\(what) needs a mapping: { \(names) }", at: node)
      return nil
    }
    var isComplete = true
    for entry in entries where !takesAnyName && !specs.contains(where: { $0.name == entry.key }) {
      report.error(
        "unknown field '\(entry.key)' in \(what)", at: entry.keyLocation, length: entry.key.utf8.count,
        suggestion: EditDistance.nearest(to: entry.key, among: specs.map(\.name)))
      isComplete = false
    }
    for spec in specs where spec.isRequired && node[spec.name] == nil {
      report.error("\(what) needs '\(spec.name)': \(spec.summary)", at: node)
      isComplete = false
    }
    if !isComplete { return nil }
  }

  package func has(_ name: String) -> Bool { node[name] != nil }

  package subscript(name: String) -> DocumentNode? { node[name] }

  /// What `read` makes of an entry that may be there; nil after a complaint.
  package func optional<Item>(_ field: String, _ read: (String) -> Item?) -> Item?? {
    has(field) ? read(field).map(Optional.some) : .some(nil)
  }

  /// The text of a scalar that says something.
  package func name(_ field: String) -> Located<String>? {
    guard let node = node[field] else { return nil }
    guard let text = node.text, !text.isEmpty else {
      report.error("'\(field)' of \(what) must be a name", at: node)
      return nil
    }
    return Located(text, node)
  }

  /// One name or a list of names.
  package func names(_ field: String) -> [Located<String>]? {
    guard let node = node[field] else { return nil }
    guard let items = node.items else { return name(field).map { [$0] } }
    var names: [Located<String>] = []
    for item in items {
      guard let text = item.text, !text.isEmpty else {
        report.error("'\(field)' of \(what) must be a list of names", at: item)
        return nil
      }
      names.append(Located(text, item))
    }
    return names
  }

  package func flag(_ field: String) -> Bool? {
    guard let node = node[field] else { return nil }
    if let flag = node.bool { return flag }
    report.error("'\(field)' of \(what) must be true or false", at: node)
    return nil
  }

  package func count(_ field: String) -> Int? {
    guard let node = node[field] else { return nil }
    if let number = node.integer, number >= 0 { return Int(number) }
    report.error("'\(field)' of \(what) must be a number, 0 or more", at: node)
    return nil
  }

  /// `otherwise`: what it is where nothing is said.
  func word(_ field: String, among words: [String], otherwise: String? = nil) -> String? {
    guard let node = node[field] else { return otherwise }
    if let text = node.text, words.contains(text) { return text }
    report.error(
      "'\(field)' of \(what) must be \(words.joined(separator: " or "))", at: node,
      suggestion: node.text.flatMap { EditDistance.nearest(to: $0, among: words) })
    return nil
  }

  package func expression(_ field: String) -> ExpressionText? {
    node[field].flatMap { report.expression($0) }
  }

  package func predicate(_ field: String) -> PredicateText? { node[field].flatMap { report.predicate($0) } }

  func type(_ field: String) -> Located<PropertyType>? { node[field].flatMap { report.propertyType($0) } }

  func index(_ field: String) -> Property.Index? {
    guard let node = node[field] else { return Property.Index.none }
    switch node.text {
    case "true", "general": return .general
    case "false": return Property.Index.none
    case "fulltext": return .fullText
    default:
      report.error("'\(field)' of \(what) must be true, false or fulltext", at: node)
      return nil
    }
  }
}

extension ProblemReport {
  /// The type that a scalar names.
  func propertyType(_ node: DocumentNode) -> Located<PropertyType>? {
    do throws(TextFormatError) {
      return Located(try PropertyDefinition("value", document: node, place: "a property").type, node)
    } catch {
      self.error(error.message, at: error.location, length: length(of: node), hint: error.hint)
      return nil
    }
  }

  /// A complaint of a reader of documents.
  package func error(_ failure: TextFormatError) {
    error(failure.message, at: failure.location, hint: failure.hint)
  }
}
