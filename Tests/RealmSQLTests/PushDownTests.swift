// What is handed to the query engine changes no row: the same statements with and without it.

import RealmEngine
import RealmSQL
import TestSupport
import Testing

@Suite("Conditions that the query engine answers")
struct PushDownTests {
  @Test("random statements give the same rows", arguments: Realms.names)
  func randomStatements(name: String) throws {
    let (pushing, plain) = (try Realms.session(name), try Realms.session(name, pushesDown: false))
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let tables = pushing.schema.tables.filter { $0.refusal == nil }
    guard !tables.isEmpty else { return }
    for _ in 0..<TestScale.cases(fast: 20, usual: 40, long: 500) {
      let statement = RandomStatement(tables, values: { try plain.values(of: $0, in: $1) }, &random)
      let (text, isOrdered) = try statement.text()
      let rows = (try pushing.rows(text), try plain.rows(text))
      let areEqual = isOrdered ? rows.0 == rows.1 : rows.0.sorted() == rows.1.sorted()
      #expect(areEqual, "seed \(seed): \(text)\n\(rows.0.prefix(5))\n\(rows.1.prefix(5))")
    }
  }
}

extension SQLSession {
  /// Values that stand in a column, as SQL writes them.
  func values(of column: String, in table: String) throws -> [String] {
    try rows("select distinct quote(\(column)) from \(table) limit 40").map {
      let text = String($0.dropFirst().dropLast())
      // What SQLite writes for infinity it does not read.
      return ["Inf": "9e999", "-Inf": "-9e999"][text] ?? text
    }
  }
}
