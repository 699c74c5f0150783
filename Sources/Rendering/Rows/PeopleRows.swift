// Rows for people: written one by one, or gathered where their columns are aligned. Layer: Rendering, Rows.

import ByteText
import RealmEngine

/// Writes as many rows as people are shown, and counts them all.
struct PeopleRows {
  private let spec: RenderSpec
  private let lines: LineLayout
  private var aligned: AlignedRows
  /// Rows behind these are only counted.
  private let shownMax: Int
  private(set) var rowCount = 0

  init(_ spec: RenderSpec, names: [String]) {
    self.spec = spec
    lines = LineLayout(names: names, isColored: spec.isColored)
    aligned = AlignedRows(spec, names: names)
    shownMax = spec.rowsShownMax(columnCount: names.count)
  }

  /// Whether enough rows are shown.
  var isFull: Bool { rowCount >= shownMax }

  /// Those of a part of a result.
  var gathered: [[ShownCell]] { aligned.rows }

  /// Counts rows: those that were written and others.
  mutating func count(_ count: Int = 1) { rowCount += count }

  mutating func write(_ row: borrowing RowCells, to out: inout OutputBuffer) throws(EngineError) {
    switch spec.mode {
    case .line: lines.write(row, isFirst: rowCount == 0, spec, to: &out.text)
    case .html: row.writeHTML(spec, to: &out.text)
    default:
      aligned.add(row, nullText: String(decoding: spec.nullText, as: UTF8.self))
      if aligned.isFull { try aligned.draw(to: &out) }
    }
    try out.flushIfLarge()
  }

  mutating func end(_ rowNoun: String, to out: inout OutputBuffer) throws(EngineError) {
    if spec.mode == .html {
      out.text.append(literal: "</table>\n")
    } else if spec.mode.isAligned, rowCount > 0 {
      try aligned.draw(to: &out)
      aligned.drawEnd(to: &out.text)
    }
    let shownCount = spec.mode.isAligned ? aligned.drawnCount : min(rowCount, shownMax)
    spec.writeFooter(aligned, shown: shownCount, of: rowCount, rowNoun, to: &out.text)
  }
}
