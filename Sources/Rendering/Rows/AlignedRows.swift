// Modes whose columns stand one below the other: box, table, column, markdown. Layer: Rendering.
// Rows are gathered until there are many, then written with the widths so far; widths only grow.

import ByteText

/// Gathers rows and draws them.
struct AlignedRows {
  private let mode: OutputMode
  private let hasHeader: Bool
  private let names: [String]
  private var widths: [Int]
  private var rows: [[(text: String, isNumber: Bool)]] = []
  private var isBegun = false

  /// Rows that are seen before the first ones are drawn.
  private static let rowsGatheredMax = 5000

  init(_ mode: OutputMode, hasHeader: Bool, names: [String]) {
    self.mode = mode
    self.hasHeader = hasHeader
    self.names = names.map(TerminalWidth.visible)
    widths = self.names.map(TerminalWidth.width)
  }

  /// Whether it is time to draw what was gathered.
  var isFull: Bool { rows.count >= Self.rowsGatheredMax }

  mutating func add(_ cells: borrowing RowCells, nullText: String) {
    var row: [(String, Bool)] = []
    for index in 0..<cells.count {
      let kind = cells.kind(index)
      var text = kind == .null ? nullText : TerminalWidth.visible(cells.string(index))
      if mode == .markdown {
        text = text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
      }
      widths[index] = max(widths[index], TerminalWidth.width(text))
      row.append((text, kind == .number))
    }
    rows.append(row)
  }

  mutating func draw(to text: inout ByteBuffer) {
    if !isBegun {
      isBegun = true
      drawHead(to: &text)
    }
    for row in rows { drawRow(row, to: &text) }
    rows.removeAll(keepingCapacity: true)
  }

  func drawEnd(to text: inout ByteBuffer) {
    switch mode {
    case .box: drawRule("└", "┴", "┘", "─", to: &text)
    case .table: drawRule("+", "+", "+", "-", to: &text)
    default: break
    }
  }

  private func drawHead(to text: inout ByteBuffer) {
    let head = names.map { (text: $0, isNumber: false) }
    switch mode {
    case .box:
      drawRule("┌", "┬", "┐", "─", to: &text)
      guard hasHeader else { return }
      drawRow(head, to: &text)
      drawRule("├", "┼", "┤", "─", to: &text)
    case .table:
      drawRule("+", "+", "+", "-", to: &text)
      guard hasHeader else { return }
      drawRow(head, to: &text)
      drawRule("+", "+", "+", "-", to: &text)
    case .markdown:
      drawRow(head, to: &text)
      drawRule("|", "|", "|", "-", to: &text)
    default:
      guard hasHeader else { return }
      drawRow(head, to: &text)
      drawRow(widths.map { (text: String(repeating: "-", count: $0), isNumber: false) }, to: &text)
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

  private func drawRow(_ row: [(text: String, isNumber: Bool)], to text: inout ByteBuffer) {
    let border = mode == .box ? "│" : "|"
    let isFramed = mode != .column
    for (index, cell) in row.enumerated() {
      if isFramed {
        text.append(text: index == 0 ? border + " " : " " + border + " ")
      } else if index > 0 {
        text.append(literal: "  ")
      }
      let padding = max(0, widths[index] - TerminalWidth.width(cell.text))
      if cell.isNumber { text.append(repeating: UInt8(ascii: " "), count: padding) }
      text.append(text: cell.text)
      let isLast = index == row.count - 1
      if !cell.isNumber, isFramed || !isLast { text.append(repeating: UInt8(ascii: " "), count: padding) }
    }
    text.append(text: isFramed ? " " + border + "\n" : "\n")
  }
}
