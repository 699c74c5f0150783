import RealmEngine
import TestSupport
import Testing

/// Enough rows for sorting by digits and for hash tables that grow.
@Suite("SORT and DISTINCT over many objects")
struct BulkOrderingTests {
  private static let rowCount = 1500

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("short", .string, isOptional: true),
      PropertyDefinition("long", .string, isOptional: true),
      PropertyDefinition("number", .int, isOptional: true), PropertyDefinition("ratio", .double),
      PropertyDefinition("flag", .bool, isOptional: true),
      PropertyDefinition("part", .float, isOptional: true),
      PropertyDefinition("at", .date, isOptional: true),
      PropertyDefinition("id", .uuid, isOptional: true),
      PropertyDefinition("object", .objectID, isOptional: true),
      PropertyDefinition("bytes", .data, isOptional: true),
      PropertyDefinition("other", .object, target: "Row"),
    ]) { write, table in
      var random = SplitMix64(state: 3)
      // Texts that differ in zeros at their end alone, and at and behind the place where words end.
      let shorts: [ByteString?] = [
        nil, ByteString(""), ByteString("\0"), ByteString("a"), ByteString("a\0"), ByteString("ab"),
        ByteString("fourteen bytes"), ByteString("fourteen bytes\0"), ByteString("fourteen byteS"),
      ]
      // Values beside null and beside each other.
      let flags: [Value] = [.null, .bool(false), .bool(true)]
      let parts: [Value] = [.null, .float(-0.0), .float(0), .float(.nan), .float(-.nan), .float(-2.5)]
      let seconds: [(Int64, Int32)] = [
        (.min, 0), (.min, -1), (.max, 5), (0, -7), (0, 0), (0, 7), (-1, 0), (-1, -3), (99, 0),
      ]
      let dates = [.null] + seconds.map { Value.date(Timestamp(seconds: $0, nanoseconds: $1)) }
      let words: [(UInt64, UInt64)] = [(0, 0), (0, 1), (1, 0), (.max, .max)]
      let ids = [.null] + words.map { Value.uuid(UUIDValue(high: $0, low: $1)) }
      let objects = [.null] + words.map { Value.objectID(ObjectID(high: $0, low: UInt32(clamping: $1))) }
      var made: [ObjectKey] = []
      func text(_ text: ByteString?) -> NewValue { .single(text.map(Value.string) ?? .null) }
      for _ in 0..<rowCount {
        let long = ByteString("the same beginning \(random.below(300))")
        let numbers: [Int64?] = [
          nil, .min, .max, 0, Int64(random.below(4)), Int64(bitPattern: random.next()),
        ]
        let ratios = [0.0, -0.0, .nan, -.nan, -.infinity, Double(random.below(50)) - 25, 1e300]
        let linked = made.isEmpty || random.oneIn(4) ? nil : made[random.below(min(20, made.count))]
        let bytes = shorts[random.below(shorts.count)]
        let key = try write.create(
          table,
          [
            ("short", text(shorts[random.below(shorts.count)])),
            ("long", text(random.oneIn(10) ? shorts[random.below(shorts.count)] : long)),
            ("number", .single(numbers[random.below(numbers.count)].map(Value.int) ?? .null)),
            ("ratio", .single(.double(ratios[random.below(ratios.count)]))),
            ("flag", .single(flags[random.below(flags.count)])),
            ("part", .single(parts[random.below(parts.count)])),
            ("at", .single(dates[random.below(dates.count)])),
            ("id", .single(ids[random.below(ids.count)])),
            ("object", .single(objects[random.below(objects.count)])),
            ("bytes", .single(bytes.map(Value.data) ?? .null)),
            ("other", .single(linked.map { .link(ObjectLink(table: table, key: $0)) } ?? .null)),
          ])
        made.append(key)
      }
    }
    return realm.database.transaction
  }

  @Test(
    "objects come in the order that comparing their values gives",
    arguments: [
      "SORT(short ASC)", "SORT(short DESC, long ASC)", "SORT(long ASC)", "SORT(long DESC, number ASC)",
      "SORT(number ASC)", "SORT(number DESC, ratio ASC)", "SORT(ratio ASC, short DESC, number ASC)",
      "SORT(long ASC) LIMIT(200)", "SORT(ratio DESC, long ASC) LIMIT(40)", "DISTINCT(short)",
      "DISTINCT(long)",
      "DISTINCT(number)", "DISTINCT(ratio)", "DISTINCT(long, ratio)", "SORT(flag DESC, part ASC)",
      "SORT(part DESC)", "SORT(at ASC)", "SORT(at DESC, id ASC)", "SORT(id DESC)", "SORT(object ASC)",
      "SORT(bytes DESC, other ASC)", "SORT(other DESC)", "DISTINCT(part)", "DISTINCT(at)", "DISTINCT(id)",
      "DISTINCT(object)", "DISTINCT(bytes)", "DISTINCT(other)", "DISTINCT(flag, id)",
      "SORT(number ASC) DISTINCT(short)", "SORT(at DESC) DISTINCT(flag) SORT(id ASC)",
      "DISTINCT(number) SORT(ratio DESC)", "DISTINCT(long) LIMIT(30)", "SORT(ratio ASC) LIMIT(0)",
      "LIMIT(700) SORT(number ASC)", "LIMIT(0) SORT(number ASC)",
      "SORT(part ASC) LIMIT(300) DISTINCT(short) LIMIT(4)", "SORT(flag ASC) LIMIT(10) SORT(number DESC)",
    ])
  func order(ordering: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let query = try asked.bound("TRUEPREDICATE \(ordering)")
    #expect(
      try QueryExecutor(query, in: asked.realm).keys() == RowEvaluator(asked.realm).keys(query))
  }
  @Test(
    "a sort in several passes gives the same rows",
    arguments: [
      "SORT(short ASC)", "SORT(long DESC, number ASC)", "SORT(ratio ASC)", "SORT(at DESC, id ASC)",
      "SORT(part DESC, flag ASC)", "SORT(object ASC)", "SORT(other DESC)", "SORT(other.number ASC)",
      "SORT(other.long DESC, bytes ASC)",
    ])
  func passes(ordering: String) throws {
    let asked = try Asked(Self.realm, "Row")
    let executor = try QueryExecutor(try asked.bound("TRUEPREDICATE \(ordering)"), in: asked.realm)
    var keys: [ObjectKey] = []
    try executor.forEachOrderedRows(memoryLimit: 1 << 15) { rows in
      keys += rows.keys
      return 0
    }
    let atOnce = try executor.keys()
    #expect(keys == atOnce)
    // Each range by itself, the last one first.
    let ranges = try #require(try executor.orderRanges(memoryLimit: 1 << 15))
    #expect(ranges.count == atOnce.count && ranges.starts.count > 2)
    for number in (0..<ranges.starts.count - 1).reversed() {
      let rows = ranges.starts[number]..<ranges.starts[number + 1]
      #expect(try executor.keys(ofRange: number, of: ranges) == Array(atOnce[rows]))
      #expect(rows.allSatisfy { ranges.range(of: $0) == number })
    }
  }
}
