import RealmEngine
import Testing

/// Every kind of column that formats 2–9 have, from nodes built by hand.
struct OldColumnTests {
  typealias Column = OldFileBuilder.Column

  private func values(
    type: Int, attributes: Int = 0, _ root: (OldFileBuilder) -> Int
  ) throws -> [Value] {
    let builder = OldFileBuilder()
    let column = Column(type: type, attributes: attributes, root: root(builder))
    return try builder.open([column]).values()
  }

  @Test("integers of every width", arguments: [0, 1, 2, 4, 8, 16, 32, 64])
  func integers(_ width: Int) throws {
    let numbers: [Int64] =
      switch width {
      case 0: [0, 0, 0]
      case 1: [1, 0, 1, 1]
      case 2: [3, 0, 2, 1, 3]
      case 4: [15, 0, 7]
      case 8: [-128, 127, 0]
      case 16: [-32768, 32767, -1]
      case 32: [-2_147_483_648, 2_147_483_647]
      default: [.min, .max, 0]
      }
    let read = try values(type: 0) { $0.integers(numbers, width: width) }
    #expect(read == numbers.map(Value.int))
  }

  @Test("nullable integers: the sentinel in front is null, whatever it is, leaf by leaf")
  func nullableIntegers() throws {
    let read = try values(type: 0, attributes: 16) { builder in
      builder.compactTree(
        [
          builder.nullable([1, nil, -3], sentinel: 127), builder.nullable([127, nil, 1], sentinel: -12345),
          builder.nullable([nil, nil], sentinel: 0),
        ], perChild: 3, total: 8)
    }
    #expect(
      read == [.int(1), .null, .int(-3), .int(127), .null, .int(1), .null, .null])
  }

  @Test("booleans without nulls: anything but 0 is true")
  func bools() throws {
    let read = try values(type: 1) { $0.integers([0, 1, 3]) }
    #expect(read == [.bool(false), .bool(true), .bool(true)])
  }

  @Test("nullable booleans: the sentinel may be any number that no value has", arguments: [1, 3, 15])
  func nullableBools(_ sentinel: Int64) throws {
    let read = try values(type: 1, attributes: 16) { builder in
      builder.nullable(sentinel == 1 ? [0, nil] : [0, nil, 1], sentinel: sentinel)
    }
    #expect(read == (sentinel == 1 ? [.bool(false), .null] : [.bool(false), .null, .bool(true)]))
    let allNull = try values(type: 1, attributes: 16) { $0.nullable([nil, nil], sentinel: 0) }
    #expect(allNull == [.null, .null])
  }

  @Test("floating-point numbers: the reserved NaN is null only in a nullable column")
  func floatingPoint() throws {
    let floats = { (builder: OldFileBuilder) in builder.floats([0x3FC0_0000, 0x7FC0_00AA, 0x8000_0000]) }
    #expect(try values(type: 9, attributes: 16, floats) == [.float(1.5), .null, .float(-0.0)])
    guard case .float(let float) = try values(type: 9, floats)[1] else { throw EngineError(.other, "null") }
    #expect(float.bitPattern == 0x7FC0_00AA)
    let doubles = { (builder: OldFileBuilder) in
      builder.doubles([0x3FF8_0000_0000_0000, 0x7FF8_0000_0000_00AA])
    }
    #expect(try values(type: 10, attributes: 16, doubles) == [.double(1.5), .null])
    guard case .double(let double) = try values(type: 10, doubles)[1] else {
      throw EngineError(.other, "null")
    }
    #expect(double.bitPattern == 0x7FF8_0000_0000_00AA)
    let empty = try values(type: 9) { $0.node([], kind: .bytes, width: 0, count: 0) }
    #expect(empty.isEmpty)
  }

  @Test("dates of format 4 and before: whole seconds, with or without nulls")
  func seconds() throws {
    let dates: [Int64] = [-62_135_769_600, 0, .max, .min]
    let read = try values(type: 7) { $0.integers(dates) }
    #expect(read == dates.map { .date(Timestamp(seconds: $0, nanoseconds: 0)) })
    let nullable = try values(type: 7, attributes: 17) { builder in
      builder.nullable([1234, 0, nil], sentinel: 32767)
    }
    #expect(
      nullable == [
        .date(Timestamp(seconds: 1234, nanoseconds: 0)), .date(Timestamp(seconds: 0, nanoseconds: 0)), .null,
      ])
  }

  @Test("dates: two trees whose leaves end at different rows; the seconds always have a sentinel")
  func dates() throws {
    let read = try values(type: 8) { builder in
      let seconds = builder.generalTree(
        [builder.nullable([1, -2], sentinel: 127), builder.nullable([nil, 4, 5], sentinel: 99)], ends: [2],
        total: 5)
      let nanoseconds = builder.compactTree(
        [builder.integers([10, -20, 0]), builder.integers([999_999_999, 2_000_000_000])], perChild: 3,
        total: 5)
      return builder.refs([seconds, nanoseconds])
    }
    #expect(
      read == [
        .date(Timestamp(seconds: 1, nanoseconds: 10)), .date(Timestamp(seconds: -2, nanoseconds: -20)), .null,
        .date(Timestamp(seconds: 4, nanoseconds: 999_999_999)),
        .date(Timestamp(seconds: 5, nanoseconds: 999_999_999)),
      ])
  }

  @Test("links are row numbers plus one; a column of row numbers has no sentinel even if it says nullable")
  func links() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open([
      Column(
        type: 12, attributes: 16, details: [OldFileBuilder.tagged(0)],
        root: builder.integers([0, 3, 1]))
    ])
    let table = try #require(TableKey(0))
    #expect(
      try reading.values() == [
        .null, .link(ObjectLink(table: table, key: ObjectKey(2))),
        .link(ObjectLink(table: table, key: ObjectKey(0))),
      ])
    let property = try #require(try reading.table().schema.property(named: "value"))
    #expect(property.isOptional && property.target == table && property.collection == nil)
  }

  @Test("lists of links hold row numbers without bias, in a leaf or a tree")
  func linkLists() throws {
    let builder = OldFileBuilder()
    let long = builder.compactTree(
      [builder.integers([2, 2]), builder.integers([0])], perChild: 2, total: 3)
    let reading = try builder.open([
      Column(
        type: 13, details: [OldFileBuilder.tagged(0)],
        root: builder.refs([0, builder.integers([1, 0, 1]), long]))
    ])
    let table = try #require(TableKey(0))
    let link = { (row: Int64) in Value.link(ObjectLink(table: table, key: ObjectKey(row))) }
    #expect(try reading.lists() == [[], [link(1), link(0), link(1)], [link(2), link(2), link(0)]])
    let property = try #require(try reading.table().schema.property(named: "value"))
    #expect(!property.isOptional && property.collection == .list)
  }

  @Test("incoming links: none, one, or a tree of rows")
  func backlinks() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open([
      Column(
        type: 12, details: [OldFileBuilder.tagged(0)],
        root: builder.integers([2, 1, 2])),
      Column(
        name: nil, type: 14, details: [OldFileBuilder.tagged(0), OldFileBuilder.tagged(0)],
        root: builder.refs([OldFileBuilder.tagged(1), builder.integers([2, 0]), 0])),
    ])
    let table = try reading.table()
    let column = try #require(table.schema.backlinks.first)
    #expect(column.originTable == table.schema.tableKey)
    #expect(column.originColumn == table.schema.properties[0].columnKey)
    var cursor = table.blocks()
    let leaf = try #require(try cursor.next()).backlinks(column)
    guard case .one(let only) = try leaf[0], case .many(let tree) = try leaf[1], case .none = try leaf[2]
    else {
      throw EngineError(.other, "other links")
    }
    #expect(only == ObjectKey(1))
    #expect(try reading.realm.snapshot.elements(tree, .integerKeys).count == 2)
  }

  @Test("mixed values: numbers with their sign apart, payloads in columns of their own")
  func mixed() throws {
    let stored: [(type: Int64, number: UInt64)] = [
      (0, 7), (12, UInt64(bitPattern: -5) & ~(1 << 63)), (1, 1), (1, 0), (2, 0), (4, 1), (8, 0),
      (9, UInt64(Float(1.2).bitPattern)), (10, (1.1).bitPattern), (11, (-1.1).bitPattern & ~(1 << 63)),
      (7, UInt64(bitPattern: -100) & ~(1 << 63)), (0, 0),
    ]
    let read = try values(type: 6) { builder in
      let types = builder.integers(stored.map(\.type))
      let numbers = builder.integers(
        stored.map { Int64(bitPattern: $0.number << 1 | 1) }, refs: true)
      let payloads = builder.smallData([Array("str\0".utf8), [1, 2]], marksNulls: true)
      let dates = builder.refs([builder.nullable([100], sentinel: 127), builder.integers([3])])
      return builder.refs([types, numbers, payloads, dates])
    }
    #expect(
      read == [
        .int(7), .int(-5), .bool(true), .bool(false), text("str"), data([1, 2]),
        .date(Timestamp(seconds: 100, nanoseconds: 3)), .float(1.2), .double(1.1), .double(-1.1),
        .date(Timestamp(seconds: -100, nanoseconds: 0)), .null,
      ])
  }

  @Test("a table inside a mixed value reads as null")
  func mixedTable() throws {
    let read = try values(type: 6) { builder in
      builder.refs([builder.integers([5]), builder.refs([builder.refs([0, 0])])])
    }
    #expect(read == [.null])
  }

  @Test("mixed values that need not be optional are not after an upgrade either", arguments: [false, true])
  func upgradedMixed(isOptional: Bool) throws {
    let builder = OldFileBuilder()
    let numbers = builder.refs([
      builder.integers([0, 0]),
      builder.integers([Int64(OldFileBuilder.tagged(7)), Int64(OldFileBuilder.tagged(8))], refs: true),
    ])
    let column = Column(
      name: "any", type: 6, attributes: isOptional ? 16 : 0, root: numbers)
    let bytes = builder.file(format: 5, [("notes", builder.table([column]))])
    let database = try Database(RealmFile(stream: bytes, path: FilePath("test"), key: nil))
    let upgraded = try database.beginInMemory(upgrading: true).finished()
    let table = try #require(upgraded.table(named: "notes", allTables: true))
    #expect(table.schema.properties.map(\.isOptional) == [isOptional])
    #expect(table.count == 2)
  }
}
