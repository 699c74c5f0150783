// The executor beside the row-by-row evaluator, over random predicates. Layer: tests.

import Foundation
import RealmEngine
import RealmQueryLanguage
import Testing

@Suite struct ExecutorPropertyTests {
  /// As many cases a class as REALM_QUERY_CASES says; enough for a quick run otherwise.
  private static let caseCount =
    ProcessInfo.processInfo.environment["REALM_QUERY_CASES"].flatMap { Int($0) } ?? 1500
  private static let seed =
    ProcessInfo.processInfo.environment["REALM_QUERY_SEED"].flatMap { UInt64($0) } ?? 20_261_120

  @Test(
    "the executor finds what the row-by-row evaluator finds, in the same order",
    arguments: [
      ("zoo", "Person"), ("zoo", "Dog"), ("alltypes", "AllTypes"), ("place", "Place"),
      ("legacy9-small", "Tag"),
    ])
  func executorAgrees(file: String, className: String) throws {
    let asked = try Asked(Result { try Fixture.open("\(file).realm") }, className)
    print("\(file).\(className): seed \(Self.seed)")
    var predicates = RandomPredicates(asked.realm, seed: Self.seed)
    var boundCount = 0
    for _ in 0..<Self.caseCount {
      let text = predicates.condition(on: asked.table) + ordering(on: asked.table, &predicates)
      guard let query = try? asked.bound(text) else { continue }
      boundCount += 1
      let expected = try ReferenceEvaluator(asked.realm).keys(query)
      let executor = try QueryExecutor(query, in: asked.realm)
      let found = try executor.keys()
      let count = try executor.count()
      guard found == expected, count == expected.count else {
        Issue.record(
          "seed \(Self.seed), found \(found.count), counted \(count), expected \(expected.count): \(text)")
        return
      }
    }
    #expect(boundCount > Self.caseCount / 4)
  }

  /// Nothing, or SORT, DISTINCT and LIMIT by properties of the class.
  private func ordering(on table: Table, _ random: inout RandomPredicates) -> String {
    guard random.oneIn(3) else { return "" }
    let names = table.schema.properties.filter { $0.collection == nil }.map(\.name)
    var text = ""
    if random.oneIn(2) {
      text += " SORT(\(random.pick(names)) \(random.pick(["ASC", "DESC"]))"
      text += ", \(random.pick(names)) \(random.pick(["ASC", "DESC"])))"
    }
    if random.oneIn(3) { text += " DISTINCT(\(random.pick(names)))" }
    if random.oneIn(2) { text += " LIMIT(\(random.below(20)))" }
    return text
  }
}
