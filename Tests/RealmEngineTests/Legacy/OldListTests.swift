import RealmEngine
import Testing

/// Lists of values, which formats 2–9 keep as tables with one column.
struct OldListTests {
  typealias Column = OldFileBuilder.Column

  /// Rows without a table, with an empty one, and with `list`.
  private func lists(
    type: Int, attributes: Int = 0, _ list: (OldFileBuilder) -> Int, empty: (OldFileBuilder) -> Int
  ) throws -> [[Value]] {
    let builder = OldFileBuilder()
    let nested = Column(name: "!ARRAY_VALUE", type: type, attributes: attributes)
    let spec = builder.spec([nested])
    let tables = [0, builder.refs([empty(builder)]), builder.refs([list(builder)])]
    let reading = try builder.open([Column(type: 5, details: [spec], root: builder.refs(tables))])
    let property = try #require(try reading.table().schema.property(named: "value"))
    #expect(property.collection == .list && property.isOptional == (attributes & 16 != 0))
    return try reading.lists()
  }

  @Test("integers and nullable integers")
  func integers() throws {
    #expect(
      try lists(type: 0, { $0.integers([5, -5]) }, empty: { $0.integers([]) }) == [
        [], [], [.int(5), .int(-5)],
      ])
    #expect(
      try lists(
        type: 0, attributes: 16, { $0.nullable([nil, 1], sentinel: 15) },
        empty: { $0.nullable([], sentinel: 0) }) == [[], [], [.null, .int(1)]])
  }

  @Test("nullable booleans and floats")
  func boolsAndFloats() throws {
    #expect(
      try lists(
        type: 1, attributes: 16, { $0.nullable([nil, 1, 0], sentinel: 3) },
        empty: { $0.nullable([], sentinel: 0) }) == [[], [], [.null, .bool(true), .bool(false)]])
    #expect(
      try lists(
        type: 9, attributes: 16, { $0.floats([0x7FC0_00AA, 0x3F80_0000]) }, empty: { $0.floats([]) })
        == [[], [], [.null, .float(1)]])
  }

  @Test("texts and data, in trees too")
  func textsAndData() throws {
    #expect(
      try lists(
        type: 2, attributes: 16,
        { builder in
          builder.compactTree(
            [builder.shortTexts(["a", nil], width: 4), builder.bigTexts(["b"])], perChild: 2, total: 3)
        }, empty: { $0.shortTexts([], width: 0) }) == [[], [], [text("a"), .null, text("b")]])
    #expect(
      try lists(
        type: 4, { $0.smallData([[1], []], marksNulls: true) }, empty: { $0.smallData([], marksNulls: true) })
        == [[], [], [data([1]), data([])]])
  }

  @Test("dates")
  func dates() throws {
    let read = try lists(
      type: 8, attributes: 16,
      { builder in
        builder.refs([
          builder.nullable([5, nil], sentinel: 127), builder.integers([6, 0]),
        ])
      }, empty: { builder in builder.refs([builder.nullable([], sentinel: 0), builder.integers([])]) })
    #expect(read == [[], [], [.date(Timestamp(seconds: 5, nanoseconds: 6)), .null]])
  }

  @Test("an indexed column in the nested tables has its index beside it")
  func indexed() throws {
    #expect(
      try lists(type: 0, attributes: 1, { $0.integers([5]) }, empty: { $0.integers([]) }) == [
        [], [], [.int(5)],
      ])
  }

  @Test("of tables with several columns the first is kept, of tables without any an empty list of integers")
  func otherTables() throws {
    let builder = OldFileBuilder()
    let several = builder.spec([Column(name: "type", type: 2), Column(name: "number", type: 2)])
    let rows = builder.refs([
      builder.shortTexts(["home", "work"], width: 8), builder.shortTexts(["1", "2"], width: 4),
    ])
    let none = builder.spec([])
    let nested = builder.spec([Column(name: "inner", type: 5, details: [none])])
    let reading = try builder.open([
      Column(name: "phones", type: 5, details: [several], root: builder.refs([rows])),
      Column(name: "nothing", type: 5, details: [none], root: builder.refs([builder.refs([])])),
      Column(name: "tables", type: 5, details: [nested], root: builder.refs([0])),
      Column(name: "last", type: 0, root: builder.integers([4])),
    ])
    #expect(
      reading.realm.remarks == [
        "property 'phones' of A holds tables of 2 columns, of which only the first is read",
        "property 'tables' of A holds tables of tables, which no later format has, and is left out",
      ])
    #expect(try reading.lists("phones") == [[text("home"), text("work")]])
    #expect(try reading.lists("nothing") == [[]])
    #expect(try reading.values("last") == [.int(4)])
    #expect(try reading.table().schema.properties.map(\.name) == ["phones", "nothing", "last"])
  }
}
