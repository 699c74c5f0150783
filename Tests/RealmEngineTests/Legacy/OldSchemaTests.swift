import RealmEngine
import Testing

/// What tables of formats 2–9 become as classes.
struct OldSchemaTests {
  typealias Column = OldFileBuilder.Column
  private let tagged = { (number: Int) in OldFileBuilder.tagged(number) }

  @Test("an index stands beside its column and shifts those after it")
  func indexes() throws {
    let builder = OldFileBuilder()
    let index = builder.refs([0], context: true)
    let reading = try builder.open(
      format: 2,
      [
        Column(name: "a", type: 0, attributes: 1, root: builder.integers([1]), index: index),
        Column(name: "b", type: 0, root: builder.integers([2])),
        Column(name: "c", type: 2, attributes: 17, root: builder.shortTexts([nil], width: 4), index: index),
        Column(name: "d", type: 0, root: builder.integers([4])),
      ])
    #expect(try reading.values("b") == [.int(2)])
    #expect(try reading.values("d") == [.int(4)])
    let properties = try reading.table().schema.properties
    #expect(properties.map(\.index) == [.general, .none, .general, .none])
    #expect(properties.allSatisfy { $0.indexRef == nil })
    #expect(properties.map(\.isOptional) == [false, false, true, false])
  }

  @Test("unnamed properties get a name, repeated names a number, as in the official upgrade")
  func names() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open(
      ["int", "", "int", "", "col_1", "int"].enumerated().map { index, name in
        Column(name: name, type: 0, root: builder.integers([Int64(index)]))
      })
    let names = try reading.table().schema.properties.map(\.name)
    #expect(names == ["int", "col_1", "int_2", "col_3", "col_1_4", "int_5"])
    #expect(try reading.values("int_2") == [.int(2)])
  }

  @Test("the engine's stable id of synced files is no property, and columns keep their numbers")
  func stableID() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open([
      Column(name: "!OID", type: 0, root: builder.integers([7])),
      Column(name: "a", type: 0, root: builder.integers([8])),
    ])
    let properties = try reading.table().schema.properties
    #expect(properties.map(\.name) == ["a"])
    #expect(properties[0].columnKey.leafIndex == 1 && properties[0].specIndex == 1)
    #expect(try reading.values("a") == [.int(8)])
  }

  @Test("column keys are those that the official upgrade gives")
  func columnKeys() throws {
    let builder = OldFileBuilder()
    let lists = builder.spec([Column(name: "!ARRAY_VALUE", type: 2, attributes: 16)])
    let reading = try builder.open([
      Column(name: "a", type: 0, attributes: 17, root: builder.nullable([], sentinel: 0)),
      Column(name: "b", type: 12, details: [tagged(0)], root: builder.integers([])),
      Column(name: "c", type: 13, details: [tagged(0)], root: builder.refs([])),
      Column(name: "d", type: 5, details: [lists], root: builder.refs([])),
      Column(name: "e", type: 7, root: builder.integers([])),
      Column(name: nil, type: 14, details: [tagged(0), tagged(1)], root: builder.refs([])),
      Column(name: nil, type: 14, details: [tagged(0), tagged(2)], root: builder.refs([])),
    ])
    let schema = try reading.table().schema
    let expected: [(UInt8, ColumnAttributes)] = [
      (0, .nullable), (12, .nullable), (12, .list), (2, [.list, .nullable]), (8, []),
    ]
    #expect(schema.properties.map(\.columnKey.typeNumber) == expected.map(\.0))
    #expect(schema.properties.map(\.columnKey.attributes) == expected.map(\.1))
    #expect(schema.properties.map(\.columnKey.leafIndex) == [0, 1, 2, 3, 4])
    #expect(schema.backlinks.map(\.columnKey.leafIndex) == [5, 6])
    #expect(
      schema.backlinks.map(\.originColumn) == [
        schema.properties[1].columnKey, schema.properties[2].columnKey,
      ])
    #expect(try reading.table().count == 0)
    #expect(try reading.values("a").isEmpty)
  }

  /// A class "A" with columns "x" and "key", a class "B", and a table "pk" with these rows.
  private func primaryKeys(_ rows: [(String, String)]) throws -> [String?] {
    let builder = OldFileBuilder()
    return try primaryKeys(
      builder, classes: rows.map(\.0),
      Column(name: "pk_property", type: 2, root: builder.shortTexts(rows.map(\.1), width: 16)))
  }

  private func primaryKeys(
    _ builder: OldFileBuilder, classes: [String], _ properties: Column
  ) throws -> [String?] {
    let names = Column(name: "pk_table", type: 2, root: builder.shortTexts(classes, width: 16))
    let columns = [
      Column(name: "x", type: 0, root: builder.integers([1])),
      Column(name: "key", type: 0, root: builder.integers([2])),
    ]
    let bytes = builder.file([
      ("metadata", builder.table([Column(name: "version", type: 0, root: builder.integers([3]))])),
      ("class_A", builder.table(columns)), ("pk", builder.table([names, properties])),
      ("class_B", builder.table(columns)),
    ])
    let reading = try OldFileReading(bytes)
    #expect(reading.realm.schemaVersion == 3)
    #expect(reading.realm.classes().map(\.schema.name) == ["A", "B"])
    for name in ["A", "B"] {
      let schema = try reading.table(name).schema
      if let key = schema.primaryKey { #expect(key.index == .general) }
    }
    return try ["A", "B"].map { try reading.table($0).schema.primaryKey?.name }
  }

  @Test("the table \"pk\" names the primary keys, with and without the prefix of classes")
  func primaryKeyNames() throws {
    #expect(try primaryKeys([("A", "key"), ("class_B", "x")]) == ["key", "x"])
  }

  @Test("the first row for a class counts; rows of classes and properties that are gone do not")
  func staleRows() throws {
    #expect(try primaryKeys([("Gone", "key"), ("A", "x"), ("A", "key"), ("B", "gone")]) == ["x", nil])
    #expect(try primaryKeys([]) == [nil, nil])
  }

  @Test("the oldest files name the primary key by the number of its column")
  func primaryKeyNumbers() throws {
    let builder = OldFileBuilder()
    let numbers = Column(name: "pk_property", type: 0, root: builder.integers([1, 9]))
    #expect(try primaryKeys(builder, classes: ["A", "B"], numbers) == ["key", nil])
  }

  @Test("a link to a table that is not there has no target and reads as null")
  func missingTarget() throws {
    let builder = OldFileBuilder()
    let reading = try builder.open([
      Column(type: 12, details: [tagged(5)], root: builder.integers([1])),
      Column(name: nil, type: 14, details: [tagged(9), tagged(0)], root: builder.refs([0])),
    ])
    #expect(try reading.values() == [.null])
    let schema = try reading.table().schema
    #expect(schema.properties[0].target == nil && schema.backlinks[0].originTable == nil)
  }

  @Test("a file without tables, a table without columns")
  func empty() throws {
    #expect(try OldFileReading(OldFileBuilder().file([])).realm.tables.isEmpty)
    let builder = OldFileBuilder()
    let reading = try builder.open([])
    #expect(try reading.table().count == 0)
    var cursor = try reading.table().blocks()
    #expect(try cursor.next() == nil)
    #expect(try reading.table().find(ObjectKey(0)) == nil)
  }

  @Test("formats that engines have written are read, others are refused by name", arguments: 0...30)
  func formats(_ format: Int) throws {
    let builder = OldFileBuilder()
    let bytes = builder.file(
      format: UInt8(format), [("class_A", builder.table([Column(type: 0, root: builder.integers([1]))]))])
    if (2...9).contains(format) {
      #expect(try OldFileReading(bytes).values() == [.int(1)])
      return
    }
    let error = #expect(throws: EngineError.self) { try OldFileReading(bytes) }
    switch format {
    case 0, 1, 12...19: #expect(error?.kind == .notARealm)
    case 25...: #expect(error?.kind == .formatTooNew)
    default: #expect(error?.kind == .damaged)
    }
  }
}
