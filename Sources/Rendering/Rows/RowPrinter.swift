// Objects as rows, in any mode. Layer: Rendering.
// Streaming modes write a row at once; aligned ones gather first.

import ByteText
package import RealmEngine
import TextFormats

/// Writes the objects of one class as rows of a result.
package struct RowPrinter {
  private let spec: RenderSpec
  private let table: Table
  private let properties: [Property]
  private var cells: CellWriter
  private var objects: JSONWriter
  private var aligned: AlignedRows
  private var rowCount = 0
  /// Texts that were not valid UTF-8 and are shown with U+FFFD.
  package private(set) var repairedCount = 0

  package init(_ spec: RenderSpec, _ table: Table, in transaction: ReadTransaction) {
    self.spec = spec
    self.table = table
    properties = table.schema.properties
    cells = CellWriter(transaction)
    objects = JSONWriter(transaction, style: spec.isTyped ? .typed : .plain)
    aligned = AlignedRows(spec.mode, hasHeader: spec.hasHeader, names: table.schema.properties.map(\.name))
  }

  package mutating func begin(to out: inout OutputBuffer) {
    switch spec.mode {
    case .json: out.text.append(UInt8(ascii: "["))
    case .html: out.text.append(literal: "<table>\n")
    default: break
    }
    guard spec.hasHeader else { return }
    switch spec.mode {
    case .csv, .tsv, .list, .quote:
      for (index, property) in properties.enumerated() {
        separate(index, &out.text)
        field(property.name.utf8.span, &out.text)
      }
      out.text.append(UInt8(ascii: "\n"))
    case .html:
      out.text.append(literal: "<tr>")
      for property in properties {
        out.text.append(literal: "<th>")
        out.text.append(html: property.name)
        out.text.append(literal: "</th>")
      }
      out.text.append(literal: "</tr>\n")
    default: break
    }
  }

  package mutating func write(_ position: ObjectPosition, to out: inout OutputBuffer) throws(EngineError) {
    defer { rowCount += 1 }
    if spec.mode == .json || spec.mode == .jsonl {
      if spec.mode == .json { out.text.append(literal: rowCount == 0 ? "\n" : ",\n") }
      try objects.writeObject(position, of: table, to: &out)
      if spec.mode == .jsonl { out.text.append(UInt8(ascii: "\n")) }
      return try out.flushIfLarge()
    }
    var row = RowCells()
    try cells.fill(&row, position, of: table, properties)
    switch spec.mode {
    case .csv, .tsv, .list, .quote: writeDelimited(row, to: &out.text)
    case .line: writeLines(row, to: &out.text)
    case .html: writeHTML(row, to: &out.text)
    default:
      aligned.add(row, nullText: String(decoding: spec.nullText, as: UTF8.self))
      if aligned.isFull { aligned.draw(to: &out.text) }
    }
    try out.flushIfLarge()
  }

  package mutating func end(to out: inout OutputBuffer) throws(EngineError) {
    switch spec.mode {
    case .json: out.text.append(literal: rowCount == 0 ? "]\n" : "\n]\n")
    case .html: out.text.append(literal: "</table>\n")
    case .box, .table, .column, .markdown:
      guard rowCount > 0 else { break }
      aligned.draw(to: &out.text)
      aligned.drawEnd(to: &out.text)
    default: break
    }
    try out.flushIfLarge()
  }

  private func separate(_ index: Int, _ text: inout ByteBuffer) {
    guard index > 0 else { return }
    switch spec.mode {
    case .tsv: text.append(UInt8(ascii: "\t"))
    case .list: text.append(spec.separator)
    default: text.append(UInt8(ascii: ","))
    }
  }

  private mutating func field(_ bytes: Span<UInt8>, _ text: inout ByteBuffer) {
    switch spec.mode {
    case .csv: if !text.append(csvField: bytes) { repairedCount += 1 }
    case .tsv: if !text.append(tsvField: bytes) { repairedCount += 1 }
    case .quote: text.append(bytes, quotedBy: UInt8(ascii: "'"))
    default: text.append(bytes)
    }
  }

  private mutating func writeDelimited(_ row: borrowing RowCells, to text: inout ByteBuffer) {
    for index in 0..<row.count {
      separate(index, &text)
      switch (row.kind(index), spec.mode) {
      case (.null, .tsv): text.append(literal: "\\N")
      case (.null, .quote): text.append(literal: "NULL")
      case (.null, _): text.append(spec.nullText)
      case (.number, .quote): row.append(index, to: &text)
      default: row.withBytes(index) { field($0, &text) }
      }
    }
    text.append(UInt8(ascii: "\n"))
  }

  private func writeLines(_ row: borrowing RowCells, to text: inout ByteBuffer) {
    if rowCount > 0 { text.append(UInt8(ascii: "\n")) }
    let names = properties.map { TerminalWidth.visible($0.name) }
    let width = names.map(TerminalWidth.width).max() ?? 0
    for index in 0..<row.count {
      text.append(repeating: UInt8(ascii: " "), count: width - TerminalWidth.width(names[index]))
      text.append(text: names[index])
      text.append(literal: " = ")
      if row.kind(index) == .null {
        text.append(spec.nullText)
      } else {
        text.append(text: TerminalWidth.visible(row.string(index)))
      }
      text.append(UInt8(ascii: "\n"))
    }
  }

  private func writeHTML(_ row: borrowing RowCells, to text: inout ByteBuffer) {
    text.append(literal: "<tr>")
    for index in 0..<row.count {
      text.append(literal: "<td>")
      if row.kind(index) == .null { text.append(spec.nullText) } else { text.append(html: row.string(index)) }
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
