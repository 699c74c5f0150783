// The cells of one row as text, before a mode dresses them. Layer: Rendering, Rows.
// Invariant: null, which has no text, is kept apart from the empty text.

import ByteText
package import RealmEngine

/// One row's cells.
package struct RowCells: ~Copyable {
  private var text = ByteBuffer(capacity: 1024)
  private var ends: [Int] = []
  private var kinds: [Kind] = []

  package typealias Kind = CellKind

  package var count: Int { ends.count }

  mutating func clear() {
    text.removeAll()
    ends.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
  }

  mutating func append(_ kind: Kind, _ body: (inout ByteBuffer) -> Void) {
    body(&text)
    ends.append(text.count)
    kinds.append(kind)
  }

  borrowing func kind(_ index: Int) -> Kind { kinds[index] }

  private borrowing func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }

  borrowing func append(_ index: Int, to target: inout ByteBuffer) {
    target.append(text.span.extracting(range(index)))
  }

  borrowing func string(_ index: Int) -> String {
    let span = text.span.extracting(range(index))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(span.count)
    for position in 0..<span.count { bytes.append(span[position]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Makes cells of objects.
package struct CellWriter {
  private var values: JSONWriter
  private let snapshot: Snapshot
  let evaluator: RowEvaluator
  /// The leaves of the block that the last row was in: rows come block by block.
  private var leaves: [(Property, Leaf)?] = []
  private var leavesFirstKey: ObjectKey?

  package init(_ transaction: ReadTransaction) {
    self.init(transaction, JSONWriter(transaction, style: .plain, namesLinks: true))
  }

  /// `values`: a plain writer that has written nothing yet.
  init(_ transaction: ReadTransaction, _ values: JSONWriter) {
    self.values = values
    snapshot = transaction.snapshot
    evaluator = RowEvaluator(transaction)
  }

  /// Fills `cells` with the given columns of one object.
  mutating func fill(
    _ cells: inout RowCells, _ position: ObjectPosition, of table: Table, _ columns: [SelectedColumn]
  ) throws(EngineError) {
    cells.clear()
    try openLeaves(position.block, columns)
    for (index, column) in columns.enumerated() {
      if let (property, leaf) = leaves[index] {
        try fill(&cells, leaf, property, position, of: table)
      } else {
        try fill(&cells, try evaluator.cell(column, of: table, at: position))
      }
    }
  }

  /// Opens the leaves of the columns that are the object's own properties.
  private mutating func openLeaves(
    _ block: RowBlock, _ columns: [SelectedColumn]
  ) throws(EngineError) {
    let firstKey = block.key(0)
    if leavesFirstKey == firstKey { return }
    leavesFirstKey = nil
    leaves.removeAll(keepingCapacity: true)
    for column in columns {
      guard case .property(let hops, let property) = column.source, hops.isEmpty else {
        leaves.append(nil)
        continue
      }
      leaves.append((property, try block.leaf(property)))
    }
    leavesFirstKey = firstKey
  }

  private mutating func fill(
    _ cells: inout RowCells, _ leaf: Leaf, _ property: Property, _ position: ObjectPosition, of table: Table
  ) throws(EngineError) {
    if property.collection == nil {
      let value = try leaf.value(position.row, in: snapshot, target: property.target)
      if append(value, to: &cells) { return }
    }
    try fillNested(&cells) { values, out throws(EngineError) in
      try values.writeValue(of: property, position, of: table, to: &out)
    }
  }

  /// Fills `cells` with one more cell.
  mutating func fill(_ cells: inout RowCells, _ cell: SelectedCell) throws(EngineError) {
    switch cell {
    case .objectKey(let key): return cells.append(.number) { $0.append(decimal: key.value) }
    case .value(let value, _): if append(value, to: &cells) { return }
    case .stored(let property, let position, of: _) where property.collection == nil:
      let leaf = try position.block.leaf(property)
      if append(try leaf.value(position.row, in: snapshot, target: property.target), to: &cells) { return }
    case .stored, .list, .counts: break
    }
    try fillNested(&cells) { values, out throws(EngineError) in try values.write(cell, to: &out) }
  }

  /// A cell that is written as JSON; text stands without its quotes.
  private mutating func fillNested(
    _ cells: inout RowCells, _ write: (inout JSONWriter, inout OutputBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    var nested = OutputBuffer()
    try write(&values, &nested)
    let isQuoted = nested.text.count >= 2 && nested.text[0] == UInt8(ascii: "\"")
    cells.append(isQuoted ? .text : .other) { text in
      text.append(nested.text.span.extracting(isQuoted ? 1..<nested.text.count - 1 : 0..<nested.text.count))
    }
  }

  /// False: the value is not a single one.
  private func append(_ value: Value, to cells: inout RowCells) -> Bool {
    let kind: RowCells.Kind
    switch value {
    case .null: kind = .null
    case .bool: kind = .other
    case .link, .list, .dictionary: return false
    default: kind = value.isNumber ? .number : .text
    }
    cells.append(kind) { if kind != .null { _ = FieldFormat.bare.append(single: value, to: &$0) } }
    return true
  }
}

/// Makes texts of values.
package struct ValueTexts {
  private var cells: CellWriter

  package init(_ transaction: ReadTransaction) { cells = CellWriter(transaction) }

  package mutating func text(of value: Value) throws(EngineError) -> String {
    var row = RowCells()
    try cells.fill(&row, .value(value, hasTypedLinks: false))
    return row.string(0)
  }
}

/// A result that is one value, such as a count.
extension RenderSpec {
  /// Writes `value` on a line of its own: as JSON in the JSON modes, else as it would stand in a cell.
  package func write(
    _ value: Value, in transaction: ReadTransaction, to out: inout OutputBuffer
  ) throws(EngineError) {
    let cell = SelectedCell.value(value, hasTypedLinks: false)
    if mode == .json || mode == .jsonl {
      var writer = JSONWriter(transaction, style: isTyped ? .typed : .plain)
      try writer.write(cell, to: &out)
    } else {
      var cells = RowCells()
      var writer = CellWriter(transaction)
      try writer.fill(&cells, cell)
      if cells.kind(0) == .null {
        out.text.append(mode == .tsv ? Array("\\N".utf8) : nullText)
      } else if mode.isForMachines {
        cells.append(0, to: &out.text)
      } else {
        out.text.append(text: cells.string(0).visible)
      }
    }
    out.text.append(UInt8(ascii: "\n"))
  }
}
