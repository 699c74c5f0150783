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

/// What an index is built and changed by.
struct IndexRules {
  let kind: IndexKind
  /// No two objects may have equal values.
  var isUnique = false
  /// So many items of a level are filed by all threads.
  let sharedCountMin: Int
  /// Sorts the keys of a list whose values differ.
  let inOrder: ([ObjectKey]) throws(EngineError) -> [ObjectKey]

  /// For a thread of several that make indexes of values or words: none of them looks at others than those it files.
  static func ofOneThread(_ kind: IndexKind, isUnique: Bool, sharedCountMin: Int = .max) -> IndexRules {
    IndexRules(kind: kind, isUnique: isUnique, sharedCountMin: sharedCountMin) { _ throws(EngineError) in
      throw EngineError(.other, "values that only begin alike are put in order by the transaction")
    }
  }

  /// Whether values that share a path up to `offset` have a list, else a level of their own. `areSame`: all of them; `size`:
  /// of one of them, where words are filed.
  func endsPath(at offset: Int, areSame: Bool, size: Int) throws(EngineError) -> Bool {
    guard kind == .words else { return areSame || offset > IndexData.offsetMax }
    if areSame, offset >= size { return true }
    guard offset <= IndexData.offsetMax else { throw NodeStore.wordTooLong }
    return false
  }

  /// Whether a list is in the order of its keys, not of their values.
  func isByKey(areSame: Bool) -> Bool { kind == .words || areSame && kind == .values }

  /// `keys` in the order of their values, ascending where those are the same.
  func inOrderOfValues(_ keys: [Int64]) throws(EngineError) -> [Int64] {
    try inOrder(keys.map { ObjectKey($0) }).map(\.value)
  }

  func checkUnique(_ keys: [Int64], areSame: Bool) throws(EngineError) {
    guard areSame, isUnique else { return }
    throw EngineError(.constraint, "the objects \(keys[0]) and \(keys[1]) have the same primary key")
  }
}

/// Items of one level in the order of their chunks, chunk by chunk.
private struct IndexGroups: Sendable {
  /// All, where they share a chunk.
  private let shared: IndexPositions?
  /// Else sorted: chunks above, positions below.
  private let words: [UInt64]
  private let firstChunk: UInt64
  /// What is left of them.
  private var left: Range<Int>

  /// `words`: see `IndexItems.sortingWords`; those of `positions` in their order, at least one.
  init(_ words: consuming [UInt64], of positions: IndexPositions) throws(EngineError) {
    let first = words[0] >> 32
    firstChunk = first
    left = 0..<positions.count
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

  /// The next chunk, as it is sorted by, and where those that share it are.
  mutating func next() -> (chunk: UInt32, range: Range<Int>)? {
    guard !left.isEmpty else { return nil }
    let (chunk, end) =
      shared == nil
      ? (words[left.lowerBound] >> 32, endOfGroup(at: left.lowerBound)) : (firstChunk, left.upperBound)
    defer { left = end..<left.upperBound }
    return (UInt32(chunk), left.lowerBound..<end)
  }

  /// The position of one that is alone with its chunk.
  func position(_ index: Int) -> UInt32 { shared?[index] ?? UInt32(truncatingIfNeeded: words[index]) }

  /// The positions of those that share a chunk, ascending.
  func positions(_ range: Range<Int>) -> IndexPositions { (shared ?? IndexPositions(words)).part(range) }

  private func endOfGroup(at place: Int) -> Int {
    let chunk = words[place] >> 32
    var end = place + 1
    while end < left.upperBound, words[end] >> 32 == chunk { end += 1 }
    return end
  }

  /// Parts that follow each other, each of whole groups and, where that is possible, of about as many items; one alone where all
  /// share a chunk.
  func divided(in count: Int) -> [IndexGroups] {
    if shared != nil { return [self] }
    var parts: [IndexGroups] = []
    var start = left.lowerBound
    for number in 1...count where start < left.upperBound {
      let wanted = left.lowerBound + left.count * number / count
      let end = wanted > start ? endOfGroup(at: wanted - 1) : endOfGroup(at: start)
      var part = self
      part.left = start..<end
      parts.append(part)
      start = end
    }
    return parts
  }
}

/// Makes the nodes of one level as its entries come, chunks rising.
struct IndexLevel {
  private let store: NodeStore
  private var chunks: [Int64] = []
  private var entries: [Int64] = []
  private var upperChunks: [Int64] = []
  private var upperEntries: [Int64] = []

  init(in store: NodeStore) { self.store = store }

  /// `chunk`: as it is sorted by.
  mutating func append(_ chunk: UInt32, _ entry: Int64) throws(EngineError) {
    if chunks.count == NodeStore.indexFanOut { try closeNode() }
    chunks.append(Int64(Int32(bitPattern: chunk ^ 0x8000_0000)))
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

  /// An index of all values of a source. `heldMax`: as many are in memory at once.
  func makeIndex(_ source: some IndexSource, _ rules: IndexRules, heldMax: Int) throws(EngineError) -> Ref {
    guard source.objectCount <= heldMax, let items = try IndexItems.all(of: source, countMax: heldMax) else {
      let room = try makeRoomAside()
      defer { withExtendedLifetime(room) {} }
      return try LargeIndex(store: self, rules: rules, heldCountMax: heldMax, room: room)
        .makeLevel(source, at: 0)
    }
    var level = IndexLevel(in: self)
    try fillIndexLevel(&level, items, IndexPositions(0..<items.count), offset: 0, rules)
    return try level.finish()
  }

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

  /// Adds the entries of items that share all chunks before `offset`; `positions` point into `items` and ascend with the
  /// keys.
  func fillIndexLevel(
    _ level: inout IndexLevel, _ items: IndexItems, _ positions: IndexPositions, offset: Int,
    _ rules: IndexRules
  ) throws(EngineError) {
    guard !positions.isEmpty else { return }
    var groups = try IndexGroups(items.sortingWords(positions, at: offset), of: positions)
    if rules.kind != .mixedValues, positions.count >= rules.sharedCountMin,
      let entries = entriesOfAllThreads(groups, items, offset: offset, rules)
    {
      for entry in entries { try level.append(entry.chunk, entry.entry) }
      return
    }
    while let entry = try nextEntry(&groups, items, offset: offset, rules) {
      try level.append(entry.chunk, entry.entry)
    }
  }

  /// So many parts for each thread, since some take longer than others.
  private static let partsOfThread = 8

  private typealias LevelEntry = (chunk: UInt32, entry: Int64)

  /// Nil where one thread makes them as well. What is wrong with one of them shows when they are made alone.
  private func entriesOfAllThreads(
    _ groups: IndexGroups, _ items: IndexItems, offset: Int, _ rules: IndexRules
  ) -> [LevelEntry]? {
    let workers = ParallelWork.workerCount
    guard workers > 1 else { return nil }
    let parts = groups.divided(in: workers * Self.partsOfThread)
    guard parts.count > 1 else { return nil }
    let (snapshot, kind, isUnique) = (snapshot, rules.kind, rules.isUnique)
    var entries: [LevelEntry] = []
    let isWhole = try? ParallelWork.forEachMade(of: parts.indices, workers: workers) {
      NodeStore(besideOthers: snapshot.forOneThread())
    } _: { number, store throws(EngineError) in
      guard let store else { throw EngineError(.other, "nothing is being written") }
      let rules = IndexRules.ofOneThread(kind, isUnique: isUnique)
      var (part, made): (IndexGroups, [LevelEntry]) = (parts[number], [])
      while let entry = try store.nextEntry(&part, items, offset: offset, rules) { made.append(entry) }
      return made
    } _: { made throws(EngineError) in
      entries += made
      return true
    }
    return isWhole == true ? entries : nil
  }

  private func nextEntry(
    _ groups: inout IndexGroups, _ items: IndexItems, offset: Int, _ rules: IndexRules
  ) throws(EngineError) -> LevelEntry? {
    guard let group = groups.next() else { return nil }
    try Interruption.check()
    if group.range.count == 1 && rules.kind != .words {
      return (group.chunk, Self.tag(items.key(groups.position(group.range.lowerBound))))
    }
    return (
      group.chunk, try makeIndexEntry(items, groups.positions(group.range), offset: offset, rules)
    )
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
    let areSame = isAlone || items.areSame(group, sharedBefore: next)
    guard try rules.endsPath(at: next, areSame: areSame, size: size) else {
      var level = IndexLevel(in: self)
      try fillIndexLevel(&level, items, group, offset: next, rules)
      return Int64(try level.finish().offset)
    }
    let keys = group.map { items.key($0) }
    try rules.checkUnique(keys, areSame: areSame)
    return Int64(try makeKeyTree(rules.isByKey(areSame: areSame) ? keys : rules.inOrderOfValues(keys)).offset)
  }

  static var wordTooLong: EngineError {
    EngineError(
      .constraint, "a text of more than \(IndexData.offsetMax) bytes cannot be in an indexed list")
  }
}
