// The texts of rows that leave in an order of their own: written block by block, then put in their places by several
// threads. Layer: Rendering, Cells. The text of a row is copied twice for that, but each leaf is opened once.

import ByteText
import RealmEngine

extension RowChunks {
  /// The texts of the rows of each piece; nil where some cells need more than their leaf.
  func texts(of pieces: [BlockRows], _ layout: RowLayout) throws(EngineError) -> (
    texts: RowTexts, repaired: Int
  )? {
    var texts: [RowTexts.Slice] = []
    var repaired = 0
    let isComplete = try ParallelWork.forEachMade(
      of: 0..<pieces.count, workers: ParallelWork.workerCount
    ) { number throws(EngineError) in
      try Interruption.check()
      let chunk = RowChunk(self.format)
      return try chunk.rowTexts(of: pieces[number], layout)
    } _: { made in
      guard let made = made.content else { return false }
      texts.append(made.texts)
      repaired += made.repaired
      return true
    }
    return isComplete
      ? (RowTexts(texts, rowsOfASlice: OrderedRows.pieceLength), repaired) : nil
  }

  /// Calls `body` with chunks that have the rows of `texts` in the order of `rows`, one after the other.
  func forEachChunk(
    of rows: OrderedRows, _ texts: RowTexts, _ body: (RowChunk<Format>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let order = rows.order
    let chunkLength = OrderedRows.pieceLength
    let chunkCount = (order.count + chunkLength - 1) / chunkLength
    let waveLength = Self.chunksOfAThread * ParallelWork.workerCount
    var first = 0
    while first < chunkCount {
      let wave = first..<min(chunkCount, first + waveLength)
      _ = try ParallelWork.forEachMade(of: wave, workers: ParallelWork.workerCount) {
        number in
        let chunk = self.take()
        chunk.fill(order[number * chunkLength..<min(order.count, (number + 1) * chunkLength)], of: texts)
        return chunk
      } _: { chunk throws(EngineError) in
        try body(chunk)
        return true
      }
      first = wave.upperBound
    }
  }

  private static var chunksOfAThread: Int { 4 }
}
