// A number of each object of a class, found by the object's key: what paths over links lead to. Layer: Query.

/// The numbers that an expression gives for a class.
package final class KeyedNumbers: Sendable {
  /// Those of consecutive objects.
  private struct Part: Sendable {
    var keys = RowKeys()
    /// Integers, or the bits of doubles.
    var words: [UInt64] = []
    /// Empty where none is null.
    var isNull: [Bool] = []

    mutating func append(_ numbers: NumberBlock, areInts: Bool, at place: BlockPlace) {
      if numbers.hasNulls || !isNull.isEmpty {
        isNull += repeatElement(false, count: words.count - isNull.count)
        for row in 0..<numbers.count { isNull.append(numbers.isNull(row)) }
      }
      keys.append(place)
      numbers.append(to: &words, areInts: areInts)
    }

    mutating func append(_ other: Part) {
      if !isNull.isEmpty || !other.isNull.isEmpty {
        isNull += repeatElement(false, count: words.count - isNull.count)
        isNull += other.isNull
        isNull += repeatElement(false, count: other.words.count - other.isNull.count)
      }
      keys.append(other.keys)
      words += other.words
    }
  }

  let kind: NumberExpression.Kind
  /// What stands for an object that is not there; nil is null.
  private let absent: Int64?
  private let numbers: Part

  /// Blocks that a thread takes at a time.
  private static let pieceLength = 64
  /// Objects that are worth a second thread.
  private static let objectsOfAThread = 50_000

  /// `absent` is 0 or null. Cost: one step for each object of `table`.
  init(_ expression: NumberExpression, of table: Table, absent: Int64?) throws(EngineError) {
    let kind = expression.kind
    let directory = try table.directory()
    let reads = expression.properties.map(ColumnRead.init)
    var parts: [Part] = []
    _ = try ParallelWork.forEachMade(
      of: 0..<(directory.count + Self.pieceLength - 1) / Self.pieceLength,
      workers: min(ParallelWork.workerCount, 1 + table.count / Self.objectsOfAThread)
    ) {
      let own = directory.forOneThread()
      return (directory: own, reader: BlockReader(own, reads), evaluator: NumberEvaluator(own.snapshot))
    } _: { piece, own throws(EngineError) in
      var part = Part()
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
    var all = Part()
    all.words.reserveLarge(parts.reduce(0) { $0 + $1.words.count })
    for part in parts { all.append(part) }
    self.kind = kind
    self.absent = absent
    numbers = all
  }

  /// The number of the object with `key`: an integer, or the bits of a double; nil for null and where there is none.
  @inline(__always)
  func word(of key: Int64) -> UInt64? {
    guard let index = numbers.keys.index(of: key), numbers.isNull.isEmpty || !numbers.isNull[index] else {
      return nil
    }
    return numbers.words[index]
  }

  /// Puts the number of the object with `key` into a row of `block`; without one, what stands for no object.
  @inline(__always)
  func store(_ key: Int64?, in block: NumberBlock, _ row: Int) {
    guard let key, let index = numbers.keys.index(of: key) else {
      guard let absent else { return block.setNull(row) }
      return kind == .int ? block.set(row, absent) : block.set(row, Double(absent))
    }
    if !numbers.isNull.isEmpty, numbers.isNull[index] { return block.setNull(row) }
    let word = numbers.words[index]
    if kind == .int {
      block.set(row, Int64(bitPattern: word))
    } else {
      block.set(row, Double(bitPattern: word))
    }
  }
}
