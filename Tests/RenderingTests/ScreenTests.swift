// Results on a screen: what is too wide or too long is cut and says so, unless a look was asked for.

import ByteText
import RealmEngine
import Rendering
import Testing

@Suite("Results on a screen")
struct ScreenTests {
  /// A class of `propertyCount` numbers with `objectCount` objects.
  private func shown(
    propertyCount: Int = 3, objectCount: Int, _ change: (inout RenderSpec) -> Void
  ) throws -> [String] {
    let database = try WritableDatabase.inMemory()
    let transaction = try database.begin()
    let names = (0..<propertyCount).map { "p\($0)" }
    try transaction.addClasses([
      ClassDefinition("C", properties: names.map { PropertyDefinition($0, .int, isOptional: true) })
    ])
    let key = try #require(try transaction.schema(named: "C")).tableKey
    for _ in 0..<objectCount { _ = try transaction.create(key, []) }
    try database.commit(transaction)
    let realm = database.database.transaction
    let table = try #require(realm.table(named: "C"))
    var spec = RenderSpec(.box)
    change(&spec)
    let collector = OutputBufferTests.Collector()
    var out = OutputBuffer { collector.pieces.append($0.bytes) }
    var printer = RowPrinter(spec, table, nil, in: realm)
    printer.begin(to: &out)
    for block in try table.allBlocks() {
      try printer.write(SelectedRows(block: block, rows: (0..<Int32(block.count)).map { $0 }), to: &out)
    }
    try printer.end(to: &out)
    try out.flush()
    var marked = ByteBuffer()
    marked.append(marked: collector.all.span)
    return marked.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func screen(_ columns: Int, _ rows: Int, cuts: Bool = true) -> Screen {
    Screen(columnCount: columns, rowCount: rows, cutHint: cuts ? "more" : nil, widthHint: "wider")
  }

  @Test("a result that is longer than the screen is cut, and its last line says so")
  func cut() throws {
    let lines = try shown(objectCount: 50) { $0.screen = screen(80, 24) }
    #expect(lines.count <= 24)
    #expect(lines.dropLast().last == "the first 18 of 50 objects – more")
    #expect(lines.contains { $0.hasPrefix("└") })
  }

  @Test("where nothing is cut, or in a mode for programs, all rows come")
  func uncut() throws {
    #expect(try shown(objectCount: 50) { $0.screen = screen(80, 24, cuts: false) }.count == 50 + 4 + 2)
    let csv = try shown(objectCount: 50) {
      $0 = RenderSpec(.csv)
      $0.screen = screen(80, 24)
    }
    #expect(csv.count == 50 + 1 + 1)
  }

  @Test("rows that are wider than the screen become lines where all is wanted, or stay whole where that was")
  func lines() throws {
    let lines = try shown(propertyCount: 200, objectCount: 2) {
      $0.screen = screen(80, 500, cuts: false)
      $0.wideRows = .lines
    }
    #expect(lines.count == 200 + 1 + 200 + 2)
    #expect(lines.dropLast().last == "2 objects")
    #expect(lines[0] == "  p0 = NULL")
    #expect(lines[200] == "")
    let whole = try shown(propertyCount: 200, objectCount: 2) { $0.screen = screen(80, 24) }
    #expect(whole.count == 2 + 4 + 2)
    #expect(try shown(propertyCount: 200, objectCount: 2) { _ in }.dropLast() == whole.dropLast(2))
  }

  @Test("columns that a screen has no room for are left out and named", arguments: [60, 80, 120])
  func fitted(columns: Int) throws {
    for mode in [OutputMode.box, .table, .column] {
      let lines = try shown(propertyCount: 200, objectCount: 50) {
        $0 = RenderSpec(mode)
        $0.wideRows = .fitted
        $0.screen = screen(columns, 24)
      }
      #expect(lines.count <= 24)
      for line in lines { #expect(line.count <= columns, "\(line)") }
      #expect(lines.contains { $0.hasPrefix("not shown: p") && $0.hasSuffix("columns) – wider") })
      #expect(lines.dropLast().last == "the first 17 of 50 objects – more")
      #expect(lines[1].contains("p0") || lines[0].contains("p0"))
      #expect(lines[4].contains("…"))
    }
  }

  @Test("a long text is cut, and takes no room from the others")
  func longText() {
    func fit(_ wanted: [Int], _ columnCount: Int) -> [Int] {
      ColumnFit(
        wanted, isFirm: wanted.map { $0 < 6 }, .init(perColumn: 3, beside: 1), columnCount: columnCount
      ).widths
    }
    #expect(fit([5, 300, 20, 4], 80) == [5, 38, 20, 4])
    #expect(fit([300, 300], 41) == [17, 17])
    // Numbers are shown whole or not at all; a column of one character stands for those left out.
    #expect(fit([5, 5, 5, 5, 5], 28) == [5, 5])
    #expect(fit([50], 20) == [16])
    #expect(fit([50, 50], 1) == [1])
  }

  @Test("of objects in lines as many are shown as fit, at least one")
  func cutLines() throws {
    let lines = try shown(propertyCount: 40, objectCount: 9) {
      $0 = RenderSpec(.line)
      $0.screen = screen(80, 100)
    }
    #expect(lines.count { $0.contains("p0 =") } == 2)
    #expect(lines.dropLast().last == "the first 2 of 9 objects – more")
    let few = try shown(propertyCount: 40, objectCount: 9) {
      $0 = RenderSpec(.line)
      $0.screen = screen(80, 10)
    }
    #expect(few.count { $0.contains("p0 =") } == 1)
  }

  @Test("columns are cut to the width that was asked for")
  func widths() throws {
    let lines = try shown(objectCount: 1) { $0.columnWidths = [2, 0] }
    #expect(lines[3] == "│ N… │ NULL │ NULL │")
  }

  @Test("a text goes on below where it is to be wrapped, at blanks where there are some")
  func wrapping() throws {
    #expect(TerminalWidth.lines("one two three", of: 7) == ["one two", "three"])
    #expect(TerminalWidth.lines("one two three", of: 8) == ["one two", "three"])
    #expect(TerminalWidth.lines("onetwothree four", of: 4) == ["onet", "woth", "ree", "four"])
    #expect(TerminalWidth.lines(" ab", of: 2) == [" a", "b"])
    #expect(TerminalWidth.lines("李李", of: 1) == ["李", "李"])
    #expect(TerminalWidth.lines("", of: 0) == [""])
    #expect(TerminalWidth.lines("ab", of: 0) == ["a", "b"])
    let lines = try shown(objectCount: 1) { $0.wrapWidth = 2 }
    #expect(lines[3] == "│ NU │ NU │ NU │")
    #expect(lines[4] == "│ LL │ LL │ LL │")
    #expect(lines[5] == "└────┴────┴────┘")
    let narrow = try shown(objectCount: 1) {
      $0.columnWidths = [2, 3, 0]
      $0.wrapWidth = 0
    }
    #expect(narrow[3] == "│ NU │ NUL │ NULL │")
    #expect(narrow[4] == "│ LL │ L   │      │")
  }

  @Test("nothing is coloured unless that is asked for")
  func colors() throws {
    #expect(try shown(objectCount: 1) { _ in }.allSatisfy { !$0.contains("\u{1B}") })
    #expect(try shown(objectCount: 1) { $0.isColored = true }[1].contains("\u{1B}[1mp0\u{1B}[0m"))
  }
}
