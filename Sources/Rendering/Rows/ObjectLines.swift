// One object for people: a property a line. Layer: Rendering, Rows.
// Invariant: nothing but printable characters and line ends goes out.

package import RealmEngine

/// Writes objects in line mode: `   name = value`.
package struct ObjectLines {
  private var cells: CellWriter
  private var spec = RenderSpec(.line)

  /// `followingLinks`: how many levels of links are shown as the objects they lead to.
  package init(_ transaction: ReadTransaction, followingLinks linkLevels: Int = 0) {
    cells = CellWriter(
      transaction,
      JSONWriter(transaction, style: .plain, followingLinks: linkLevels, namesLinks: true))
    spec.nullText = Array("null".utf8)
  }

  package mutating func write(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    let columns = SelectedColumn.all(of: table)
    var row = RowCells()
    try cells.fill(&row, position, of: table, columns)
    LineLayout(names: columns.map(\.name), isColored: false)
      .write(row, isFirst: true, spec, to: &out.text)
  }
}
