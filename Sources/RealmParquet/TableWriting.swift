// The objects of a class as a table of a Parquet file: blocks of rows, their columns on all threads. Layer: RealmParquet.

package import Parquet
package import RealmEngine
import Synchronization

/// Writes objects into one file; those of several realms have the same columns.
package struct TableWriting {
  private let columns: [ParquetField]
  private let isNanoseconds: Bool
  private var writer: ParquetWriter
  package private(set) var rowCount = 0
  package private(set) var losses = ParquetLosses()

  /// Rows whose columns are read at a time.
  private static let rowsMax = 1 << 14
  /// Values that are worth other threads.
  private static let cellsOfThreads = 1 << 13

  package init(_ columns: [ParquetField], _ compression: ParquetCompression, isNanoseconds: Bool) {
    self.columns = columns
    self.isNanoseconds = isNanoseconds
    writer = ParquetWriter(columns, compression)
  }

  package typealias Sink = ParquetWriter.Sink<EngineError>

  /// Adds the objects that a query finds; `columns` are those of the file, with what they are here. `sink` gets the bytes of
  /// the file, in their order.
  package mutating func add(
    _ executor: QueryExecutor, of table: Table, _ columns: [TableColumn], in realm: ReadTransaction,
    to sink: Sink
  ) throws(EngineError) {
    precondition(columns.map(\.field) == self.columns, "all classes have the columns of the file")
    var start = 0
    var fillings: [SharedFilling] = []
    for column in columns {
      let end = start + column.field.content.leafCount
      fillings.append(
        SharedFilling(
          column, Array(writer.columns[start..<end]), of: table, in: realm, isNanoseconds: isNanoseconds))
      start = end
    }
    var gathered = GatheredRows()
    if executor.isStreaming {
      try executor.forEachHits { hits throws(EngineError) in
        gathered.add(hits)
        if gathered.count >= Self.rowsMax { try add(gathered.take(), to: fillings, sink) }
        return true
      }
    } else {
      try executor.forEachObject { position throws(EngineError) in
        gathered.add(SelectedRows(block: position.block, rows: [Int32(position.row)]))
        if gathered.count >= Self.rowsMax { try add(gathered.take(), to: fillings, sink) }
        return true
      }
    }
    try add(gathered.take(), to: fillings, sink)
    for filling in fillings { losses += filling.state.withLock { $0.losses } }
  }

  private mutating func add(
    _ rows: [SelectedRows], to fillings: [SharedFilling], _ sink: Sink
  ) throws(EngineError) {
    let count = rows.reduce(0) { $0 + $1.rows.count }
    guard count > 0 else { return }
    try Interruption.check()
    let failure = Mutex<EngineError?>(nil)
    let workers = count * fillings.count >= Self.cellsOfThreads ? ParallelWork.workerCount : 1
    ParallelWork.forEach(fillings.count, workers: workers) { index in
      do throws(EngineError) {
        try fillings[index].state.withLock { filling throws(EngineError) in
          for hits in rows { try filling.add(hits.block, hits.rows) }
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    rowCount += count
    try writer.endRows(count, to: sink)
  }

  /// Writes what is left.
  package mutating func finish(to sink: Sink) throws(EngineError) { try writer.finish(to: sink) }
}

/// Rows until there are enough of them.
private struct GatheredRows {
  private var rows: [SelectedRows] = []
  private(set) var count = 0

  mutating func add(_ hits: SelectedRows) {
    rows.append(hits)
    count += hits.rows.count
  }

  mutating func take() -> [SelectedRows] {
    defer { self = GatheredRows() }
    return rows
  }
}

/// A column for one thread after the other.
private final class SharedFilling: Sendable {
  let state: Mutex<ColumnFilling>

  init(
    _ column: TableColumn, _ leaves: [ParquetColumn], of table: Table, in realm: ReadTransaction,
    isNanoseconds: Bool
  ) {
    state = Mutex(ColumnFilling(column, leaves, of: table, in: realm, isNanoseconds: isNanoseconds))
  }
}
