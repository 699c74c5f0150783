import RealmEngine
import Testing

@Suite("Giving and taking the right to be null")
struct OptionalityTests {
  private static let rows = 600

  /// A required property of each type of single values and one value for a number.
  private static let columns: [(name: String, type: ValueType, value: @Sendable (Int) -> Value)] = [
    ("text", .string, { .string(ByteString($0 % 3 == 0 ? "" : "text \($0)")) }),
    ("long", .string, { .string(ByteString(String(repeating: "é", count: $0 % 90))) }),
    ("empty", .string, { _ in .string(ByteString("")) }),
    ("data", .data, { .data(ByteString("data \($0)")) }), ("whole", .int, { .int(Int64($0)) }),
    ("flag", .bool, { .bool($0 % 2 == 0) }), ("float", .float, { .float(Float($0)) }),
    ("double", .double, { .double($0 == 3 ? .nan : Double($0) / 4) }),
    ("date", .date, { .date(Timestamp(seconds: Int64($0), nanoseconds: 5)) }),
    ("decimal", .decimal128, { .decimal(Decimal128(Int64($0))) }),
    ("id", .uuid, { .uuid(UUIDValue(high: UInt64($0), low: 7)) }),
    ("object", .objectID, { .objectID(ObjectID(high: UInt64($0), low: 9)) }),
  ]

  private static func makeRealm() throws -> WritableDatabase {
    try WritableDatabase.withRows(columns.map { PropertyDefinition($0.name, $0.type) }) { write, table in
      for number in 0..<rows {
        _ = try write.create(table, columns.map { ($0.name, .single($0.value(number))) })
      }
    }
  }

  private static func expectValues(_ realm: WritableDatabase, isOptional: Bool, nullAt null: Int? = nil)
    throws
  {
    let table = try #require(realm.database.transaction.table(named: "Row"))
    for (name, _, value) in columns {
      let property = try #require(table.schema.property(named: name))
      #expect(property.isOptional == isOptional)
      var number = 0
      for block in try table.allBlocks() {
        let leaf = try block.leaf(property)
        for row in 0..<block.count {
          let found = try leaf.value(row, in: table.snapshot)
          let wanted = number == null ? .null : value(number)
          if found != wanted, !(found.isNaN && wanted.isNaN) {
            Issue.record("\(name) of \(number): \(found), not \(wanted)")
          }
          number += 1
        }
      }
    }
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test("values of every type stay, there and back")
  func thereAndBack() throws {
    let realm = try Self.makeRealm()
    for isOptional in [true, false] {
      let write = try realm.begin()
      for column in Self.columns { try write.setOptional("Row", column.name, isOptional) }
      try realm.commit(write)
      try Self.expectValues(realm, isOptional: isOptional)
    }
  }

  @Test("what is null has no place in a required property")
  func null() throws {
    let realm = try Self.makeRealm()
    let write = try realm.begin()
    let table = try #require(try write.view().table(named: "Row"))
    var cursor = table.blocks()
    let block = try #require(try cursor.next())
    let first = ObjectLink(table: table.schema.tableKey, key: block.key(5))
    for column in Self.columns {
      try write.setOptional("Row", column.name, true)
      try write.update(first, [(column.name, .null)])
      #expect(throws: EngineError.self) { try write.setOptional("Row", column.name, false) }
    }
    try realm.commit(write)
    try Self.expectValues(realm, isOptional: true, nullAt: 5)
  }

  @Test("leaves that say the same either way are not written anew")
  func leavesStay() throws {
    let realm = try Self.makeRealm()
    let write = try realm.begin()
    let before = write.changeCount
    try write.setOptional("Row", "long", true)
    // A leaf of long texts has a node a text.
    #expect(write.changeCount - before < Self.rows / 2)
  }
}
