// Objects of a dump in the plain form, as many at once as there are threads. Layer: RealmSession, Loading.
// Invariants: rows come into the realm in the order of their lines, in the same clusters as if they had come one by one; a
// line that is wrong is read again from its beginning, token by token, so that its message does not depend on threads.

import ByteText
import RealmEngine
import TextFormats

extension DumpReader {
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
      noteObjects(lineCount, of: table)
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
    let batch = try table.batches.lines(from: &reader, for: table.rows)
    guard batch.pieces.count > 1 else { return false }
    table.batches.noteBatch(wasWhole: try add(batch, table, form))
    return true
  }

  /// Adds the objects of a batch; false when its pieces are not those of the clusters any more.
  private mutating func add(
    _ batch: LineBatch, _ table: LoadedTable, _ form: PlainObjectForm
  ) throws -> Bool {
    let blocks = table.batches.filled(from: batch, for: table.rows) { block, bytes in
      // Whether the keys come after those of the piece before is seen when the block is added.
      form.fill(block, above: -1, from: bytes).end == .full
    }
    for (piece, block) in zip(batch.pieces, blocks) {
      if block.hasLeaves, try table.rows.add(block) {
        reader.passLines(piece.count, count: BulkBlock.rowsMax)
        noteObjects(BulkBlock.rowsMax, of: table)
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
