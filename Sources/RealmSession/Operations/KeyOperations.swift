// Changing the primary key. Layer: RealmSession, Operations.
// Invariant: which objects share a value is counted before the first of them goes.

import RealmEngine
import RealmQueryLanguage
import TextFormats

/// `change_primary_key: { class, to, duplicates }`
struct ChangePrimaryKey: Operation {
  static let spec = OperationSpec(
    word: "change_primary_key",
    summary: "changes the primary key to another property, or removes it (to: null)",
    fields: [
      .className, FieldSpec("to", .nameOrNull, required: true, "the property, or null"),
      DuplicatePolicy.field,
    ])

  let className: Located<String>
  let property: Located<String>?
  let duplicates: DuplicatePolicy?

  var subject: String { "\(className.value).\(property?.value ?? "(no primary key)")" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if known.kind == .embedded {
      checker.report.error(
        "'\(known.name)' is embedded and cannot have a primary key", at: className.node)
      return
    }
    guard let property else {
      if known.primaryKey == .none {
        checker.report.error("'\(known.name)' has no primary key", at: className.node)
      }
      checker.schema.classes[className.value]?.dropKeyIndex()
      checker.schema.classes[className.value]?.primaryKey = .none
      return
    }
    guard let found = checker.requireProperty(property, of: known) else { return }
    if known.primaryKey == .property(property.value) {
      checker.report.error("\(subject) is the primary key already", at: property.node)
    }
    if let found, !ClassDefinition.canBePrimaryKey(found.type.type, found.type.collection) {
      checker.report.error(
        "\(subject) is \(found.type.word) and cannot be a primary key", at: property.node,
        hint: "only int, string, objectId and uuid can")
    }
    duplicates?.check(&checker, known, key: property.value)
    checker.schema.classes[className.value]?.dropKeyIndex()
    checker.schema.classes[className.value]?.primaryKey = .property(property.value)
    checker.schema.classes[className.value]?.change(property.value) { $0.index = .general }
  }

  func run(_ run: OperationRun) throws {
    guard let property else { return try run.transaction.setPrimaryKey(className.value, nil) }
    try DuplicateObjects(className.value, key: property.value, policy: duplicates).remove(run)
    run.report.touchedCount = try run.transaction.count(try run.tableKey(className.value))
    try run.transaction.setPrimaryKey(className.value, property.value)
  }
}

extension ChangePrimaryKey {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let to = fields["to"],
      let duplicates = DuplicatePolicy.read(fields)
    else { return nil }
    (self.className, self.duplicates) = (className, duplicates)
    if to.isNull {
      property = nil
    } else {
      guard let name = fields.name("to") else { return nil }
      property = name
    }
  }
}

/// `change_key_values: { class, where, value, duplicates }`
struct ChangeKeyValues: Operation {
  static let spec = OperationSpec(
    word: "change_key_values",
    summary: "changes primary key values; old is the previous value; links are kept",
    fields: [
      .className, .condition, FieldSpec("value", .expression, required: true, "the new value: lower(old)"),
      DuplicatePolicy.field,
    ])

  let className: Located<String>
  let condition: PredicateText?
  let value: ExpressionText
  let duplicates: DuplicatePolicy?

  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let value = fields.expression("value"),
      let duplicates = DuplicatePolicy.read(fields),
      let condition = fields.optional("where", fields.predicate)
    else { return nil }
    (self.className, self.condition) = (className, condition)
    (self.value, self.duplicates) = (value, duplicates)
  }

  var subject: String { className.value }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if let condition { checker.check(condition, of: className.value) }
    switch known.primaryKey {
    case .none:
      checker.report.error("'\(known.name)' has no primary key", at: className.node)
    case .unknown:
      checker.check(
        .expression(value), in: .init(className: className.value), for: nil, named: "the primary key")
    case .property(let name):
      duplicates?.check(&checker, known, key: name)
      checker.check(
        .expression(value), in: .init(className: className.value, old: name), for: known.property(name)?.type,
        named: "\(className.value).\(name)")
    }
  }

  func run(_ run: OperationRun) throws {
    guard let key = try run.transaction.schema(named: className.value)?.primaryKey?.name else {
      throw EngineError(.constraint, "\(className.value) has no primary key")
    }
    let keys = try condition.map { try run.keys($0, className.value) }
    guard try keys?.count ?? run.transaction.count(try run.tableKey(className.value)) > 0 else { return }
    try run.transaction.setPrimaryKey(className.value, nil)
    try run.fill(className.value, key, value, keys: keys)
    try DuplicateObjects(className.value, key: key, policy: duplicates).remove(run)
    try run.transaction.setPrimaryKey(className.value, key)
  }
}

extension SimulatedClass {
  /// The primary key's index came with it, where the property does not say otherwise.
  mutating func dropKeyIndex() {
    guard case .property(let name) = primaryKey else { return }
    change(name) { $0.index = .none }
  }
}
