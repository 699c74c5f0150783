// The distinct texts of an enumerated column, by number. Layer: Leaves.
// Invariants: a text keeps its number. What a write transaction adds is known to all who read through this table at once, and
// owns its bytes; the file gets it with the table's spec. A closed table names no text any more: its column is written as
// plain texts, leaf by leaf, and all of it before anybody reads the transaction's result.

import Synchronization

/// A table of distinct texts.
package final class EnumeratedTexts: Sendable {
  private let leaves: [StringLeaf]
  /// The number of each leaf's first text.
  private let starts: [Int]
  private let storedCount: Int
  private let edits = Mutex(Edits())

  private struct Edits {
    /// The texts behind those of the leaves; nil is null.
    var added: [ByteString?] = []
    /// Made when a number is first asked for.
    var numbers: [ByteString?: Int64]?
    var isClosed = false
  }

  /// A text more closes the table. Engines look through all texts for each one that they write.
  static let countMax = 1000

  /// `leaves` follow one another; formats 10 and later have one.
  package init(leaves: [StringLeaf]) {
    self.leaves = leaves
    var starts: [Int] = []
    var count = 0
    for leaf in leaves {
      starts.append(count)
      count += leaf.count
    }
    self.starts = starts
    storedCount = count
  }

  /// The texts of another realm's table, to be written here.
  convenience init(copying original: EnumeratedTexts, in snapshot: Snapshot) throws(EngineError) {
    self.init(leaves: [])
    let texts = try original.texts(in: snapshot).map { $0?.owned() }
    edits.withLock { $0.added = texts }
  }

  package var count: Int { storedCount + edits.withLock { $0.added.count } }

  /// Nil for null. Throws for a number that no text has.
  package func bytes(_ number: Int64, in snapshot: Snapshot) throws(EngineError) -> ByteString? {
    guard number >= 0, number < Int64(storedCount) else { return try addedBytes(number) }
    let leaf = leaves.indices.partitionPoint { starts[$0] <= Int(number) } - 1
    return try leaves[leaf].bytes(Int(number) - starts[leaf], in: snapshot)
  }

  private func addedBytes(_ number: Int64) throws(EngineError) -> ByteString? {
    try edits.withLock { edits throws(EngineError) in
      let index = number &- Int64(storedCount)
      guard index >= 0, index < Int64(edits.added.count) else {
        throw EngineError(
          damage: "an enumerated text is number \(number) of \(storedCount + edits.added.count)")
      }
      return edits.added[Int(index)]
    }
  }

  /// All texts in the order of their numbers.
  func texts(in snapshot: Snapshot) throws(EngineError) -> [ByteString?] {
    return try (0..<count).map { number throws(EngineError) in try bytes(Int64(number), in: snapshot) }
  }

  // MARK: Writing

  /// Whether rows are not to name texts of the table any more.
  var isClosed: Bool { edits.withLock { $0.isClosed } }

  func close() { edits.withLock { $0.isClosed = true } }

  /// The number of a text, which the table gets if it has not got it; nil when the table is closed. Cost: that of all texts
  /// at the first call.
  func number(of text: ByteString?, in snapshot: Snapshot) throws(EngineError) -> Int64? {
    if isClosed { return nil }
    if edits.withLock({ $0.numbers == nil }) {
      var numbers: [ByteString?: Int64] = [:]
      for (number, text) in try texts(in: snapshot).enumerated() where numbers[text] == nil {
        numbers[text] = Int64(number)
      }
      edits.withLock { $0.numbers = numbers }
    }
    return edits.withLock { edits in
      if let number = edits.numbers?[text] { return number }
      let number = storedCount + edits.added.count
      guard number < Self.countMax else {
        edits.isClosed = true
        return nil
      }
      let owned = text?.owned()
      edits.added.append(owned)
      edits.numbers?[owned] = Int64(number)
      return Int64(number)
    }
  }
}

extension NodeView {
  /// Whether a leaf of texts holds numbers into its column's distinct texts.
  package var holdsTextNumbers: Bool { !hasRefs && header.kind == .bits }
}
