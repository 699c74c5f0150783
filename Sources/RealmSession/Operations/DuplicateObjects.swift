// What becomes of objects that share a value of what is to be their primary key. Layer: RealmSession, Operations.
// Invariant: which objects share a value is counted before the first of them goes.

import ByteText
import RealmEngine
import RealmQueryLanguage
import TextFormats

/// How the property of the object that stays comes from those of all that share its key.
enum MergeRule: String, CaseIterable, Sendable {
  case first, last, min, max, sum, union

  /// Whether the rule goes with values of a type.
  func fits(_ type: PropertyType) -> Bool {
    switch self {
    case .first, .last: type.collection == nil
    case .min, .max: type.collection == nil && type.type != .object
    case .sum: type.collection == nil && type.type.isNumber
    case .union: type.collection == .list || type.collection == .set
    }
  }
}

struct DuplicatePolicy: Sendable {
  private static let innerFields = [
    FieldSpec("keep", .oneOf(["first", "last"]), required: true, "which object to keep: first or last"),
    FieldSpec("order_by", .text, "the order: updatedAt DESC (default: by object key)"),
    FieldSpec("relink", .flag, "links to deleted objects are changed to the kept one"),
    FieldSpec(
      "merge", .words(MergeRule.allCases.map(\.rawValue)),
      "properties of the kept object that combine all values: first or last (not null), min, max, sum, union (of lists and sets)"
    ),
    FieldSpec("max", .count, "the maximum number of deleted objects"),
  ]

  static let field = FieldSpec(
    "duplicates", .policy(["fail"], innerFields),
    "what happens to objects that share a value: fail (the default), or { keep: first } with order_by, relink, merge, max"
  )

  let keepsFirst: Bool
  let order: LanguageText<[RealmQueryLanguage.SortKey]>?
  let relinks: Bool
  let merges: [(name: Located<String>, rule: MergeRule)]
  let countMax: Int?

  /// `.some(nil)`: to fail. Nil after a complaint.
  static func read(_ fields: Fields) -> DuplicatePolicy?? {
    guard let node = fields["duplicates"], node.text != "fail" else { return .some(nil) }
    guard let inner = Fields(node, innerFields, of: "'duplicates'", fields.report),
      let word = inner.word("keep", among: ["first", "last"])
    else { return nil }
    var order: LanguageText<[RealmQueryLanguage.SortKey]>?
    if let node = inner["order_by"] {
      order = fields.report.parse(node) { source throws(QueryError) in
        try RealmQueryLanguage.SortKey.list(parsing: source)
      }
      if order == nil { return nil }
    }
    var merges: [(name: Located<String>, rule: MergeRule)] = []
    if let node = inner["merge"] {
      let words = MergeRule.allCases.map(\.rawValue)
      guard let entries = node.entries,
        let rules = Fields(node, [], of: "'merge'", fields.report, takesAnyName: true)
      else {
        fields.report.error("'merge' needs a mapping of properties to rules", at: node)
        return nil
      }
      for entry in entries {
        guard let rule = rules.word(entry.key, among: words).flatMap(MergeRule.init) else { return nil }
        merges.append((Located(key: entry), rule))
      }
    }
    return .some(
      DuplicatePolicy(
        keepsFirst: word == "first", order: order, relinks: inner.flag("relink") ?? false, merges: merges,
        countMax: inner.count("max")))
  }

  /// `key`: the property that is or becomes the primary key.
  func check(_ checker: inout SchemaChecker, _ known: SimulatedClass, key: String) {
    if let order { checker.check(order, of: known.name) }
    for (name, rule) in merges {
      guard let property = checker.requireProperty(name, of: known) else { continue }
      if name.value == key {
        checker.report.error("'\(key)' is the property that the objects share", at: name.node)
      } else if let type = property?.type, !rule.fits(type) {
        checker.report.error(
          "\(known.name).\(name.value) is \(type.word), which \(rule.rawValue) does not support",
          at: name.node)
      }
    }
  }
}

/// The objects of a class that share a value of a property.
struct DuplicateObjects {
  private let className: String
  private let key: String
  private let policy: DuplicatePolicy?

  /// `policy` nil: there may be none.
  init(_ className: String, key: String, policy: DuplicatePolicy?) {
    (self.className, self.key, self.policy) = (className, key, policy)
  }

  /// Leaves one object of each value, as the policy has it.
  func remove(_ run: OperationRun) throws {
    let groups = try groups(run)
    guard !groups.isEmpty else { return }
    let goneCount = groups.reduce(0) { $0 + $1.count - 1 }
    let place = "\(className).\(key)"
    guard let policy else {
      throw EngineError(
        .constraint,
        "\(place) cannot be the primary key: \(goneCount + groups.count) objects share \(counted(groups.count, "value"))",
        at: "object \(groups[0][0].value)",
        hint: run.hint(
          document: "choose which one to keep: duplicates: { keep: first }",
          statement: "choose which one to keep: duplicates keep first"))
    }
    if let countMax = policy.countMax, goneCount > countMax {
      throw EngineError(
        .constraint, "\(place): \(goneCount) duplicates would be deleted, more than the \(countMax) allowed",
        hint: "allow more with a higher max")
    }
    let table = try run.tableKey(className)
    var gone: [ObjectLink] = []
    for group in groups {
      guard let kept = policy.keepsFirst ? group.first : group.last else { continue }
      let links = group.map { ObjectLink(table: table, key: $0) }
      if !policy.merges.isEmpty {
        let values = try run.transaction.merged(
          links, policy.merges.map { ($0.name.value, $0.rule.valueMerge) })
        try run.transaction.update(ObjectLink(table: table, key: kept), values)
      }
      for other in links where other.key != kept {
        if policy.relinks {
          _ = try run.transaction.relink(from: other, to: ObjectLink(table: table, key: kept))
        }
        gone.append(other)
      }
    }
    try run.countingDeleted { try run.transaction.erase(gone) }
  }

  /// Each group in the order asked for.
  private func groups(_ run: OperationRun) throws -> [[ObjectKey]] {
    let realm = try run.view()
    guard let table = realm.table(named: className), let property = table.schema.property(named: key)
    else { return [] }
    let groups = try table.keysWithRepeatedValues(of: property)
    guard !groups.isEmpty else { return [] }
    guard let ranks = try ranks(table, realm) else { return groups }
    return groups.map { keys in keys.sorted { ranks[$0, default: 0] < ranks[$1, default: 0] } }
  }

  private func ranks(_ table: Table, _ realm: ReadTransaction) throws -> [ObjectKey: Int]? {
    guard let order = policy?.order else { return nil }
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
}

extension MergeRule {
  /// As the engine merges values.
  fileprivate var valueMerge: ValueMerge {
    switch self {
    case .first: .first
    case .last: .last
    case .min: .aggregate(.min)
    case .max: .aggregate(.max)
    case .sum: .aggregate(.sum)
    case .union: .union
    }
  }
}
