import RealmEngine
import Testing

@Suite("Adding properties to objects that are there")
struct AddedPropertyTests {
  /// Two full clusters and a part of one.
  private static let rows = 600

  private static let types: [(type: ValueType, value: Value, other: Value)] = [
    (.int, .int(0), .int(7)), (.bool, .bool(false), .bool(true)),
    (.string, .string(ByteString("")), .string(ByteString(String(repeating: "x", count: 100)))),
    (.data, .data(ByteString("")), .data(ByteString("bytes"))),
    (.date, .date(Timestamp(seconds: 0, nanoseconds: 0)), .date(Timestamp(seconds: -9, nanoseconds: -5))),
    (.float, .float(0), .float(1.5)), (.double, .double(0), .double(-2.25)),
    (.decimal128, .decimal(Decimal128(0)), .decimal(Decimal128(12))),
    (.uuid, .uuid(UUIDValue(high: 0, low: 0)), .uuid(UUIDValue(high: 1, low: 2))),
    (.objectID, .objectID(ObjectID(high: 0, low: 0)), .objectID(ObjectID(high: 3, low: 4))),
  ]

  private static func makeRealm(_ rows: Int, on backing: CrashBacking? = nil) throws -> WritableDatabase {
    let realm = try backing.map { try WritableDatabase(formatting: $0, key: nil) } ?? .inMemory()
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Row", properties: [PropertyDefinition("n", .int)])])
    let table = try #require(try write.schema(named: "Row")).tableKey
    for number in 0..<Int64(rows) {
      _ = try write.create(table, [("n", .single(.int(firstNumber + number)))])
    }
    try realm.commit(write)
    return realm
  }

  /// Takes four bytes.
  private static let firstNumber: Int64 = 1 << 20

  /// The values of a property, in the order of the objects.
  private static func values(_ name: String, in realm: WritableDatabase) throws -> [Value] {
    let table = try #require(realm.database.transaction.table(named: "Row"))
    let property = try #require(table.schema.property(named: name))
    var values: [Value] = []
    for block in try table.allBlocks() {
      let leaf = try block.leaf(property)
      for row in 0..<block.count { values.append(try leaf.value(row, in: table.snapshot)) }
    }
    return values
  }

  @Test("every object has the default of its own: changing one changes no other")
  func defaults() throws {
    let realm = try Self.makeRealm(Self.rows)
    var write = try realm.begin()
    for (type, _, _) in Self.types {
      for isOptional in [false, true] {
        try write.addProperty(
          "Row", PropertyDefinition("\(type) \(isOptional)", type, isOptional: isOptional))
      }
    }
    try realm.commit(write)
    let key = try #require(
      try realm.database.transaction.table(named: "Row")?.blocks().firstKey(300))
    write = try realm.begin()
    let table = try #require(try write.schema(named: "Row")).tableKey
    for (type, _, other) in Self.types {
      for isOptional in [false, true] {
        try write.update(
          ObjectLink(table: table, key: key), [("\(type) \(isOptional)", .single(other))])
      }
    }
    try realm.commit(write)
    for (type, value, other) in Self.types {
      for isOptional in [false, true] {
        var expected = [Value](repeating: isOptional ? .null : value, count: Self.rows)
        expected[300] = other
        #expect(try Self.values("\(type) \(isOptional)", in: realm) == expected, "\(type) \(isOptional)")
      }
    }
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test(
    "a leaf that is too short beside a new one is found before anything is written, with one thread and with several",
    arguments: [600, 70_000])
  func shortLeaf(rows: Int) throws {
    let backing = CrashBacking()
    _ = try Self.makeRealm(rows, on: backing)
    // The numbers of the second cluster, and of one in the last quarter of many.
    for row in Set([256, rows * 3 / 4 / 256 * 256]) {
      var bytes = backing.bytes
      let first = Int32(Self.firstNumber) + Int32(row)
      let pattern = [first, first + 1].flatMap { number in
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
      }
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: pattern) })
      // The last byte of the node's header, which states 256 elements.
      #expect(Array(bytes[place - 3..<place]) == [0, 1, 0])
      bytes[place - 2] = 0
      bytes[place - 1] = 255
      let damaged = CrashBacking(bytes)
      let realm = try WritableDatabase(damaged, key: nil)
      let error = #expect(throws: EngineError.self) {
        let write = try realm.begin()
        try write.addProperty("Row", PropertyDefinition("new", .int))
        try realm.commit(write)
      }
      #expect(error?.kind == .damaged)
      #expect(damaged.holds(bytes))
    }
  }
}
