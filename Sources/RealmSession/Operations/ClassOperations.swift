// Adding, dropping and renaming classes. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

/// `rename_class: { from, to }`
struct RenameClass: Operation {
  static let spec = OperationSpec(
    word: "rename_class", summary: "renames a class; objects and links are kept",
    fields: [
      FieldSpec("from", .className, required: true, "the class"),
      FieldSpec("to", .text, required: true, "its new name"),
    ])

  let from: Located<String>
  let to: Located<String>

  var subject: String { "\(from.value) → \(to.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard var known = checker.requireClass(from), checker.requireNewClass(to) else { return }
    known.name = to.value
    checker.schema.classes[from.value] = nil
    checker.schema.classes[to.value] = known
    checker.schema.absent.insert(from.value)
    checker.schema.absent.remove(to.value)
    for name in checker.schema.classes.keys {
      checker.schema.classes[name]?.retarget(from.value, to: to.value)
    }
  }

  func run(_ run: OperationRun) throws { try run.transaction.renameClass(from.value, to: to.value) }
}

extension RenameClass {
  init?(_ fields: Fields) {
    guard let from = fields.name("from"), let to = fields.name("to") else { return nil }
    (self.from, self.to) = (from, to)
  }
}

extension SimulatedClass {
  fileprivate mutating func retarget(_ old: String, to new: String) {
    for index in properties.indices where properties[index].type.target == old {
      properties[index].type.target = new
    }
  }
}

/// `add_class: { name, kind, primary_key, properties }`
struct AddClass: Operation {
  static let spec = OperationSpec(
    word: "add_class", summary: "adds a class without objects",
    fields: [
      FieldSpec("name", .text, required: true, "the new class"),
      FieldSpec(
        "kind", .oneOf(["object", "embedded", "asymmetric"]), "object (the default), embedded, asymmetric"),
      FieldSpec("primary_key", .propertyName, "the property that is its primary key"),
      FieldSpec("properties", .properties, required: true, "names with types, as in a schema document"),
    ])

  let name: Located<String>
  let description: ClassDefinition
  /// Where the types of the properties stand.
  let types: [DocumentNode]

  var subject: String { name.value }
  var isAdditive: Bool { true }

  func check(_ checker: inout SchemaChecker) { Self.check([self], &checker) }

  func run(_ run: OperationRun) throws { try Self.run([self], run) }

  /// Classes that may link to each other.
  static func check(_ operations: [AddClass], _ checker: inout SchemaChecker) {
    for added in operations where checker.requireNewClass(added.name) {
      checker.schema.absent.remove(added.name.value)
      checker.schema.classes[added.name.value] = SimulatedClass(added.description)
    }
    for added in operations { checker.requireTypes(added.types, of: added.description) }
  }

  /// Classes that may link to each other.
  static func run(_ operations: [AddClass], _ run: OperationRun) throws {
    try run.transaction.addClasses(operations.map(\.description))
  }
}

extension AddClass {
  init?(_ fields: Fields) {
    guard let name = fields.name("name"), let properties = fields["properties"] else { return nil }
    do throws(TextFormatError) {
      description = try ClassDefinition(name.value, document: fields.node, properties: properties)
    } catch {
      fields.report.error(error)
      return nil
    }
    self.name = name
    types = typeNodes(properties)
  }
}

/// `drop_class: { class, linked }`
struct DropClass: Operation {
  static let spec = OperationSpec(
    word: "drop_class", summary: "removes a class with its objects",
    fields: [
      .className,
      FieldSpec(
        "linked", .oneOf(["fail", "nullify"]),
        "fail (the default) where something links to it; nullify: links in mixed values become null, and properties that can hold nothing else are removed"
      ),
    ])

  let className: Located<String>
  let nullifies: Bool

  var subject: String { className.value }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    for other in checker.schema.classes.values.sorted(by: { $0.name < $1.name })
    where other.name != known.name {
      for property in other.properties where property.type.target == known.name {
        guard nullifies else {
          checker.report.error(
            "'\(known.name)' cannot be dropped: \(other.name).\(property.name) links to it",
            at: className.node,
            hint: checker.hint(
              document: "drop that property first, or write linked: nullify",
              statement: "drop that property first, or write linked nullify"))
          continue
        }
        checker.report.warn(
          "\(other.name).\(property.name) is removed with '\(known.name)'", at: className.node)
        checker.schema.classes[other.name]?.drop(property.name)
      }
    }
    checker.schema.classes[className.value] = nil
    checker.schema.absent.insert(className.value)
  }

  func run(_ run: OperationRun) throws {
    let realm = try run.view()
    let key = try run.tableKey(className.value)
    run.report.deletedCount = try run.transaction.count(key)
    for table in realm.classes() where table.schema.tableKey != key {
      for property in table.schema.properties where property.target == key {
        guard nullifies else {
          throw EngineError(
            .constraint,
            "\(className.value) cannot be dropped: \(table.schema.name).\(property.name) links to it",
            hint: run.hint(
              document: "drop that property first, or write linked: nullify",
              statement: "drop that property first, or write linked nullify"))
        }
        try run.transaction.removeProperty(table.schema.name, property.name)
      }
    }
    if !nullifies, let linked = try mixedLinks(realm, key) {
      throw EngineError(
        .constraint, "\(className.value) cannot be dropped: \(linked) links to its objects",
        hint: run.hint(
          document: "write linked: nullify to make such links null",
          statement: "write linked nullify to make such links null"))
    }
    try run.transaction.removeClass(className.value)
  }

  /// A mixed property that links to an object of the class.
  private func mixedLinks(_ realm: ReadTransaction, _ key: TableKey) throws -> String? {
    guard let table = realm.table(key) else { return nil }
    for backlink in table.schema.backlinks {
      guard let origin = backlink.originTable.flatMap({ realm.table($0) }), origin.schema.tableKey != key,
        let property = origin.schema.properties.first(where: { $0.columnKey == backlink.originColumn })
      else { continue }
      var cursor = table.blocks()
      while let block = try cursor.next() {
        let leaf = try block.backlinks(backlink)
        for row in 0..<block.count {
          var hasLink = false
          try table.snapshot.forEachOrigin(try leaf[row]) { _ in
            hasLink = true
            return false
          }
          if hasLink { return "\(origin.schema.name).\(property.name)" }
        }
      }
    }
    return nil
  }
}

extension DropClass {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"),
      let word = fields.word("linked", among: ["fail", "nullify"], otherwise: "fail")
    else { return nil }
    (self.className, nullifies) = (className, word == "nullify")
  }
}
