// A statement and the migration operation of the same name: what one does or refuses, the other does or refuses.

import Migrations
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import Testing

/// Nobody is told, and nobody is asked.
private struct SilentHost: SessionHost {
  func note(_ text: String) {}
  func warn(_ text: String) {}
  func confirm(_ deed: String) -> Bool { true }
  func run(_ job: WholeFileJob) throws -> WholeFileJob.Report { try job.run { _, _, _ in } }
}

@Suite("Statements and operations of the same name")
struct SameOperationTests {
  private static let start = [
    "create class Dog { name: string }",
    """
    create class Person { a: int, b: int?, name: string indexed, next: Person?, any: mixed, dogs: list<Dog>,
      marks: list<int?> }
    """,
    "create class Part embedded { text: string? }",
    "create class Keyed { id: int primary key, part: Part?, named: dictionary<string> }",
    """
    insert Person [{"a": 1, "b": 2, "name": "x", "marks": [1, null]}, {"a": 3, "name": "y", "dogs": [{"name": "Rex"}]},
      {"a": 3, "b": 9, "name": "z"}]
    """,
    "update Person where a == 1 set next = null",
    "insert Keyed {\"id\": 1, \"part\": {\"text\": \"p\"}, \"named\": {\"a\": \"x\"}}",
  ]

  /// An open session in which `start` was run, in a transaction of its own.
  private static func session() throws -> StatementSession {
    let host = SilentHost()
    let session = StatementSession(
      try SessionRealm(inMemory: WritePolicy(), host),
      settings: StatementSettings(showsAllTables: false, isConfirmed: true), host)
    let script = Script(start.map { Array($0.utf8) })
    _ = try session.run(creating: script.steps.compactMap(\.declaredClass))
    for statement in start.dropFirst(4) { try run(statement, in: session) }
    try session.realm.begin()
    return session
  }

  private static func run(_ text: String, in session: StatementSession) throws {
    let source = Array(text.utf8)
    _ = try session.run(try Statement(parsing: source), of: source)
  }

  private static func migrate(_ operation: String, _ transaction: WriteTransaction) throws {
    let text = "realm_migration: 1\nfrom: 0\nto: 1\nup:\n  - \(operation)\n"
    let report = ProblemReport(DocumentSource(name: "step.yaml", bytes: Array(text.utf8)))
    let file = MigrationFile(report) { _ in nil }
    #expect(report.problems.isEmpty, "\(report.problems.map(\.text))")
    let step = try #require(file)
    var checker = SchemaChecker(SimulatedSchema(try transaction.view().schemaDescription()), report)
    for entry in step.operations { entry.operation.check(&checker) }
    // How many objects have no value only the run can tell.
    let refusals = report.problems.filter {
      $0.severity == .error && !$0.message.contains("existing objects need")
    }
    if let problem = refusals.first {
      throw EngineError(.badDocument, ": \(problem.message)", hint: problem.hint)
    }
    let runner = MigrationRunner(
      [step], now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1)
    try runner.run(on: transaction)
    try transaction.setSchemaVersion(0)
  }

  private static func dump(_ transaction: WriteTransaction) throws -> String {
    var out = OutputBuffer()
    try transaction.setSchemaVersion(0)
    try DumpWriter(try transaction.view(), allTables: true).write(to: &out)
    return out.text.text
  }

  /// What both leave, or why they refuse, and whether they say what to do instead.
  private static func outcomes(
    _ statement: String, _ operation: String
  ) throws -> (statement: String, operation: String) {
    let stated = try session()
    var outcomes = (statement: "", operation: "")
    do {
      try run(statement, in: stated)
      outcomes.statement = try dump(try #require(stated.realm.transaction))
    } catch let error as SessionError {
      switch error.cause {
      case .engine(let cause), .refused(let cause): outcomes.statement = "refused: \(cause.message)"
      default: outcomes.statement = "refused: \(error)"
      }
      outcomes.statement += error.hint == nil ? "" : ", with a hint"
    }
    let migrated = try session()
    let transaction = try #require(migrated.realm.transaction)
    do {
      try migrate(operation, transaction)
      outcomes.operation = try dump(transaction)
    } catch let error as EngineError {
      outcomes.operation = "refused: \(error.message.drop { $0 != ":" }.dropFirst(2))"
      outcomes.operation += error.hint == nil ? "" : ", with a hint"
    }
    return outcomes
  }

  static let pairs: [(statement: String, operation: String, isRefused: Bool)] = [
    ("update Person set a = b ?? 0, b = a", "update: { class: Person, set: { a: b ?? 0, b: a } }", false),
    (
      "update Person where a == 3 set name = name + '!'",
      "update: { class: Person, where: a == 3, set: { name: name + '!' } }", false
    ),
    ("delete Person where b == null", "delete: { class: Person, where: b == null }", false),
    ("alter class Person add x: double", "add_property: { class: Person, name: x, type: double }", true),
    (
      "alter class Person add x: double default a / 2.0",
      "add_property: { class: Person, name: x, type: double, value: a / 2.0 }", false
    ),
    (
      "alter class Person add x: string? indexed",
      "add_property: { class: Person, name: x, type: string?, indexed: true }", false
    ),
    (
      "alter class Person alter b required",
      "make_required: { class: Person, property: b, nulls: fail }", true
    ),
    (
      "alter class Person alter b required default a * 10",
      "make_required: { class: Person, property: b, nulls: { value: a * 10 } }", false
    ),
    (
      "alter class Person alter marks required default 5",
      "make_required: { class: Person, property: marks, nulls: { value: 5 } }", false
    ),
    (
      "alter class Person alter marks required",
      "make_required: { class: Person, property: marks, nulls: fail }", true
    ),
    ("alter class Person alter a optional", "make_optional: { class: Person, property: a }", false),
    ("alter class Person rename a to age", "rename_property: { class: Person, from: a, to: age }", false),
    (
      "alter class Person rename name to c fulltext",
      "rename_property: { class: Person, from: name, to: c, indexed: fulltext }", false
    ),
    (
      "alter class Person rename a to age optional indexed",
      "rename_property: { class: Person, from: a, to: age, optional: true, indexed: true }", false
    ),
    ("alter class Person add a: int?", "add_property: { class: Person, name: a, type: int? }", true),
    (
      "alter class Person add x: double? indexed",
      "add_property: { class: Person, name: x, type: double?, indexed: true }", true
    ),
    (
      "alter class Person alter a required", "make_required: { class: Person, property: a, nulls: fail }",
      true
    ),
    (
      "alter class Person alter next required",
      "make_required: { class: Person, property: next, nulls: fail }", true
    ),
    ("alter class Person alter b optional", "make_optional: { class: Person, property: b }", true),
    ("alter class Person add index name", "add_index: { class: Person, property: name }", true),
    ("alter class Person add index marks", "add_index: { class: Person, property: marks }", true),
    (
      "alter class Person add index a fulltext",
      "add_index: { class: Person, property: a, kind: fulltext }", true
    ),
    ("alter class Person drop index a", "drop_index: { class: Person, property: a }", true),
    ("alter class Person primary key marks", "change_primary_key: { class: Person, to: marks }", true),
    ("alter class Person primary key null", "change_primary_key: { class: Person, to: null }", true),
    ("alter class Person rename a to name", "rename_property: { class: Person, from: a, to: name }", true),
    ("alter class Person rename to Dog", "rename_class: { from: Person, to: Dog }", true),
    ("alter class Keyed drop id", "drop_property: { class: Keyed, name: id }", true),
    ("alter class Keyed drop index id", "drop_index: { class: Keyed, property: id }", true),
    ("alter class Keyed primary key id", "change_primary_key: { class: Keyed, to: id }", true),
    (
      "update Keyed set part.text = part.text + '!'",
      "update: { class: Keyed, set: { part.text: part.text + '!' } }", false
    ),
    (
      "update Keyed where id == 1 set named.b = 'y', named['c'] = 'z'",
      "update: { class: Keyed, where: id == 1, set: { named.b: \"'y'\", named.c: \"'z'\" } }", false
    ),
    ("create class Person { a: int }", "add_class: { name: Person, properties: { a: int } }", true),
    (
      "create class Tag { parts: set<Part> }", "add_class: { name: Tag, properties: { parts: set<Part> } }",
      true
    ),
    ("alter class Person drop b", "drop_property: { class: Person, name: b }", false),
    ("alter class Person drop b, any", "drop_property: { class: Person, names: [b, any] }", false),
    (
      "alter class Person alter b required nulls delete",
      "make_required: { class: Person, property: b, nulls: delete }", false
    ),
    (
      "alter class Person alter a to string value string(old)",
      "change_type: { class: Person, property: a, to: string, value: string(old) }", false
    ),
    (
      "alter class Person alter name to int value int(old) unparsable value 7",
      "change_type: { class: Person, property: name, to: int, value: int(old), unparsable: { value: 7 } }",
      false
    ),
    (
      "alter class Person alter name to int value int(old)",
      "change_type: { class: Person, property: name, to: int, value: int(old) }", true
    ),
    (
      "alter class Person alter b to string? value string(old) nulls keep",
      "change_type: { class: Person, property: b, to: string?, value: string(old), nulls: keep }", false
    ),
    (
      "alter class Person alter b to string value string(old) nulls fail",
      "change_type: { class: Person, property: b, to: string, value: string(old), nulls: fail }", true
    ),
    (
      "alter class Person alter b to string value string(old) nulls value 'none'",
      "change_type: { class: Person, property: b, to: string, value: string(old), nulls: { value: \"'none'\" } }",
      false
    ),
    ("alter class Person add index a", "add_index: { class: Person, property: a }", false),
    ("alter class Person drop index name", "drop_index: { class: Person, property: name }", false),
    ("alter class Person rename to Human", "rename_class: { from: Person, to: Human }", false),
    ("alter class Person primary key name", "change_primary_key: { class: Person, to: name }", false),
    ("alter class Person primary key a", "change_primary_key: { class: Person, to: a }", true),
    (
      "alter class Person primary key a duplicates keep last order by name relink max 1",
      """
      change_primary_key: { class: Person, to: a, duplicates: { keep: last, order_by: name, relink: true, max: 1 } }
      """, false
    ),
    (
      "alter class Person primary key a duplicates keep first max 0",
      "change_primary_key: { class: Person, to: a, duplicates: { keep: first, max: 0 } }", true
    ),
    ("alter class Dog embedded", "make_embedded: { class: Dog }", false),
    ("alter class Person embedded", "make_embedded: { class: Person }", true),
    (
      "alter class Person embedded orphans delete shared duplicate",
      "make_embedded: { class: Person, orphans: delete, shared: duplicate }", false
    ),
    ("drop class Person", "drop_class: { class: Person }", false),
    ("drop class Dog", "drop_class: { class: Dog }", true),
    ("drop class Dog linked nullify", "drop_class: { class: Dog, linked: nullify }", false),
    ("create class Tag { text: string }", "add_class: { name: Tag, properties: { text: string } }", false),
    (
      "create class Tag asymmetric { id: uuid primary key, text: string? fulltext, at: date indexed, of: Dog? }",
      """
      add_class: { name: Tag, kind: asymmetric, primary_key: id, properties: { id: uuid, text: { type: string?, \
      indexed: fulltext }, at: { type: date, indexed: true }, of: Dog? } }
      """, false
    ),
  ]

  @Test(
    "a statement leaves what the operation leaves, or both refuse for the same reason",
    arguments: pairs.indices)
  func pair(index: Int) throws {
    let (statement, operation, isRefused) = Self.pairs[index]
    let outcomes = try Self.outcomes(
      statement, "\(operation.prefix { $0 != ":" }): \(operation.drop { $0 != "{" })")
    #expect(outcomes.statement == outcomes.operation, "\(statement)")
    #expect(outcomes.statement.hasPrefix("refused") == isRefused, "\(outcomes.statement)")
  }

  @Test("both see every right side as the object was: values are exchanged, not lost")
  func exchange() throws {
    let texts = try Self.outcomes(
      "update Person where b != null set a = b ?? 0, b = a",
      "update: { class: Person, where: b != null, set: { a: b ?? 0, b: a } }")
    for text in [texts.statement, texts.operation] {
      #expect(text.contains("\"a\":2,\"b\":1") && text.contains("\"a\":9,\"b\":3"), "\(text)")
    }
  }
}
