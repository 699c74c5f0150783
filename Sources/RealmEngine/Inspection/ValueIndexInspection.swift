// An index of values: every object of the table stands in it once, under the chunks of its value.
// Layer: Inspection. A large index is compared with its objects on several threads, which only tell whether all is well; where
// it is not, one thread tells what is wrong.

import Synchronization

struct ValueIndexInspection {
  private let inspection: SnapshotInspection
  private let column: IndexedColumn
  private let walk: Walk

  /// Smaller indexes are not worth a thread.
  private static let parallelCountMin = 20_000

  init(_ inspection: SnapshotInspection, _ column: RawColumn, _ table: RawTable) {
    self.inspection = inspection
    self.column = IndexedColumn(column, of: table)
    walk = inspection.walk
  }

  func run(_ root: RawNode) {
    if column.directory.count >= Self.parallelCountMin, isComplete(root) {
      claim(root)
    } else {
      compare(root)
    }
  }

  // MARK: One thread

  private func compare(_ root: RawNode) {
    var content = IndexContent(column, walk)
    walk.walkIndex(root) { path, entry in
      switch entry {
      case .one(let key):
        walk.statistics.indexEntryCount += 1
        content.check(key, path, at: root.offset, report)
      case .list(let node):
        var list = IndexContent.List(at: node.offset)
        inspection.walkKeys(node) { key in content.check(key, path, in: &list, report) }
      }
    }
    reportMissing(content.seen, at: root.offset)
  }

  /// Walks an index whose content was compared.
  private func claim(_ root: RawNode) {
    walk.walkIndex(root) { _, entry in
      switch entry {
      case .one: walk.statistics.indexEntryCount += 1
      case .list(let list): inspection.walkKeys(list) { _ in }
      }
    }
  }

  private func report(_ key: Int64, _ offset: Int, _ problem: IndexContent.Problem) {
    let (kind, expected, found): (FindingKind, String, String) =
      switch problem {
      case .unknownKey: (.indexExtra, "the key of an object", "no such object")
      case .repeatedKey: (.indexExtra, "each object once", "it again")
      case .misplaced(let level, let chunk, let other):
        (.indexPlace, "the chunk \(chunk) of its value at level \(level)", "\(other)")
      case .repeatedPrimaryKey: (.primaryKeyValue, "a primary key of its own", "that of another object")
      case .keyOrder(let previous):
        (.indexList, "keys of equal values that rise", "\(key) behind \(previous)")
      case .differentValue: (.indexList, "a list of equal values", "another value")
      }
    walk.report(kind, at: offset, object: key, expected: expected, found: found)
  }

  private func reportMissing(_ seen: [UInt64], at offset: Int) {
    for (index, word) in seen.enumerated() where word != .max {
      for bit in 0..<64 where word >> UInt64(bit) & 1 == 0 {
        let ordinal = index * 64 + bit
        guard ordinal < column.directory.count else { return }
        walk.report(
          .indexMissing, at: offset, object: column.directory.key(ordinal),
          expected: "every object in the index", found: "this one missing")
      }
    }
  }

  // MARK: Several threads

  /// Some entries of a node of the first level.
  private struct Piece: Sendable {
    let node: RawNode
    let entries: Range<Int>
  }

  private static let entriesPerPiece = 64

  /// What the threads found out together.
  private final class Outcome: Sendable {
    private let next = Atomic(0)
    private let failed = Atomic(false)
    private let seen: Mutex<[UInt64]>

    init(objectCount: Int) { seen = Mutex([UInt64](repeating: 0, count: objectCount / 64 + 1)) }

    /// The number of the next piece of work; nil where there is none, or no use in it.
    func take(of count: Int) -> Int? {
      let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
      return piece < count && !failed.load(ordering: .relaxed) ? piece : nil
    }

    func fail() { failed.store(true, ordering: .relaxed) }

    /// Adds what one thread has seen; an object that another one saw too is seen twice.
    func add(_ words: [UInt64]) {
      seen.withLock { seen in
        for index in words.indices {
          if seen[index] & words[index] != 0 { fail() }
          seen[index] |= words[index]
        }
      }
    }

    /// Whether nothing was wrong and so many objects were seen.
    func holds(_ count: Int) -> Bool {
      !failed.load(ordering: .relaxed) && seen.withLock { $0.reduce(0) { $0 + $1.nonzeroBitCount } } == count
    }
  }

  /// Whether the index holds every object once and each at its place. Claims and reports nothing; false also where that
  /// cannot be told.
  private func isComplete(_ root: RawNode) -> Bool {
    var pieces: [Piece] = []
    guard ParallelWork.workerCount > 1, addPieces(of: root, depth: 0, to: &pieces) else { return false }
    let outcome = Outcome(objectCount: column.directory.count)
    let (image, limit, format, column, work) = (walk.image, walk.limit, walk.format, column, pieces)
    ParallelWork.run(workers: min(ParallelWork.workerCount, pieces.count)) { _ in
      let walk = Walk(
        image: image, limit: limit, format: format, names: PlaceNames(), coverage: nil, log: nil)
      walk.remainingCount = limit / RawHeader.size
      Self.compare(work, column, walk, outcome)
    }
    return outcome.holds(column.directory.count)
  }

  /// False: not the nodes of an index, or more than a sound one has.
  private func addPieces(of node: RawNode, depth: Int, to pieces: inout [Piece]) -> Bool {
    guard node.kind == .bits, node.hasRefs, node.hasContext, depth <= Walk.innerLevelsMax,
      pieces.count <= column.directory.count
    else { return false }
    guard node.isInner else {
      for start in stride(from: 1, to: node.count, by: Self.entriesPerPiece) {
        pieces.append(Piece(node: node, entries: start..<min(node.count, start + Self.entriesPerPiece)))
      }
      return true
    }
    return (1..<max(1, node.count)).allSatisfy { index in
      guard case .ref(let offset) = node.slot(index), let child = walk.peek(offset) else { return false }
      return addPieces(of: child, depth: depth + 1, to: &pieces)
    }
  }

  private static func compare(_ pieces: [Piece], _ column: IndexedColumn, _ walk: Walk, _ outcome: Outcome) {
    var content = IndexContent(column, walk)
    // Without marks a walk may go in circles: it ends when it has met more keys than there are objects.
    var remaining = column.directory.count
    let fail: IndexContent.Report = { _, _, _ in outcome.fail() }
    while let number = outcome.take(of: pieces.count) {
      walk.walkEntries(pieces[number].entries, of: pieces[number].node) { path, entry in
        switch entry {
        case .one(let key):
          remaining -= 1
          content.check(key, path, at: 0, fail)
        case .list(let list):
          var state = IndexContent.List(at: list.offset)
          walk.walkTree(list) { node, _ in
            remaining -= node.count
            guard node.isNumbers, remaining >= 0 else { return nil }
            for index in 0..<node.count { content.check(node.number(index), path, in: &state, fail) }
            return node.count
          }
        }
        if remaining < 0 { outcome.fail() }
        return remaining >= 0
      }
    }
    outcome.add(content.seen)
  }
}
