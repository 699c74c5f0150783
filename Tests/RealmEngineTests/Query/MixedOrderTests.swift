import RealmEngine
import TestSupport
import Testing

/// Values of all types next to each other, each several times, in a property and under a key of a dictionary.
@Suite("SORT and DISTINCT over mixed values")
struct MixedOrderTests {
  private static let numbers: [Value] =
    [
      0, 1, -1, 5, 1 << 52, (1 << 53) - 1, 1 << 53, 1 << 53 + 1, 1 << 53 + 2, .max, .max - 1, .min,
      -(1 << 53) - 1,
    ]
    .map(Value.int)
    + [
      0, -0.0, 1, -1, 0.1, 0.30000000000000004, 0.3, 1e300, -1e300, 0x1p53, 0x1p53 + 2, 0x1p63, -0x1p63, .nan,
    ]
    .map(Value.double)
    + [.infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude].map(Value.double)
    + [0.1, 5, -7.25, 0x1p60, .infinity, .greatestFiniteMagnitude].map(Value.float)

  private static let texts: [String] = [
    "", "\0", "\0\0", "a", "abcdefg", "abcdefgh", "abcdefg\0", "abcdefghijklmn", "abcdefghijklmno",
    "abcdefghijklmnp", "abcdefghijklmnopq", "zzzzzzzzz", "äöü", "5",
  ]

  private static let dates: [Value] = [
    (0, 0), (0, 5), (0, -5), (-1, -999_999_999), (.max, 7), (.min, -7), (17, 9), (16, 999_999_999),
  ].map { (seconds: Int64, nanoseconds: Int32) in
    .date(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  }

  private static let words: [UInt64] = [0, 9, 0x0102_0304_0506_0708, 1 << 63, .max]

  private static var others: [Value] {
    var others: [Value] = [.null, .bool(false), .bool(true)] + dates
    for text in texts {
      others += [.string(ByteString(text)), .data(ByteString(text))]
    }
    for high in words {
      others += words.map { .uuid(UUIDValue(high: high, low: $0)) }
      others += words.map { .objectID(ObjectID(high: high, low: UInt32(truncatingIfNeeded: $0))) }
    }
    return others
  }

  private static func realm(_ values: [Value]) throws -> ReadTransaction {
    var random = SplitMix64(state: 5)
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("mix", .mixed, isOptional: true),
      PropertyDefinition("map", .mixed, collection: .dictionary, isOptional: true),
      PropertyDefinition("number", .int), PropertyDefinition("link", .object, target: "Row"),
    ]) { write, key in
      var links: [ObjectLink] = []
      func value() -> NewValue {
        if random.oneIn(30) { return .list([.single(.int(Int64(random.below(3))))]) }
        if random.oneIn(30) { return .dictionary([(ByteString("k"), .single(.null))]) }
        if !links.isEmpty, random.oneIn(20) { return .single(.link(links[random.below(links.count)])) }
        return .single(values[random.below(values.count)])
      }
      for number in 0..<1200 {
        var properties: [(String, NewValue)] = [
          ("mix", value()), ("number", .single(.int(Int64(number % 3)))),
        ]
        if !random.oneIn(9) {
          properties.append(("map", .dictionary([(ByteString(random.oneIn(9) ? "other" : "k"), value())])))
        }
        if !links.isEmpty, !random.oneIn(9) {
          properties.append(("link", .single(.link(links[random.below(links.count)]))))
        }
        links.append(ObjectLink(table: key, key: try write.create(key, properties)))
      }
    }
    return realm.database.transaction
  }

  private static let plain = Result { try realm(numbers + others) }
  /// Decimals are in no order with floating-point numbers that words could say.
  private static let decimal = Result {
    try realm(
      numbers + others
        + ["0.1", "0.3", "5", "-1e300", "9007199254740993", "NaN"].compactMap { text in
          Decimal128(text: Array(text.utf8).span).map(Value.decimal)
        })
  }

  @Test(
    "the order is that of the row-by-row evaluator",
    arguments: [
      "SORT(mix ASC)", "SORT(mix DESC)", "SORT(number ASC, mix DESC)", "SORT(map['k'] ASC, mix ASC)",
      "SORT(map['k'] DESC)", "SORT(map['none'] ASC)", "SORT(link.mix ASC, link.map['k'] DESC)",
      "SORT(mix ASC) LIMIT(7)", "SORT(mix DESC) LIMIT(300)", "SORT(map['k'] DESC) LIMIT(40)", "DISTINCT(mix)",
      "DISTINCT(map['k'])", "DISTINCT(number, mix)", "DISTINCT(link.mix) SORT(mix ASC)",
      "SORT(link.mix DESC) DISTINCT(mix) LIMIT(30)",
    ], [false, true])
  func order(clauses: String, hasDecimals: Bool) throws {
    let asked = try Asked(hasDecimals ? Self.decimal : Self.plain, "Row")
    let query = try asked.bound("TRUEPREDICATE \(clauses)")
    let expected = try RowEvaluator(asked.realm).keys(query)
    #expect(!expected.isEmpty)
    #expect(try QueryExecutor(query, in: asked.realm).keys() == expected)
  }
}
