// The rows of a batch by the values of one column, where SQLite's calls find them. Layer: RealmSQL, SQLite.
// Rows with the same value stand together, so that a join reads memory from one end to the other.

import CLibSQLite
import RealmEngine

/// An index of a column of whole numbers, texts and nulls, which puts the batch in its own order.
@safe final class RowIndex {
  let rows: UnsafeMutablePointer<sql_rows>
  let count: Int
  /// The values that rows are found by, in the index's order.
  let keys: CellBuffer
  /// The row of the batch that each row is; nil where none has moved.
  private var order: [Int32]?

  /// Rows that are added without a look at what the user wants.
  private static let stride = 1 << 16

  /// Where the values are names of rows of another batch, the index of those.
  private let names: RowIndex?

  /// Puts the cells of `keys` in the index's order; they are numbers of rows of `names` where there are such.
  init(_ keys: CellBuffer, of names: RowIndex? = nil) throws(EngineError) {
    let count = keys.count
    self.keys = keys
    self.names = names
    self.count = count
    // Numbers that lie close together need no hash.
    let span = keys.integerSpan.flatMap { Double($0.last) - Double($0.first) < 4 * Double(count) ? $0 : nil }
    var slotCount = 16
    while slotCount < 2 * count { slotCount *= 2 }
    if let span { slotCount = Int(span.last - span.first) + 2 }
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(
      to: sql_rows(
        names: unsafe names.map { unsafe UnsafePointer($0.rows) }, keys: keys.column,
        next: .allocate(large: max(1, count)),
        ends: nil,
        slots: .allocate(large: slotCount), slot_count: Int64(slotCount), first_number: span?.first ?? 0,
        is_dense: span == nil ? 0 : 1, seed: .random(in: .min ... .max)))
    unsafe rows.pointee.slots.initialize(repeating: -1, count: slotCount)
    var repeatedCount: Int64 = 0
    // From the last row on, so that those of one value rise.
    for start in Swift.stride(from: 0, to: count, by: Self.stride).reversed() {
      try Interruption.check()
      repeatedCount += unsafe sql_rows_add(rows, Int64(start), Int64(min(start + Self.stride, count)))
    }
    if repeatedCount > 0 { group() }
    unsafe rows.pointee.next.deallocate()
    unsafe rows.pointee.next = nil
  }

  private func group() {
    unsafe rows.pointee.ends = .allocate(large: count)
    let order = unsafe [Int32](unsafeUninitializedCapacity: count) { order, initialized in
      if let start = order.baseAddress { unsafe sql_rows_group(rows, start) }
      initialized = count
    }
    self.order = order
    keys.permute(order)
    unsafe rows.pointee.keys = keys.column
  }

  deinit {
    unsafe rows.pointee.next?.deallocate()
    unsafe rows.pointee.ends?.deallocate()
    unsafe rows.pointee.slots.deallocate()
    unsafe rows.deallocate()
  }

  /// Puts another column of the batch in the index's order.
  func arrange(_ cells: CellBuffer) { if let order { cells.permute(order) } }

  /// Whether no two rows have the same value.
  var isUnique: Bool { order == nil }

  /// The place in the batch of a row.
  func place(of row: Int) -> Int { order.map { Int($0[row]) } ?? row }

  /// The first row with a number; nil for none.
  func row(of number: Int64) -> Int? { Self.row(unsafe sql_rows_number(rows, number)) }

  /// Sets cells of `buffer` from `place` on to what `names`, a column of the rows, has for each of `numbers`. Borrows.
  func copy(_ names: CellBuffer, of numbers: [Int64], to buffer: CellBuffer, at place: Int) {
    buffer.fill(place, numbers.count, like: names) { kinds, words, lengths in
      var names = names.column
      unsafe sql_rows_copy(rows, &names, numbers, Int64(numbers.count), kinds, words, lengths)
    }
  }

  /// The first row without a value; nil for none.
  var emptyRow: Int? { Self.row(unsafe sql_rows_empty(rows)) }

  private static func row(_ row: Int32) -> Int? { row < 0 ? nil : Int(row) }
}
