// Adding, dropping and renaming properties. Layer: RealmSession, Operations.

import ByteText
package import RealmEngine
import TextFormats

extension FieldSpec {
  package static let className = FieldSpec("class", .className, required: true, "the class")
  static let property = FieldSpec("property", .propertyName, required: true, "the property")
  static let value = FieldSpec("value", .value, "the value for existing objects")
}

/// `add_property: { class, name, type, indexed, value }`
struct AddProperty: Operation {
  static let spec = OperationSpec(
    word: "add_property",
    summary: "adds a property; a required one needs a value for existing objects",
    fields: [
      .className, FieldSpec("name", .propertyName, required: true, "the new property"),
      FieldSpec("type", .type, required: true, "its type: string, int?, Dog?, list<string>"),
      FieldSpec("indexed", .flagOr(["fulltext"]), "its index: true, false or fulltext"),
      .value, .missing,
    ])

  let className: Located<String>
  let name: Located<String>
  let type: Located<PropertyType>
  let index: Property.Index
  let value: ValueText?
  let missing: Located<MissingPolicy>?

  var subject: String { "\(className.value).\(name.value)" }
  var isAdditive: Bool { value == nil }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className), checker.requireNewProperty(name, of: known),
      checker.require(type, in: known)
    else { return }
    if !PropertyDefinition.canIndex(type.value.type, type.value.collection, index) {
      checker.report.error(
        "\(subject) is \(type.value.word) and cannot have this index", at: type.node)
    }
    if type.value.needsValue, value == nil, checker.form == .document {
      checker.report.error(
        "\(subject) is required: existing objects need a 'value'", at: name.node,
        hint: "add value: …, or make it optional: \(type.value.word)?")
    }
    var searches: [SearchedProperty] = []
    if let value {
      searches = checker.check(value, in: .init(className: className.value), for: type.value, named: subject)
    }
    checker.check(searches, creating: missing)
    checker.schema.classes[className.value]?.absent.remove(name.value)
    checker.schema.classes[className.value]?.properties.append(
      PropertyDefinition(name.value, type.value, index: index))
  }

  func run(_ run: OperationRun) throws {
    let schema = try run.transaction.schema(try run.tableKey(className.value))
    let count = try run.transaction.count(schema.tableKey)
    // What is there already is refused as such.
    let isNew = schema.property(named: name.value) == nil
    if isNew, type.value.needsValue, value == nil, count > 0 {
      throw EngineError(
        .constraint,
        "\(subject) is required, and \(counted(count, "object has", "objects have")) no value for it",
        hint: run.hint(document: "add value: …", statement: "add default …")
          + ", or make it optional: \(type.value.word)?")
    }
    let definition = PropertyDefinition(name.value, type.value, index: value == nil ? index : .none)
    // Names are looked up before the property is there, which could have one of them.
    let change = try value.map { value in
      PropertyChange(
        name.value,
        form: try run.bound(
          value, OperationRun.ValueScope(className: className.value, realm: try run.view()), for: type.value))
    }
    try run.transaction.addProperty(className.value, definition)
    guard let value, let change else { return }
    try run.set([change], [(name, value)], of: className.value, keys: nil, missing: missing?.value ?? .null)
    if index != .none { try run.transaction.setIndex(className.value, name.value, index) }
  }
}

extension AddProperty {
  init?(_ fields: Fields) {
    let value = fields.value("value")
    guard let missing = MissingPolicy.read(fields), let className = fields.name("class"),
      let name = fields.name("name"),
      let type = fields.type("type"),
      let index = fields.index("indexed"), value != nil || !fields.has("value")
    else { return nil }
    (self.className, self.name, self.type, self.index) = (className, name, type, index)
    (self.value, self.missing) = (value, missing)
  }
}

/// `drop_property: { class, name | names }`
struct DropProperty: Operation {
  static let spec = OperationSpec(
    word: "drop_property", summary: "removes properties with their values, and embedded objects in them",
    fields: [
      .className, FieldSpec("name", .propertyName, "the property"),
      FieldSpec("names", .names, "several properties"),
    ])

  let className: Located<String>
  let names: [Located<String>]

  var subject: String { "\(className.value).\(names.map(\.value).joined(separator: ", "))" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    for name in names {
      guard checker.requireProperty(name, of: known) != nil else { continue }
      if known.primaryKey == .property(name.value) {
        checker.report.error(
          "'\(name.value)' is the primary key of '\(known.name)'", at: name.node,
          hint: checker.hint(
            document: "put change_primary_key before it",
            statement: "write alter class \(known.name) primary key null before it"))
        continue
      }
      checker.schema.classes[className.value]?.drop(name.value)
    }
  }

  func run(_ run: OperationRun) throws {
    let key = try run.tableKey(className.value)
    run.report.touchedCount = try run.transaction.count(key)
    try run.countingDeleted {
      for name in names { try run.transaction.removeProperty(className.value, name.value) }
    }
  }
}

extension DropProperty {
  init?(_ fields: Fields) {
    guard let className = fields.name("class") else { return nil }
    guard fields.has("name") != fields.has("names") else {
      fields.report.error("drop_property needs either 'name' or 'names'", at: fields.node)
      return nil
    }
    guard let names = fields.names(fields.has("name") ? "name" : "names") else { return nil }
    (self.className, self.names) = (className, names)
  }
}

extension SimulatedClass {
  mutating func drop(_ name: String) {
    properties.removeAll { $0.name == name }
    absent.insert(name)
  }

  /// Changes a property, where it is known.
  mutating func change(_ name: String, _ body: (inout PropertyDefinition) -> Void) {
    guard let index = properties.firstIndex(where: { $0.name == name }) else { return }
    body(&properties[index])
  }
}

extension ReadTransaction {
  /// Objects of all classes.
  package var objectCount: Int { classes().reduce(0) { $0 + $1.count } }
}

/// `rename_property: { class, from, to, optional, indexed }`
struct RenameProperty: Operation {
  static let spec = OperationSpec(
    word: "rename_property", summary: "renames a property; values, links and object keys are kept",
    fields: [
      .className, FieldSpec("from", .propertyName, required: true, "the property"),
      FieldSpec("to", .propertyName, required: true, "its new name"),
      FieldSpec("optional", .flag, "true: also make it optional"),
      FieldSpec("indexed", .flagOr(["fulltext"]), "also change its index"),
    ])

  let className: Located<String>
  let from: Located<String>
  let to: Located<String>
  let isOptional: Bool?
  let index: Property.Index?

  var subject: String { "\(className.value).\(from.value) → \(to.value)" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    guard let property = checker.requireProperty(from, of: known),
      checker.requireNewProperty(to, of: known)
    else { return }
    var type = property?.type
    if isOptional == true { type?.isOptional = true }
    if isOptional == true, let known = property?.type, known.followsKind {
      checker.report.error(
        "\(className.value).\(from.value) is \(known.word), \(PropertyType.kindDecides)", at: from.node)
    }
    if let type, let index, !PropertyDefinition.canIndex(type.type, type.collection, index) {
      checker.report.error("\(className.value).\(to.value) cannot have this index", at: to.node)
    }
    checker.schema.classes[className.value]?.rename(from.value, to: to.value) { renamed in
      if let type { renamed.type = type }
      if let index { renamed.index = index }
    }
  }

  func run(_ run: OperationRun) throws {
    try run.transaction.renameProperty(className.value, from.value, to: to.value)
    if isOptional == true { try run.transaction.setOptional(className.value, to.value, true) }
    if let index { try run.transaction.setIndex(className.value, to.value, index) }
  }
}

extension RenameProperty {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let from = fields.name("from"), let to = fields.name("to")
    else { return nil }
    isOptional = fields.flag("optional")
    if isOptional == false {
      fields.report.error(
        "rename_property cannot make a property required", at: fields["optional"] ?? fields.node,
        hint: "add make_required, which says what happens to nulls")
      return nil
    }
    index = fields.has("indexed") ? fields.index("indexed") : nil
    (self.className, self.from, self.to) = (className, from, to)
  }
}

extension SimulatedClass {
  mutating func rename(
    _ name: String, to newName: String, _ body: (inout PropertyDefinition) -> Void = { _ in }
  ) {
    change(name) {
      $0.name = newName
      body(&$0)
    }
    absent.insert(name)
    absent.remove(newName)
    if primaryKey == .property(name) { primaryKey = .property(newName) }
  }
}
