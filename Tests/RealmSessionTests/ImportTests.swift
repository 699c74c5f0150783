// What an import makes of its sources, without a program around it.

import ByteText
import RealmEngine
import RealmSession
import TestSupport
import Testing
import TextFormats

/// Keeps what was rejected.
private final class Audience: ImportListener {
  var rejects: [String] = []

  func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws {
    let place = fault.location.map { "\($0.line):\($0.column) " } ?? ""
    rejects.append("\(row.string) – \(place)\(fault.message)")
  }
  func begin(columns: Span<UInt8>, separator: UInt8) {}
  func progress(rowCount: Int, byteCount: Int) {}
}

@Suite("Imports")
struct ImportTests {
  private static func transaction() throws -> WriteTransaction {
    let transaction = try WritableDatabase.inMemory().begin()
    try transaction.addClasses([
      ClassDefinition(
        "Person", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("name", .string, isOptional: true),
          PropertyDefinition("age", .int, isOptional: true, index: .general),
          PropertyDefinition("friend", .object, target: "Person"),
          PropertyDefinition("friends", .object, collection: .list, target: "Person"),
          PropertyDefinition("tags", .string, collection: .list),
          PropertyDefinition("home", .object, target: "Home"),
          PropertyDefinition("isPaid", .bool, isOptional: true),
        ]),
      ClassDefinition(
        "Home", kind: .embedded,
        properties: [
          PropertyDefinition("street", .string), PropertyDefinition("city", .string, isOptional: true),
        ]),
    ])
    return transaction
  }

  private static func source(_ text: String, _ name: String = "a.csv") -> ImportSource {
    ImportSource(name, SourceFormat.Wish()) { TextInput(Array(text.utf8).span) }
  }

  private static func run(
    _ text: String, named name: String = "a.csv", of className: String? = "Person", _ options: ImportOptions,
    in transaction: WriteTransaction, _ audience: Audience = Audience()
  ) throws -> ImportReport {
    try ImportJob(options, className: className, in: transaction, audience).run([source(text, name)])
  }

  /// What is wrong with a source: its place and words.
  private static func fault(
    _ text: String, named name: String = "a.csv", _ options: ImportOptions = ImportOptions()
  ) throws -> String? {
    do {
      _ = try run(text, named: name, options, in: try transaction())
      return nil
    } catch let fault as ImportFault {
      return (fault.location.map { "\($0.line):\($0.column) " } ?? "") + fault.message
    }
  }

  @Test(
    "a bad source is told of by its place, the cell and what was wanted",
    arguments: [
      ("", "1:1 the source is empty"), ("\n\n", "1:1 the source is empty"),
      ("id,id\n", "1:4 the column 'id' appears twice"),
      ("id,nme\n", "1:4 Person has no property for the column 'nme'"),
      ("id,,name\n", "1:4 Person has no property for the column ''"),
      ("id,Name,NAME\n", "1:9 the columns 'Name' and 'NAME' both go to Person.name"),
      ("id\nx\n", "2:1 Person.id is int, not \"x\""), ("id\n1.5\n", "2:1 Person.id is int, not \"1.5\""),
      ("id\n9223372036854775808\n", "2:1 Person.id is int, not \"9223372036854775808\""),
      ("id\n1e3\n", "2:1 Person.id is int, not \"1e3\""),
      ("id\n\"\"\n", "2:1 Person.id holds no null: it is int"),
      ("id,age\n1,2\n2,x\n", "3:3 Person.age is int?, not \"x\""),
      ("id,name\n1,\"a\nb\"\n2x,c\n", "4:1 Person.id is int, not \"2x\""),
      ("id,name,age\n1,\"a\nb\",z\n", "3:4 Person.age is int?, not \"z\""),
      ("id,name\n1\n", "2:1 the record has 1 cell, but there are 2 columns"),
      ("id,name\n1,a,b\n", "2:5 the record has 3 cells, but there are 2 columns"),
      ("id,name\n1,\"a\n", "2:3 the text ends inside a quoted field"),
      ("id,name\n1,a\n1,b\n", "3:1 Person.id has a value twice that must be unique"),
      ("id,friend\n1,7\n", "2:3 Person has no object with this primary key (id 7)"),
      ("id,friend\n1,x\n", "2:3 Person.friend is the primary key of Person, int, not \"x\""),
      ("id,tags\n1,a;b\n", "2:3 Person.tags is list<string>, not \"a;b\""),
      ("id,tags\n1,[1]\n", "2:3 tags[0] – Person.tags is list<string>, not 1"),
      (
        "id,tags\n1,[\n",
        "2:3 Person.tags is list<string>, as JSON: expected a value or ']', but the text ends"
      ),
      ("id,friends\n1,\"[1,9]\"\n", "2:3 Person has no object with this primary key (id 9)"),
      ("id,home.city\n1,x\n", "2:1 Home.street is missing"), ("name\nx\n", "2:1 Person.id is missing"),
    ])
  func faults(_ text: String, _ expected: String) throws {
    let found = try Self.fault(text)
    // The engine words what it finds at the end.
    if expected.contains("unique") {
      #expect(found?.hasPrefix("3:1 ") ?? false, "\(found ?? "nothing")")
    } else {
      #expect(found == expected)
    }
  }

  @Test("links of one source may lead to what comes later, and in circles")
  func circles() throws {
    let transaction = try Self.transaction()
    let report = try Self.run(
      "id,friend,friends\n1,2,\"[3,2]\"\n2,1,[]\n3,3,[1]\n", ImportOptions(), in: transaction)
    #expect(report.insertedCount == 3)
    let table = try #require(try transaction.schema(named: "Person")).tableKey
    for id in 1...3 { #expect(try transaction.find(table, primaryKey: .int(Int64(id))) != nil) }
  }

  @Test("bad rows are handed out as they came, and the others are there")
  func rejects() throws {
    let transaction = try Self.transaction()
    var options = ImportOptions()
    options.keepsRejects = true
    let audience = Audience()
    let report = try Self.run(
      "id,name,age\n1,a,1\nx,b,2\n3,\"c\nd\"\n1,e,5\n5,f,6\n", options, in: transaction, audience)
    #expect(report.rejectedCount == 3 && report.insertedCount == 2 && report.rowCount == 5)
    #expect(
      audience.rejects == [
        "x,b,2 – 3:1 Person.id is int, not \"x\"",
        "3,\"c\nd\" – 4:1 the record has 2 cells, but there are 3 columns",
        "1,e,5 – 6:1 Person already has an object with this primary key (id 1)",
      ])
    let lines = Audience()
    let second = try Self.run(
      "{\"id\":7}\n{\"id\":\"x\"}\nnothing\n{\"id\":8,\"age\":[{}]}\n{\"id\":9}\n", named: "a.jsonl", options,
      in: transaction, lines)
    #expect(second.rejectedCount == 3 && second.insertedCount == 2 && lines.rejects.count == 3)
  }

  @Test("a primary key that is there is refused, changed or passed over, in one source too")
  func modes() throws {
    for (mode, counts) in [(IngestMode.upsert, [2, 3, 0]), (.skip, [2, 0, 3])] {
      let transaction = try Self.transaction()
      _ = try Self.run("id,name\n1,a\n", ImportOptions(), in: transaction)
      var options = ImportOptions()
      options.mode = mode
      let report = try Self.run("id,name\n1,b\n2,c\n3,d\n2,e\n1,f\n", options, in: transaction)
      #expect([report.insertedCount, report.updatedCount, report.skippedCount] == counts, "\(mode)")
      #expect(try transaction.count(try #require(try transaction.schema(named: "Person")).tableKey) == 3)
    }
  }

  @Test("many rows behind others are filed in every index")
  func appended() throws {
    let transaction = try Self.transaction()
    for start in [0, 1000, 2000, 9000] {
      let count = start == 2000 ? 300 : 1000
      let rows = (start..<start + count).map { "\($0),n\($0),\($0 % 7)\n" }.joined()
      _ = try Self.run("id,name,age\n" + rows, ImportOptions(), in: transaction)
    }
    let table = try #require(try transaction.schema(named: "Person")).tableKey
    #expect(try transaction.count(table) == 3300)
    for id in [0, 255, 256, 999, 1000, 2299, 9000, 9999] {
      #expect(try transaction.find(table, primaryKey: .int(Int64(id))) != nil, "\(id)")
    }
    #expect(try transaction.find(table, primaryKey: .int(2300)) == nil)
  }

  @Test("types are told from all cells of a column")
  func types() throws {
    let cases: [(cells: [String], type: String)] = [
      (["1", "-2"], "int"), (["1", ""], "int?"), (["1", "1.5"], "double"), (["00712", "1"], "string"),
      (["+49", "1"], "string"), (["1e5", "2"], "double"), (["NaN", "1"], "double"),
      (["TRUE", "false"], "bool"),
      (["0", "1"], "int"), (["9223372036854775808", "1"], "decimal128"),
      (["0.1", "0.30000000000000004"], "double"),
      (["0.12345678901234567890", "1"], "decimal128"), (["2020-01-31", "2020-01-31T12:00:00+02:00"], "date"),
      (["2020-02-30", "2020-01-31"], "string"), (["5f0000000000000000000004", ""], "objectId?"),
      (["00000000-0000-4000-8000-000000000004", ""], "uuid?"), (["", ""], "string?"),
      (["yes", "no"], "string"), ([".5", "-.5", "5."], "double"), ([".", "1"], "string"),
      (["-", "1"], "string"),
      (["2020-01-28", "2020-01-31"], "date"), (["2020-01-28", "2021-02-29"], "string"),
      (["2020-01-28", "2020-13-01"], "string"), (["2020-01-28", "0000-01-01"], "string"),
      (["2020-01-28T23:59:59Z", "2020-01-28 23:59:59"], "date"),
      (["2020-01-28T23:59:59Z", "2020-01-28T24:00:00Z"], "string"),
      (["2020-01-28", "2020-01-28T"], "string"), (["2020-01-28", "2020/01/28"], "string"),
      (["-0.5", "-00.5"], "string"), ([".e5", "1"], "string"),
    ]
    for (cells, type) in cases {
      let transaction = try WritableDatabase.inMemory().begin()
      var options = ImportOptions()
      options.creates = true
      // A second column keeps lines from being blank.
      let text = "v,w\n" + cells.map { "\($0),x\n" }.joined()
      _ = try Self.run(text, of: "T", options, in: transaction)
      let schema = try transaction.view().schemaDescription()
      #expect(schema.classes[0].properties[0].type.word == type, "\(cells)")
    }
  }

  @Test("dates are read in the forms that are named")
  func dates() {
    let cases: [(form: String, text: String, seconds: Int64, nanoseconds: Int32)] = [
      ("iso", "1970-01-02", 86_400, 0), ("iso", "1970-01-01 00:00:01.5", 1, 500_000_000),
      ("iso", "1970-01-01T02:00+02:00", 0, 0), ("iso", "1969-12-31T23:59:59.5Z", 0, -500_000_000),
      ("seconds", "-1.5", -1, -500_000_000), ("milliseconds", "1500", 1, 500_000_000),
      ("milliseconds", "-1", 0, -1_000_000), ("%d/%m/%Y", "02/01/1970", 86_400, 0),
      ("%d %b %Y %I:%M %p", "1 Jan 1970 01:00 PM", 46_800, 0),
      ("%Y-%m-%d %H:%M:%S %z", "1970-01-01 00:00:00 -0100", 3600, 0),
      ("%y%j", "70002", 86_400, 0), ("%s", "77", 77, 0),
    ]
    for (form, text, seconds, nanoseconds) in cases {
      let date = DateForm(form)?.date(Array(text.utf8).span)
      #expect(date == Timestamp(seconds: seconds, nanoseconds: nanoseconds), "\(form) \(text)")
    }
    for (form, text) in [
      ("iso", "1970-13-01"), ("iso", "1970-01-01T24:00"), ("%d/%m/%Y", "31/02/1970"), ("%H", "1x"),
    ] {
      #expect(DateForm(form)?.date(Array(text.utf8).span) == nil, "\(form) \(text)")
    }
    #expect(DateForm("%Q") == nil && DateForm("day") == nil)
  }

  /// Names, ages and what is paid, by primary key.
  private static func contents(of transaction: WriteTransaction) throws -> [String] {
    let view = try transaction.view()
    let table = try #require(view.table(named: "Person", allTables: false))
    return try (0..<3000).map { id in
      let key = try #require(try transaction.find(table.schema.tableKey, primaryKey: .int(Int64(id))))
      let position = try #require(try table.find(key))
      let values = try ["name", "age", "isPaid"].map { name in
        let property = try #require(table.schema.property(named: name))
        return try position.block.leaf(property).value(position.row, in: view.snapshot, target: nil)
      }
      return values.map { if case .string(let text) = $0 { text.text } else { "\($0)" } }.joined(
        separator: "|")
    }
  }

  @Test("rows read at once are those that are read one by one")
  func blocks() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    var text = "id,name,age,isPaid\n"
    for id in 0..<3000 {
      let name =
        ["", "\"\"", "plain", "\"a\"\"b\"", "\"two\nlines\"", "é", " x "].randomElement(using: &random) ?? ""
      // Beside the largest numbers another one means null.
      let age =
        random.next() % 50 == 0
        ? "" : "\(random.next() % 20 == 0 ? UInt64(Int64.max) - random.next() % 3 : random.next() % 100)"
      let isPaid = ["", "true", "False", "YES", "n", "1", "0", " t "].randomElement(using: &random) ?? ""
      text += "\(id),\(name),\(age),\(isPaid)\(random.next() % 300 == 0 ? "\r" : "")\n"
    }
    var results: [[String]] = []
    for keepsRejects in [false, true] {
      let transaction = try Self.transaction()
      var options = ImportOptions()
      // Where keys are asked for at once, rows come one by one.
      options.keepsRejects = keepsRejects
      let report = try Self.run(text, options, in: transaction)
      #expect(report.insertedCount == 3000, "seed \(seed)")
      results.append(try Self.contents(of: transaction))
    }
    #expect(results[0] == results[1], "seed \(seed)")
  }

  @Test("a text that no property holds is told of by its place")
  func tooLarge() throws {
    let sizeMax = TextLimits.textSizeMax
    let text = String(repeating: "x", count: sizeMax + 1)
    let cell = try Self.fault("id,name\n1,a\n2,\"\(text)\"\n") ?? ""
    #expect(
      cell.hasPrefix("3:3 Person.name holds at most \(sizeMax) bytes, not \"xxx"), "\(cell.prefix(200))")
    let object = try Self.fault("[{\"id\":1},\n {\"id\":2,\"name\":\"\(text)\"}]", named: "a.json")
    #expect(object == "2:17 a property holds a text of at most \(sizeMax) bytes, not of \(sizeMax + 1)")
  }

  @Test("what the engine refuses of a record is told of by its cell")
  func refusedCell() throws {
    var options = ImportOptions()
    options.creates = true
    options.types = [("at", "date")]
    let text = "id,at\n1,2020-01-01\n2,\"[1,-1]\"\n"
    do {
      _ = try Self.run(text, of: "New", options, in: try Self.transaction())
      Issue.record("no date has seconds and nanoseconds of different signs")
    } catch let fault as ImportFault {
      #expect(fault.message == "New.at cannot hold a date of 1 seconds and -1 nanoseconds")
      #expect(fault.location?.line == 3 && fault.location?.column == 3)
      #expect(fault.line == Array("2,\"[1,-1]\"".utf8))
    }
  }

  @Test("what stands behind a date that is none is not lost")
  func malformedDates() throws {
    let transaction = try WritableDatabase.inMemory().begin()
    try transaction.addClasses([
      ClassDefinition(
        "Log",
        properties: [
          PropertyDefinition("name", .string), PropertyDefinition("day", .date, isOptional: true),
          PropertyDefinition("days", .date, collection: .dictionary),
        ])
    ])
    var options = ImportOptions()
    options.keepsRejects = true
    let audience = Audience()
    let rows = "name,days\nAnn,\"{\"\"a\"\":[1,2,\"\"x\"\"],\"\"b\"\":[3,0]}\"\nBob,{}\n"
    let table = try Self.run(rows, of: "Log", options, in: transaction, audience)
    #expect(table.rejectedCount == 1 && table.insertedCount == 1)
    #expect(
      audience.rejects.first?.hasSuffix("2:5 days.a – Log.days is dictionary<date>, not a list") ?? false,
      "\(audience.rejects)")
    let objects = "{\"name\":\"Ann\",\"day\":[1,2,\"x\"]}\n{\"name\":\"Bob\",\"day\":[1,2]}\n"
    let lines = try Self.run(objects, named: "a.jsonl", of: "Log", options, in: transaction)
    #expect(lines.rejectedCount == 1 && lines.insertedCount == 1)
  }

  @Test("links that wait for each other take time in proportion to their number")
  func manyWaitingLinks() throws {
    let count = 4000
    let chain = (0..<count).map { "{\"id\":\($0),\"friends\":[\(10_001 + $0),{\"id\":\(10_000 + $0)}]}\n" }
    let chained = try Self.run(
      chain.joined() + "{\"id\":\(10_000 + count)}\n", named: "a.jsonl", ImportOptions(),
      in: try Self.transaction())
    #expect(chained.insertedCount == 2 * count + 1)
    var options = ImportOptions()
    options.links = .null
    let lost = (0..<count).map { "{\"id\":\($0),\"friends\":[20000]}\n" }.joined()
    let led = try Self.run(lost, named: "a.jsonl", options, in: try Self.transaction())
    #expect(led.insertedCount == count)
    // A look at all that wait, for each of them, takes minutes.
  }

  @Test("what waits is made in the order of the source, with what comes of it in its place")
  func orderOfWaiting() throws {
    let transaction = try Self.transaction()
    let text = """
      {"id":0,"friends":[9,{"id":10,"friends":[20,{"id":30}]}]}
      {"id":1,"friends":[21,{"id":31}]}
      {"id":2,"friends":[9,{"id":11},{"id":21},{"id":20}]}
      {"id":3,"friends":[40,{"id":41},{"id":40}]}
      {"id":9}
      """
    // The last is ready when all others are written: it makes what it misses itself.
    var options = ImportOptions()
    options.links = .create
    _ = try Self.run(text, named: "a.jsonl", options, in: transaction)
    let table = try #require(try transaction.schema(named: "Person")).tableKey
    let keys = try [10, 11, 21, 20, 30, 31, 40, 41].map { id in
      try #require(try transaction.find(table, primaryKey: .int(Int64(id)))).value
    }
    #expect(keys == keys.sorted())
  }

  @Test("columns and classes beyond number take time in proportion to it")
  func manyColumns() throws {
    var options = ImportOptions()
    options.extraColumns = .ignore
    let names = (0..<30_000).map { "c\($0)" }.joined(separator: ",")
    let cells = String(repeating: ",", count: 30_000)
    let report = try Self.run("id,\(names)\n1\(cells)\n", options, in: try Self.transaction())
    #expect(report.insertedCount == 1)
    var creating = ImportOptions()
    creating.creates = true
    let classes = (0..<65_536).map { "\"c\($0)\":[{}]" }.joined(separator: ",")
    let fault = #expect(throws: ImportFault.self) {
      try Self.run("{\(classes)}", named: "a.json", of: nil, creating, in: try Self.transaction())
    }
    #expect(fault?.message == "a realm cannot hold more than 65535 tables, and each class is one")
  }

  @Test(
    "keys of JSON may name properties of embedded objects",
    arguments: [
      ("{\"id\":1,\"home.street\":\"a\",\"home.city\":null}", nil),
      ("{\"id\":1,\"home.street\":null,\"home.city\":null}", nil), ("{}", nil),
      ("{\"id\":1,\"home.city\":\"a\"}", "1:1 Home.street is missing"),
      ("{\"id\":1,\"home.city\":\"a\",\"home.street\":null}", "1:1 Home.street holds no null: it is string"),
      ("{\"home.city\":\"a\",\"home.city\":\"b\"}", "1:18 the key 'home.city' appears twice"),
      ("{\"home\":null,\"home.city\":\"b\"}", "1:14 the key 'home.city' appears twice"),
      ("{\"home.city\":\"b\",\"home\":null}", "1:18 the key 'home' appears twice"),
      ("{\"id\":1,\"home.street\":7}", "1:23 Home.street is string, not 7"),
      ("{\"id\":1,\"home.steet\":\"\"}", "1:9 Person has no property 'home.steet'"),
    ] as [(String, String?)])
  func innerKeys(_ text: String, _ wanted: String?) throws {
    let className: String? = text == "{}" ? nil : "Person"
    do {
      let transaction = try Self.transaction()
      let report = try Self.run(text, named: "a.json", of: className, ImportOptions(), in: transaction)
      #expect(wanted == nil && report.insertedCount == (className == nil ? 0 : 1))
    } catch let fault as ImportFault {
      #expect((fault.location.map { "\($0.line):\($0.column) " } ?? "") + fault.message == wanted)
    }
  }
}
