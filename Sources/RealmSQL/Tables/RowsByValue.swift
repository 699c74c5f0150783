// All rows of a table by the values of one column, for statements that look up many. Layer: RealmSQL, Tables.
// SQLite makes an index for its own tables where a join needs one, and none for tables of others.

final class RowsByValue {
  struct Column: Hashable {
    let index: Int
    /// Whether texts are found by the whole numbers that they are written as, others not at all.
    let isOfNumbers: Bool
  }

  let batch: ObjectBatch
  /// Where the rows are elements of the objects of the batch.
  let elements: ElementRows?
  let index: RowIndex
  /// By column: what was read of the batch.
  var columns: [Int: CellBuffer]
  /// What SQLite calls the rows of the batch, once it has asked for that.
  var keys: CellBuffer?

  /// Rows of which all columns can be held.
  static let rowsMax = 1 << 24

  init(_ batch: ObjectBatch, _ elements: ElementRows?, _ index: RowIndex, _ columns: [Int: CellBuffer]) {
    self.batch = batch
    self.elements = elements
    self.index = index
    self.columns = columns
  }
}

extension CellBuffer {
  /// What of each cell SQLite compares with whole numbers: texts may be written like them.
  var wholeNumbers: CellBuffer {
    let numbers = CellBuffer()
    numbers.reset(count: count)
    for row in 0..<count {
      if let number = NumberCondition.wholeNumber(value(row)) { numbers.set(row, .integer(number)) }
    }
    return numbers
  }
}
