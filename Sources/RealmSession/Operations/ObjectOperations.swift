// Changing and deleting objects. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

extension FieldSpec {
  package static let condition = FieldSpec(
    "where", .predicate, "which objects, as a predicate (default: all)")
  fileprivate static let conditionOfDeletion = FieldSpec(
    "where", .predicate, "which objects, as a predicate; it is left out only with 'max', to delete all")
  static let countMax = FieldSpec("max", .count, "the maximum number of objects; more is an error")
}

extension OperationRun {
  /// The objects that an operation is about, no more than allowed.
  func selected(_ condition: PredicateText?, _ className: String, _ countMax: Int?) throws -> ObjectKeyList {
    let keys = try keys(condition, className)
    if let countMax, keys.count > countMax {
      throw EngineError(
        .constraint, "\(keys.count) objects of \(className) match, more than the \(countMax) allowed",
        hint: "name fewer, or allow more with a higher max")
    }
    return keys
  }
}

/// `update: { class, where, set, max }`
struct UpdateObjects: Operation {
  static let spec = OperationSpec(
    word: "update", summary: "sets properties of objects; old is the previous value",
    fields: [
      .className, .condition,
      FieldSpec("set", .assignments, required: true, "properties with their new values"),
      .missing, .countMax,
    ])

  let className: Located<String>
  let condition: PredicateText?
  let missing: Located<MissingPolicy>?
  let assignments: [Assigned]
  let countMax: Int?

  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let set = fields["set"] else { return nil }
    guard let assignments = fields.report.assignments(set, of: "update"),
      let missing = MissingPolicy.read(fields), let condition = fields.optional("where", fields.predicate)
    else { return nil }
    (self.className, self.assignments) = (className, assignments)
    (self.condition, self.missing) = (condition, missing)
    countMax = fields.count("max")
  }

  var subject: String { "\(className.value).\(assignments.map(\.name.value).joined(separator: ", "))" }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if let condition { checker.check(condition, of: className.value) }
    var searches: [SearchedProperty] = []
    for (name, value) in assignments {
      guard let type = checker.requirePath(name, of: known) else { continue }
      if known.primaryKey == .property(name.value) {
        checker.report.error(
          "'\(name.value)' is the primary key of '\(known.name)' and cannot change", at: name.node,
          hint: "change_key_values changes primary keys")
        continue
      }
      searches += checker.check(
        value, in: .init(className: className.value, old: name.value), for: type,
        named: "\(className.value).\(name.value)")
    }
    checker.check(searches, creating: missing)
  }

  func run(_ run: OperationRun) throws {
    let keys = try run.selected(condition, className.value, countMax)
    guard !keys.isEmpty else { return }
    let all = try run.transaction.count(try run.tableKey(className.value))
    try run.set(
      assignments, of: className.value, keys: keys.count == all ? nil : keys,
      missing: missing?.value ?? .null)
    run.report.touchedCount = keys.count
  }
}

/// `delete: { class, where, max }`
struct DeleteObjects: Operation {
  static let spec = OperationSpec(
    word: "delete", summary: "deletes objects, and the embedded objects in them",
    fields: [.className, .conditionOfDeletion, .countMax])

  let className: Located<String>
  let condition: PredicateText?
  let countMax: Int?

  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let condition = fields.optional("where", fields.predicate)
    else { return nil }
    (self.className, self.condition) = (className, condition)
    countMax = fields.count("max")
    if condition == nil, countMax == nil {
      fields.report.error(
        "delete without 'where' would delete all objects of '\(className.value)'", at: className.node,
        hint: "say which with where: …, or say how many there may be with max: …")
    }
  }

  var subject: String { className.value }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireClass(className) else { return }
    if known.kind == .embedded {
      checker.report.error(
        "objects of the embedded class '\(known.name)' are deleted with their owners", at: className.node,
        hint: "update the property that holds them")
    }
    if known.kind == .asymmetric {
      checker.report.error(
        "objects of the asymmetric class '\(known.name)' are never kept in the file", at: className.node)
    }
    if let condition { checker.check(condition, of: className.value) }
  }

  func run(_ run: OperationRun) throws {
    let keys = try run.selected(condition, className.value, countMax)
    let key = try run.tableKey(className.value)
    try run.countingDeleted { try run.transaction.erase(keys, of: key) }
    run.report.touchedCount = keys.count
  }
}
