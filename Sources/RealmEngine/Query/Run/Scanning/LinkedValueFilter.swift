// Comparisons of values behind links, a block at a time: the objects that a block's rows lead to are each found and
// read once. Layer: Query, Run, Scanning.

/// Marks rows by comparing what their links lead to.
final class LinkedValueFilter {
  private let snapshot: Snapshot
  private let comparison: ComparisonOperator
  private let left: SortKeyPath
  private let right: SortKeyPath

  init(_ values: JoinedComparison, _ snapshot: Snapshot, in realm: ReadTransaction) {
    guard let left = SortKeyPath(values.left, in: realm), let right = SortKeyPath(values.right, in: realm)
    else {
      preconditionFailure("what is planned has words, and its classes are there")
    }
    self.snapshot = snapshot
    comparison = values.comparison
    self.left = left
    self.right = right
  }

  /// Marks the rows of `block` of which two values relate so.
  func mark(_ block: RowBlock, into mask: SelectionMask) throws(EngineError) {
    let rows = block.whole
    let (left, right) = (try column(left, rows), try column(right, rows))
    mask.resize(block.count)
    for row in 0..<block.count {
      let (isNull, isOtherNull) = (left.isNull(row), right.isNull(row))
      mask[row] =
        isNull || isOtherNull
        ? comparison.holds(areBothNull: isNull && isOtherNull)
        : comparison.holds(order: left.order(row, right, row))
    }
  }

  private func column(_ path: SortKeyPath, _ rows: BlockRows) throws(EngineError) -> KeyColumn {
    var column = KeyColumn(path)
    try column.append(rows, of: path, in: snapshot)
    return column
  }
}
