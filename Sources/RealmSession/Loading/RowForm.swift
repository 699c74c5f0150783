// Rows whose form is known in advance, read by all threads. Layer: RealmSession, Loading.
// Invariants: rows come into the realm in the order of their lines, in the clusters that they would make one by one; nothing of a
// row is put in place unless all of it has the form; what has another form is read by whoever reads it one by one.

import ByteText
import RealmEngine
import TextFormats

/// How the rows of one class look in a text.
protocol RowForm: Sendable {
  /// Adds the rows that `bytes` begin with to a block, as long as it is not full, with any rising keys; true where it is full and
  /// nothing of the bytes is left.
  func fill(_ block: BulkBlock, from bytes: Span<UInt8>) -> Bool
}

/// Longer texts may be too long, which is told of by their place when they are read token by token.
let plainTextSizeMax = 1 << 20

/// Bytes that are the same in every line of JSON. In one array, because threads that share many would wait for each other to
/// count who uses them.
struct LineLiterals {
  static var null: Range<Int> { 0..<4 }
  static var yes: Range<Int> { 4..<8 }
  static var no: Range<Int> { 8..<13 }

  private(set) var bytes = Array("nulltruefalse".utf8)

  mutating func add(_ text: some Sequence<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes += text
    return start..<bytes.count
  }
}

/// Blocks that all threads fill at once from a text, each with as many lines as a cluster has rows.
struct BlockBatches {
  /// Kept for the next batch.
  private var blocks: [BulkBlock] = []
  /// How many bytes of lines are read at once.
  private var size: Int
  private let sizeMax: Int
  private static let sizeMin = 1 << 16

  init(sizeMax: Int) {
    size = sizeMax
    self.sizeMax = sizeMax
  }

  /// The lines of the next batch.
  func lines<Source: LineSource & ~Copyable>(
    from reader: inout Source, for rows: BulkTable
  ) throws -> LineBatch {
    try reader.linesAhead(inPiecesOf: BulkBlock.rowsMax, sizeMax: size, piecesMax: rows.blocksAtOnceMax)
  }

  /// Fills a block from each piece of a batch. `fill` gives whether the block is full, and nothing of the piece is left; the
  /// others have no leaves.
  mutating func filled(
    from batch: LineBatch, for rows: BulkTable, _ fill: @escaping @Sendable (BulkBlock, Span<UInt8>) -> Bool
  ) -> ArraySlice<BulkBlock> {
    while blocks.count < batch.pieces.count { blocks.append(rows.makeBlock()) }
    let blocks = blocks
    ParallelWork.forEach(batch.pieces.count) { index in
      blocks[index].removeAll()
      if fill(blocks[index], batch.bytes.span.extracting(batch.pieces[index])) {
        blocks[index].makeLeavesAhead()
      }
    }
    return blocks.prefix(batch.pieces.count)
  }

  /// What is read behind lines that do not fill clusters is read again: the less of it, the more often that happens.
  mutating func noteBatch(wasWhole: Bool) {
    size = wasWhole ? min(size * 2, sizeMax) : max(size / 4, Self.sizeMin)
  }
}

/// Fills classes from a text, a batch of blocks at a time.
struct BlockIngest<Form: RowForm> {
  private let form: Form
  private let schema: ClassSchema
  private var batches = BlockBatches(sizeMax: 1 << 19)
  /// How often in a row a batch began with a row of another form.
  private var failureCount = 0

  private static var failuresMax: Int { 16 }

  init(_ form: Form, of schema: ClassSchema) {
    self.form = form
    self.schema = schema
  }

  /// Adds a batch of rows of the form; the reader stands behind them. Gives how many came, and whether more may.
  mutating func read<Source: LineSource & ~Copyable>(
    from reader: inout Source, into ingest: ObjectIngest
  ) throws -> (rowCount: Int, goesOn: Bool) {
    guard failureCount < Self.failuresMax, let rows = try ingest.plainRows(of: schema), rows.isBetweenBlocks,
      try reader.beginLine()
    else { return (0, false) }
    let batch = try batches.lines(from: &reader, for: rows)
    guard !batch.pieces.isEmpty else { return (0, false) }
    let count = try add(batch, rows, ingest, from: &reader)
    failureCount = count == 0 ? failureCount + 1 : 0
    let isWhole = count == batch.pieces.count * BulkBlock.rowsMax
    batches.noteBatch(wasWhole: isWhole)
    return (count, isWhole)
  }

  /// Adds the pieces of a batch up to the first one with another form.
  private mutating func add<Source: LineSource & ~Copyable>(
    _ batch: LineBatch, _ rows: BulkTable, _ ingest: ObjectIngest, from reader: inout Source
  ) throws -> Int {
    let blocks = batches.filled(from: batch, for: rows) { [form] block, bytes in
      form.fill(block, from: bytes)
    }
    var rowCount = 0
    for (piece, block) in zip(batch.pieces, blocks) {
      guard block.hasLeaves else { break }
      let line = reader.lineNumber
      guard try rows.add(block, numbering: true) else { break }
      ingest.noteRows(BulkBlock.rowsMax, of: schema, on: line)
      reader.passLines(piece.count, count: BulkBlock.rowsMax)
      rowCount += BulkBlock.rowsMax
    }
    return rowCount
  }
}
