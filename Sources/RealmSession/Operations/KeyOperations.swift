// Changing the primary key. Layer: RealmSession, Operations.
// Invariant: which objects share a value is counted before the first of them goes.

import RealmEngine
import RealmQueryLanguage
import TextFormats

/// `change_primary_key: { class, to, duplicates }`
struct ChangePrimaryKey: Operation {
  static let spec = OperationSpec(
    word: "change_primary_key", summary: "makes another property the primary key, or none: to: null",
    fields: [
      .className, FieldSpec("to", .nameOrNull, required: true, "the property, or null"),
      FieldSpec(
        "duplicates",
        .policy(
          ["fail"],
          [
            FieldSpec("keep", .oneOf(["first", "last"]), required: true, "which one stays: first or last"),
            FieldSpec("order_by", .text, "in which order: updatedAt DESC; by object key without it"),
            FieldSpec("relink", .flag, "links to those that go lead to the one that stays"),
            FieldSpec("max", .count, "at most so many may go"),
          ]), "what becomes of objects that share a value: fail (the default), or { keep: first, … }"),
    ])

  struct Duplicates {
    let keepsFirst: Bool
    let order: LanguageText<[RealmQueryLanguage.SortKey]>?
    let relinks: Bool
    let countMax: Int?
  }

  let className: Located<String>
  let property: Located<String>?
  let duplicates: Duplicates?

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
    checker.schema.classes[className.value]?.dropKeyIndex()
    checker.schema.classes[className.value]?.primaryKey = .property(property.value)
    checker.schema.classes[className.value]?.replace(property.value) {
      PropertyDescription($0.name, $0.type, index: .general)
    }
  }

  func run(_ run: OperationRun) throws {
    guard let property else { return try run.transaction.setPrimaryKey(className.value, nil) }
    let groups = try duplicateGroups(run, property.value)
    if !groups.isEmpty { try remove(groups, run, property.value) }
    run.report.touchedCount = try run.transaction.count(try run.tableKey(className.value))
    try run.transaction.setPrimaryKey(className.value, property.value)
  }

  /// Objects that share a value, each group in the order asked for.
  private func duplicateGroups(_ run: OperationRun, _ name: String) throws -> [[ObjectKey]] {
    let realm = try run.view()
    guard let table = realm.table(named: className.value), let property = table.schema.property(named: name)
    else { return [] }
    var seen: Set<Value> = []
    var repeated: Set<Value> = []
    try forEachValue(of: property, table) { _, value in
      if !seen.insert(value).inserted { repeated.insert(value.owned()) }
    }
    guard !repeated.isEmpty else { return [] }
    var groups: [Value: [ObjectKey]] = [:]
    try forEachValue(of: property, table) { key, value in
      if repeated.contains(value) { groups[value.owned(), default: []].append(key) }
    }
    let ranks = try ranks(table, realm)
    // Dictionaries have no order of their own; the lowest key decides.
    return groups.values.map { keys in
      guard let ranks else { return keys }
      return keys.sorted { ranks[$0, default: 0] < ranks[$1, default: 0] }
    }.sorted { ($0.min() ?? .init(0)) < ($1.min() ?? .init(0)) }
  }

  private func forEachValue(
    of property: Property, _ table: Table, _ body: (ObjectKey, Value) -> Void
  ) throws {
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count { body(block.key(row), try leaf.value(row, in: table.snapshot)) }
    }
  }

  private func ranks(_ table: Table, _ realm: ReadTransaction) throws -> [ObjectKey: Int]? {
    guard let order = duplicates?.order else { return nil }
    let everything = Array("TRUEPREDICATE".utf8)
    let predicate = try Predicate(parsing: everything)
    let query = try OperationFailure.wrapping(order) { () throws(BindingFailure) in
      try BoundQuery(predicate, source: everything, of: table, in: realm)
        .sorted(by: order.syntax, source: order.source, in: realm)
    }
    var ranks: [ObjectKey: Int] = [:]
    for key in try QueryExecutor(query, in: realm).keys() { ranks[key] = ranks.count }
    return ranks
  }

  private func remove(_ groups: [[ObjectKey]], _ run: OperationRun, _ name: String) throws {
    let goneCount = groups.reduce(0) { $0 + $1.count - 1 }
    let place = "\(className.value).\(name)"
    guard let duplicates else {
      throw EngineError(
        .constraint,
        "\(place) cannot be the primary key: \(groups.count) values stand in \(goneCount + groups.count) objects",
        at: "object \(groups[0][0].value)",
        hint: run.hint(
          document: "say which stays: duplicates: { keep: first }",
          statement: "change or delete the others first"))
    }
    if let countMax = duplicates.countMax, goneCount > countMax {
      throw EngineError(
        .constraint, "\(place): \(goneCount) duplicates would go, more than the \(countMax) allowed")
    }
    let key = try run.tableKey(className.value)
    var gone: [ObjectLink] = []
    for group in groups {
      guard let kept = duplicates.keepsFirst ? group.first : group.last else { continue }
      for other in group where other != kept {
        if duplicates.relinks {
          _ = try run.transaction.relink(
            from: ObjectLink(table: key, key: other), to: ObjectLink(table: key, key: kept))
        }
        gone.append(ObjectLink(table: key, key: other))
      }
    }
    let before = try run.view().objectCount
    try run.transaction.erase(gone)
    run.report.deletedCount = try before - run.view().objectCount
  }
}

extension ChangePrimaryKey {
  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let to = fields["to"] else { return nil }
    self.className = className
    if to.isNull {
      property = nil
    } else {
      guard let name = fields.name("to") else { return nil }
      property = name
    }
    guard let node = fields["duplicates"], node.text != "fail" else {
      duplicates = nil
      return
    }
    guard case .policy(_, let specs) = Self.spec.fields[2].kind,
      let inner = Fields(node, specs, of: "'duplicates'", fields.report),
      let word = inner.word("keep", among: ["first", "last"])
    else { return nil }
    var order: LanguageText<[RealmQueryLanguage.SortKey]>?
    if let node = inner["order_by"] {
      order = fields.report.parse(node) { source throws(QueryError) in
        try RealmQueryLanguage.SortKey.list(parsing: source)
      }
      if order == nil { return nil }
    }
    duplicates = Duplicates(
      keepsFirst: word == "first", order: order, relinks: inner.flag("relink") ?? false,
      countMax: inner.count("max"))
  }
}

extension SimulatedClass {
  /// The primary key's index came with it, where the property does not say otherwise.
  mutating func dropKeyIndex() {
    guard case .property(let name) = primaryKey else { return }
    replace(name) { PropertyDescription($0.name, $0.type) }
  }
}
