// The rows of one realm among those of many that are shown as one table. Layer: Rendering, Cells.
// Invariant: rows of a part have no head, no end and no frame; whoever joins the parts writes these once.

import Synchronization

/// What a cell holds, for modes that show kinds differently.
package enum CellKind: Sendable { case null, number, text, other }

/// A cell as it is drawn.
struct ShownCell: Sendable {
  let text: String
  let kind: CellKind
}

/// Says that a result is a part, and takes what the whole must know of it.
package final class ResultSegment: Sendable {
  /// The column that says where the rows come from, which stands before all others.
  let source: (name: String, value: String)
  /// The columns of the whole, by name and without the source; nil: those that the part has.
  let columns: [String]?
  private let state = Mutex(State())

  private struct State {
    var names: [String] = []
    var rows: [[ShownCell]] = []
    var rowCount = 0
  }

  package init(source name: String, _ value: String, columns: [String]? = nil) {
    source = (name, value)
    self.columns = columns
  }

  /// What the column of the source is called where others may have its name.
  package static func sourceName(_ name: String, beside columns: [String]) -> String {
    columns.contains(name) ? sourceName("_" + name, beside: columns) : name
  }

  /// With that of the source.
  package var names: [String] { state.withLock { $0.names } }

  package var rowCount: Int { state.withLock { $0.rowCount } }

  /// Of modes whose columns are aligned, which cannot be written before all rows are there.
  var rows: [[ShownCell]] { state.withLock { $0.rows } }

  func begin(names: [String]) { state.withLock { $0.names = names } }

  func end(rowCount: Int, _ rows: [[ShownCell]]) {
    state.withLock { state in
      state.rowCount += rowCount
      state.rows += rows
    }
  }
}
