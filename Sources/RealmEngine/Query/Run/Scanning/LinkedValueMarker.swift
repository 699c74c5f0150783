// Comparisons of values behind links, a block at a time: the objects that a block's rows lead to are each found and
// read once. Layer: Query.

/// Marks rows by comparing what their links lead to.
final class LinkedValueMarker {
  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Marks the rows of `block` of which two values relate so.
  func mark(_ comparison: LinkedValues, _ block: RowBlock, into mask: RowMask) throws(EngineError) {
    let rows = block.whole
    let (left, right) = (try column(comparison.left, rows), try column(comparison.right, rows))
    mask.resize(block.count)
    for row in 0..<block.count {
      let (isNull, isOtherNull) = (left.isNull(row), right.isNull(row))
      mask[row] =
        isNull || isOtherNull
        ? comparison.comparison.holds(areBothNull: isNull && isOtherNull)
        : comparison.comparison.holds(order: left.order(row, right))
    }
  }

  private func column(_ path: WordPath, _ rows: BlockRows) throws(EngineError) -> WordColumn {
    var column = WordColumn(path)
    try column.append(rows, of: path, in: snapshot)
    return column
  }
}
