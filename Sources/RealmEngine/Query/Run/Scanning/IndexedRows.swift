// The rows that an index names, found by their keys on as many threads as that is worth. Layer: Query, Run, Scanning.
// They lie scattered over the file: most of the time goes into waiting for its pages, which threads do side by side.

/// The objects with some keys, as far as they exist and meet what the index left open.
struct IndexedRows: RowSource {
  private let keys: [ObjectKey]
  private let table: Table
  private let remainder: BoundPredicate?
  private let realm: ReadTransaction

  /// Keys that a thread takes at a time.
  private static let pieceLength = 64
  /// Keys that are worth a second thread.
  private static let keysOfAThread = 256

  /// `keys` ascend.
  init(
    _ keys: [ObjectKey], of table: Table, in realm: ReadTransaction, remainder: BoundPredicate?
  ) {
    self.keys = keys
    self.table = table
    self.remainder = remainder
    self.realm = realm
  }

  static func workerCount(ofKeys count: Int) -> Int {
    min(ParallelWork.workerCount, 1 + count / keysOfAThread)
  }

  var pieceCount: Int { (keys.count + Self.pieceLength - 1) / Self.pieceLength }

  func workerCount(makingCost: Double) -> Int { Self.workerCount(ofKeys: keys.count) }

  func rows(ofPiece piece: Int, _ finder: Search) throws(EngineError) -> BlockRows? {
    let first = piece * Self.pieceLength
    return try finder.rows(keys[first..<min(keys.count, first + Self.pieceLength)])
  }

  func makeFinder() -> Search {
    Search(
      table: table.forOneThread(), remainder: remainder, evaluator: RowEvaluator(realm))
  }

  /// What one thread has for itself.
  struct Search {
    fileprivate let table: Table
    fileprivate let remainder: BoundPredicate?
    fileprivate let evaluator: RowEvaluator

    /// Nil for none.
    fileprivate func rows(_ keys: ArraySlice<ObjectKey>) throws(EngineError) -> BlockRows? {
      var found: BlockRows?
      var block: RowBlock?
      var rows: [Int32] = []
      for key in keys {
        try Interruption.check()
        guard let position = try position(of: key, near: block),
          try isWanted(position)
        else { continue }
        if let last = block, !rows.isEmpty, last.key(0) != position.block.key(0) {
          found = last.chosen(rows, after: found)
          rows.removeAll(keepingCapacity: true)
        }
        block = position.block
        rows.append(Int32(position.row))
      }
      return rows.isEmpty ? found : block?.chosen(rows, after: found)
    }

    private func isWanted(_ position: ObjectPosition) throws(EngineError) -> Bool {
      guard let remainder else { return true }
      return try evaluator.matches(remainder, in: table, at: position)
    }

    /// Keys ascend, so the next one is often in the block of the one before.
    private func position(of key: ObjectKey, near block: RowBlock?) throws(EngineError) -> ObjectPosition? {
      if let block, let row = block.row(of: key) { return ObjectPosition(block: block, row: row) }
      return try table.find(key)
    }
  }
}
