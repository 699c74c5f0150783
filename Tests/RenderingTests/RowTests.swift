import RealmEngine
import Rendering
import TestSupport
import Testing

/// Rows in bulk, beside texts that the test makes itself.
@Suite("Rows")
struct RowTests {
  private static let rowCount = 9000

  private struct Sample {
    let number: Int
    var name: String { number % 17 == 0 ? "a, \"b\"\n\(number)" : "name-\(number)" }
    var city: String? { number % 5 == 0 ? nil : number % 7 == 0 ? "" : "Ærø\t\(number % 50)" }
    var age: Int64? { number % 9 == 0 ? nil : Int64(number) * (number % 2 == 0 ? -1_000_003 : 7) }
    var score: Double? { number % 11 == 0 ? nil : Double(number) / 8 }
    var isOpen: Bool { number % 3 == 0 }
    var date: Timestamp { Timestamp(seconds: Int64(number) * 86_400, nanoseconds: 0) }

    var values: [(property: String, value: NewValue)] {
      [
        ("id", .single(.int(Int64(number)))), ("name", .single(.string(ByteString(name)))),
        ("city", city.map { .single(.string(ByteString($0))) } ?? .null),
        ("age", age.map { .single(.int($0)) } ?? .null),
        ("score", score.map { .single(.double($0)) } ?? .null), ("open", .single(.bool(isOpen))),
        ("at", .single(.date(date))),
      ]
    }

    var dateText: String {
      var days = number
      var year = 1970
      while true {
        let length = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
        if days < length { break }
        days -= length
        year += 1
      }
      var month = 0
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      for length in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        month += 1
        if days < length { break }
        days -= length
      }
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return "\(year)-\(two(month))-\(two(days + 1))T00:00:00Z"
    }
  }

  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("name", .string),
          PropertyDefinition("city", .string, isOptional: true),
          PropertyDefinition("age", .int, isOptional: true),
          PropertyDefinition("score", .double, isOptional: true), PropertyDefinition("open", .bool),
          PropertyDefinition("at", .date),
        ]),
      ClassDefinition(
        "Mixed",
        properties: [
          PropertyDefinition("number", .int), PropertyDefinition("any", .mixed),
          PropertyDefinition("list", .string, collection: .list), PropertyDefinition("text", .string),
        ]),
      ClassDefinition("Bare", properties: []),
    ])
    let row = try #require(try write.schema(named: "Row")).tableKey
    for number in 0..<rowCount { _ = try write.create(row, Sample(number: number).values) }
    let mixed = try #require(try write.schema(named: "Mixed")).tableKey
    for number in 0..<600 {
      let long = String(repeating: "x", count: number % 100 == 99 ? 200 : 1)
      _ = try write.create(
        mixed,
        [
          ("number", .single(.int(Int64(number)))), ("any", .single(.bool(number % 2 == 0))),
          ("list", .list([.single(.string(ByteString("e\(number)"))), .single(.string(ByteString(long)))])),
          ("text", .single(.string(ByteString(long)))),
        ])
    }
    let bare = try #require(try write.schema(named: "Bare")).tableKey
    for _ in 0..<2 { _ = try write.create(bare, []) }
    try realm.commit(write)
    return realm.database.transaction
  }

  /// What a mode prints of the rows of a class whose numbers are kept, `blockSize` rows at a time.
  private func print(
    _ className: String, _ spec: RenderSpec, piecesOf pieceSize: Int = 1000, select: [String]? = nil,
    by writers: RowWriters? = nil, where isKept: (Int) -> Bool = { _ in true }
  ) throws -> String {
    let realm = try Self.realm.get()
    let table = try #require(realm.table(named: className))
    let columns = try select?.map { name in
      SelectedColumn(
        name: name, source: .property([], try #require(table.schema.property(named: name))))
    }
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    var printer = RowPrinter(writers ?? RowWriters(spec, in: realm), table, columns)
    printer.begin(to: &out)
    for block in try table.allBlocks() {
      let rows = (0..<block.count).filter { isKept(Int(block.key($0).value)) }.map { Int32($0) }
      for start in stride(from: 0, to: rows.count, by: pieceSize) {
        try printer.write(
          SelectedRows(block: block, rows: Array(rows[start..<min(rows.count, start + pieceSize)])), to: &out)
      }
    }
    try printer.end(to: &out)
    try out.flush()
    return String(decoding: collector.all, as: UTF8.self)
  }

  private static func csv(_ sample: Sample) -> String {
    let name = sample.number % 17 == 0 ? "\"a, \"\"b\"\"\n\(sample.number)\"" : sample.name
    let city = sample.city.map { $0.isEmpty ? "\"\"" : $0 } ?? ""
    return "\(sample.number),\(name),\(city),\(sample.age.map { "\($0)" } ?? ""),"
      + "\(sample.score.map { "\($0)" } ?? ""),\(sample.isOpen),\(sample.dateText)\n"
  }

  private static func json(_ sample: Sample) -> String {
    let name = sample.number % 17 == 0 ? "a, \\\"b\\\"\\n\(sample.number)" : sample.name
    let city = sample.city.map { "\"\($0.replacing("\t", with: "\\t"))\"" } ?? "null"
    return "{\"id\":\(sample.number),\"name\":\"\(name)\",\"city\":\(city),"
      + "\"age\":\(sample.age.map { "\($0)" } ?? "null"),\"score\":\(sample.score.map { "\($0)" } ?? "null"),"
      + "\"open\":\(sample.isOpen),\"at\":\"\(sample.dateText)\"}"
  }

  private static let kept: @Sendable (Int) -> Bool = { $0 % 7 != 3 }
  private static let samples = (0..<rowCount).map(Sample.init)

  @Test("csv of many rows, in whatever pieces they come", arguments: [1, 100, 1000])
  func csv(pieceSize: Int) throws {
    let expected = "id,name,city,age,score,open,at\n" + Self.samples.map(Self.csv).joined()
    #expect(try print("Row", RenderSpec(.csv), piecesOf: pieceSize) == expected)
  }

  @Test("some rows of each block")
  func someRows() throws {
    let expected = Self.samples.filter { Self.kept($0.number) }.map(Self.csv).joined()
    #expect(try print("Row", RenderSpec(.csv, hasHeader: false), where: Self.kept) == expected)
  }

  @Test("json and jsonl of many rows")
  func json() throws {
    let objects = Self.samples.map(Self.json)
    #expect(try print("Row", RenderSpec(.jsonl)) == objects.map { $0 + "\n" }.joined())
    #expect(try print("Row", RenderSpec(.json)) == "[\n" + objects.joined(separator: ",\n") + "\n]\n")
    #expect(try print("Row", RenderSpec(.json), where: { _ in false }) == "[]\n")
  }

  @Test("columns that need more than their leaf stand among those that do not")
  func largeCells() throws {
    let lines = (0..<600).map { number in
      let long = String(repeating: "x", count: number % 100 == 99 ? 200 : 1)
      return "\(number),\(number % 2 == 0),\"[\"\"e\(number)\"\",\"\"\(long)\"\"]\",\(long)\n"
    }
    let expected = "number,any,list,text\n" + lines.joined()
    #expect(try print("Mixed", RenderSpec(.csv)) == expected)
    #expect(try print("Mixed", RenderSpec(.csv), piecesOf: 1) == expected)
  }

  @Test(
    "writers that print class after class print each as writers of its own do",
    arguments: [OutputMode.csv, .jsonl])
  func sharedWriters(mode: OutputMode) throws {
    let writers = RowWriters(RenderSpec(mode), in: try Self.realm.get())
    for name in ["Row", "Mixed", "Bare"] {
      #expect(try print(name, RenderSpec(mode), by: writers) == print(name, RenderSpec(mode)))
    }
    // Each may meet what the file holds, however much others have met.
    for _ in 0..<100 { _ = try print("Mixed", RenderSpec(mode), by: writers) }
  }

  /// What a mode prints of the rows of a class in the order of `keys`, some of them at a time.
  private func print(
    _ className: String, _ spec: RenderSpec, keys: [ObjectKey], atOnce count: Int,
    sizeMax: Int = OrderedRows.defaultSizeMax
  ) throws -> String {
    let realm = try Self.realm.get()
    let table = try #require(realm.table(named: className))
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    var printer = RowPrinter(spec, table, nil, in: realm)
    printer.begin(to: &out)
    for start in stride(from: 0, to: keys.count, by: count) {
      _ = try printer.write(
        try OrderedRows(keys[start..<min(keys.count, start + count)], in: table), sizeMax: sizeMax, to: &out)
    }
    try printer.end(to: &out)
    try out.flush()
    return String(decoding: collector.all, as: UTF8.self)
  }

  @Test("rows in an order of their own are the same rows", arguments: ["Row", "Mixed", "Bare"])
  func orderedRows(className: String) throws {
    let realm = try Self.realm.get()
    let table = try #require(realm.table(named: className))
    var keys: [ObjectKey] = []
    for block in try table.allBlocks() { for row in 0..<block.count { keys.append(block.key(row)) } }
    var random = SplitMix64(state: 7)
    keys.shuffle(using: &random)
    keys.removeLast(keys.count / 3)
    for mode in [OutputMode.csv, .jsonl, .json, .markdown] {
      let atOnce = try print(className, RenderSpec(mode), keys: keys, atOnce: keys.count)
      #expect(try print(className, RenderSpec(mode), keys: keys, atOnce: 1) == atOnce)
      // What is too much to be gathered is written row by row.
      #expect(
        try print(className, RenderSpec(mode), keys: keys, atOnce: keys.count, sizeMax: 500) == atOnce)
      guard mode == .jsonl else { continue }
      let lines = Set(try print(className, RenderSpec(.jsonl)).split(separator: "\n"))
      #expect(atOnce.split(separator: "\n").count == keys.count)
      #expect(atOnce.split(separator: "\n").allSatisfy(lines.contains))
    }
  }

  @Test("rows in an order of their own tell how many more there may be at once, however short they are")
  func sizeOfOrderedRows() throws {
    let realm = try Self.realm.get()
    let table = try #require(realm.table(named: "Row"))
    var keys: [ObjectKey] = []
    for block in try table.allBlocks() { for row in 0..<block.count { keys.append(block.key(row)) } }
    var out = OutputBuffer { _ in }
    var printer = RowPrinter(RenderSpec(.csv), table, nil, in: realm)
    let size = try printer.write(try OrderedRows(keys[...], in: table), to: &out)
    // A cell counts as 24 bytes before it is written, so it may not count as less behind that.
    #expect(size >= keys.count * table.schema.properties.count * 24)
  }

  @Test("a list longer than any piece of output is whole in a field")
  func longList() throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("L", properties: [PropertyDefinition("list", .int, collection: .list)])
    ])
    let table = try #require(try write.schema(named: "L")).tableKey
    let numbers = (0..<40_000).map { NewValue.single(.int(Int64($0))) }
    _ = try write.create(table, [("list", .list(numbers))])
    try realm.commit(write)
    let transaction = realm.database.transaction
    let list = try #require(transaction.table(named: "L"))
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    var printer = RowPrinter(RenderSpec(.tsv, hasHeader: false), list, nil, in: transaction)
    for block in try list.allBlocks() { try printer.write(SelectedRows(block: block, rows: [0]), to: &out) }
    try printer.end(to: &out)
    try out.flush()
    let expected = "[" + (0..<40_000).map { "\($0)" }.joined(separator: ",") + "]\n"
    #expect(String(decoding: collector.all, as: UTF8.self) == expected)
  }

  @Test("objects without properties are rows without cells")
  func bare() throws {
    #expect(try print("Bare", RenderSpec(.jsonl)) == "{}\n{}\n")
    #expect(try print("Bare", RenderSpec(.json)) == "[\n{},\n{}\n]\n")
    #expect(try print("Bare", RenderSpec(.csv)) == "\n\n\n")
  }

  @Test("null is kept apart from the empty text in every mode")
  func nulls() throws {
    let isKept: (Int) -> Bool = { $0 == 5 || $0 == 7 }
    func print(_ mode: OutputMode) throws -> String {
      try self.print("Row", RenderSpec(mode, hasHeader: false), select: ["id", "city"], where: isKept)
    }
    #expect(try print(.csv) == "5,\n7,\"\"\n")
    #expect(try print(.tsv) == "5\t\\N\n7\t\n")
    #expect(try print(.quote) == "5,NULL\n7,''\n")
    #expect(try print(.jsonl) == "{\"id\":5,\"city\":null}\n{\"id\":7,\"city\":\"\"}\n")
  }

  @Test("a text that is not UTF-8 is shown with U+FFFD, and counted")
  func repairs() throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("T", properties: [PropertyDefinition("text", .string)])])
    let table = try #require(try write.schema(named: "T")).tableKey
    _ = try write.create(table, [("text", .single(.string(ByteString(copying: [0x61, 0xFF] as [UInt8]))))])
    try realm.commit(write)
    let texts = try #require(realm.database.transaction.table(named: "T"))
    for (mode, expected) in [
      (OutputMode.csv, "a\u{FFFD}\n"), (.list, "a\u{FFFD}\n"), (.quote, "CAST(X'61ff' AS TEXT)\n"),
    ] {
      var out = OutputBuffer()
      var printer = RowPrinter(
        RenderSpec(mode, hasHeader: false), texts, nil, in: realm.database.transaction)
      for block in try texts.allBlocks() {
        try printer.write(SelectedRows(block: block, rows: [0]), to: &out)
      }
      try printer.end(to: &out)
      #expect(out.text.text == expected)
      #expect(printer.repairedCount == (mode == .quote ? 0 : 1))
    }
  }
}
