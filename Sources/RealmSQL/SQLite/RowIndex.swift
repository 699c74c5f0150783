// The rows of a batch by the values of one column, where SQLite's calls find them. Layer: RealmSQL, SQLite.

import CLibSQLite
import RealmEngine

/// An index of a column of whole numbers, texts and nulls.
@safe final class RowIndex {
  let rows: UnsafeMutablePointer<sql_rows>
  let count: Int
  private let keys: CellBuffer

  /// Rows that are added without a look at what the user wants.
  private static let stride = 1 << 16

  init(_ keys: CellBuffer) throws(EngineError) {
    let count = keys.count
    self.keys = keys
    self.count = count
    // Numbers that lie close together need no hash.
    let span = keys.integerSpan.flatMap { Double($0.last) - Double($0.first) < 4 * Double(count) ? $0 : nil }
    var slotCount = 16
    while slotCount < 2 * count { slotCount *= 2 }
    if let span { slotCount = Int(span.last - span.first) + 2 }
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(
      to: sql_rows(
        keys: keys.column, next: .allocate(large: max(1, count)), slots: .allocate(large: slotCount),
        slot_count: Int64(slotCount), first_number: span?.first ?? 0, is_dense: span == nil ? 0 : 1,
        seed: .random(in: .min ... .max)))
    unsafe rows.pointee.slots.initialize(repeating: -1, count: slotCount)
    // From the last row on, so that chains rise.
    for start in Swift.stride(from: 0, to: count, by: Self.stride).reversed() {
      try Interruption.check()
      unsafe sql_rows_add(rows, Int64(start), Int64(min(start + Self.stride, count)))
    }
  }

  deinit {
    unsafe rows.pointee.next.deallocate()
    unsafe rows.pointee.slots.deallocate()
    unsafe rows.deallocate()
  }

  /// The first row with a number; nil for none.
  func row(of number: Int64) -> Int? {
    let row = unsafe sql_rows_number(rows, number)
    return row < 0 ? nil : Int(row)
  }
}
