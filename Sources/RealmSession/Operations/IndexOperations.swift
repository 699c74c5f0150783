// Adding and dropping indexes. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

/// `add_index: { class, property, kind }`
struct AddIndex: Operation {
  static let spec = OperationSpec(
    word: "add_index", summary: "adds an index to a property",
    fields: [
      .className, .property, FieldSpec("kind", .oneOf(["general", "fulltext"]), "general or fulltext"),
    ])

  let className: Located<String>
  let property: Located<String>
  let index: Property.Index

  var subject: String { "\(className.value).\(property.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className),
      let found = checker.requireProperty(property, of: known)
    else { return }
    if let found {
      if found.index == index || known.primaryKey == .property(property.value) {
        checker.report.error("\(subject) has an index already", at: property.node)
      } else if !PropertyDefinition.canIndex(found.type.type, found.type.collection, index) {
        let kind = index == .fullText ? "a full-text index" : "an index"
        checker.report.error("\(subject) is \(found.type.word) and cannot have \(kind)", at: property.node)
      }
    }
    checker.schema.classes[className.value]?.replace(property.value) {
      PropertyDefinition($0.name, $0.type, index: index)
    }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.setIndex(className.value, property.value, index)
    run.report.touchedCount = try run.transaction.count(try run.tableKey(className.value))
  }
}

extension AddIndex {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let property = fields.name("property") else { return nil }
    let word = fields.has("kind") ? fields.word("kind", among: ["general", "fulltext"]) : "general"
    guard let word else { return nil }
    (self.className, self.property) = (className, property)
    index = word == "fulltext" ? .fullText : .general
  }
}

/// `drop_index: { class, property }`
struct DropIndex: Operation {
  static let spec = OperationSpec(
    word: "drop_index", summary: "removes the index of a property", fields: [.className, .property])

  let className: Located<String>
  let property: Located<String>

  var subject: String { "\(className.value).\(property.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className),
      let found = checker.requireProperty(property, of: known)
    else { return }
    if known.primaryKey == .property(property.value) {
      checker.report.error("\(subject) is the primary key, whose index stays", at: property.node)
    } else if let found, found.index == .none {
      checker.report.error("\(subject) has no index", at: property.node)
    }
    checker.schema.classes[className.value]?.replace(property.value) { PropertyDefinition($0.name, $0.type) }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.setIndex(className.value, property.value, .none)
  }
}

extension DropIndex {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let property = fields.name("property") else { return nil }
    (self.className, self.property) = (className, property)
  }
}
