// Adding and dropping indexes. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

/// What `{ class, property }` names.
struct NamedProperty: Sendable {
  private let owner: Located<String>
  private let property: Located<String>

  init(_ owner: Located<String>, _ property: Located<String>) {
    (self.owner, self.property) = (owner, property)
  }

  /// Nil after a complaint.
  init?(_ fields: Fields) {
    guard let owner = fields.name("class"), let property = fields.name("property") else { return nil }
    self.init(owner, property)
  }

  var className: String { owner.value }
  var name: String { property.value }
  /// Where the property is named.
  var node: DocumentNode { property.node }

  /// The class, and the property as far as it is known; nil after a complaint.
  func required(_ checker: inout SchemaChecker) -> (SimulatedClass, PropertyDefinition?)? {
    guard let known = checker.requireClass(owner), let found = checker.requireProperty(property, of: known)
    else { return nil }
    return (known, found)
  }
}

/// An operation on one property.
protocol PropertyOperation: Operation {
  var property: NamedProperty { get }
}

extension PropertyOperation {
  var subject: String { "\(property.className).\(property.name)" }
}

/// `add_index: { class, property, kind }`
struct AddIndex: PropertyOperation {
  static let spec = OperationSpec(
    word: "add_index", summary: "adds an index to a property",
    fields: [
      .className, .property, FieldSpec("kind", .oneOf(["general", "fulltext"]), "general or fulltext"),
    ])

  let property: NamedProperty
  let index: Property.Index

  func check(_ checker: inout SchemaChecker) {
    guard let (known, found) = property.required(&checker) else { return }
    if let found {
      if found.index == index || known.primaryKey == .property(property.name) {
        checker.report.error("\(subject) has an index already", at: property.node)
      } else if !PropertyDefinition.canIndex(found.type.type, found.type.collection, index) {
        let kind = index == .fullText ? "a full-text index" : "an index"
        checker.report.error("\(subject) is \(found.type.word) and cannot have \(kind)", at: property.node)
      }
    }
    checker.schema.classes[property.className]?.change(property.name) { $0.index = index }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.setIndex(property.className, property.name, index)
    run.report.touchedCount = try run.transaction.count(try run.tableKey(property.className))
  }
}

extension AddIndex {
  init?(_ fields: Fields) {
    guard let property = NamedProperty(fields),
      let word = fields.word("kind", among: ["general", "fulltext"], otherwise: "general")
    else { return nil }
    self.property = property
    index = word == "fulltext" ? .fullText : .general
  }
}

/// `drop_index: { class, property }`
struct DropIndex: PropertyOperation {
  static let spec = OperationSpec(
    word: "drop_index", summary: "removes the index of a property", fields: [.className, .property])

  let property: NamedProperty

  func check(_ checker: inout SchemaChecker) {
    guard let (known, found) = property.required(&checker) else { return }
    if known.primaryKey == .property(property.name) {
      checker.report.error("\(subject) is the primary key, whose index stays", at: property.node)
    } else if let found, found.index == .none {
      checker.report.error("\(subject) has no index", at: property.node)
    }
    checker.schema.classes[property.className]?.change(property.name) { $0.index = .none }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.setIndex(property.className, property.name, .none)
  }
}

extension DropIndex {
  init?(_ fields: Fields) {
    guard let property = NamedProperty(fields) else { return nil }
    self.property = property
  }
}
