import RealmEngine
import TestSupport
import Testing

/// Enough rows for sorting by digits and for hash tables that grow.
@Suite("SORT and DISTINCT over many objects")
struct BulkOrderingTests {
  private static let rowCount = 1500

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row",
        properties: [
          PropertyDefinition("short", .string, isOptional: true),
          PropertyDefinition("long", .string, isOptional: true),
          PropertyDefinition("number", .int, isOptional: true), PropertyDefinition("ratio", .double),
        ])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    var random = SplitMix64(state: 3)
    // Texts that differ in zeros at their end alone, and at and behind the place where words end.
    let shorts: [ByteString?] = [
      nil, ByteString(""), ByteString("\0"), ByteString("a"), ByteString("a\0"), ByteString("ab"),
      ByteString("fourteen bytes"), ByteString("fourteen bytes\0"), ByteString("fourteen byteS"),
    ]
    func text(_ text: ByteString?) -> NewValue { .single(text.map(Value.string) ?? .null) }
    for _ in 0..<rowCount {
      let long = ByteString("the same beginning \(random.below(300))")
      let numbers: [Int64?] = [nil, .min, .max, 0, Int64(random.below(4)), Int64(bitPattern: random.next())]
      let ratios = [0.0, -0.0, .nan, -.infinity, Double(random.below(50)) - 25, 1e300]
      _ = try write.create(
        table,
        [
          ("short", text(shorts[random.below(shorts.count)])),
          ("long", text(random.oneIn(10) ? shorts[random.below(shorts.count)] : long)),
          ("number", .single(numbers[random.below(numbers.count)].map(Value.int) ?? .null)),
          ("ratio", .single(.double(ratios[random.below(ratios.count)]))),
        ])
    }
    try realm.commit(write)
    return realm.database.transaction
  }

  @Test(
    "objects come in the order that comparing their values gives",
    arguments: [
      "SORT(short ASC)", "SORT(short DESC, long ASC)", "SORT(long ASC)", "SORT(long DESC, number ASC)",
      "SORT(number ASC)", "SORT(number DESC, ratio ASC)", "SORT(ratio ASC, short DESC, number ASC)",
      "SORT(long ASC) LIMIT(200)", "SORT(ratio DESC, long ASC) LIMIT(40)", "DISTINCT(short)",
      "DISTINCT(long)",
      "DISTINCT(number)", "DISTINCT(ratio)", "DISTINCT(long, ratio)",
    ])
  func order(ordering: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound("TRUEPREDICATE \(ordering)")
    #expect(
      try QueryExecutor(query, in: asked.realm).keys() == ReferenceEvaluator(asked.realm).keys(query))
  }
}
