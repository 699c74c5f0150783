// Modes whose columns stand one below the other: box, table, column, markdown. Layer: Rendering, Rows.
// Rows are gathered until there are many, then written with the widths so far; widths only grow. What becomes of rows
// that are wider than the screen is for `WideRows` to say, and decided when the first ones are drawn.

import ByteText
import RealmEngine

/// Gathers rows and draws them.
struct AlignedRows {
  private typealias Cell = ShownCell

  private let spec: RenderSpec
  private let names: [String]
  private var widths: [Int]
  /// Those that were not drawn yet.
  private(set) var rows: [[ShownCell]] = []
  private var isBegun = false
  /// Where rows are drawn as lines.
  private(set) var lines: LineLayout?
  /// Where columns are left out, or cut.
  private var fit: ColumnFit?
  private var isFirm: [Bool]
  private(set) var drawnCount = 0

  /// What is seen before the first rows are drawn, in rows and in bytes.
  private static let rowsGatheredMax = 5000
  private static let sizeGatheredMax = 32 << 20
  /// Of the cells that were gathered.
  private var size = 0

  init(_ spec: RenderSpec, names: [String]) {
    self.spec = spec
    self.names = names.map { Self.shown($0, spec) }
    widths = self.names.map(TerminalWidth.width)
    isFirm = self.names.map { _ in true }
  }

  /// A row of markdown is a line.
  private var isWrapping: Bool { spec.wrapWidth != nil && spec.mode != .markdown }

  /// Whether it is time to draw what was gathered.
  var isFull: Bool {
    spec.part == nil && (rows.count >= Self.rowsGatheredMax || size >= Self.sizeGatheredMax)
  }

  mutating func add(_ cells: borrowing RowCells, nullText: String) {
    add(
      (0..<cells.count).map { index in
        let kind = cells.kind(index)
        let text = kind == .null ? nullText : Self.shown(cells.string(index), spec)
        return Cell(
          text: isWrapping ? text : TerminalWidth.cut(text, to: spec.widthMax(ofColumn: index)), kind: kind)
      })
  }

  /// Adds a row that another one has gathered.
  mutating func add(_ row: [ShownCell]) {
    for (index, cell) in row.enumerated() {
      widths[index] = max(
        widths[index], min(spec.widthMax(ofColumn: index), TerminalWidth.width(cell.text)))
      if cell.kind == .text || cell.kind == .other { isFirm[index] = false }
      size += MemoryLayout<Cell>.stride + cell.text.utf8.count
    }
    rows.append(row)
  }

  /// On one line, and in markdown inside its column.
  private static func shown(_ text: String, _ spec: RenderSpec) -> String {
    guard spec.mode == .markdown else { return text.visible }
    return text.visible.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  mutating func draw(to out: inout OutputBuffer) throws(EngineError) {
    if !isBegun {
      isBegun = true
      if let screen = spec.screen, spec.mode != .markdown, totalWidth > screen.columnCount {
        narrow(to: screen)
      }
      if lines == nil { drawHead(to: &out.text) }
    }
    try drawRows(to: &out)
    rows.removeAll(keepingCapacity: true)
    size = 0
  }

  private mutating func drawRows(to out: inout OutputBuffer) throws(EngineError) {
    guard let lines else {
      // The line that tells of what is left out stands below the rows, where one of them would.
      let shownMax = fit == nil ? Int.max : (spec.screen?.rowsShownMax ?? .max) - 1
      let shown = rows.prefix(max(1, shownMax))
      for row in shown {
        drawRow(row, to: &out.text)
        try out.flushIfLarge()
      }
      drawnCount += shown.count
      return
    }
    let shown = rows.prefix(spec.screen?.objectsOfLines(names.count) ?? .max)
    for row in shown {
      if drawnCount > 0 { out.text.append(UInt8(ascii: "\n")) }
      drawnCount += 1
      for (index, cell) in row.enumerated() {
        lines.writeName(index, to: &out.text)
        write(cell, to: &out.text)
        out.text.append(UInt8(ascii: "\n"))
      }
      try out.flushIfLarge()
    }
  }

  func drawEnd(to text: inout ByteBuffer) {
    guard lines == nil else { return }
    switch spec.mode {
    case .box: drawRule("└", "┴", "┘", "─", to: &text)
    case .table: drawRule("+", "+", "+", "-", to: &text)
    default: break
    }
  }

  /// Of a row with its frame.
  private var totalWidth: Int { widths.reduce(0) { $0 + $1 + frame.perColumn } + frame.beside }

  private var frame: ColumnFit.Frame {
    spec.mode == .column ? .init(perColumn: 2, beside: -2) : .init(perColumn: 3, beside: 1)
  }

  private mutating func narrow(to screen: Screen) {
    switch spec.wideRows {
    case .whole: break
    case .lines: lines = LineLayout(names: names, isColored: spec.isColored)
    case .fitted:
      let fit = ColumnFit(widths, isFirm: isFirm, frame, columnCount: screen.columnCount)
      self.fit = fit
      widths = fit.widths + (fit.widths.count < names.count ? [1] : [])
    }
  }

  /// The cells of a row that are shown, cut where they must be.
  private func shown(_ row: [Cell]) -> [Cell] {
    guard let fit else { return row }
    let cells = zip(row, fit.widths).map { cell, width in
      isWrapping ? cell : Cell(text: TerminalWidth.cut(cell.text, to: width), kind: cell.kind)
    }
    return cells + (cells.count < row.count ? [Cell(text: "…", kind: .text)] : [])
  }

  /// What was left out for want of room, and how to see it; nil where all is there.
  func omission(columnCount: Int, hint: String) -> String? {
    guard let fit else { return nil }
    let hidden = names[fit.widths.count...]
    guard !hidden.isEmpty else { return isWrapping ? nil : "longer texts end with … – \(hint)" }
    let end = " (\(counted(hidden.count, "column"))) – \(hint)"
    let names = "not shown: " + hidden.joined(separator: ", ")
    return TerminalWidth.cut(names, to: max(20, columnCount - TerminalWidth.width(end))) + end
  }

  private func drawHead(to text: inout ByteBuffer) {
    let head = names.map { Cell(text: $0, kind: .text) }
    switch spec.mode {
    case .box:
      drawRule("┌", "┬", "┐", "─", to: &text)
      guard spec.hasHeader else { return }
      drawRow(head, isHead: true, to: &text)
      drawRule("├", "┼", "┤", "─", to: &text)
    case .table:
      drawRule("+", "+", "+", "-", to: &text)
      guard spec.hasHeader else { return }
      drawRow(head, isHead: true, to: &text)
      drawRule("+", "+", "+", "-", to: &text)
    case .markdown:
      drawRow(head, to: &text)
      drawRule("|", "|", "|", "-", to: &text)
    default:
      guard spec.hasHeader else { return }
      drawRow(head, isHead: true, to: &text)
      let rules = names.indices.map { Cell(text: String(repeating: "-", count: ruleWidth($0)), kind: .text) }
      drawRow(rules, to: &text)
    }
  }

  /// Of the line below a name. A column that is left out has none.
  private func ruleWidth(_ index: Int) -> Int { index < widths.count ? widths[index] : 0 }

  private func drawRule(
    _ left: String, _ middle: String, _ right: String, _ line: String, to text: inout ByteBuffer
  ) {
    text.append(text: left)
    for (index, width) in widths.enumerated() {
      if index > 0 { text.append(text: middle) }
      text.append(text: String(repeating: line, count: width + 2))
    }
    text.append(text: right + "\n")
  }

  private func drawRow(_ row: [Cell], isHead: Bool = false, to text: inout ByteBuffer) {
    let row = shown(row)
    guard isWrapping else { return drawLine(row, isHead: isHead, to: &text) }
    let cells = row.enumerated().map { TerminalWidth.lines($1.text, of: widths[$0]) }
    for line in 0..<(cells.map(\.count).max() ?? 1) {
      let parts = zip(row, cells).map { cell, lines in
        Cell(text: line < lines.count ? lines[line] : "", kind: cell.kind)
      }
      drawLine(parts, isHead: isHead, to: &text)
    }
  }

  private func drawLine(_ row: [Cell], isHead: Bool, to text: inout ByteBuffer) {
    let border = spec.mode == .box ? "│" : "|"
    let isFramed = spec.mode != .column
    for (index, cell) in row.enumerated() {
      if isFramed {
        text.append(text: index == 0 ? border + " " : " " + border + " ")
      } else if index > 0 {
        text.append(literal: "  ")
      }
      let padding = max(0, widths[index] - TerminalWidth.width(cell.text))
      let isNumber = cell.kind == .number
      if isNumber { text.append(repeating: UInt8(ascii: " "), count: padding) }
      if isHead {
        text.append(text: cell.text, in: .bold, if: spec.isColored)
      } else {
        write(cell, to: &text)
      }
      let isLast = index == row.count - 1
      if !isNumber, isFramed || !isLast { text.append(repeating: UInt8(ascii: " "), count: padding) }
    }
    text.append(text: isFramed ? " " + border + "\n" : "\n")
  }

  private func write(_ cell: Cell, to text: inout ByteBuffer) {
    text.append(text: cell.text, in: .dim, if: spec.isColored && cell.kind == .null)
  }
}
