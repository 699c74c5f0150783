// Rows on their way to the output: written by the threads that find them where all of a query's are wanted, else
// gathered, written by several threads where that is worth it, and handed on in order. Layer: Rendering, Cells.
// Invariants: rows leave in the order they came; leaves that are charged for are opened by the calling thread alone;
// text is gathered only of blocks all of whose cells are small, or up to a size that the caller gives, so that memory
// stays flat.

import ByteText
import RealmEngine

/// Writes rows of one layout.
final class RowStream<Format: CellFormat> {
  /// Writes the cell of a column that needs more than its leaf.
  typealias CellWriting = (
    _ column: Int, _ leaf: Leaf?, _ position: ObjectPosition, _ out: inout OutputBuffer
  ) throws(EngineError) -> Void

  private let layout: RowLayout
  private let format: Format
  /// Of columns that are computed.
  private let evaluators: [ColumnEvaluator?]
  private var pending: [OpenBlock] = []
  private let chunks: RowChunks<Format>
  /// Whether rows in an order of their own have had cells that need more than their leaf.
  private var hasLargeCells = false
  /// Whether rows in an order of their own were too much to be gathered.
  private var hasLargeRows = false
  private var cells: CellTexts<Format>
  /// Rows that are a piece of work.
  private let chunkRowCount: Int
  /// What `pending` keeps in memory, and what its rows will take.
  private var pendingSize = 0
  /// Bytes of the first row's first separator that are still to be left out.
  private var skippedCount: Int
  private var repairedInChunksCount = 0
  private(set) var rowCount = 0

  /// Texts that were not valid UTF-8 and do not show all of their bytes.
  var repairedCount: Int { cells.repairedCount + repairedInChunksCount }

  /// Bytes that are in memory for rows which wait to be written, or are being written.
  private static var pendingSizeMax: Int { 32 << 20 }
  /// Bytes that are written in one piece.
  private static var chunkSizeMax: Int { 4 << 20 }
  /// Rows of a block, which some ways of writing take all at once.
  private static var blockRowCount: Int { 256 }
  private static var pendingBlocksMax: Int { 256 }
  /// What a cell costs as costs of conditions are told.
  private static var costOfACell: Double { 40 }
  /// Cells that are worth a second thread.
  private static var cellsOfAThread: Int { 40_000 }

  /// `skippedCount`: bytes at the beginning of the first row that are left out, because they separate it from the
  /// row before.
  init(
    _ layout: RowLayout, _ format: Format, of table: Table, in transaction: ReadTransaction,
    skippedCount: Int = 0
  ) {
    self.layout = layout
    self.format = format
    evaluators = layout.columns.map {
      guard case .other(let column) = $0.source else { return nil }
      return ColumnEvaluator(column, of: table, in: transaction)
    }
    self.skippedCount = skippedCount
    cells = CellTexts(format)
    chunks = RowChunks(format)
    chunkRowCount = min(4096, layout.rowCount(ofSize: Self.chunkSizeMax))
  }

  /// Whether a block's rows are too much to be written at once.
  private var isWide: Bool { chunkRowCount < Self.blockRowCount }

  /// Takes all rows that a query finds, in key order; they have all left after `end`.
  func write(
    allOf executor: QueryExecutor, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) {
    guard executor.findsAll, !layout.needsMoreThanLeaves, !isWide else {
      return try executor.forEachHits { hits throws(EngineError) in
        try write(hits, to: &out, writeCell)
        return true
      }
    }
    let (layout, chunks) = (layout, chunks)
    let rowCost = Self.costOfACell * Double(layout.columns.count)
    try executor.forEachPart(makingCost: rowCost) { rows in
      chunks.written(rows, layout)
    } _: { part throws(EngineError) in
      let rows = part.rows
      try drain(to: &out)
      rowCount += rows.rowCount(0..<part.blockCount)
      try handOn(part.chunk, to: &out)
      for index in part.blockCount..<rows.blockCount {
        try write(SelectedRows(rows, index), to: &out, writeCell)
      }
      return true
    }
  }

  /// Takes rows of a block; they have all left after `end`. `budget` is charged for the leaves.
  func write(
    _ hits: SelectedRows, budget: TraversalBudget? = nil, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) {
    guard !hits.rows.isEmpty else { return }
    rowCount += hits.rows.count
    let block = try OpenBlock(hits, layout, budget: budget)
    for part in block.parts(rowsMax: chunkRowCount) {
      guard part.isSimple else {
        try drain(to: &out)
        try writeRowByRow(part, to: &out, writeCell) { out throws(EngineError) in
          try out.flushIfLarge()
          return true
        }
        continue
      }
      pending.append(part)
      pendingSize += part.hits.rows.count * layout.rowSize + part.size
      if pending.count >= Self.pendingBlocksMax || pendingSize >= Self.pendingSizeMax { try drain(to: &out) }
    }
  }

  /// Takes rows in an order of their own: each block is written whole, then its rows are put in their places. Returns how
  /// many bytes were in memory; nil: they would be too many, and nothing was written.
  func write(
    _ rows: OrderedRows, sizeMax: Int, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) -> Int? {
    if let size = try writeFromLeaves(rows, sizeMax: sizeMax, to: &out) { return size }
    return try writeRowByRow(rows, sizeMax: sizeMax, to: &out, writeCell)
  }

  /// Where all cells are small.
  private func writeFromLeaves(
    _ rows: OrderedRows, sizeMax: Int, to out: inout OutputBuffer
  ) throws(EngineError) -> Int? {
    guard !layout.needsMoreThanLeaves, !hasLargeCells,
      rows.order.count <= layout.rowCount(ofSize: sizeMax)
    else { return nil }
    try drain(to: &out)
    guard let (texts, repaired) = try chunks.texts(of: rows.pieces, layout) else {
      hasLargeCells = true
      return nil
    }
    repairedInChunksCount += repaired
    try chunks.forEachChunk(of: rows, texts) { chunk throws(EngineError) in try handOn(chunk, to: &out) }
    rowCount += rows.order.count
    // As `layout` counts rows, however short they are: more would be refused next time.
    return max(texts.size, rows.order.count * layout.rowSize)
  }

  /// Writes what was gathered.
  func end(to out: inout OutputBuffer) throws(EngineError) { try drain(to: &out) }

  // MARK: Blocks of small cells

  private func drain(to out: inout OutputBuffer) throws(EngineError) {
    guard !pending.isEmpty else { return }
    let filled = filledChunks(pending)
    pending.removeAll(keepingCapacity: true)
    pendingSize = 0
    for chunk in filled { try handOn(chunk, to: &out) }
  }

  private func handOn(_ chunk: RowChunk<Format>, to out: inout OutputBuffer) throws(EngineError) {
    repairedInChunksCount += try chunk.move(to: &out, skipping: &skippedCount)
    chunks.giveBack(chunk)
  }

  /// Writes blocks into chunks, on as many threads as that is worth.
  private func filledChunks(_ blocks: [OpenBlock]) -> [RowChunk<Format>] {
    let ranges = chunkRanges(blocks)
    let filled = ranges.map { _ in chunks.take() }
    let rowCount = blocks.reduce(0) { $0 + $1.hits.rows.count }
    let isWorthThreads = rowCount * max(1, layout.columns.count) >= Self.cellsOfAThread
    let workers = isWorthThreads ? ParallelWork.workerCount : 1
    let layout = layout
    ParallelWork.forEach(ranges.count, workers: workers) { index in
      filled[index].fill(blocks[ranges[index]], layout)
    }
    return filled
  }

  /// Runs of blocks, each with enough rows to be a piece of work.
  private func chunkRanges(_ blocks: [OpenBlock]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (start, rowCount) = (0, 0)
    for (index, block) in blocks.enumerated() {
      rowCount += block.hits.rows.count
      guard rowCount >= chunkRowCount || index == blocks.count - 1 else { continue }
      ranges.append(start..<index + 1)
      (start, rowCount) = (index + 1, 0)
    }
    return ranges
  }

  // MARK: Blocks with cells of any size

  /// Where cells may be of any size.
  private func writeRowByRow(
    _ rows: OrderedRows, sizeMax: Int, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) -> Int? {
    guard !hasLargeRows else { return nil }
    try drain(to: &out)
    var gathered = OutputBuffer()
    let skipped = skippedCount
    skippedCount = 0
    var ends = [0]
    ends.reserveCapacity(rows.order.count + 1)
    for piece in rows.pieces {
      try Interruption.check()
      for index in 0..<piece.blockCount {
        for part in try OpenBlock(SelectedRows(piece, index), layout).parts(rowsMax: chunkRowCount) {
          try writeRowByRow(part, to: &gathered, writeCell) {
            ends.append($0.text.count)
            return $0.text.count <= sizeMax
          }
        }
        guard gathered.text.count <= sizeMax else {
          hasLargeRows = true
          skippedCount = skipped
          return nil
        }
      }
    }
    for (index, number) in rows.order.enumerated() {
      let start = ends[Int(number)] + (index == 0 ? skipped : 0)
      out.text.append(gathered.text.span.extracting(start..<ends[Int(number) + 1]))
      try out.flushIfLarge()
    }
    rowCount += rows.order.count
    // Others may be longer: the next ones are counted twice.
    return 2 * gathered.text.count
  }

  /// Calls `endRow` behind each row, and goes on as long as it agrees.
  private func writeRowByRow(
    _ block: OpenBlock, to out: inout OutputBuffer, _ writeCell: CellWriting,
    endRow: (inout OutputBuffer) throws(EngineError) -> Bool
  ) throws(EngineError) {
    cells.begin(rowCount: block.hits.rows.count)
    var takenNumbers: [Int?] = []
    var takenCount = 0
    for (index, column) in layout.columns.enumerated() {
      guard try cells.take(column, block.leaves[index], of: block.hits) || takeComputed(index, of: block.hits)
      else {
        takenNumbers.append(nil)
        continue
      }
      takenNumbers.append(takenCount)
      takenCount += 1
    }
    for (number, row) in block.hits.rows.enumerated() {
      let position = ObjectPosition(block: block.hits.block, row: Int(row))
      for index in layout.columns.indices {
        appendSeparator(index, to: &out.text)
        if let takenNumber = takenNumbers[index] {
          cells.append(column: takenNumber, row: number, to: &out.text)
        } else {
          try writeCell(index, block.leaves[index], position, &out)
        }
      }
      appendSeparator(layout.columns.count, to: &out.text)
      guard try endRow(&out) else { return }
    }
  }

  /// Writes a column that is computed, if its values are small and need nothing but themselves.
  private func takeComputed(_ index: Int, of hits: SelectedRows) -> Bool {
    guard let values = evaluators[index]?.values(hits.block, hits.rows),
      cells.take(values, sizeMax: Self.chunkSizeMax)
    else { return false }
    cells.endColumn()
    return true
  }

  private func appendSeparator(_ index: Int, to text: inout ByteBuffer) {
    layout.separators.append(index, skippedCount: skippedCount, to: &text)
    skippedCount = 0
  }
}
