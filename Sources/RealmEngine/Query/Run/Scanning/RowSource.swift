// Where the rows that a query finds come from, and how they are handed on. Layer: Query, Run, Scanning.
// Invariant: rows come in key order whatever the number of threads, which take pieces of the work in turn.

/// Rows of one block that meet a condition, ascending.
package struct SelectedRows: Sendable {
  package let block: RowBlock
  package let rows: [Int32]

  /// Those of block number `index` of `rows`.
  package init(_ rows: BlockRows, _ index: Int) {
    self.init(block: rows.block(index), rows: Array(rows.rows(index)))
  }

  package init(block: RowBlock, rows: [Int32]) {
    self.block = block
    self.rows = rows
  }
}

/// The row numbers of whole blocks, which are mostly as long as each other.
package struct RowNumbers {
  private var rows: [Int32] = []

  package init() {}

  /// All rows of `block`.
  package mutating func all(of block: RowBlock) -> [Int32] {
    if rows.count != block.count { rows = (0..<Int32(block.count)).map(\.self) }
    return rows
  }
}

/// Finds rows by pieces of work that follow each other in key order.
protocol RowSource: Sendable {
  /// What one thread has for itself.
  associatedtype Finder

  var pieceCount: Int { get }
  /// `makingCost`: of what is done with a row that was found, as costs of conditions are told.
  func workerCount(makingCost: Double) -> Int
  func makeFinder() -> Finder
  /// The rows of one piece; nil for none.
  func rows(ofPiece piece: Int, _ finder: Finder) throws(EngineError) -> BlockRows?
}

extension RowSource {
  /// Calls `make` with the rows of each of `pieces` that has some, on the thread that found them, and `body` with what
  /// was made, in order, until it returns false. False: it did.
  private func forEachPart<Part: Sendable>(
    of pieces: Range<Int>, workers: Int,
    _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part,
    _ body: (Part) throws(EngineError) -> Bool
  ) throws(EngineError) -> Bool {
    try ParallelWork.forEachMade(
      of: pieces, workers: workers, { makeFinder() },
      { piece, finder throws(EngineError) in try rows(ofPiece: piece, finder).map(make) }, body)
  }

  /// The rows of some pieces, those without any left out.
  func rows(ofPieces pieces: Range<Int>) throws(EngineError) -> [BlockRows] {
    var found: [BlockRows] = []
    let asFound: @Sendable (BlockRows) throws(EngineError) -> BlockRows = { $0 }
    _ = try forEachPart(of: pieces, workers: min(pieces.count, workerCount(makingCost: 0)), asFound) { rows in
      found.append(rows)
      return true
    }
    return found
  }

  /// Makes and visits all parts, wave by wave. `startsSmall`: for a reader who may soon have enough. `waveMax`: pieces
  /// whose parts may be in memory at once. `makingCost`: of a row, as costs of conditions are told.
  func forEachPart<Part: Sendable>(
    startsSmall: Bool, waveMax: Int = 64, makingCost: Double = 0,
    _ make: @escaping @Sendable (BlockRows) throws(EngineError) -> Part,
    _ body: (Part) throws(EngineError) -> Bool
  ) throws(EngineError) {
    let workers = workerCount(makingCost: makingCost)
    var piece = 0
    var wave = startsSmall ? 1 : waveMax
    while piece < pieceCount {
      let range = piece..<min(pieceCount, piece + wave)
      guard try forEachPart(of: range, workers: workers, make, body) else {
        return
      }
      piece = range.upperBound
      wave = min(wave * 2, waveMax)
    }
  }

  /// Calls `body` with the rows of each piece that has some, on the thread that found them and with what is that
  /// thread's own; pieces come in any order.
  func forEachFound<Own>(
    makingCost: Double, _ makeOwn: @escaping @Sendable () -> Own,
    _ body: @escaping @Sendable (BlockRows, Own) throws(EngineError) -> Void
  ) throws(EngineError) {
    let makeThread: @Sendable () -> (finder: Finder, own: Own) = {
      (makeFinder(), makeOwn())
    }
    let workers = workerCount(makingCost: makingCost)
    try ParallelWork.forEach(0..<pieceCount, workers: workers, makeThread) {
      piece, thread throws(EngineError) in
      if let rows = try rows(ofPiece: piece, thread.finder) { try body(rows, thread.own) }
    }
  }

  /// The keys of all rows that are found.
  func keys() throws(EngineError) -> KeySet {
    var parts: [IntegerShare] = []
    try forEachPart(startsSmall: false) { rows throws(EngineError) in
      rows.keyPart()
    } _: { part in
      parts.append(part)
      return true
    }
    return KeySet(parts)
  }

  /// Calls `body` with the blocks that have hits, in key order, until it returns false. The first ones arrive soon.
  package func forEachHits(_ body: (SelectedRows) throws(EngineError) -> Bool) throws(EngineError) {
    let asFound: @Sendable (BlockRows) throws(EngineError) -> BlockRows = { $0 }
    try forEachPart(startsSmall: true, asFound) { rows throws(EngineError) in
      for index in 0..<rows.blockCount {
        try Interruption.check()
        guard try body(SelectedRows(rows, index)) else {
          return false
        }
      }
      return true
    }
  }
}
