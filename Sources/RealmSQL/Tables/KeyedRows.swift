// All rows of a table by the values of one column, for statements that look up many. Layer: RealmSQL, Tables.
// SQLite makes such an index for its own tables where a join needs one, and none for tables of others.

import RealmEngine

final class KeyedRows {
  let batch: ObjectBatch
  let chain: Chain
  private var firstRows: [Int64: Int32] = [:]
  private var firstTextRows: [ByteString: Int32] = [:]
  /// By column: what was read of the whole table.
  var columns: [Int: CellBuffer] = [:]

  /// Rows of which all columns can be held.
  static let rowsMax = 1 << 22

  init(_ batch: ObjectBatch, keys: CellBuffer) {
    self.batch = batch
    chain = Chain(count: batch.count)
    firstRows.reserveCapacity(batch.count)
    // From the last row on, so that chains rise.
    for row in stride(from: batch.count - 1, through: 0, by: -1) {
      switch keys.value(row) {
      case .integer(let number):
        chain[row] = firstRows.updateValue(Int32(row), forKey: number) ?? -1
      case .text(let text):
        chain[row] = firstTextRows.updateValue(Int32(row), forKey: text) ?? -1
      default: continue
      }
    }
  }

  /// Nil where only a comparison tells which rows are meant; -1 for none.
  func firstRow(_ value: SQLValue, of type: SQLType) -> Int32? {
    switch (value, type) {
    case (.integer(let number), .integer): firstRows[number] ?? -1
    case (.text(let text), .text): firstTextRows[text] ?? -1
    default: nil
    }
  }
}
