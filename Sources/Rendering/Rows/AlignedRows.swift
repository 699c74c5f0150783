// Modes whose columns stand one below the other: box, table, column, markdown. Layer: Rendering.
// Rows are gathered until there are many, then written with the widths so far; widths only grow. On a screen, rows that
// are wider than it become lines, one a cell.

import ByteText

/// Gathers rows and draws them.
struct AlignedRows {
  private struct Cell {
    let text: String
    let kind: RowCells.Kind
  }

  private let spec: RenderSpec
  private let names: [String]
  private var widths: [Int]
  private var rows: [[Cell]] = []
  private var isBegun = false
  /// How rows are drawn: nil before the first ones are.
  private(set) var lines: LineLayout?
  private(set) var drawnCount = 0

  /// Rows that are seen before the first ones are drawn.
  private static let rowsGatheredMax = 5000

  init(_ spec: RenderSpec, names: [String]) {
    self.spec = spec
    self.names = names.map { Self.shown($0, spec) }
    widths = self.names.map(TerminalWidth.width)
  }

  /// Whether it is time to draw what was gathered.
  var isFull: Bool { rows.count >= Self.rowsGatheredMax }

  mutating func add(_ cells: borrowing RowCells, nullText: String) {
    var row: [Cell] = []
    for index in 0..<cells.count {
      let kind = cells.kind(index)
      var text = kind == .null ? nullText : Self.shown(cells.string(index), spec)
      if index < spec.columnWidths.count, spec.columnWidths[index] > 0 {
        text = TerminalWidth.cut(text, to: spec.columnWidths[index])
      }
      widths[index] = max(widths[index], TerminalWidth.width(text))
      row.append(Cell(text: text, kind: kind))
    }
    rows.append(row)
  }

  /// On one line, and in markdown inside its column.
  private static func shown(_ text: String, _ spec: RenderSpec) -> String {
    guard spec.mode == .markdown else { return text.visible }
    return text.visible.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }

  mutating func draw(to text: inout ByteBuffer) {
    if !isBegun {
      isBegun = true
      if let screen = spec.screen, spec.mode != .markdown, totalWidth > screen.columnCount {
        lines = LineLayout(names: names, isColored: spec.isColored)
      } else {
        drawHead(to: &text)
      }
    }
    drawRows(to: &text)
    rows.removeAll(keepingCapacity: true)
  }

  private mutating func drawRows(to text: inout ByteBuffer) {
    guard let lines else {
      for row in rows { drawRow(row, to: &text) }
      drawnCount += rows.count
      return
    }
    let shown = rows.prefix(spec.screen?.objectsOfLines(names.count) ?? .max)
    for row in shown {
      if drawnCount > 0 { text.append(UInt8(ascii: "\n")) }
      drawnCount += 1
      for (index, cell) in row.enumerated() {
        lines.writeName(index, to: &text)
        write(cell, to: &text)
        text.append(UInt8(ascii: "\n"))
      }
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
  private var totalWidth: Int {
    let cells = widths.reduce(0, +)
    return spec.mode == .column ? cells + 2 * (widths.count - 1) : cells + 3 * widths.count + 1
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
      drawRow(widths.map { Cell(text: String(repeating: "-", count: $0), kind: .text) }, to: &text)
    }
  }

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
