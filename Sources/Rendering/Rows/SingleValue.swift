// A result that is one value, such as a count. Layer: Rendering.

package import RealmEngine

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
