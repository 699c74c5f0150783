// A number of each object of a class, found by the object's key: what paths over links lead to. Layer: Query.

/// The numbers that an expression gives for a class.
package final class KeyedNumbers: Sendable {
  let kind: NumberExpression.Kind
  /// What stands for an object that is not there; nil is null.
  private let absent: Int64?
  private let keys: [Int64]
  /// Integers, or the bits of doubles.
  private let words: [UInt64]
  private let isNull: [Bool]
  /// Whether keys follow one another from the first on, so that none has to be looked for.
  private let isDense: Bool

  /// `absent` is 0 or null. Cost: one step for each object of `table`.
  init(_ expression: NumberExpression, of table: Table, absent: Int64?) throws(EngineError) {
    kind = expression.kind
    self.absent = absent
    let evaluator = NumberEvaluator(table.snapshot)
    var entries: (keys: [Int64], words: [UInt64], isNull: [Bool]) = ([], [], [])
    var isAscending = true
    var cursor = table.blocks()
    while let block = try cursor.next() {
      try Interruption.check()
      let numbers = try evaluator.numbers(expression, block)
      for row in 0..<block.count {
        let key = block.key(row).value
        isAscending = isAscending && entries.keys.last.map { $0 < key } ?? true
        entries.keys.append(key)
        entries.words.append(
          kind == .int ? UInt64(bitPattern: numbers.int(row)) : numbers.double(row).bitPattern)
        entries.isNull.append(numbers.isNull(row))
      }
    }
    if !isAscending {
      // Only in damaged files.
      let order = entries.keys.indices.sorted { entries.keys[$0] < entries.keys[$1] }
      entries = (
        order.map { entries.keys[$0] }, order.map { entries.words[$0] }, order.map { entries.isNull[$0] }
      )
    }
    keys = entries.keys
    words = entries.words
    isNull = entries.isNull
    let first = keys.first ?? 0
    isDense = zip(keys, keys.indices).allSatisfy { $0 &- first == Int64($1) }
  }

  /// Puts the number of the object with `key` into a row of `block`; without one, what stands for no object.
  @inline(__always)
  func store(_ key: Int64?, in block: NumberBlock, _ row: Int) {
    guard let key, let index = index(of: key) else {
      guard let absent else { return block.setNull(row) }
      return kind == .int ? block.set(row, absent) : block.set(row, Double(absent))
    }
    if isNull[index] { return block.setNull(row) }
    if kind == .int {
      block.set(row, Int64(bitPattern: words[index]))
    } else {
      block.set(row, Double(bitPattern: words[index]))
    }
  }

  @inline(__always)
  private func index(of key: Int64) -> Int? {
    guard let first = keys.first, key >= first else { return nil }
    let position = UInt64(bitPattern: key &- first)
    if position < UInt64(keys.count), keys[Int(position)] == key { return Int(position) }
    guard !isDense else { return nil }
    let index = keys.lowerBound(key)
    return index < keys.count && keys[index] == key ? index : nil
  }
}
