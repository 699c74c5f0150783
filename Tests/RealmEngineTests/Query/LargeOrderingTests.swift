import RealmEngine
import TestSupport
import Testing

/// So many rows that several threads find and sort them, in parts.
@Suite("SORT and DISTINCT on several threads")
struct LargeOrderingTests {
  private struct Row {
    let number: Int64
    let date: Timestamp
    let text: String
    /// Up to 12 of few different bytes, zeros among them.
    let code: String
    /// One of three, of which one is negative.
    let grade: Int64
    /// One of a few, but for one far behind the others.
    let late: Int64

    var bytes: ByteString { ByteString(text) }
    var codeBytes: ByteString { ByteString(code) }
  }

  private static let rows: [Row] = {
    var random = SplitMix64(state: 7)
    return (0..<70_000).map { number in
      Row(
        number: random.oneIn(1000) ? Int64(bitPattern: random.next()) : Int64(random.below(90)) - 40,
        date: Timestamp(seconds: Int64(random.below(1 << 31)), nanoseconds: random.oneIn(2) ? 0 : 5),
        text: "the number \(random.below(40_000))",
        code: String(
          (0..<random.below(13)).map { _ in ["\0", "a", "b", "é"][random.below(4)] as Character }),
        grade: Int64(random.below(3)) - 1, late: number == 69_000 ? 1 << 20 : Int64(random.below(40)))
    }
  }()

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("number", .int), PropertyDefinition("date", .date),
      PropertyDefinition("text", .string), PropertyDefinition("code", .string),
      PropertyDefinition("grade", .int), PropertyDefinition("late", .int),
    ]) { write, key in
      let load = try write.beginLoad()
      let table = try load.table(key)
      for row in rows {
        try table.beginObject()
        try table.put(0, int: row.number)
        try table.put(1, .single(.date(row.date)))
        try table.put(2, text: Array(row.text.utf8).span)
        try table.put(3, text: Array(row.code.utf8).span)
        try table.put(4, int: row.grade)
        try table.put(5, int: row.late)
        try table.endObject()
      }
      try load.finish()
    }
    return realm.database.transaction
  }

  /// The numbers of the rows that a query gives, in its order.
  private func numbers(_ text: String) throws -> [Int] {
    let asked = try Asked(Self.realm, "Row")
    let numbers = Dictionary(
      uniqueKeysWithValues: zip(try Self.keys(asked, "TRUEPREDICATE"), Self.rows.indices))
    return try Self.keys(asked, text).map { try #require(numbers[$0]) }
  }

  private static func keys(_ asked: Asked, _ text: String) throws -> [ObjectKey] {
    try QueryExecutor(try asked.bound(text), in: asked.realm).keys()
  }

  /// The rows that `isIn` takes, in the order of a value; equal ones keep theirs.
  private func sorted<Item: Comparable>(
    _ value: (Row) -> Item, isAscending: Bool = true, where isIn: (Row) -> Bool = { _ in true }
  ) -> [Int] {
    let chosen = Self.rows.enumerated().filter { isIn($1) }.map { (number: $0, item: value($1)) }
    return chosen.sorted { isAscending ? $0.item < $1.item : $1.item < $0.item }.map(\.number)
  }

  /// Of each value the first row.
  private func firsts<Item: Hashable>(_ value: (Row) -> Item) -> [Int] {
    var seen: Set<Item> = []
    return Self.rows.indices.filter { seen.insert(value(Self.rows[$0])).inserted }
  }

  @Test("all rows")
  func allRows() throws {
    #expect(try numbers("TRUEPREDICATE SORT(number ASC)") == sorted(\.number))
    #expect(try numbers("TRUEPREDICATE SORT(number DESC)") == sorted(\.number, isAscending: false))
    #expect(try numbers("TRUEPREDICATE SORT(date DESC)") == sorted(\.date, isAscending: false))
    #expect(try numbers("TRUEPREDICATE SORT(text ASC)") == sorted(\.bytes))
  }

  @Test("values of which there are few")
  func fewValues() throws {
    for (isAscending, word) in [(true, "ASC"), (false, "DESC")] {
      #expect(
        try numbers("TRUEPREDICATE SORT(grade \(word))") == sorted(\.grade, isAscending: isAscending))
      #expect(try numbers("TRUEPREDICATE SORT(late \(word))") == sorted(\.late, isAscending: isAscending))
      #expect(
        try numbers("number == 5 SORT(grade \(word))")
          == sorted(\.grade, isAscending: isAscending) { $0.number == 5 })
    }
  }

  @Test("some rows")
  func someRows() throws {
    #expect(
      try numbers("number > 5 SORT(date ASC)") == sorted(\.date) { $0.number > 5 })
    #expect(
      try numbers("number == 5 SORT(text DESC)")
        == sorted(\.bytes, isAscending: false) { $0.number == 5 })
  }

  @Test("the first ones of an order, in both directions")
  func limits() throws {
    for limit in [10, 30_000] {
      #expect(
        try numbers("TRUEPREDICATE SORT(number ASC) LIMIT(\(limit))") == Array(sorted(\.number).prefix(limit))
      )
      #expect(
        try numbers("TRUEPREDICATE SORT(date DESC) LIMIT(\(limit))")
          == Array(sorted(\.date, isAscending: false).prefix(limit)))
      #expect(
        try numbers("TRUEPREDICATE SORT(text ASC) LIMIT(\(limit))")
          == Array(sorted(\.bytes).prefix(limit)))
      for (isAscending, word) in [(true, "ASC"), (false, "DESC")] {
        #expect(
          try numbers("TRUEPREDICATE SORT(code \(word)) LIMIT(\(limit))")
            == Array(sorted(\.codeBytes, isAscending: isAscending).prefix(limit)))
      }
    }
  }

  @Test("the first of each value")
  func distinct() throws {
    #expect(try numbers("TRUEPREDICATE DISTINCT(number)") == firsts(\.number))
    #expect(try numbers("TRUEPREDICATE DISTINCT(text)") == firsts(\.text))
    #expect(try numbers("TRUEPREDICATE DISTINCT(date)") == firsts(\.date))
    #expect(try numbers("TRUEPREDICATE DISTINCT(date) LIMIT(40000)") == Array(firsts(\.date).prefix(40_000)))
  }
}
