// Some objects whose columns are read together. Layer: RealmSQL, Tables.

import RealmEngine

/// Rows of one class, a block at a time.
struct ObjectBatch {
  private(set) var pieces: [(rows: BlockRows, blocks: Range<Int>)] = []
  /// The place among the rows of `pieces` of each row of the batch; nil where they come in that order.
  private(set) var order: [Int32]?
  private(set) var count = 0

  init() {}

  init(_ position: ObjectPosition) {
    let rows = position.block.chosen([Int32(position.row)], after: nil)
    pieces = [(rows, 0..<1)]
    count = 1
  }

  init(_ rows: OrderedRows) {
    pieces = rows.pieces.map { ($0, 0..<$0.blockCount) }
    order = rows.order
    count = rows.order.count
  }

  /// All objects of a class.
  init(all table: Table, in realm: ReadTransaction) throws(EngineError) {
    let query = BoundQuery(table: table, predicate: .constant(true), orderings: [])
    var cursor = try QueryExecutor(query, in: realm).cursor()
    while let found = try cursor.next() {
      for rows in found { append(rows, 0..<rows.blockCount) }
    }
  }

  mutating func append(_ rows: BlockRows, _ blocks: Range<Int>) {
    pieces.append((rows, blocks))
    count += rows.rowCount(blocks)
  }

  /// Calls `body` with each leaf of a property, the rows that are meant, and the place of the first in the batch.
  func forEachLeaf(
    of property: Property, _ body: (Leaf, Span<Int32>, Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    var place = 0
    for piece in pieces {
      try piece.rows.forEachLeaf(of: property, in: piece.blocks) { leaf, rows throws(EngineError) in
        try body(leaf, rows, place)
        place += rows.count
      }
    }
  }

  func forEachKey(_ body: (Int, ObjectKey) -> Void) {
    var place = 0
    for piece in pieces {
      piece.rows.forEachKey(in: piece.blocks) {
        body(place, $0)
        place += 1
      }
    }
  }

  /// Calls `body` with each block, the rows that are meant, and the place of the first in the batch.
  func forEachBlock(
    _ body: (RowBlock, [Int32], Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    var place = 0
    for piece in pieces {
      for index in piece.blocks {
        let rows = piece.rows.rows(index)
        try body(piece.rows.block(index), rows, place)
        place += rows.count
      }
    }
  }
}

/// Hands on the rows of a query some at a time.
struct BatchSource {
  private enum Rows {
    case found(RowCursor)
    case keys(ArraySlice<ObjectKey>, Table)
    case ready([ObjectBatch])
  }

  private var rows: Rows
  private var pending: [BlockRows] = []
  private var nextBlock = 0
  private var rowsMax = 256
  private let rowsLimit: Int
  /// What follows the last key.
  private var rest: (() throws(EngineError) -> [ObjectKey])?

  /// Objects in an order of their own are gathered from all over the file, which pays for many.
  private static let orderedRowsMax = 1 << 17

  /// `rowsLimit`: as many rows of a batch as are worth having, if all of them are wanted.
  private init(_ rows: Rows, rowsLimit: Int) {
    self.rows = rows
    self.rowsLimit = rowsLimit
  }

  init(_ cursor: RowCursor, rowsLimit: Int) { self.init(.found(cursor), rowsLimit: rowsLimit) }
  /// `rest`: what follows in the same order. SQLite's limit is no promise: it does not tell tables of all conditions.
  init(_ keys: [ObjectKey], of table: Table, rest: (() throws(EngineError) -> [ObjectKey])? = nil) {
    self.init(.keys(keys[...], table), rowsLimit: Self.orderedRowsMax)
    self.rest = rest
  }
  init(_ batch: ObjectBatch?) { self.init(.ready(batch.map { [$0] } ?? []), rowsLimit: 1) }

  /// Nil at the end.
  mutating func next() throws(EngineError) -> ObjectBatch? {
    switch rows {
    case .ready(let batches):
      rows = .ready([])
      return batches.first
    case .keys(let keys, let table):
      guard !keys.isEmpty else {
        guard let rest else { return nil }
        self.rest = nil
        rows = .keys(try rest()[...], table)
        return try next()
      }
      try Interruption.check()
      let batch = ObjectBatch(try OrderedRows(keys.prefix(rowsMax), in: table))
      rows = .keys(keys.dropFirst(rowsMax), table)
      rowsMax = min(rowsMax * 16, rowsLimit)
      return batch
    case .found(var cursor):
      while pending.isEmpty {
        guard let found = try cursor.next() else { return nil }
        pending = found.reversed()
        rows = .found(cursor)
      }
      try Interruption.check()
      guard let current = pending.last else { return nil }
      let blocks = current.batch(from: nextBlock, rowsMax: rowsMax)
      var batch = ObjectBatch()
      batch.append(current, blocks)
      nextBlock = blocks.upperBound
      if nextBlock == current.blockCount {
        pending.removeLast()
        nextBlock = 0
      }
      rowsMax = min(rowsMax * 2, rowsLimit)
      return batch
    }
  }
}
