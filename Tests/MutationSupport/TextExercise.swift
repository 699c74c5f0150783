// Reads texts that are broken on purpose and does what they say: dumps, statements, migration files, sources of imports. They
// are refused, or what they made is sound.

package import Foundation
import Migrations
import RealmEngine
import RealmSession
import Rendering
import TestSupport
import TextFormats

/// Texts that are sound.
package struct TextExercise {
  private let dumps: [(name: String, text: [UInt8])]
  /// A step, and the dump of a realm that it is for.
  private let steps: [(name: String, dump: [UInt8], text: [UInt8])]

  /// How many texts were done as they say.
  private var madeCount = 0
  private var imports = ImportExercise()

  private static let bundled = ["alltypes", "bare", "evolved", "legacy9-small", "place"]

  /// From the folder of fixtures.
  package init(from folder: URL) throws {
    func bytes(_ url: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }
    dumps = try Self.bundled.map { ($0, try bytes(folder.appendingPathComponent("\($0).realm.jsonl"))) }
    let scenarios = folder.appendingPathComponent("migrations/scenarios")
    var steps: [(name: String, dump: [UInt8], text: [UInt8])] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: scenarios.path).sorted() {
      let scenario = scenarios.appendingPathComponent(name)
      let files = scenario.appendingPathComponent("steps")
      for file in try FileManager.default.contentsOfDirectory(atPath: files.path).sorted()
      where file.hasSuffix(".yaml") {
        steps.append(
          (
            "\(name)/\(file)", try bytes(scenario.appendingPathComponent("before.jsonl")),
            try bytes(files.appendingPathComponent(file))
          ))
      }
    }
    self.steps = steps
  }

  /// Breaks one text and does what it says; gives what is wrong afterwards.
  package mutating func run(_ seed: UInt64) throws -> String? {
    var random = SplitMix64(state: seed ^ 0x7E87)
    switch random.below(4) {
    case 0:
      let (name, text) = dumps[random.below(dumps.count)]
      return try load(mutated(text, random)).map { "the dump of \(name) \($0)" }
    case 1:
      let (name, dump, text) = steps[random.below(steps.count)]
      return try migrate(dump, mutated(text, random)).map { "the step \(name) \($0)" }
    case 2:
      let (ending, text) = ImportExercise.samples[random.below(ImportExercise.samples.count)]
      let choices = [UInt8(truncatingIfNeeded: random.next()), UInt8(truncatingIfNeeded: random.next())]
      return try imports.run(choices + mutated(Array(text.utf8), random), endings: [ending])
        .map { "the source a\(ending) \($0)" }
    default:
      let statements = (0..<3).map { _ in Self.statements[random.below(Self.statements.count)] }
      let text = Array(statements.joined(separator: ";\n").utf8)
      return try state(mutated(text, random)).map { "the statements \(statements) \($0)" }
    }
  }

  /// What is wrong with texts that are not broken: all dumps are done, most steps, some of which are there to be refused, and
  /// most statements.
  package mutating func faultOfSoundOnes() throws -> String? {
    for dump in dumps { if let fault = try load(dump.text) { return "\(dump.name) \(fault)" } }
    guard madeCount == dumps.count else { return "\(madeCount) of \(dumps.count) dumps are loaded" }
    for step in steps { if let fault = try migrate(step.dump, step.text) { return "\(step.name) \(fault)" } }
    guard madeCount >= dumps.count + steps.count / 2 else {
      return "\(madeCount) of \(steps.count) steps are done"
    }
    madeCount = 0
    for (ending, text) in ImportExercise.samples {
      if let fault = try imports.run([0, 0] + Array(text.utf8), endings: [ending]) {
        return "a\(ending) \(fault)"
      }
    }
    guard imports.madeCount == ImportExercise.samples.count else {
      return "\(imports.madeCount) sources are imported"
    }
    let text = Array(Self.statements[Self.start.count...].joined(separator: ";\n").utf8)
    if let fault = try state(text) { return "the statements \(fault)" }
    return madeCount < Self.statements.count / 2 ? "\(madeCount) statements are done" : nil
  }

  private func mutated(_ text: [UInt8], _ random: SplitMix64) -> [UInt8] {
    var mutation = TextMutation(text, random)
    mutation.run()
    return mutation.bytes
  }

  // MARK: Dumps

  private mutating func load(_ text: [UInt8]) throws -> String? {
    let realm = try WritableDatabase.inMemory()
    do {
      try load(text, into: realm)
    } catch {
      return nil
    }
    madeCount += 1
    return fault(of: realm)
  }

  private func load(_ text: [UInt8], into realm: WritableDatabase) throws {
    let folder = try ScratchFolder(inMemory: true)
    let url = folder.path("dump.jsonl").url
    try Data(text).write(to: url)
    let file = try Foundation.FileHandle(forReadingFrom: url)
    let transaction = try realm.begin()
    var reader = try DumpReader(descriptor: file.fileDescriptor, into: transaction)
    try reader.run()
    try realm.commit(transaction)
    try file.close()
  }

  /// What is wrong with a realm that was made.
  private func fault(of realm: WritableDatabase) -> String? {
    do throws(EngineError) {
      let report = try FileInspection.inspect(realm.database.file, perKindMax: 1)
      if let finding = report.findings.first(where: { $0.severity == .damage }) {
        return "makes a damaged realm: \(finding.place), expected \(finding.expected), found \(finding.found)"
      }
      var out = OutputBuffer { _ throws(EngineError) in }
      try DumpWriter(realm.database.transaction, allTables: false).write(to: &out)
      return nil
    } catch {
      return "makes a realm that cannot be read: \(error.message)"
    }
  }

  // MARK: Migrations

  private mutating func migrate(_ dump: [UInt8], _ text: [UInt8]) throws -> String? {
    let realm = try WritableDatabase.inMemory()
    try load(dump, into: realm)
    let report = ProblemReport(DocumentSource(name: "step.yaml", bytes: text))
    guard let step = MigrationFile(report, load: { _ in nil }) else { return nil }
    var schema = SimulatedSchema(realm.database.transaction.schemaDescription(allTables: false))
    _ = ChainChecker.check(step, &schema, report)
    do throws(EngineError) {
      let transaction = try realm.begin()
      try MigrationRunner([step], now: Timestamp(seconds: 1, nanoseconds: 2), seed: 3).run(on: transaction)
      try realm.commit(transaction)
    } catch {
      return nil
    }
    madeCount += 1
    return fault(of: realm)
  }

  // MARK: Statements

  private static let start = [
    "create class Part embedded { n: int?, parts: list<Part> }",
    "create class Dog { name: string primary key, age: int indexed, at: date? }",
    """
    create class Person { a: int, b: int?, name: string indexed, text: string? fulltext, next: Person?, many: mixed,
      dogs: list<Dog>, marks: set<int?>, words: dictionary<mixed>, part: Part?, d: decimal128?, u: uuid?, o: objectId?, x: data? }
    """,
    """
    insert Person [{"a": 1, "b": 2, "name": "x", "marks": [1, null], "part": {"n": 1, "parts": [{"n": 2}]}},
      {"a": 3, "name": "y", "dogs": [{"name": "Rex", "age": 7}], "many": [1, {"k": "v"}], "words": {"w": [2]}},
      {"a": 3, "b": 9, "name": "z", "text": "the quick fox", "d": "1.5"}]
    """,
    "update Person where a == 1 set next = null",
  ]

  static let statements =
    start + [
      "insert Dog {\"name\": \"Ace\", \"age\": 3, \"at\": \"2020-01-01T00:00:00Z\"}",
      "update Person where name == 'x' set a = a * 2 + 1, b = null, name = upper(name), many = a",
      "update Person set b = a / 2, d = decimal('1.25'), text = name + ' and more'",
      "update Dog where age > 3 AND name BEGINSWITH[c] 'r' set age = age + 1",
      "delete Person where a > 1 AND ANY dogs.age > 3 OR text TEXT 'fox'",
      "delete Dog where @links.@count == 0",
      "alter class Person add extra: string? indexed", "alter class Person drop b",
      "alter class Person rename name to title", "alter class Person rename to Human",
      "alter class Dog add owners: list<Human>", "begin", "commit",
      "create class `a``b` { `p q`: list<string?>, y: Dog? }",
      "delete Human where SUBQUERY(dogs, $d, $d.age > 1).@count > 0 SORT(a DESC) LIMIT(1)",
      "alter class Human drop dogs", "drop class Dog", "rollback",
    ]

  private mutating func state(_ text: [UInt8]) throws -> String? {
    let host = SilentHost()
    let session = StatementSession(
      try SessionRealm(inMemory: WritePolicy(), host),
      settings: StatementSettings(showsAllTables: false, isConfirmed: true), host)
    for source in [Self.start.map { Array($0.utf8) }, [text]] {
      for batch in Script(source).batches(joiningInserts: true) {
        let classes = batch.compactMap(\.declaredClass)
        if classes.count == batch.count, (try? session.run(creating: classes)) != nil { continue }
        try? session.runInserts {
          for step in batch {
            guard case .success(let statement) = step.statement else { continue }
            if (try? session.run(statement, of: step.source)) != nil { madeCount += 1 }
          }
        }
      }
    }
    if session.realm.isInTransaction, (try? session.rollback()) == nil { return "leave a transaction open" }
    do {
      try session.realm.read { transaction in
        var out = OutputBuffer { _ throws(EngineError) in }
        try DumpWriter(transaction, allTables: false).write(to: &out)
      }
      return nil
    } catch {
      return "make a realm that cannot be read: \(error)"
    }
  }
}

/// Nobody is told, and nobody is asked.
private struct SilentHost: SessionHost {
  func note(_ text: String) {}
  func warn(_ text: String) {}
  func confirm(_ deed: String) -> Bool { true }
  func run(_ job: WholeFileJob) throws -> WholeFileJob.Report { try job.run { _, _, _ in } }
}
