// Calculates a number of each object of a class, on as many threads as that is worth. Layer: Query, Run, Scanning.

extension KeyedNumbers {
  /// Blocks that a thread takes at a time.
  private static let pieceLength = 64
  /// Objects that are worth a second thread.
  private static let objectsOfAThread = 50_000

  /// `absent`: what stands for an object that is not there. Cost: one step for each object of `table`.
  convenience init(_ expression: NumberExpression, of table: Table, absent: Int64?) throws(EngineError) {
    let kind = expression.kind
    let directory = try table.directory()
    let reads = expression.properties.map(ColumnRead.init)
    var parts: [Block] = []
    _ = try ParallelWork.forEachMade(
      of: 0..<(directory.count + Self.pieceLength - 1) / Self.pieceLength,
      workers: min(ParallelWork.workerCount, 1 + table.count / Self.objectsOfAThread)
    ) {
      let own = directory.forOneThread()
      return (directory: own, reader: BlockReader(own, reads), evaluator: NumberEvaluator(own.snapshot))
    } _: { piece, own throws(EngineError) in
      var part = Block()
      let first = piece * Self.pieceLength
      try own.reader.forEach(first..<min(directory.count, first + Self.pieceLength)) {
        place throws(EngineError) in
        try Interruption.check()
        let numbers = try own.evaluator.numbers(expression, own.directory.block(place))
        part.append(numbers, areInts: kind == .int, at: place)
      }
      return part
    } _: { part in
      parts.append(part)
      return true
    }
    self.init(Block(parts), kind, absent: absent)
  }
}
