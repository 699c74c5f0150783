import RealmEngine
import RealmQueryLanguage
import Rendering
import TestSupport
import Testing

/// Rows that are written by the threads that find them, beside the same rows written one by one.
@Suite("Rows of queries")
struct QueryRowsTests {
  private static let rowCount = 18_000

  /// `Even` has short texts alone, `Uneven` a long one here and there, whose blocks are written row by row.
  private static let realm = Result { () throws -> ReadTransaction in
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    for name in ["Even", "Uneven"] {
      try write.addClasses([
        ClassDefinition(
          name,
          properties: [
            PropertyDefinition("number", .int), PropertyDefinition("group", .string, index: .general),
            PropertyDefinition("text", .string, isOptional: true), PropertyDefinition("at", .date),
            PropertyDefinition("ratio", .double), PropertyDefinition("isOpen", .bool),
          ])
      ])
      let table = try #require(try write.schema(named: name)).tableKey
      for number in 0..<rowCount {
        let isLong = name == "Uneven" && number % 7_000 == 4_000
        let text = isLong ? String(repeating: "long ", count: 40) : "text \(number)"
        _ = try write.create(
          table,
          [
            ("number", .single(.int(Int64(number)))),
            ("group", .single(.string(ByteString("group \(number % 40)")))),
            ("text", number % 5 == 0 ? .null : .single(.string(ByteString(text)))),
            ("at", .single(.date(Timestamp(seconds: Int64(number) * 86_400, nanoseconds: 0)))),
            ("ratio", .single(.double(Double(number) / 8))), ("isOpen", .single(.bool(number % 3 == 0))),
          ])
      }
    }
    let texts = (0..<6).map { PropertyDefinition("text\($0)", .string) }
    try write.addClasses([ClassDefinition("Wide", properties: texts)])
    let wide = try #require(try write.schema(named: "Wide")).tableKey
    let load = try write.beginLoad()
    let rows = try load.table(wide)
    for number in 0..<17_000 {
      try rows.beginObject()
      for column in 0..<6 {
        let text = "\(number) \(column) " + String(repeating: "wide ", count: 9)
        try rows.put(column, text: Array(text.utf8).span)
      }
      try rows.endObject()
    }
    try load.finish()
    try realm.commit(write)
    return realm.database.transaction
  }

  private func print(
    _ mode: OutputMode, of table: Table,
    _ write: (inout RowPrinter, inout OutputBuffer) throws -> Void
  ) throws -> String {
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    var printer = RowPrinter(RenderSpec(mode), table, nil, in: try Self.realm.get())
    printer.begin(to: &out)
    try write(&printer, &out)
    try printer.end(to: &out)
    try out.flush()
    return String(decoding: collector.all, as: UTF8.self)
  }

  @Test(
    "are those of the objects that it finds, in their order",
    arguments: [
      "TRUEPREDICATE", "number > 6000", "number < 0", "number == 12345", "isOpen == true AND ratio < 2000",
      "group == 'group 7'", "group == 'group 7' AND number > 3000", "group IN {'group 3', 'group 5'}",
      "group == 'none'", "number > 100 LIMIT(1000)", "isOpen == false SORT(number DESC) LIMIT(3000)",
    ])
  func rows(predicate: String) throws {
    for className in ["Even", "Uneven"] {
      try check(predicate, of: className, in: [.csv, .json])
    }
  }

  @Test("are whole where they have more text than is kept of a part")
  func wideRows() throws {
    try check("TRUEPREDICATE", of: "Wide", in: [.csv, .json])
  }

  private func check(_ predicate: String, of className: String, in modes: [OutputMode]) throws {
    let realm = try Self.realm.get()
    let table = try #require(realm.table(named: className))
    let source = Array(predicate.utf8)
    let query = try BoundQuery(
      try Predicate(parsing: source), source: source, of: table, in: realm, arguments: QueryArguments())
    let keys = try RowEvaluator(realm).keys(query)
    let executor = try QueryExecutor(query, in: realm)
    for mode in modes {
      let text = try print(mode, of: table) { try $0.write(allOf: executor, to: &$1) }
      let expected = try print(mode, of: table) { printer, out in
        for key in keys {
          let position = try #require(try table.find(key))
          try printer.write(SelectedRows(block: position.block, rows: [Int32(position.row)]), to: &out)
        }
      }
      #expect(text == expected, "\(className) in mode \(mode)")
    }
  }
}
