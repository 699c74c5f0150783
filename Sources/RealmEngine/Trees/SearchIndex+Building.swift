// Building a search index from all its values at once. Layer: Trees.
// Invariant: entries are what the format prescribes for the values that share a path: one key; a list of keys, where all
// values are equal or the path ends; else a level for the next four bytes. Chunks are always 32 bits wide.

/// How an index files its values.
enum IndexKind {
  /// Levels are made only where values differ.
  case values
  /// Values of several types: equal bytes need not mean equal values, so lists are put in the order of the values.
  case mixedValues
  /// Every word is spelled out to its end.
  case words
}

/// What an index is built by.
struct IndexRules {
  let kind: IndexKind
  /// No two objects may have equal values.
  var isUnique = false
  /// Sorts the keys of a list whose values differ.
  let inOrder: ([ObjectKey]) throws(EngineError) -> [ObjectKey]
}

/// Items of one level in the order of their chunks, chunk by chunk.
private struct IndexGroups {
  /// All, where they share a chunk.
  private let shared: IndexPositions?
  /// Else sorted: chunks above, positions below.
  private let words: [UInt64]
  private let firstChunk: UInt64
  private var start = 0

  /// `words`: see `IndexItems.sortingWords`; those of `positions` in their order, at least one.
  init(_ words: consuming [UInt64], of positions: IndexPositions) throws(EngineError) {
    let first = words[0] >> 32
    firstChunk = first
    if words.allSatisfy({ $0 >> 32 == first }) {
      shared = positions
      self.words = []
    } else {
      // Taken over, not copied: there may be millions.
      var sorted = consume words
      try sorted.sortWords()
      shared = nil
      self.words = sorted
    }
  }

  /// The next chunk, and the positions that share it, ascending.
  mutating func next() -> (chunk: Int64, positions: IndexPositions)? {
    if let shared {
      guard start == 0 else { return nil }
      start = shared.count
      return (Self.chunk(firstChunk), shared)
    }
    guard start < words.count else { return nil }
    let chunk = words[start] >> 32
    var end = start + 1
    while end < words.count, words[end] >> 32 == chunk { end += 1 }
    defer { start = end }
    return (Self.chunk(chunk), IndexPositions(words).part(start..<end))
  }

  private static func chunk(_ word: UInt64) -> Int64 {
    Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: word) ^ 0x8000_0000))
  }
}

/// Makes the nodes of one level as its entries come, chunks rising.
private struct IndexLevel {
  private let store: NodeStore
  private var chunks: [Int64] = []
  private var entries: [Int64] = []
  private var upperChunks: [Int64] = []
  private var upperEntries: [Int64] = []

  init(in store: NodeStore) { self.store = store }

  mutating func append(_ chunk: Int64, _ entry: Int64) throws(EngineError) {
    if chunks.count == NodeStore.indexFanOut { try closeNode() }
    chunks.append(chunk)
    entries.append(entry)
  }

  private mutating func closeNode() throws(EngineError) {
    guard let last = chunks.last else { return }
    upperChunks.append(last)
    upperEntries.append(Int64(try store.makeIndexNode(chunks, entries).offset))
    chunks.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  mutating func finish() throws(EngineError) -> Ref {
    if upperChunks.isEmpty { return try store.makeIndexNode(chunks, entries) }
    try closeNode()
    return try store.makeInnerIndexNodes(upperChunks, upperEntries)
  }
}

extension NodeStore {
  static let indexFanOut = 1000

  /// An index node that is a leaf of one level. Chunks rise; entries are keys (tagged) or refs.
  func makeIndexNode(_ chunks: [Int64], _ entries: [Int64], isInner: Bool = false) throws(EngineError) -> Ref
  {
    let chunksRef = try makeIntegers(chunks, minimumWidth: 32)
    return try makeSlots([Int64(chunksRef.offset)] + entries, isInner: isInner, contextFlag: true)
  }

  /// The nodes above those of a level, each of at most `indexFanOut` entries.
  fileprivate func makeInnerIndexNodes(_ chunks: [Int64], _ entries: [Int64]) throws(EngineError) -> Ref {
    var chunks = chunks
    var entries = entries
    while chunks.count > Self.indexFanOut {
      var upperChunks: [Int64] = []
      var upperEntries: [Int64] = []
      for start in stride(from: 0, to: chunks.count, by: Self.indexFanOut) {
        let end = min(start + Self.indexFanOut, chunks.count)
        let node = try makeIndexNode(Array(chunks[start..<end]), Array(entries[start..<end]), isInner: true)
        upperChunks.append(chunks[end - 1])
        upperEntries.append(Int64(node.offset))
      }
      chunks = upperChunks
      entries = upperEntries
    }
    return try makeIndexNode(chunks, entries, isInner: true)
  }

  /// An index of `items`, whose keys ascend.
  func makeIndex(_ items: IndexItems, _ rules: IndexRules) throws(EngineError) -> Ref {
    guard UInt32(exactly: items.count) != nil else {
      throw EngineError(.constraint, "an index cannot hold \(items.count) entries")
    }
    return try makeIndexLevel(items, IndexPositions(0..<items.count), offset: 0, rules)
  }

  /// Items that share all chunks before `offset`; `positions` point into `items` and ascend with the keys.
  private func makeIndexLevel(
    _ items: IndexItems, _ positions: IndexPositions, offset: Int, _ rules: IndexRules
  ) throws(EngineError) -> Ref {
    var level = IndexLevel(in: self)
    guard !positions.isEmpty else { return try level.finish() }
    var groups = try IndexGroups(items.sortingWords(positions, at: offset), of: positions)
    while let group = groups.next() {
      try Interruption.check()
      let entry =
        group.positions.count == 1 && rules.kind != .words
        ? Self.tag(items.key(group.positions[0]))
        : try makeIndexEntry(items, group.positions, offset: offset, rules)
      try level.append(group.chunk, entry)
    }
    return try level.finish()
  }

  /// The entry for items that share a path up to and with the chunk at `offset`, keys ascending.
  private func makeIndexEntry(
    _ items: IndexItems, _ group: IndexPositions, offset: Int, _ rules: IndexRules
  ) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    let first = group[0]
    let size = rules.kind == .words ? items.size(Int(first)) : 0
    let isAlone = group.count == 1
    if isAlone, next >= size { return Self.tag(items.key(first)) }
    let allSame = isAlone || items.areSame(group)
    let endsHere =
      rules.kind == .words ? allSame && next >= size : allSame || next > IndexData.offsetMax
    guard endsHere else {
      guard rules.kind != .words || next <= IndexData.offsetMax else { throw Self.wordTooLong }
      return Int64(try makeIndexLevel(items, group, offset: next, rules).offset)
    }
    let keys = group.map { ObjectKey(items.key($0)) }
    if allSame, rules.isUnique {
      throw EngineError(
        .constraint, "the objects \(keys[0].value) and \(keys[1].value) have the same primary key")
    }
    let isByKey = rules.kind == .words || allSame && rules.kind == .values
    return Int64(try makeKeyList(isByKey ? keys : try rules.inOrder(keys)).offset)
  }

  static var wordTooLong: EngineError {
    EngineError(
      .constraint, "a text of more than \(IndexData.offsetMax) bytes cannot stand in an indexed list")
  }

  /// The keys that share an entry.
  func makeKeyList(_ keys: [ObjectKey]) throws(EngineError) -> Ref {
    try makeTree(.integerKeys, .values(keys.map { .int($0.value) }))
  }
}
