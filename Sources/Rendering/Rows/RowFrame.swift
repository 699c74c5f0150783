// What stands around rows and between their cells, in all modes: heads, separators, lines, what was left out.
// Layer: Rendering, Rows.

import ByteText
import TextFormats

/// What stands before the first row.
struct RowHead {
  private let spec: RenderSpec
  private let names: [String]

  init(_ spec: RenderSpec, _ names: [String]) {
    self.spec = spec
    self.names = names
  }

  func write(to text: inout ByteBuffer) {
    if let part = spec.part { return part.begin(names: names) }
    switch spec.mode {
    case .json where spec.hasRowArrays:
      text.append(literal: "{\"columns\":")
      text.append(json: .sequence(names.map { .string($0) }))
      text.append(literal: ",\"rows\":[")
    case .json: text.append(UInt8(ascii: "["))
    case .html: text.append(literal: "<table>\n")
    case .sql:
      if let table = spec.table { text.append(text: "\(table.creation(table.name, names));\n") }
    default: break
    }
    guard spec.hasHeader else { return }
    switch spec.mode {
    case .csv, .tsv, .list, .quote:
      let format = FieldFormat(spec)
      for (index, name) in names.enumerated() {
        if index > 0 { text.append(spec.fieldSeparator) }
        let name = Array(name.utf8)
        format.append(field: name.span, to: &text)
      }
      text.append(UInt8(ascii: "\n"))
    case .html:
      text.append(literal: "<tr>")
      for name in names {
        text.append(literal: "<th>")
        text.append(html: name)
        text.append(literal: "</th>")
      }
      text.append(literal: "</tr>\n")
    default: break
    }
  }
}

extension RenderSpec {
  /// After the last of so many rows in mode json.
  func jsonEnd(rowCount: Int) -> String { (rowCount == 0 ? "]" : "\n]") + (hasRowArrays ? "}\n" : "\n") }

  /// What stands around the fields of a row; `source`: what the rows are of.
  func rowFrame(of source: String, _ names: [String]) -> (opening: [UInt8], closing: [UInt8]) {
    guard mode == .sql else { return ([], [UInt8(ascii: "\n")]) }
    var text = ByteBuffer()
    text.append(literal: "INSERT INTO ")
    text.append(sqlName: table?.name ?? source)
    if table == nil, !names.isEmpty {
      for (index, name) in names.enumerated() {
        text.append(index == 0 ? UInt8(ascii: "(") : UInt8(ascii: ","))
        text.append(sqlName: name)
      }
      text.append(UInt8(ascii: ")"))
    }
    text.append(literal: names.isEmpty ? " DEFAULT VALUES" : " VALUES(")
    return (text.bytes, Array((names.isEmpty ? ";\n" : ");\n").utf8))
  }

  /// What stands between the fields of a row.
  var fieldSeparator: [UInt8] {
    switch mode {
    case .tsv: [UInt8(ascii: "\t")]
    case .list: separator
    default: [UInt8(ascii: ",")]
    }
  }

  /// Rows behind these are only counted.
  func rowsShownMax(columnCount: Int) -> Int {
    if mode.isForMachines { return .max }
    return mode == .line ? screen?.objectsOfLines(columnCount) ?? .max : screen?.rowsShownMax ?? .max
  }

  /// Where not all columns or rows were shown: which there are, and how to see them.
  func writeFooter(
    _ aligned: AlignedRows, shown shownCount: Int, of rowCount: Int, _ rowNoun: String,
    to text: inout ByteBuffer
  ) {
    guard let screen, !mode.isForMachines else { return }
    if let omission = aligned.omission(columnCount: screen.columnCount, hint: screen.widthHint) {
      text.append(text: omission, in: .dim, if: isColored)
      text.append(UInt8(ascii: "\n"))
    }
    if rowCount == 0 { return }
    let noun = rowCount == 1 && rowNoun.hasSuffix("s") ? String(rowNoun.dropLast()) : rowNoun
    let count =
      if let hint = screen.cutHint, shownCount < rowCount {
        "the first \(shownCount) of \(rowCount) \(rowNoun) – \(hint)"
      } else {
        "\(rowCount) \(noun)"
      }
    text.append(text: count, in: .dim, if: isColored)
    text.append(UInt8(ascii: "\n"))
  }
}

extension LineLayout {
  /// Writes a row as lines, one a cell.
  func write(_ row: borrowing RowCells, isFirst: Bool, _ spec: RenderSpec, to text: inout ByteBuffer) {
    if !isFirst { text.append(UInt8(ascii: "\n")) }
    for index in 0..<row.count {
      writeName(index, to: &text)
      if row.kind(index) == .null {
        text.append(text: String(decoding: spec.nullText, as: UTF8.self), in: .dim, if: spec.isColored)
      } else {
        text.append(text: row.string(index).visible)
      }
      text.append(UInt8(ascii: "\n"))
    }
  }
}

extension RowCells {
  borrowing func writeHTML(_ spec: RenderSpec, to text: inout ByteBuffer) {
    text.append(literal: "<tr>")
    for index in 0..<count {
      text.append(literal: "<td>")
      if kind(index) == .null { text.append(spec.nullText) } else { text.append(html: string(index)) }
      text.append(literal: "</td>")
    }
    text.append(literal: "</tr>\n")
  }
}

extension ByteBuffer {
  /// Appends text with the characters that mean something in HTML replaced.
  fileprivate mutating func append(html text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append(literal: "&amp;")
      case "<": append(literal: "&lt;")
      case ">": append(literal: "&gt;")
      case "\"": append(literal: "&quot;")
      default: append(text: String(scalar))
      }
    }
  }
}

/// The names of a result's columns, ready to stand in front of values.
struct LineLayout {
  private let names: [String]
  private let width: Int
  private let isColored: Bool

  init(names: [String], isColored: Bool) {
    self.names = names.map(\.visible)
    width = self.names.map(TerminalWidth.width).max() ?? 0
    self.isColored = isColored
  }

  func writeName(_ index: Int, to text: inout ByteBuffer) {
    text.append(repeating: UInt8(ascii: " "), count: width - TerminalWidth.width(names[index]))
    text.append(text: names[index], in: .bold, if: isColored)
    text.append(literal: " = ")
  }
}
