// Objects of a dump in the plain form, as many at once as there are threads. Layer: RealmSession, Loading.
// Invariants: rows come into the realm in the order of their lines, in the same clusters as if they had come one by one; a
// line that is wrong is read again from its beginning, token by token, so that its message does not depend on threads.

import ByteText
import RealmEngine
import TextFormats

extension DumpReader {
  private static let batchSizeMin = 1 << 16

  /// Reads objects of the present class as long as their lines have the plain form.
  mutating func readPlainObjects() throws {
    guard let table, let form = table.form else { return }
    while try reader.beginLine() {
      if table.rows.isBetweenBlocks, try readBlocks(table, form) {
        guard self.table === table else { return }
        continue
      }
      guard try readLines(table, form) else { return }
    }
  }

  /// Reads lines up to the end of a cluster, on this thread; false when the next line has another form.
  private mutating func readLines(_ table: LoadedTable, _ form: PlainObjectForm) throws -> Bool {
    while true {
      let (size, lineCount, end) = try table.rows.fillBlock { block, key in
        form.fill(block, above: key, from: reader.bytesAhead)
      }
      reader.passLines(size, count: lineCount)
      table.objectCount += Int64(lineCount)
      switch end {
      case .full: return true
      case .different: return false
      case .cut:
        guard try reader.readAhead() else { return false }
      }
    }
  }

  /// Reads the lines of many clusters on all threads; false when there are too few.
  private mutating func readBlocks(_ table: LoadedTable, _ form: PlainObjectForm) throws -> Bool {
    let batch = try reader.linesAhead(
      inPiecesOf: BulkBlock.rowsMax, sizeMax: table.batchSize, piecesMax: table.rows.blocksAtOnceMax)
    guard batch.pieces.count > 1 else { return false }
    // What is read behind lines that do not fill clusters is read again: the less of it, the more often that happens.
    if try add(batch, table, form) {
      table.batchSize = min(table.batchSize * 2, LoadedTable.batchSizeMax)
    } else {
      table.batchSize = max(table.batchSize / 4, Self.batchSizeMin)
    }
    return true
  }

  /// Adds the objects of a batch; false when its pieces are not those of the clusters any more.
  private mutating func add(
    _ batch: LineBatch, _ table: LoadedTable, _ form: PlainObjectForm
  ) throws -> Bool {
    while table.blocks.count < batch.pieces.count { table.blocks.append(table.rows.makeBlock()) }
    let blocks = table.blocks
    ParallelWork.forEach(batch.pieces.count) { index in
      blocks[index].removeAll()
      let bytes = batch.bytes.span.extracting(batch.pieces[index])
      // Whether the keys come after those of the piece before is seen when the block is added.
      if form.fill(blocks[index], above: -1, from: bytes).end == .full { blocks[index].makeLeavesAhead() }
    }
    for (piece, block) in zip(batch.pieces, blocks) {
      if block.hasLeaves, try table.rows.add(block) {
        reader.passLines(piece.count, count: BulkBlock.rowsMax)
        table.objectCount += Int64(BulkBlock.rowsMax)
      } else {
        try readOneByOne(piece, of: batch, table, form)
        // Later blocks are of use only if they begin a cluster too.
        guard self.table === table, table.rows.isBetweenBlocks, try reader.beginLine() else { return false }
      }
      guard reader.isAt(piece.upperBound, of: batch) else { return false }
    }
    return true
  }

  /// Reads a piece in which some line has another form.
  private mutating func readOneByOne(
    _ piece: Range<Int>, of batch: LineBatch, _ table: LoadedTable, _ form: PlainObjectForm
  ) throws {
    while try reader.beginLine(), reader.isBefore(piece.upperBound, of: batch), self.table === table {
      if try !readLines(table, form), try reader.beginLine() { try readLine(try reader.next()) }
    }
  }
}
