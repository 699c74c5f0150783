// All rows of a table by the values of one column, for statements that look up many. Layer: RealmSQL, Tables.
// SQLite makes such an index for its own tables where a join needs one, and none for tables of others.

import RealmEngine

final class KeyedRows {
  let batch: ObjectBatch
  /// Where the rows are elements of the objects of the batch.
  let elements: ElementRows?
  let chain: RowList
  private var firstRows: [Int64: Int32] = [:]
  /// In the place of `firstRows` where numbers lie close together: from `start` on.
  private(set) var dense: (rows: RowList, start: Int64)?
  private var firstTextRows: [ByteString: Int32] = [:]
  /// By column: what was read of the whole table.
  var columns: [Int: CellBuffer] = [:]

  /// Rows of which all columns can be held.
  static let rowsMax = 1 << 24

  var count: Int { chain.count }

  init(_ batch: ObjectBatch, _ elements: ElementRows?, keys: CellBuffer) {
    self.batch = batch
    self.elements = elements
    chain = RowList(count: keys.count, of: keys.count)
    makeDense(keys)
    // From the last row on, so that chains rise.
    for row in stride(from: count - 1, through: 0, by: -1) {
      switch keys.value(row) {
      case .integer(let number):
        if let dense {
          let place = Int(number - dense.start)
          chain[row] = dense.rows[place]
          dense.rows[place] = Int32(row)
          continue
        }
        chain[row] = firstRows.updateValue(Int32(row), forKey: number) ?? -1
      case .text(let text):
        chain[row] = firstTextRows.updateValue(Int32(row), forKey: text) ?? -1
      default: continue
      }
    }
  }

  /// Makes room for numbers that are at most four times as many as the rows.
  private func makeDense(_ keys: CellBuffer) {
    var ends: (first: Int64, last: Int64)?
    for row in 0..<count {
      guard case .integer(let number) = keys.value(row) else { continue }
      ends = (min(ends?.first ?? number, number), max(ends?.last ?? number, number))
    }
    guard let ends else { return }
    let (span, overflow) = ends.last.subtractingReportingOverflow(ends.first)
    if overflow || span >= 4 * Int64(count) { return firstRows.reserveCapacity(count) }
    dense = (RowList(count: Int(span) + 1, of: count), ends.first)
  }

  /// Nil where only a comparison tells which rows are meant; -1 for none.
  func firstRow(_ value: SQLValue, of type: SQLType) -> Int32? {
    switch (value, type) {
    case (.integer(let number), .integer): dense == nil ? firstRows[number] ?? -1 : denseRow(number)
    case (.text(let text), .text): firstTextRows[text] ?? -1
    default: nil
    }
  }

  private func denseRow(_ number: Int64) -> Int32 {
    guard let dense else { return -1 }
    let (place, overflow) = number.subtractingReportingOverflow(dense.start)
    return !overflow && place >= 0 && place < dense.rows.count ? dense.rows[Int(place)] : -1
  }
}
