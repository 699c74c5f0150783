// Rows on their way to the output: blocks of rows are gathered, written by several threads where that is worth it,
// and handed on in order. Layer: Rendering.
// Invariants: rows leave in the order they came; leaves are opened, and charged for, by the calling thread alone;
// blocks are gathered only while all of their cells are small, so that memory stays flat.

import ByteText
import RealmEngine
import Synchronization

/// Writes rows of one layout.
final class RowStream<Format: CellFormat> {
  /// Writes the cell of a column that needs more than its leaf.
  typealias CellWriting = (
    _ column: Int, _ leaf: Leaf?, _ position: ObjectPosition, _ out: inout OutputBuffer
  ) throws(EngineError) -> Void

  private let layout: RowLayout
  private let format: Format
  private var pending: [OpenBlock] = []
  private var pendingRowCount = 0
  private var chunks: [RowChunk] = []
  /// The text of rows that are still to be put in order, and where each row ends in it.
  private var gathered = ByteBuffer()
  private var gatheredEnds: [Int] = []
  private var cells: CellTexts<Format>
  /// Bytes of the first row's first separator that are still to be left out.
  private var skippedCount: Int
  private var repairedInChunksCount = 0
  private(set) var rowCount = 0

  /// Texts that were not valid UTF-8 and do not show all of their bytes.
  var repairedCount: Int { cells.repairedCount + repairedInChunksCount }

  private static var pendingBlocksMax: Int { 256 }
  private static var chunkRowCount: Int { 4096 }
  /// Cells that are worth a second thread.
  private static var cellsOfAThread: Int { 40_000 }

  /// `skippedCount`: bytes at the beginning of the first row that are left out, because they separate it from the
  /// row before.
  init(_ layout: RowLayout, _ format: Format, skippedCount: Int = 0) {
    self.layout = layout
    self.format = format
    self.skippedCount = skippedCount
    cells = CellTexts(format)
  }

  /// Takes rows of a block; they have all left after `end`. `budget` is charged for the leaves.
  func write(
    _ hits: BlockHits, budget: TraversalBudget? = nil, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) {
    guard !hits.rows.isEmpty else { return }
    rowCount += hits.rows.count
    let block = try open(hits, budget)
    guard block.isSimple else {
      try drain(to: &out)
      return try writeRowByRow(block, to: &out, writeCell)
    }
    pending.append(block)
    pendingRowCount += hits.rows.count
    if pending.count >= Self.pendingBlocksMax { try drain(to: &out) }
  }

  /// Takes rows in an order of their own, where all of their cells are small: each block is written whole, then its
  /// rows are put in their places. False: nothing was written.
  func write(_ rows: OrderedRows, to out: inout OutputBuffer) throws(EngineError) -> Bool {
    try drain(to: &out)
    var blocks: [OpenBlock] = []
    for hits in rows.hits {
      let block = try open(hits, nil)
      guard block.isSimple else { return false }
      blocks.append(block)
    }
    let ranges = chunkRanges(blocks)
    fillChunks(blocks, ranges, keepsRowEnds: true)
    gathered.removeAll()
    gatheredEnds.removeAll(keepingCapacity: true)
    for chunk in chunks.prefix(ranges.count) {
      repairedInChunksCount += try chunk.move(to: &gathered, &gatheredEnds)
    }
    for number in rows.order {
      let start = number == 0 ? 0 : gatheredEnds[number - 1]
      out.text.append(gathered.span.extracting(start + skippedCount..<gatheredEnds[number]))
      skippedCount = 0
      try out.flushIfLarge()
    }
    rowCount += rows.order.count
    return true
  }

  /// Writes what was gathered.
  func end(to out: inout OutputBuffer) throws(EngineError) { try drain(to: &out) }

  private func open(_ hits: BlockHits, _ budget: TraversalBudget?) throws(EngineError) -> OpenBlock {
    var leaves: [Leaf?] = []
    leaves.reserveCapacity(layout.columns.count)
    var isSimple = true
    for column in layout.columns {
      switch column.source {
      case .key: leaves.append(nil)
      case .property(let property):
        let leaf = try hits.block.leaf(property, budget: budget)
        leaves.append(leaf)
        if !CellTexts<Format>.canTake(leaf, hasLinkHead: column.linkHead != nil) { isSimple = false }
      case .other:
        leaves.append(nil)
        isSimple = false
      }
    }
    return OpenBlock(hits: hits, leaves: leaves, isSimple: isSimple)
  }

  // MARK: Blocks of small cells

  private func drain(to out: inout OutputBuffer) throws(EngineError) {
    guard !pending.isEmpty else { return }
    let ranges = chunkRanges(pending)
    fillChunks(pending, ranges, keepsRowEnds: false)
    pending.removeAll(keepingCapacity: true)
    pendingRowCount = 0
    for chunk in chunks.prefix(ranges.count) {
      repairedInChunksCount += try chunk.move(to: &out, skippedCount: skippedCount)
      skippedCount = 0
    }
  }

  /// Writes each range of blocks into a chunk, on as many threads as that is worth.
  private func fillChunks(_ blocks: [OpenBlock], _ ranges: [Range<Int>], keepsRowEnds: Bool) {
    while chunks.count < ranges.count { chunks.append(RowChunk()) }
    let rowCount = blocks.reduce(0) { $0 + $1.hits.rows.count }
    let cellCount = rowCount * max(1, layout.columns.count)
    let workerCount =
      cellCount < Self.cellsOfAThread ? 1 : min(ParallelWork.workerCount, ranges.count)
    let (next, chunks) = (Counter(), self.chunks)
    let (layout, format) = (self.layout, self.format)
    ParallelWork.run(workers: workerCount) { _ in
      var cells = CellTexts(format)
      while true {
        let index = next.value.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < ranges.count else { return }
        chunks[index].fill(blocks[ranges[index]], layout, &cells, keepsRowEnds: keepsRowEnds)
      }
    }
  }

  /// Runs of blocks, each with enough rows to be a piece of work.
  private func chunkRanges(_ blocks: [OpenBlock]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (start, rowCount) = (0, 0)
    for (index, block) in blocks.enumerated() {
      rowCount += block.hits.rows.count
      guard rowCount >= Self.chunkRowCount || index == blocks.count - 1 else { continue }
      ranges.append(start..<index + 1)
      (start, rowCount) = (index + 1, 0)
    }
    return ranges
  }

  // MARK: Blocks with cells of any size

  private func writeRowByRow(
    _ block: OpenBlock, to out: inout OutputBuffer, _ writeCell: CellWriting
  ) throws(EngineError) {
    cells.begin(rows: block.hits.rows)
    var takenNumbers: [Int?] = []
    var takenCount = 0
    for (index, column) in layout.columns.enumerated() {
      guard try take(column, block.leaves[index], of: block.hits.block) else {
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
      try out.flushIfLarge()
    }
  }

  private func appendSeparator(_ index: Int, to text: inout ByteBuffer) {
    layout.separators.append(index, skippedCount: skippedCount, to: &text)
    skippedCount = 0
  }

  private func take(_ column: RowLayout.Column, _ leaf: Leaf?, of block: RowBlock) throws(EngineError) -> Bool
  {
    switch (column.source, leaf) {
    case (.key, _):
      cells.takeKeys(of: block)
      return true
    case (.property, let leaf?)
    where CellTexts<Format>.canTake(leaf, hasLinkHead: column.linkHead != nil):
      try cells.take(leaf, linkHead: column.linkHead)
      return true
    default: return false
    }
  }
}

/// Rows of a block with the leaves of their columns.
private struct OpenBlock: Sendable {
  let hits: BlockHits
  /// Nil for columns that have no leaf.
  let leaves: [Leaf?]
  /// Whether every column can be written from its leaf.
  let isSimple: Bool
}

/// What threads take their next chunk by.
private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

/// The text of some blocks, written by one thread.
private final class RowChunk: Sendable {
  private struct Content: ~Copyable {
    var text = ByteBuffer(capacity: 1 << 16)
    /// Where each row ends in `text`, if that was asked for.
    var rowEnds: [Int] = []
    var repairedCount = 0
    var failure: EngineError?
  }

  private let content = Mutex(Content())

  func fill<Format>(
    _ blocks: ArraySlice<OpenBlock>, _ layout: RowLayout, _ cells: inout CellTexts<Format>,
    keepsRowEnds: Bool
  ) {
    content.withLock { content in
      content.text.removeAll()
      content.rowEnds.removeAll(keepingCapacity: true)
      content.failure = nil
      let repairedBefore = cells.repairedCount
      do throws(EngineError) {
        for block in blocks {
          cells.begin(rows: block.hits.rows)
          for (index, column) in layout.columns.enumerated() {
            if let leaf = block.leaves[index] {
              try cells.take(leaf, linkHead: column.linkHead)
            } else {
              cells.takeKeys(of: block.hits.block)
            }
          }
          if keepsRowEnds {
            cells.appendRowEnds(
              separators: layout.separators, from: content.text.count, to: &content.rowEnds)
          }
          cells.appendRows(separators: layout.separators, to: &content.text)
        }
      } catch {
        content.failure = error
      }
      content.repairedCount = cells.repairedCount - repairedBefore
    }
  }

  /// Appends the text, and where each of its rows ends in `target`; returns how many texts in it were repaired.
  func move(to target: inout ByteBuffer, _ rowEnds: inout [Int]) throws(EngineError) -> Int {
    try content.withLock { content throws(EngineError) in
      if let failure = content.failure { throw failure }
      for end in content.rowEnds { rowEnds.append(target.count + end) }
      target.append(content.text.span)
      return content.repairedCount
    }
  }

  /// Hands the text on, without its first `skippedCount` bytes, and returns how many texts in it were repaired.
  func move(to out: inout OutputBuffer, skippedCount: Int) throws(EngineError) -> Int {
    try content.withLock { content throws(EngineError) in
      if skippedCount > 0 {
        out.text.append(content.text.span.extracting(droppingFirst: min(skippedCount, content.text.count)))
        try out.flushIfLarge()
      } else {
        try out.append(whole: content.text)
      }
      if let failure = content.failure { throw failure }
      return content.repairedCount
    }
  }
}
