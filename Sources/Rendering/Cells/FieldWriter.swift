// Cells of csv, tsv, list and quote that need more than their leaf: long texts, links, collections, mixed values,
// columns that are calculated. Layer: Rendering, Cells.

import ByteText
import RealmEngine

/// Writes single cells as fields.
struct FieldWriter {
  private var values: JSONWriter
  private let format: FieldFormat
  private let snapshot: Snapshot
  private let evaluator: RowEvaluator
  private(set) var repairedCount = 0

  init(_ format: FieldFormat, _ form: ObjectForm?, in transaction: ReadTransaction) {
    self.init(format, JSONWriter(transaction, style: .plain, form: form), in: transaction)
  }

  /// `values`: a plain writer that has written nothing yet.
  init(_ format: FieldFormat, _ values: JSONWriter, in transaction: ReadTransaction) {
    self.format = format
    self.values = values
    snapshot = transaction.snapshot
    evaluator = RowEvaluator(transaction)
  }

  /// Writes what `column` holds for one object; `leaf` is the column's where it is a property of the object itself.
  mutating func write(
    _ column: SelectedColumn, _ leaf: Leaf?, of table: Table, at position: ObjectPosition,
    to text: inout ByteBuffer
  ) throws(EngineError) {
    if let leaf, case .property(_, let property) = column.source {
      return try write(leaf, property, position, to: &text)
    }
    try write(try evaluator.cell(column, of: table, at: position), to: &text)
  }

  /// Writes a cell that is known.
  mutating func write(_ cell: SelectedCell, to text: inout ByteBuffer) throws(EngineError) {
    switch cell {
    case .objectKey(let key): text.append(decimal: key.value)
    case .stored(let property, let end, _):
      try write(try end.block.leaf(property), property, end, to: &text)
    case .value(let value, let hasTypedLinks): try write(value, hasTypedLinks: hasTypedLinks, to: &text)
    case .list, .counts:
      try appendJSON(to: &text) { values, out throws(EngineError) in try values.write(cell, to: &out) }
    }
  }

  mutating func write(
    _ value: Value, hasTypedLinks: Bool, to text: inout ByteBuffer
  ) throws(EngineError) {
    if append(value, to: &text) { return }
    try appendJSON(to: &text) { values, out throws(EngineError) in
      try values.write(.value(value, hasTypedLinks: hasTypedLinks), to: &out)
    }
  }

  private mutating func write(
    _ leaf: Leaf, _ property: Property, _ position: ObjectPosition, to text: inout ByteBuffer
  ) throws(EngineError) {
    if property.collection == nil {
      let value = try leaf.value(position.row, in: snapshot, target: property.target)
      if append(value, to: &text) { return }
    }
    try appendJSON(to: &text) { values, out throws(EngineError) in
      values.beginWalk()
      try values.write(leaf, position.row, of: property, to: &out)
    }
  }

  private mutating func appendJSON(
    to text: inout ByteBuffer, _ write: (inout JSONWriter, inout OutputBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    var nested = OutputBuffer()
    try write(&values, &nested)
    format.append(json: nested.text, to: &text)
  }

  /// False: the value is not a single one.
  private mutating func append(_ value: Value, to text: inout ByteBuffer) -> Bool {
    guard let isWhole = format.append(single: value, to: &text) else { return false }
    if !isWhole { repairedCount += 1 }
    return true
  }
}
