// The executor beside the row-by-row evaluator, over random predicates. Layer: tests.

import Foundation
import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

@Suite struct ExecutorPropertyTests {
  /// For each class.
  private static let caseCount = TestScale.cases(fast: 300, usual: 1500, long: 6000)
  /// Made-up realms.
  private static let realmCount = TestScale.cases(fast: 1, usual: 6, long: 6)
  private static let seed =
    ProcessInfo.processInfo.environment["REALM_SEED"].flatMap { UInt64($0) } ?? 20_261_120

  @Test(
    "the executor finds what the row-by-row evaluator finds, in the same order",
    arguments: [
      ("zoo", "Person"), ("zoo", "Dog"), ("alltypes", "AllTypes"), ("place", "Place"),
      ("legacy9-small", "Tag"), ("legacy9-small", "Person"),
    ])
  func executorAgrees(file: String, className: String) throws {
    let asked = try Asked(Result { try Fixture.open("\(file).realm") }, className)
    print("\(file).\(className): seed \(Self.seed)")
    let boundCount = try compare(asked, cases: Self.caseCount, seed: Self.seed)
    #expect(boundCount > Self.caseCount / 4)
  }

  @Test("the same over made-up schemas and data", arguments: 0..<realmCount)
  func madeUpRealms(number: Int) throws {
    let seed = Self.seed &+ UInt64(number)
    var made = RandomRealm(seed: seed, try WritableDatabase.inMemory(), hasDeepLinks: false)
    try made.run(number % 3 == 0 ? 900 : 300, isAllCreation: true, mayRollBack: false)
    for _ in 0..<3 { try made.run(40, mayRollBack: false) }
    let realm = made.realm.database.transaction
    let tables = realm.classes().filter { $0.count > 0 }
    for table in tables {
      let asked = try Asked(.success(realm), table.schema.name)
      _ = try compare(asked, cases: max(1, Self.caseCount / max(1, tables.count)), seed: seed)
    }
  }

  /// Compares both for random predicates and returns how many of these could be asked.
  private func compare(_ asked: Asked, cases: Int, seed: UInt64) throws -> Int {
    var predicates = RandomPredicates(asked.realm, seed: seed)
    var boundCount = 0
    for _ in 0..<cases {
      let text =
        predicates.condition(on: asked.table) + ordering(on: asked.table, in: asked.realm, &predicates)
      guard let query = try? asked.bound(text) else { continue }
      boundCount += 1
      let expected = try RowEvaluator(asked.realm).keys(query)
      let executor = try QueryExecutor(query, in: asked.realm)
      let found = try executor.keys()
      let count = try executor.count()
      guard found == expected, count == expected.count else {
        Issue.record(
          "seed \(seed), \(asked.table.schema.name), found \(found.count), counted \(count), expected \(expected.count): \(text)"
        )
        return boundCount
      }
    }
    return boundCount
  }

  /// Nothing, or SORT, DISTINCT and LIMIT by values of the class, and of those that it links to.
  private func ordering(
    on table: Table, in realm: ReadTransaction, _ random: inout RandomPredicates
  ) -> String {
    guard random.oneIn(3), table.schema.properties.contains(where: { $0.collection == nil }) else {
      return ""
    }
    var text = ""
    if random.oneIn(2) {
      text += " SORT(\(sortPath(from: table, in: realm, &random)) \(random.pick(["ASC", "DESC"]))"
      text += ", \(sortPath(from: table, in: realm, &random)) \(random.pick(["ASC", "DESC"])))"
    }
    if random.oneIn(3) { text += " DISTINCT(\(sortPath(from: table, in: realm, &random)))" }
    if random.oneIn(2) { text += " LIMIT(\(random.below(20)))" }
    return text
  }

  /// A property, often behind a link or two.
  private func sortPath(
    from table: Table, in realm: ReadTransaction, _ random: inout RandomPredicates
  ) -> String {
    let (links, table) = (random.oneIn(2) ? random.toOneLinks(from: table) : nil) ?? ("", table)
    let names = table.schema.properties.compactMap { property in
      switch property.collection {
      case nil: property.name
      case .dictionary where !property.isLink: "\(property.name)['\(random.pick(["a", "b", "key"]))']"
      default: nil
      }
    }
    return names.isEmpty ? links : links + random.pick(names)
  }
}
