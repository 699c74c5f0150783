// Making the objects of a class embedded, or objects of their own. Layer: RealmSession, Operations.
// Invariant: how many owners each object has is counted before anything changes.

import ByteText
import RealmEngine
import TextFormats

/// `make_embedded: { class, primary_key, orphans, shared }`
struct MakeEmbedded: Operation {
  static let spec = OperationSpec(
    word: "make_embedded",
    summary: "makes a class embedded: its objects become parts of the objects that link to them",
    fields: [
      .className,
      FieldSpec(
        "primary_key", .oneOf(["fail", "drop"]), "fail (the default) where there is one, or drop it"),
      FieldSpec(
        "orphans",
        .policy(
          ["fail", "delete"],
          [
            FieldSpec("action", .oneOf(["delete"]), required: true, "delete"),
            FieldSpec("max", .count, "the maximum number of deleted objects"),
            FieldSpec("report", .text, "a file for the deleted objects, one JSON line each"),
          ]), "objects that nothing links to: fail (the default), delete, { action: delete, max, report }"),
      FieldSpec(
        "shared", .oneOf(["fail", "duplicate"]),
        "objects with several links: fail (the default), or duplicate them"),
    ])

  let className: Located<String>
  let dropsPrimaryKey: Bool
  let deletesOrphans: Bool
  let orphanCountMax: Int?
  let orphanReport: String?
  let duplicatesShared: Bool

  var subject: String { className.value }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if known.kind == .embedded {
      checker.report.error("'\(known.name)' is embedded already", at: className.node)
    }
    if known.kind == .asymmetric {
      checker.report.error("'\(known.name)' is asymmetric and cannot be embedded", at: className.node)
    }
    if case .property(let name) = known.primaryKey, !dropsPrimaryKey {
      checker.report.error(
        "'\(known.name)' has the primary key '\(name)', which an embedded class cannot have",
        at: className.node,
        hint: checker.hint(document: "write primary_key: drop", statement: "write embedded primary key drop"))
    }
    for other in checker.schema.classes.values.sorted(by: { $0.name < $1.name }) {
      for property in other.properties
      where property.type.target == known.name && property.type.collection == .set {
        checker.report.error(
          "'\(known.name)' cannot be embedded: the set \(other.name).\(property.name) links to it",
          at: className.node,
          hint: checker.hint(
            document: "make it a list first, with change_type", statement: "make it a list first"))
      }
    }
    if case .property(let name) = known.primaryKey {
      checker.schema.classes[className.value]?.drop(name)
    }
    checker.schema.classes[className.value]?.primaryKey = .none
    checker.schema.classes[className.value]?.kind = .embedded
  }

  func run(_ run: OperationRun) throws {
    let name = className.value
    try run.transaction.refuseLinksThatOwnNothing(to: name)
    let counts = try run.transaction.ownerCounts(name)
    let orphans = counts.filter { $0.count == 0 }.map(\.key)
    let shared = counts.filter { $0.count > 1 }.map(\.key)
    if !orphans.isEmpty, !deletesOrphans {
      throw EngineError(
        .constraint, "\(name) cannot be embedded: nothing links to \(orphans.count) of its objects",
        at: "object \(orphans[0].value)",
        hint: run.hint(document: "write orphans: delete", statement: "write orphans delete"))
    }
    if let orphanCountMax, orphans.count > orphanCountMax {
      throw EngineError(
        .constraint,
        "\(name): nothing links to \(orphans.count) objects, more than the \(orphanCountMax) allowed",
        hint: "allow more with a higher max")
    }
    if !shared.isEmpty, !duplicatesShared {
      throw EngineError(
        .constraint, "\(name) cannot be embedded: \(shared.count) of its objects have several links",
        at: "object \(shared[0].value)",
        hint: run.hint(document: "write shared: duplicate", statement: "write shared duplicate"))
    }
    let schema = try run.transaction.schema(named: name)
    if let primaryKey = schema?.primaryKey {
      guard dropsPrimaryKey else {
        throw EngineError(.constraint, "\(name) has a primary key and cannot be embedded")
      }
      try run.transaction.setPrimaryKey(name, nil)
      try keepOrphans(orphans, run)
      try run.transaction.removeProperty(name, primaryKey.name)
    } else {
      try keepOrphans(orphans, run)
    }
    let key = try run.tableKey(name)
    try run.countingDeleted {
      try run.transaction.erase(orphans.map { ObjectLink(table: key, key: $0) })
    }
    if !orphans.isEmpty, try run.transaction.ownerCounts(name).contains(where: { $0.count == 0 }) {
      throw EngineError(
        .constraint,
        "\(name) cannot be embedded: its objects would be left without owners one after the other",
        hint: "delete the first of each chain before")
    }
    run.report.createdCount = try copyForEachOwner(shared, run)
    run.report.touchedCount = try run.transaction.count(key)
    try run.transaction.setEmbedded(name, true)
  }

  /// How deep embedded objects may be nested in those of their own class.
  private static let depthMax = 100
  /// Copies of what copies link to, for each object of the realm: a few objects that link to each other many times over stand
  /// for more copies than there is memory.
  private static let copiesPerObject = 16

  /// What a copy links to has one owner more, and is copied in turn. Gives the number of copies.
  private func copyForEachOwner(_ shared: [ObjectKey], _ run: OperationRun) throws -> Int {
    let name = className.value
    var count = try run.transaction.copyForEachOwner(name, shared)
    guard count > 0 else { return 0 }
    let countMax = count + Self.copiesPerObject * (try run.view().objectCount)
    for _ in 0..<Self.depthMax {
      let next = try run.transaction.ownerCounts(name).filter { $0.count > 1 }
      if next.isEmpty { return count }
      guard count + next.reduce(0, { $0 + $1.count - 1 }) <= countMax else { break }
      count += try run.transaction.copyForEachOwner(name, next.map(\.key))
    }
    throw EngineError(
      .constraint,
      "\(name) cannot be embedded: its objects link to each other in a circle, or too many times over")
  }

  private func keepOrphans(_ orphans: [ObjectKey], _ run: OperationRun) throws {
    guard let orphanReport, !orphans.isEmpty else { return }
    let realm = try run.view()
    guard let table = realm.table(named: className.value) else { return }
    try run.keeper?.keep(orphans, of: table, in: realm, report: orphanReport)
  }
}

extension MakeEmbedded {
  init?(_ fields: Fields) {
    guard let className = fields.name("class") else { return nil }
    self.className = className
    let primaryKey = fields.word("primary_key", among: ["fail", "drop"], otherwise: "fail")
    let shared = fields.word("shared", among: ["fail", "duplicate"], otherwise: "fail")
    guard let primaryKey, let shared else { return nil }
    dropsPrimaryKey = primaryKey == "drop"
    duplicatesShared = shared == "duplicate"
    guard let node = fields["orphans"], node.entries != nil else {
      guard let word = fields.word("orphans", among: ["fail", "delete"], otherwise: "fail") else {
        return nil
      }
      deletesOrphans = word == "delete"
      (orphanCountMax, orphanReport) = (nil, nil)
      return
    }
    guard case .policy(_, let specs) = Self.spec.fields[2].kind,
      let inner = Fields(node, specs, of: "'orphans'", fields.report),
      inner.word("action", among: ["delete"]) != nil
    else { return nil }
    deletesOrphans = true
    orphanCountMax = inner.count("max")
    orphanReport = inner.name("report")?.value
  }
}

/// `make_object: { class, primary_key }`
struct MakeObject: Operation {
  private static let keyFields = [
    FieldSpec("name", .propertyName, required: true, "the new property"),
    FieldSpec("type", .type, required: true, "int, string, objectId or uuid"),
    FieldSpec("value", .expression, required: true, "its values: uuid()"),
  ]

  static let spec = OperationSpec(
    word: "make_object", summary: "makes an embedded class a class of its own; links are kept",
    fields: [
      .className, FieldSpec("primary_key", .policy([], keyFields), "a primary key to add"),
    ])

  let className: Located<String>
  let key: (name: Located<String>, type: Located<PropertyType>, value: ExpressionText)?

  var subject: String { className.value }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if let kind = known.kind, kind != .embedded {
      checker.report.error("'\(known.name)' is not embedded", at: className.node)
    }
    checker.schema.classes[className.value]?.kind = .object
    guard let key, checker.requireNewProperty(key.name, of: known) else { return }
    if !ClassDefinition.canBePrimaryKey(key.type.value.type, key.type.value.collection) {
      checker.report.error(
        "\(className.value).\(key.name.value) is \(key.type.value.word) and cannot be a primary key",
        at: key.type.node, hint: "only int, string, objectId and uuid can")
    }
    checker.check(
      key.value, of: className.value, for: key.type.value, named: "\(className.value).\(key.name.value)")
    checker.schema.classes[className.value]?.properties.append(
      PropertyDefinition(key.name.value, key.type.value, index: .general))
    checker.schema.classes[className.value]?.primaryKey = .property(key.name.value)
  }

  func run(_ run: OperationRun) throws {
    let name = className.value
    try run.transaction.setEmbedded(name, false)
    run.report.touchedCount = try run.transaction.count(try run.tableKey(name))
    guard let key else { return }
    try run.transaction.addProperty(name, PropertyDefinition(key.name.value, key.type.value))
    run.report.touchedCount = 0
    try run.fill(name, key.name.value, key.value)
    try run.transaction.setPrimaryKey(name, key.name.value)
  }
}

extension MakeObject {
  init?(_ fields: Fields) {
    guard let className = fields.name("class") else { return nil }
    self.className = className
    guard let node = fields["primary_key"] else {
      key = nil
      return
    }
    guard let inner = Fields(node, Self.keyFields, of: "'primary_key'", fields.report),
      let name = inner.name("name"), let type = inner.type("type"), let value = inner.expression("value")
    else { return nil }
    key = (name, type, value)
  }
}
