// Rows of a block with what they are written from. Layer: Rendering, Cells.

import RealmEngine

/// Rows of a block with the leaves of their columns.
struct OpenBlock: Sendable {
  let hits: SelectedRows
  /// Nil for columns that have no leaf.
  let leaves: [Leaf?]
  /// Whether every column can be written from its leaf.
  let isSimple: Bool

  /// `budget` is charged for the leaves.
  init(_ hits: SelectedRows, _ layout: RowLayout, budget: TraversalBudget? = nil) throws(EngineError) {
    var leaves: [Leaf?] = []
    leaves.reserveCapacity(layout.columns.count)
    var isSimple = true
    for column in layout.columns {
      switch column.source {
      case .key: leaves.append(nil)
      case .property(let property):
        let leaf = try hits.block.leaf(property, budget: budget)
        leaves.append(leaf)
        if !leaf.hasSmallCells(hasLinkHead: column.linkHead != nil) { isSimple = false }
      case .other:
        leaves.append(nil)
        isSimple = false
      }
    }
    self.hits = hits
    self.leaves = leaves
    self.isSimple = isSimple
  }

  private init(_ hits: SelectedRows, of whole: OpenBlock) {
    self.hits = hits
    leaves = whole.leaves
    isSimple = whole.isSimple
  }

  /// The same rows, at most `rowsMax` at a time.
  func parts(rowsMax: Int) -> [OpenBlock] {
    guard hits.rows.count > rowsMax else { return [self] }
    return stride(from: 0, to: hits.rows.count, by: rowsMax).map { start in
      let rows = hits.rows[start..<min(hits.rows.count, start + rowsMax)]
      return OpenBlock(SelectedRows(block: hits.block, rows: Array(rows)), of: self)
    }
  }

  /// What it keeps in memory beside the file.
  var size: Int { leaves.count * MemoryLayout<Leaf?>.stride }
}

extension CellTexts {
  /// Writes a column of a block, if it can be written from its leaf.
  mutating func take(
    _ column: RowLayout.Column, _ leaf: Leaf?, of hits: SelectedRows
  ) throws(EngineError) -> Bool {
    switch (column.source, leaf) {
    case (.key, _): take(keys: hits.rows.map { hits.block.key(Int($0)).value })
    case (.property, let leaf?) where leaf.hasSmallCells(hasLinkHead: column.linkHead != nil):
      try take(leaf, hits.rows.span, linkHead: column.linkHead)
    default: return false
    }
    endColumn()
    return true
  }
}
