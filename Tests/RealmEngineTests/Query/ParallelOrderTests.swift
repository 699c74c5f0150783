import RealmEngine
import TestSupport
import Testing

/// So many rows that all threads sort them, and rows that are sorted in several passes.
@Suite("SORT of more rows than one thread is given")
struct ParallelOrderTests {
  private struct Row {
    /// Any number, each of a few more often.
    let number: Int64
    /// One of two.
    let flag: Bool
    /// Texts that say nothing for many bytes, some of them equal, some the beginning of others.
    let address: ByteString
    /// Up to 16 of few different bytes.
    let code: ByteString
  }

  private static let rows: [Row] = {
    var random = SplitMix64(state: 11)
    let beginnings = [
      "https://www.example.com/a/long/way/to/", "http://www.example.com/other/",
      "https://www.example.com/a/long/way/to/somewhere/else/", "",
    ]
    return (0..<135_000).map { number in
      Row(
        number: random.oneIn(3) ? Int64(random.below(9)) : Int64(bitPattern: random.next()),
        flag: random.oneIn(2),
        address: ByteString(
          beginnings[random.below(4)] + (random.oneIn(9) ? "" : "\(random.below(30_000))")),
        code: ByteString(String(repeating: "x", count: random.below(9)) + "\(random.below(1 << 24))"))
    }
  }()

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("number", .int), PropertyDefinition("flag", .bool),
      PropertyDefinition("address", .string), PropertyDefinition("code", .string),
    ]) { write, key in
      let load = try write.beginLoad()
      let table = try load.table(key)
      for (number, row) in rows.enumerated() {
        try table.beginObject(key: ObjectKey(Int64(number)))
        try table.put(0, int: row.number)
        try table.put(1, .single(.bool(row.flag)))
        try table.put(2, .single(.string(row.address)))
        try table.put(3, .single(.string(row.code)))
        try table.endObject()
      }
      try load.finish()
    }
    return realm.database.transaction
  }

  /// How one row sorts to another, by what clauses say.
  private static let orders: [(clauses: String, order: @Sendable (Row, Row) -> Int)] = [
    ("SORT(number ASC)", { compare($0.number, $1.number) }),
    ("SORT(address ASC)", { compare($0.address.bytes, $1.address.bytes) }),
    ("SORT(address DESC)", { compare($1.address.bytes, $0.address.bytes) }),
    ("SORT(code DESC)", { compare($1.code.bytes, $0.code.bytes) }),
    (
      "SORT(flag DESC, address ASC, number DESC)",
      { left, right in
        [
          compare(right.flag ? 1 : 0, left.flag ? 1 : 0), compare(left.address.bytes, right.address.bytes),
          compare(right.number, left.number),
        ].first { $0 != 0 } ?? 0
      }
    ),
  ]

  private static func compare<Item: Comparable>(_ left: Item, _ right: Item) -> Int {
    left < right ? -1 : left == right ? 0 : 1
  }

  private static func compare(_ left: RawBytes, _ right: RawBytes) -> Int { left.compare(right) }

  @Test("rows are in order, equal ones in that of their keys", arguments: orders.indices)
  func order(number: Int) throws {
    let asked = try Asked(Self.realm, "Row")
    let (clauses, order) = Self.orders[number]
    let keys = try QueryExecutor(try asked.bound("TRUEPREDICATE \(clauses)"), in: asked.realm).keys()
    #expect(Set(keys).count == Self.rows.count)
    let places = keys.map { Int($0.value) }
    let wrong = zip(places, places.dropFirst()).first { place, next in
      let order = order(Self.rows[place], Self.rows[next])
      return order > 0 || order == 0 && place > next
    }
    #expect(wrong == nil)
  }

  @Test("a sort in several passes gives the same rows", arguments: orders.indices)
  func passes(number: Int) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound("flag == true \(Self.orders[number].clauses)")
    let executor = try QueryExecutor(query, in: asked.realm)
    var keys: [ObjectKey] = []
    var parts = 0
    try executor.forEachOrderedRows(memoryLimit: 1 << 21) { rows in
      keys += rows.keys
      parts += 1
      return 0
    }
    #expect(parts > 3)
    let atOnce = try executor.keys()
    #expect(keys == atOnce)
    let ranges = try #require(try executor.orderRanges(memoryLimit: 1 << 21))
    let number = ranges.range(of: atOnce.count / 2)
    let rows = ranges.starts[number]..<ranges.starts[number + 1]
    #expect(rows.contains(atOnce.count / 2))
    #expect(try executor.keys(ofRange: number, of: ranges) == Array(atOnce[rows]))
  }
}
