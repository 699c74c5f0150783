// What is handed to the query engine changes no row, and an exported file has the rows that statements see: the same
// statements with and without the engine, and on the file.

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
    let folder = try ScratchFolder(inMemory: true)
    let file = try Realms.exported(name, in: folder)
    let tables = pushing.schema.tables.filter { $0.refusal == nil }
    guard !tables.isEmpty else { return }
    for _ in 0..<TestScale.cases(fast: 20, usual: 40, long: 500) {
      let statement = RandomStatement(tables, values: { try plain.values(of: $0, in: $1) }, &random)
      let (text, isOrdered) = try statement.text()
      let expected = try file.rows(text)
      for (kind, session) in [("pushing", pushing), ("plain", plain)] {
        let rows = try session.rows(text)
        let areEqual = isOrdered ? rows == expected : rows.sorted() == expected.sorted()
        #expect(areEqual, "seed \(seed), \(kind): \(text)\n\(rows.prefix(5))\n\(expected.prefix(5))")
      }
    }
  }

  @Test(
    "what SQLite does not tell tables of, or compares in its own way, is minded",
    arguments: [
      // SQLite hands a limit down beside a condition that it keeps for itself.
      (
        "legacy9-small.realm", "select name from Tag where weight <= name order by name desc limit 1 offset 4"
      ),
      ("legacy9-small.realm", "select name from Tag where weight <= name order by name limit 3"),
      // NaN is null.
      ("alltypes.realm", "select count(*) from AllTypes where double_r < 'x'"),
      ("alltypes.realm", "select count(*) from AllTypes where float_r <= x'00'"),
      // Texts are numbers where they look like them.
      ("alltypes.realm", "select count(*) from AllTypes a join AllTypes b on a._id = b.dec_r"),
      ("zoo.realm", "select count(*) from Person_tags where owner = '7.0'"),
      ("zoo.realm", "select count(*) from Person where born >= '1990'"),
      ("zoo.realm", "select count(*) from Person where born < 2000"),
      ("zoo.realm", "select count(*) from Person a join Person b on a.name = b.name and a.age > b.age"),
      ("zoo.realm", "select max(weight), min(name), max(height) from Person"),
      ("zoo.realm", "select name, age from Person order by age desc, _id limit 100"),
    ])
  func special(name: String, text: String) throws {
    let folder = try ScratchFolder(inMemory: true)
    let rows = try Realms.session(name).rows(text)
    #expect(rows == (try Realms.exported(name, in: folder).rows(text)))
    #expect(!rows.isEmpty)
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
