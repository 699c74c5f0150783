// Values as they stand in cells, for texts that are put together of several. Layer: Rendering.

package import RealmEngine

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
