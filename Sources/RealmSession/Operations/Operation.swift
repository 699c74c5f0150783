// What a step of a migration can do. Layer: RealmSession, Operations.
// Invariant: an operation that `check` lets pass on the schema of a file can be refused later only for what objects hold.

import ByteText
package import RealmEngine
import RealmQueryLanguage
package import TextFormats

/// How an operation is written, for the reader, the manual and the JSON Schema.
package struct OperationSpec: Sendable {
  package let word: String
  package let summary: String
  package let fields: [FieldSpec]
  /// Whether its fields are names that the file chooses.
  package var takesAnyName = false
  /// The field that a word alone stands for: `repair: backlinks`.
  package var loneField: String?
}

/// One entry of `up`.
package protocol Operation: Sendable {
  static var spec: OperationSpec { get }
  /// Nil after a complaint.
  init?(_ fields: Fields)
  /// What it is done to, for reports: `Person.age`.
  var subject: String { get }
  /// Whether a synced realm may take it.
  var isAdditive: Bool { get }
  /// Complains about what does not fit, and makes the change in the schema. `run` relies on what it refuses.
  func check(_ checker: inout SchemaChecker)
  func run(_ run: OperationRun) throws
}

extension Operation {
  package var isAdditive: Bool { false }
}

/// An operation with its place in the file.
package struct OperationEntry: Sendable {
  package let word: String
  package let operation: any Operation
  package let node: DocumentNode

  package var subject: String { operation.subject }

  static let kinds: [any Operation.Type] = [
    AddProperty.self, DropProperty.self, RenameProperty.self, ChangeType.self, MakeRequired.self,
    MakeOptional.self, AddIndex.self, DropIndex.self, ChangePrimaryKey.self, RenameClass.self, AddClass.self,
    AddClasses.self, DropClass.self, MakeEmbedded.self, MakeObject.self, UpdateObjects.self,
    DeleteObjects.self,
    CreateObjects.self, CopyObjects.self, InsertObjects.self, ChangeKeyValues.self, LetValues.self,
    Repair.self,
  ]

  /// The catalogue, for the manual and the JSON Schema.
  package static var specs: [OperationSpec] { kinds.map { $0.spec } }

  /// Reads `{ word: { … } }`; nil after a complaint.
  package init?(_ node: DocumentNode, _ report: ProblemReport) {
    guard let entries = node.entries, let entry = entries.first, entries.count == 1 else {
      report.error("an operation is one word with its fields: { add_property: { … } }", at: node)
      return nil
    }
    guard let kind = Self.kinds.first(where: { $0.spec.word == entry.key }) else {
      report.error(
        "there is no operation '\(entry.key)'", at: entry.keyLocation, length: entry.key.utf8.count,
        suggestion: EditDistance.nearest(to: entry.key, among: Self.specs.map(\.word)))
      return nil
    }
    guard
      let fields = Fields(
        Self.spelledOut(entry.value, kind.spec), kind.spec.fields, of: entry.key, report,
        takesAnyName: kind.spec.takesAnyName),
      let operation = kind.init(fields)
    else { return nil }
    self.word = entry.key
    self.operation = operation
    self.node = DocumentNode(entry.value.content, at: entry.keyLocation)
  }

  private static func spelledOut(_ node: DocumentNode, _ spec: OperationSpec) -> DocumentNode {
    guard let field = spec.loneField, case .scalar = node.content else { return node }
    return DocumentNode(
      .mapping([DocumentEntry(field, node, keyLocation: node.location)]), at: node.location)
  }
}

/// Keeps objects that a migration deletes, in files that its policies name.
package protocol DeletionKeeper: AnyObject {
  /// A run begins, perhaps once more: what earlier ones gave is void.
  func begin()
  /// `report`: the name of the file as the policy gives it.
  func keep(_ keys: [ObjectKey], of table: Table, in realm: ReadTransaction, report: String) throws
}

/// What an operation works on, and what it reports.
package final class OperationRun {
  let transaction: WriteTransaction
  let environment: ExpressionEnvironment
  let form: OperationForm
  let arguments: QueryArguments
  /// Takes what is about to be deleted for good; nil: nobody wants it.
  let keeper: (any DeletionKeeper)?
  package var report = OperationReport()

  package init(
    _ transaction: WriteTransaction, _ environment: ExpressionEnvironment, as form: OperationForm,
    arguments: QueryArguments = QueryArguments(), keeper: (any DeletionKeeper)? = nil
  ) {
    self.transaction = transaction
    self.environment = environment
    self.form = form
    self.arguments = arguments
    self.keeper = keeper
  }

  /// What to write instead.
  func hint(document: String, statement: String) -> String { form == .document ? document : statement }

  func view() throws -> ReadTransaction { try transaction.view() }

  /// Reports how many objects are gone after `body`, embedded ones among them.
  func countingDeleted(_ body: () throws -> Void) throws {
    let before = try view().objectCount
    try body()
    report.deletedCount += try before - view().objectCount
  }

  /// The arguments: one that is all of an expression is read as what it is to become.
  func arguments(in text: ExpressionText, for target: PropertyType?) -> QueryArguments {
    guard let target, target.collection == nil else { return arguments }
    return arguments.fitting(text.syntax, to: target.type)
  }

  /// An expression bound to the objects of a class as it is now. `target`: what it must fit.
  func bound(
    _ text: ExpressionText, _ className: String, old: String? = nil, for target: PropertyType? = nil
  ) throws -> BoundExpression {
    try bound(text, ValueScope(className: className, old: old, realm: try view()), for: target)
  }

  /// The keys of the objects that meet a predicate; nil: all.
  package func keys(_ predicate: PredicateText?, _ className: String) throws -> ObjectKeyList {
    let realm = try view()
    guard let table = realm.table(named: className) else { return ObjectKeyList([]) }
    guard let predicate else {
      let keys = CompressedIntegers()
      var cursor = table.blocks()
      while let block = try cursor.next() { for row in 0..<block.count { keys.append(block.key(row).value) } }
      return ObjectKeyList(keys)
    }
    let query = try OperationFailure.wrapping(predicate) { () throws(BindingFailure) in
      try BoundQuery(
        predicate.syntax, source: predicate.source, of: table, in: realm, names: environment.names)
    }
    return try QueryExecutor(query, in: realm).keyList()
  }

  /// The objects in which a property with one value is null.
  func nullKeys(_ className: String, _ name: String) throws -> ObjectKeyList {
    guard let table = try view().table(named: className),
      let property = table.schema.property(named: name), property.collection == nil
    else { return ObjectKeyList([]) }
    let keys = CompressedIntegers()
    var cursor = table.blocks()
    while let block = try cursor.next() {
      let leaf = try block.leaf(property)
      for row in try leaf.nullRows(in: table.snapshot) { keys.append(block.key(row).value) }
    }
    return ObjectKeyList(keys)
  }

  /// Gives a property what an expression makes of each object.
  func fill(
    _ className: String, _ property: String, _ text: ExpressionText, keys: ObjectKeyList? = nil
  ) throws {
    try set([(Located(property, text.node), .expression(text))], of: className, keys: keys)
  }

  /// Sets properties; every value is computed from the objects as they were before. `keys` nil: of all objects.
  func set(
    _ assignments: [Assigned], of className: String, keys: ObjectKeyList?, missing: MissingPolicy = .null
  ) throws {
    try set(
      try changes(assignments, of: className), assignments, of: className, keys: keys, missing: missing)
  }

  func set(
    _ changes: [PropertyChange], _ assignments: [Assigned], of className: String, keys: ObjectKeyList?,
    missing: MissingPolicy = .null
  ) throws {
    guard let text = assignments.first?.value.firstText else { return }
    note(
      try searching(missing, changes, of: className, for: keys, of: className, text) {
        () throws(BindingFailure) in
        try transaction.fill(className, changes, keys: keys, environment: environment)
      })
  }

  /// Assignments bound to the class as it is now. `source`: the class whose objects the values are computed for; nil: the
  /// same.
  func changes(
    _ assignments: [Assigned], of className: String, computedFor source: String? = nil
  ) throws -> [PropertyChange] {
    let realm = try view()
    guard let schema = realm.classTable(className)?.schema else {
      throw EngineError(.unknownClass, "there is no class \(className)")
    }
    // At a statement `old` may be a property's name; in a document it is a word.
    let hasOld = source == nil && (form == .document || schema.property(named: "old") == nil)
    var changes: [PropertyChange] = []
    for (name, value) in assignments {
      let type = schema.property(named: name.value).map(realm.type)
      let scope = ValueScope(
        className: source ?? className, old: hasOld ? name.value : nil, realm: realm)
      changes.append(PropertyChange(name.value, form: try bound(value, scope, for: type)))
    }
    return changes
  }

  func note(_ filled: FillReport) {
    report.touchedCount += filled.touchedCount
    report.nullCount += filled.nullCount
    report.failureCount += filled.failureCount
  }

  func tableKey(_ className: String) throws -> TableKey {
    guard let schema = try transaction.schema(named: className) else {
      throw EngineError(.unknownClass, "there is no class \(className)")
    }
    return schema.tableKey
  }
}

/// What an operation did.
package struct OperationReport: Sendable, Equatable {
  package init() {}

  package var touchedCount = 0
  package var createdCount = 0
  package var deletedCount = 0
  package var nullCount = 0
  package var failureCount = 0

  /// Takes in embedded objects, which come and go with their owners. `growth`: objects of all classes, afterwards less before.
  package mutating func account(for growth: Int) {
    let rest = growth - (createdCount - deletedCount)
    if rest > 0 { createdCount += rest } else { deletedCount -= rest }
  }
}

/// A refusal at a place in the text of an operation.
package struct OperationFailure: Error {
  package let cause: BindingFailure
  /// The text that a complaint of the query language is about.
  package let source: [UInt8]
  package let node: DocumentNode

  package var error: EngineError {
    switch cause {
    case .engine(let error): error
    case .query(let error): EngineError(.badDocument, error.sentence, hint: error.hint)
    }
  }

  static func wrapping<Syntax, Result>(
    _ text: LanguageText<Syntax>, _ body: () throws(BindingFailure) -> Result
  ) throws -> Result {
    do throws(BindingFailure) {
      return try body()
    } catch {
      throw OperationFailure(cause: error, source: text.source, node: text.node)
    }
  }
}

/// `repair: backlinks`
struct Repair: Operation {
  static let spec = OperationSpec(
    word: "repair",
    summary:
      "rebuilds the records of incoming links and removes links to missing objects; for damaged files, with apply --salvage",
    fields: [
      FieldSpec("what", .oneOf(["backlinks"]), required: true, "backlinks; repair: backlinks says it")
    ],
    loneField: "what")

  var subject: String { "backlinks" }

  init?(_ fields: Fields) {
    guard fields.word("what", among: ["backlinks"]) != nil else { return nil }
  }

  func check(_ checker: inout SchemaChecker) {}

  func run(_ run: OperationRun) throws {
    run.report.touchedCount = try run.transaction.repairLinks()
    let realm = try run.view()
    for table in realm.classes() where table.schema.kind == .embedded {
      let name = table.schema.name
      guard let odd = try run.transaction.ownerCounts(name).first else { continue }
      throw EngineError(
        .constraint,
        "\(odd.count == 0 ? "nothing owns an object" : "\(odd.count) objects own one") of the embedded class \(name)",
        at: "object \(odd.key.value)", hint: "say what happens to these objects: make_object before repair")
    }
  }
}
