// What `apply` refuses whatever objects hold, `lint` refuses before. Operations of every kind on properties of every kind are
// checked and then run on a realm without objects, and on one where there is one of each class: what passes the check must run
// on the first, and can fail on the second only for what its objects hold.

import Foundation
import Migrations
import RealmEngine
import RealmSession
import TestSupport
import Testing
import TextFormats

@Suite("Refusals that no object is needed for")
struct RefusalTests {
  private static let sampleCount = TestScale.cases(fast: 500, usual: 3000, long: .max)

  /// A realm with the schema of the catalogue.
  private static func realm() throws -> WritableDatabase {
    let realm = try WritableDatabase.inMemory()
    let transaction = try realm.begin()
    let bytes = Array(OperationCatalogue.schema.utf8)
    let schema = try SchemaDescription(document: try DocumentNode.yamlOrJSON(bytes.span))
    try transaction.addClasses(schema.classes)
    try realm.commit(transaction)
    return realm
  }

  /// What the check says against a step where nothing is known of the schema before.
  private static func blindRefusal(_ step: String) -> String? {
    let report = ProblemReport(DocumentSource(name: "step.json", bytes: Array(step.utf8)))
    guard let file = MigrationFile(report, load: { _ in nil }) else { return nil }
    var schema = SimulatedSchema()
    _ = ChainChecker.check(file, &schema, report)
    return report.problems.first { $0.severity == .error }?.text
  }

  /// What the check says against a step; and where that is nothing, what the run does.
  private static func refusal(
    _ step: String, on realm: WritableDatabase
  ) throws -> (check: String?, run: String?) {
    let report = ProblemReport(DocumentSource(name: "step.json", bytes: Array(step.utf8)))
    guard let file = MigrationFile(report, load: { _ in nil }) else {
      return (report.problems.first?.text ?? "no reason is given", nil)
    }
    var schema = SimulatedSchema(realm.database.transaction.schemaDescription())
    _ = ChainChecker.check(file, &schema, report)
    if let problem = report.problems.first(where: { $0.severity == .error }) { return (problem.text, nil) }
    let transaction = try realm.begin()
    do throws(EngineError) {
      try MigrationRunner([file], now: Timestamp(seconds: 0, nanoseconds: 0), seed: 1).run(on: transaction)
      // What was simulated is what there is.
      let found = try transaction.view().schemaDescription().fingerprint()
      let expected = try schema.description?.fingerprint()
      return (
        nil, expected == nil || expected == found ? nil : "leaves another schema than the check expects"
      )
    } catch {
      return (nil, error.message)
    }
  }

  @Test("what passes the check runs where there are no objects, and leaves the schema that the check tells")
  func completeness() throws {
    var operations = OperationCatalogue().operations
    #expect(operations.count > 10_000)
    let seed = testSeed()
    print("operations are chosen by seed \(seed)")
    var random = SplitMix64(state: seed)
    operations = Array(operations.shuffled(using: &random).prefix(Self.sampleCount))
    let realm = try Self.realm()
    var counts = (refused: 0, done: 0)
    for operation in operations {
      let step = #"{"realm_migration":1,"from":0,"to":1,"up":[\#(operation)]}"#
      let refusal = try Self.refusal(step, on: realm)
      if let found = refusal.run { Issue.record("\(operation): lint lets it pass; \(found)") }
      if refusal.check == nil { counts.done += 1 } else { counts.refused += 1 }
      if refusal.check == nil, let text = Self.blindRefusal(step) {
        Issue.record("\(operation): lint refuses it where the schema is not known: \(text)")
      }
    }
    // A catalogue of nothing but mistakes would test nothing.
    #expect(counts.done > operations.count / 10 && counts.refused > operations.count / 10, "\(counts)")
  }

  @Test("a schema that a step leads to has the step's version, or none", arguments: [nil, 0, 1, 2])
  func versionOfTarget(version: Int?) throws {
    let step = #"{"realm_migration":1,"from":0,"to":1,"schema":"next.json","up":[]}"#
    let line = version.map { #""schema_version":\#($0),"# } ?? ""
    let schema = #"{"realm_schema":1,\#(line)"classes":{"Dog":{"properties":{"name":"string"}}}}"#
    let report = ProblemReport(DocumentSource(name: "step.json", bytes: Array(step.utf8)))
    let file = try #require(
      MigrationFile(report) { DocumentSource(name: $0, bytes: Array(schema.utf8)) })
    var before = SimulatedSchema()
    _ = ChainChecker.check(file, &before, report)
    let refusals = report.problems.filter { $0.severity == .error }.map(\.text)
    #expect(
      refusals
        == (version == nil || version == 1
          ? [] : ["step.json:1:47: the schema says version \(version ?? 0), and the step leads to 1"]))
  }
}
