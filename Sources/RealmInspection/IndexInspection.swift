// The search indexes of a table: the shape of their nodes, and that every object is filed under its value and
// nothing else is (F-32, F-72 to F-78). Layer: RealmInspection.
// Invariant: recursion ends after `IndexPath.offsetMax` bytes and `innerLevelsMax` levels for each four of them.

import RealmFiles

/// What an entry of an index holds.
enum IndexEntry {
  case one(Int64)
  case list(RawNode)
}

extension Walk {
  static let innerLevelsMax = 8

  /// Walks an index below `root` and calls `visit` with the chunks that lead to each entry.
  func walkIndex(_ root: RawNode, _ visit: (_ path: [Int32], IndexEntry) -> Void) {
    var path: [Int32] = []
    _ = indexNode(root, &path, innerLevel: 0, visit)
  }

  /// Returns the greatest chunk of the node.
  private func indexNode(
    _ node: RawNode, _ path: inout [Int32], innerLevel: Int, _ visit: ([Int32], IndexEntry) -> Void
  ) -> Int64? {
    let isSound = node.kind == .bits && node.hasRefs && node.hasContext && node.count > 0
    guard checked(node, isSound, "an index", kind: .indexNode) != nil, let chunks = requiredNumbers(node, 0)
    else { return nil }
    guard chunks.count == node.count - 1, chunks.width == 32, chunks.count <= Self.treeFanOutMax else {
      report(
        .indexChunks, at: chunks.offset,
        expected: "\(node.count - 1) chunks of 32 bits, at most \(Self.treeFanOutMax)",
        found: "\(chunks.count) of \(chunks.width)")
      return nil
    }
    checkChunks(chunks, isRoot: path.isEmpty && innerLevel == 0)
    for index in 0..<chunks.count {
      if isOver { return nil }
      if node.isInner {
        inner(node, index, chunk: chunks.number(index), &path, innerLevel, visit)
      } else {
        path.append(Int32(truncatingIfNeeded: chunks.number(index)))
        entry(node, index, &path, visit)
        path.removeLast()
      }
    }
    return chunks.count > 0 ? chunks.number(chunks.count - 1) : nil
  }

  private func checkChunks(_ chunks: RawNode, isRoot: Bool) {
    if chunks.count == 0 && !isRoot {
      report(.indexNode, at: chunks.offset, expected: "at least one chunk below the root", found: "none")
    }
    for index in 1..<max(1, chunks.count) where chunks.number(index - 1) >= chunks.number(index) {
      report(
        .indexChunks, at: chunks.offset, element: index, expected: "chunks that rise",
        found: "\(chunks.number(index)) behind \(chunks.number(index - 1))")
    }
  }

  private func inner(
    _ node: RawNode, _ index: Int, chunk: Int64, _ path: inout [Int32], _ innerLevel: Int,
    _ visit: ([Int32], IndexEntry) -> Void
  ) {
    guard innerLevel < Self.innerLevelsMax else {
      report(
        .indexNode, at: node.offset, expected: "at most \(Self.innerLevelsMax) levels of inner nodes",
        found: "more")
      return
    }
    guard let child = requiredChild(node, 1 + index) else { return }
    let greatest = indexNode(child, &path, innerLevel: innerLevel + 1, visit)
    if let greatest, greatest != chunk {
      report(
        .indexChunks, at: node.offset, element: index, expected: "the child's greatest chunk, \(greatest)",
        found: "\(chunk)")
    }
  }

  private func entry(
    _ node: RawNode, _ index: Int, _ path: inout [Int32], _ visit: ([Int32], IndexEntry) -> Void
  ) {
    switch node.slot(1 + index) {
    case .tagged(let key): visit(path, .one(key))
    case .ref(let offset):
      guard let child = self.node(offset) else { return }
      guard child.hasContext else { return visit(path, .list(child)) }
      guard path.count * IndexPath.chunkSize <= IndexPath.offsetMax else {
        report(
          .indexNode, at: offset, expected: "at most \(IndexPath.offsetMax) bytes of levels", found: "more")
        return
      }
      _ = indexNode(child, &path, innerLevel: 0, visit)
    case let other: reportSlot(node, 1 + index, expected: "a key, a list or a node", found: other)
    }
  }
}

extension SnapshotInspection {
  func inspectIndexes(of table: RawTable) {
    guard case .ref(let offset) = table.top.slot(TableSlot.indexes), let indexes = walk.peek(offset) else {
      return
    }
    for column in table.columns {
      walk.place = Place(.index, table: table.slot, column: column.index)
      checkPresence(of: column, in: table)
      guard column.hasIndex, let root = walk.requiredChild(indexes, column.key.leafIndex) else { continue }
      walk.statistics.indexCount += 1
      if column.hasWordIndex {
        inspectWords(root, of: column, table)
      } else {
        ValueIndexInspection(self, column, table).run(root)
      }
    }
  }

  private static let firstFormatWithPrimaryKeyIndex = 22

  private func checkPresence(of column: RawColumn, in table: RawTable) {
    switch column.indexSlot {
    case .ref, .empty: break
    case let other: walk.reportSlot(table.top, TableSlot.indexes, expected: "an index or 0", found: other)
    }
    let isMarked = column.attributes & (RawColumnKey.indexed | RawColumnKey.fullText) != 0
    let isPrimaryKey = table.primaryKey == column.index
    let mustHave = isMarked || isPrimaryKey && walk.format >= Self.firstFormatWithPrimaryKeyIndex
    if mustHave && !column.hasIndex {
      walk.report(
        .indexPresence, at: table.top.offset, expected: "an index, as the structure promises", found: "none")
    }
    guard column.hasIndex else { return }
    let types: [ValueType] = [.int, .bool, .string, .date, .objectID, .uuid, .mixed]
    let isPossible =
      column.shape == .single
      ? column.isFullText ? column.type == .string : types.contains(column.type)
      : column.shape == .list && column.type == .string
    if !isPossible {
      walk.report(
        .indexPresence, at: table.top.offset, expected: "no index on \(column.type.name)", found: "one")
    }
  }

  // MARK: Indexes of whole words

  /// Enters what a value puts into an index of words.
  func noteWords(_ value: RawValue?, of column: RawColumn, object: Int64) {
    guard let value, let words = column.words, walk.place.part != .tombstones else { return }
    guard column.isFullText else {
      words.add(IndexPath(value).wordHash, object: object, to: ledger)
      return
    }
    guard case .text(let bytes) = value else { return }
    var cutter = WordCutter(bytes)
    while let word = cutter.next() {
      words.add(IndexPath.wordHash(of: word), object: object, to: ledger)
    }
  }

  /// Walks an index of words and enters what it holds.
  func inspectWords(_ root: RawNode, of column: RawColumn, _ table: RawTable) {
    guard let words = column.words else { return }
    walk.walkIndex(root) { path, entry in
      let hash = Int64(bitPattern: IndexPath.wordHash(chunks: path))
      switch entry {
      case .one(let key):
        walk.statistics.indexEntryCount += 1
        ledger.addBackward(words.relation, origin: hash, target: key)
      case .list(let list):
        var previous: Int64?
        walkKeys(list) { key in
          // Engines may leave a key twice in a list of a word.
          if key != previous { ledger.addBackward(words.relation, origin: hash, target: key) }
          previous = key
        }
      }
    }
  }

  /// Walks a list of keys in an index.
  func walkKeys(_ list: RawNode, _ visit: (Int64) -> Void) {
    let count = walk.walkTree(list) { node, _ in
      guard let node = walk.checked(node, node.isNumbers, "keys", kind: .indexList) else { return nil }
      guard node.count <= Walk.treeFanOutMax else { return node.count }
      for index in 0..<node.count { visit(node.number(index)) }
      return node.count
    }
    walk.statistics.indexEntryCount += count ?? 0
    if count == 0 { walk.report(.indexList, at: list.offset, expected: "at least one key", found: "none") }
  }
}

/// Enters the words of one column's texts, each once an object.
final class WordSum {
  let relation: Int
  private var object: Int64?
  private var seen: Set<UInt64> = []

  init(relation: Int) { self.relation = relation }

  func add(_ hash: UInt64, object: Int64, to ledger: LinkLedger) {
    if object != self.object {
      self.object = object
      seen.removeAll(keepingCapacity: true)
    }
    guard seen.insert(hash).inserted else { return }
    ledger.addForward(relation, origin: Int64(bitPattern: hash), target: object)
  }
}
