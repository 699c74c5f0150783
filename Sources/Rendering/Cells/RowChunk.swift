// The text of some blocks on its way from the thread that writes it to the one that hands it on.
// Layer: Rendering, Cells.

import ByteText
import RealmEngine
import Synchronization

/// The text of some blocks, written by one thread.
final class RowChunk<Format: CellFormat>: Sendable {
  private struct Content: ~Copyable {
    var text = ByteBuffer(capacity: 1 << 16)
    /// Where each row ends in `text`, if that was asked for.
    var rowEnds: [Int] = []
    var cells: CellTexts<Format>
    var repairedBefore = 0
    /// Why there is no more text.
    var failure: EngineError?

    init(_ format: Format) { cells = CellTexts(format) }

    mutating func begin() {
      text.removeAll()
      rowEnds.removeAll(keepingCapacity: true)
      failure = nil
      repairedBefore = cells.repairedCount
    }

    /// Writes a block that is simple.
    mutating func append(_ block: OpenBlock, _ layout: RowLayout) throws(EngineError) {
      cells.begin(rowCount: block.hits.rows.count)
      for (index, column) in layout.columns.enumerated() {
        let isTaken = try cells.take(column, block.leaves[index], of: block.hits)
        precondition(isTaken, "simple blocks are written from their leaves")
      }
      cells.appendRows(separators: layout.separators, to: &text)
    }

    /// Writes blocks, if all of their leaves have small cells.
    mutating func append(
      _ blocks: Range<Int>, of rows: BlockRows, _ layout: RowLayout, keepsRowEnds: Bool = false
    ) throws(EngineError) -> Bool {
      cells.begin(rowCount: rows.rowCount(blocks))
      var isSimple = true
      for column in layout.columns {
        switch column.source {
        case .key:
          var keys: [Int64] = []
          rows.forEachKey(in: blocks) { keys.append($0.value) }
          cells.take(keys: keys)
        case .property(let property):
          let linkHead = column.linkHead
          try rows.forEachLeaf(of: property, in: blocks) { leaf, rows throws(EngineError) in
            isSimple = isSimple && leaf.hasSmallCells(hasLinkHead: linkHead != nil)
            if isSimple { try cells.take(leaf, rows, linkHead: linkHead) }
          }
        case .other: isSimple = false
        }
        guard isSimple else { return false }
        cells.endColumn()
      }
      if keepsRowEnds {
        cells.appendRowEnds(separators: layout.separators, from: text.count, to: &rowEnds)
      }
      cells.appendRows(separators: layout.separators, to: &text)
      return true
    }

    /// The text, which is empty then.
    mutating func takeTexts() -> RowTexts.Slice {
      var taken = ByteBuffer()
      swap(&taken, &text)
      return RowTexts.Slice(taken, ends: rowEnds)
    }

    /// How many texts were repaired; throws what kept the text from being complete.
    func end() throws(EngineError) -> Int {
      if let failure { throw failure }
      return cells.repairedCount - repairedBefore
    }
  }

  private let content: Mutex<Content>

  init(_ format: Format) { content = Mutex(Content(format)) }

  /// Writes blocks that are simple.
  func fill(_ blocks: ArraySlice<OpenBlock>, _ layout: RowLayout) {
    content.withLock { content in
      content.begin()
      do throws(EngineError) {
        for block in blocks { try content.append(block, layout) }
      } catch {
        content.failure = error
      }
    }
  }

  /// Rows that are written together: those of one full block, or of many with a few rows each.
  private static var batchRowCount: Int { 256 }

  /// Bytes of text above which the rest of many rows is left: parts of a result are in memory side by side.
  private static var sizeMax: Int { 4 << 20 }

  /// Writes rows as far as their blocks are simple and the text is not too large; returns how many blocks that were.
  func fill(_ rows: BlockRows, _ layout: RowLayout) -> Int {
    content.withLock { content in
      content.begin()
      var blockCount = 0
      do throws(EngineError) {
        while blockCount < rows.blockCount, content.text.count < Self.sizeMax {
          let blocks = rows.batch(from: blockCount, rowsMax: Self.batchRowCount)
          guard try content.append(blocks, of: rows, layout) else { break }
          blockCount = blocks.upperBound
        }
      } catch {
        content.failure = error
      }
      return blockCount
    }
  }

  /// Rows with their texts; nil where some cells need more than their leaf.
  struct Taken: Sendable {
    let content: (texts: RowTexts.Slice, repaired: Int)?
  }

  /// Writes rows and gives their texts away.
  func rowTexts(of rows: BlockRows, _ layout: RowLayout) throws(EngineError) -> Taken {
    try content.withLock { content throws(EngineError) in
      content.begin()
      var next = 0
      while next < rows.blockCount {
        let blocks = rows.batch(from: next, rowsMax: Self.batchRowCount)
        guard try content.append(blocks, of: rows, layout, keepsRowEnds: true) else {
          return Taken(content: nil)
        }
        next = blocks.upperBound
      }
      let repaired = try content.end()
      return Taken(content: (content.takeTexts(), repaired))
    }
  }

  /// Writes rows whose texts are there, each by its number among all of them.
  func fill(_ rows: ArraySlice<Int32>, of texts: RowTexts) {
    content.withLock { content in
      content.begin()
      texts.append(rows.span, to: &content.text)
    }
  }

  /// Hands the text on, without as many first bytes as are to be skipped, and returns how many texts in it were repaired.
  func move(to out: inout OutputBuffer, skipping skippedCount: inout Int) throws(EngineError) -> Int {
    let skipped = skippedCount
    let (repairedCount, leftCount) = try content.withLock {
      content throws(EngineError) -> (repaired: Int, left: Int) in
      let dropped = min(skipped, content.text.count)
      if dropped > 0 {
        out.text.append(content.text.span.extracting(droppingFirst: dropped))
        try out.flushIfLarge()
      } else {
        try out.append(whole: content.text)
      }
      return (try content.end(), skipped - dropped)
    }
    skippedCount = leftCount
    return repairedCount
  }
}

/// Chunks that are used again and again, since their memory is large.
final class RowChunks<Format: CellFormat>: Sendable {
  /// What a thread makes of rows.
  struct Written: Sendable {
    let chunk: RowChunk<Format>
    let rows: BlockRows
    /// The first blocks, of which `chunk` has the text; the others are still to be written.
    let blockCount: Int
  }

  let format: Format
  private let idle = Mutex<[RowChunk<Format>]>([])

  init(_ format: Format) { self.format = format }

  func take() -> RowChunk<Format> { idle.withLock { $0.popLast() } ?? RowChunk(format) }

  func giveBack(_ chunk: RowChunk<Format>) { idle.withLock { $0.append(chunk) } }

  func written(_ rows: BlockRows, _ layout: RowLayout) -> Written {
    let chunk = take()
    return Written(chunk: chunk, rows: rows, blockCount: chunk.fill(rows, layout))
  }
}
