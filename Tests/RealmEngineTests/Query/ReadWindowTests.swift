// Questions about a file of which pieces are copied have the answers of the row-by-row evaluator.

import RealmEngine
import TestSupport
import Testing

/// Files are read in pieces that are copied, each over the one before it: what groups keep must not be of a copy.
@Suite("Calculations over a file that is read in pieces")
struct ReadWindowTests {
  private static let rowCount = 35_000

  private static let texts: [(count: Int, text: @Sendable (Int) -> String)] = [
    (40, { "town \($0)" }), (900, { "a town with a longer name, \($0)" }),
    (300, { "\(String(repeating: "a sentence that goes on ", count: 5)) \($0)" }),
  ]
  private static let scores: [Value] = [
    .null, .double(.nan), .double(-0.0), .double(0), .double(.infinity), .double(-2.5), .double(1e300),
  ]

  private static func fill(_ path: FilePath) throws {
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row",
        properties: [
          PropertyDefinition("short", .string), PropertyDefinition("longer", .string),
          PropertyDefinition("long", .string), PropertyDefinition("age", .int),
          PropertyDefinition("score", .double, isOptional: true), PropertyDefinition("weight", .double),
          PropertyDefinition("flag", .bool),
        ])
    ])
    let load = try write.beginLoad()
    let table = try load.table(try #require(try write.schema(named: "Row")).tableKey)
    var random = SplitMix64(state: 22)
    for number in 0..<rowCount {
      try table.beginObject()
      for (column, texts) in texts.enumerated() {
        try table.put(column, text: Array(texts.text(random.below(texts.count)).utf8).span)
      }
      try table.put(3, int: Int64(random.below(100)) - 10)
      try table.put(
        4, .single(random.oneIn(3) ? scores[random.below(scores.count)] : .double(Double(number))))
      try table.put(5, .single(.double(Double(random.below(1000)) - 500)))
      try table.put(6, .single(.bool(random.oneIn(3))))
      try table.endObject()
    }
    try load.finish()
    try realm.commit(write)
  }

  @Test("columns of a file give what the judge gives")
  func statements() throws {
    let files = try ScratchFolder(keepable: "pieces")
    let path = files.path("rows.realm")
    try Self.fill(path)
    for statement in [
      "min weight, max weight, sum age, count score of Row", "min score, max score of Row where age > 20",
      "min short, max longer, min long, max long of Row where flag == true",
      "count, avg weight of Row by short",
      "count, min long of Row by longer", "count, max longer of Row by long, flag",
      "count, sum age of Row by longer sort(count desc) limit(7)",
      "count, max long of Row by age, longer having count > 1 sort(age desc) offset(2) limit(30)",
      "count distinct longer of Row", "median weight of Row by short",
      "count distinct long as n of Row where weight > 0 by age having n > 3 sort(n desc)",
    ] {
      // The first times pieces are copied; later ones read the file where it is mapped.
      let realm = Result { () throws -> ReadTransaction in try Database.open(path).transaction }
      let judged = try Answered(statement, in: realm, byRows: true)
      for _ in 0..<3 {
        let answered = try Answered(statement, in: realm)
        #expect(answered.rows == judged.rows, "\(statement)")
      }
    }
  }
}
