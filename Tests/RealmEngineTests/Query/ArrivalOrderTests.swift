import RealmEngine
import TestSupport
import Testing

/// Rows that come in the order that is asked for, or against it, or nearly so.
@Suite("SORT and DISTINCT of rows that come in order")
struct ArrivalOrderTests {
  private static let count = 600
  /// By property, each row's number of a kind.
  private static let numbers: [String: @Sendable (Int) -> Int] = [
    "rising": { $0 }, "falling": { -$0 }, "level": { $0 / 7 }, "sinking": { -$0 / 7 },
    "nearlyRising": { $0 == count - 1 ? 5 : $0 }, "nearlyFalling": { $0 == count - 1 ? 0 : -$0 },
    "same": { _ in 3 },
  ]
  private static let names = numbers.keys.sorted()

  /// A text in the order of the numbers, the first eight bytes of which say nothing.
  private static func text(_ number: Int) -> String { "the same \(500_000 + number)" }

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.withRows(
      names.map { PropertyDefinition($0, .int) } + names.map { PropertyDefinition("\($0)Text", .string) }
    ) { write, key in
      let load = try write.beginLoad()
      let table = try load.table(key)
      for row in 0..<count {
        try table.beginObject()
        for (column, name) in names.enumerated() {
          let number = numbers[name]?(row) ?? 0
          try table.put(column, int: Int64(number))
          try table.put(names.count + column, text: Array(text(number).utf8).span)
        }
        try table.endObject()
      }
      try load.finish()
    }
    return realm.database.transaction
  }

  /// The keys in the order in which rows came.
  private func rows(_ query: String) throws -> [Int] {
    let asked = try Asked(Self.realm, "Row")
    let all = try QueryExecutor(try asked.bound("TRUEPREDICATE"), in: asked.realm).keys()
    let places = Dictionary(uniqueKeysWithValues: zip(all, all.indices))
    return try QueryExecutor(try asked.bound(query), in: asked.realm).keys().map {
      try #require(places[$0])
    }
  }

  @Test("one column and two", arguments: names)
  func columns(name: String) throws {
    let value = try #require(Self.numbers[name])
    let all = Array(0..<Self.count)
    // The standard library's sort keeps the order of equals.
    let rising = all.sorted { value($0) < value($1) }
    let falling = all.sorted { value($0) > value($1) }
    for property in [name, "\(name)Text"] {
      #expect(try rows("TRUEPREDICATE SORT(\(property) ASC)") == rising)
      #expect(try rows("TRUEPREDICATE SORT(\(property) DESC)") == falling)
      #expect(
        try rows("TRUEPREDICATE SORT(\(property) ASC, rising DESC)")
          == all.reversed().sorted { value($0) < value($1) })
      var seen: Set<Int> = []
      #expect(
        try rows("TRUEPREDICATE DISTINCT(\(property))") == all.filter { seen.insert(value($0)).inserted })
    }
  }

  @Test("one row and none")
  func few() throws {
    #expect(try rows("rising == 5 SORT(level DESC)") == [5])
    #expect(try rows("rising == -5 SORT(level DESC)").isEmpty)
    #expect(try rows("rising == 5 DISTINCT(level)") == [5])
  }
}
