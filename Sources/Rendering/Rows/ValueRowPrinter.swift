// Rows that are no objects, such as groups and elements of lists, in any mode. Layer: Rendering, Rows.

import ByteText
package import RealmEngine
import TextFormats

/// Writes rows of values under named columns.
package struct ValueRowPrinter {
  private let spec: RenderSpec
  private let names: [String]
  private let format: FieldFormat
  /// `"name":` of each column.
  private let heads: [[UInt8]]
  private let frame: (opening: [UInt8], closing: [UInt8])
  private var objects: JSONWriter
  private var fields: FieldWriter
  private var cells: CellWriter
  private var people: PeopleRows
  private let rowNoun: String
  private let linkColumns: Set<Int>
  /// Of a part of a result: where its columns stand in the whole.
  private let places: SegmentColumns?

  /// `rowNoun`: what the rows are.
  package init(
    _ spec: RenderSpec, names: [String], rowNoun: String, linkColumns: Set<Int> = [],
    in transaction: ReadTransaction
  ) {
    self.spec = spec
    self.linkColumns = linkColumns
    places = spec.part.map { SegmentColumns($0, names) }
    let names = spec.cellNames(places?.names ?? names)
    self.names = names
    self.rowNoun = rowNoun
    format = FieldFormat(spec)
    frame = spec.rowFrame(of: rowNoun, names)
    heads = names.enumerated().map { index, name in
      var text = ByteBuffer()
      if index == 0, spec.mode == .insert { text.append(text: "insert \(rowNoun) ") }
      let opening = spec.hasRowArrays ? UInt8(ascii: "[") : UInt8(ascii: "{")
      text.append(index == 0 ? opening : UInt8(ascii: ","))
      guard !spec.hasRowArrays else { return text.bytes }
      text.append(jsonKey: name)
      return text.bytes
    }
    objects = JSONWriter(transaction, style: spec.isTyped ? .typed : .plain, form: spec.form)
    fields = FieldWriter(format, spec.form, in: transaction)
    cells = CellWriter(transaction)
    people = PeopleRows(spec, names: names)
  }

  package mutating func begin(to out: inout OutputBuffer) {
    RowHead(spec, names).write(to: &out.text)
  }

  package var writesSQL: Bool { spec.mode == .sql }

  /// Texts that were not valid UTF-8 and are shown with U+FFFD.
  package var repairedCount: Int { fields.repairedCount }

  /// Writes one row, or counts it where enough are shown.
  package mutating func write(_ values: [Value], to out: inout OutputBuffer) throws(EngineError) {
    if places == nil, spec.mode.isFields {
      let linkColumns = linkColumns
      try writeFields(values.count, to: &out) { fields, index, text throws(EngineError) in
        try fields.write(values[index], hasTypedLinks: linkColumns.contains(index), to: &text)
      }
      people.count()
      return try out.flushIfLarge()
    }
    let cells = values.enumerated().map { index, value in
      SelectedCell.value(value, hasTypedLinks: linkColumns.contains(index))
    }
    try write(cells: cells, to: &out)
  }

  /// Writes a row with cells of stored objects among the values.
  package mutating func write(cells: [SelectedCell], to out: inout OutputBuffer) throws(EngineError) {
    defer { people.count() }
    let cells = places?.arranged(cells) ?? cells
    switch spec.mode {
    case .json, .jsonl, .insert: try writeObject(cells, to: &out)
    case .csv, .tsv, .list, .quote, .sql:
      try writeFields(cells.count, to: &out) { fields, index, text throws(EngineError) in
        try fields.write(cells[index], to: &text)
      }
    case .line, .html, .box, .table, .column, .markdown:
      guard !people.isFull else { return }
      var row = RowCells()
      for cell in cells { try self.cells.fill(&row, cell) }
      try people.write(row, to: &out)
    }
    try out.flushIfLarge()
  }

  private mutating func writeFields(
    _ count: Int, to out: inout OutputBuffer,
    _ write: (inout FieldWriter, Int, inout ByteBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    out.text.append(frame.opening)
    for index in 0..<count {
      if index > 0 { out.text.append(spec.fieldSeparator) }
      try write(&fields, index, &out.text)
    }
    out.text.append(frame.closing)
  }

  private mutating func writeObject(
    _ cells: [SelectedCell], to out: inout OutputBuffer
  ) throws(EngineError) {
    if spec.mode == .json { out.text.append(literal: people.rowCount == 0 ? "\n" : ",\n") }
    for (index, cell) in cells.enumerated() {
      out.text.append(heads[index])
      try objects.write(cell, to: &out)
    }
    out.text.append(literal: spec.hasRowArrays ? "]" : spec.mode == .json ? "}" : "}\n")
  }

  package mutating func end(to out: inout OutputBuffer) throws(EngineError) {
    if let part = spec.part {
      part.end(rowCount: people.rowCount, people.gathered)
    } else {
      if spec.mode == .json { out.text.append(text: spec.jsonEnd(rowCount: people.rowCount)) }
      try people.end(rowNoun, to: &out)
    }
    try out.flushIfLarge()
  }
}
