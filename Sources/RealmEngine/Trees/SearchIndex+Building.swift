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

/// Makes the nodes of one level as its entries come, chunks rising.
struct IndexLevel {
  private let store: NodeStore
  private var chunks: [Int64] = []
  /// Room for the ref of the chunks, then an entry for each.
  private var slots: [Int64] = [0]
  private var upperChunks: [Int64] = []
  private var upperEntries: [Int64] = []

  init(in store: NodeStore) { self.store = store }

  /// `chunk`: as it is sorted by.
  mutating func append(_ chunk: UInt32, _ entry: Int64) throws(EngineError) {
    if chunks.count == NodeStore.indexFanOut { try closeNode() }
    chunks.append(Int64(Int32(bitPattern: chunk ^ 0x8000_0000)))
    slots.append(entry)
  }

  private mutating func closeNode() throws(EngineError) {
    guard let last = chunks.last else { return }
    upperChunks.append(last)
    upperEntries.append(Int64(try makeNode().offset))
  }

  private mutating func makeNode() throws(EngineError) -> Ref {
    let node = try store.makeIndexNode(chunks, slots: &slots)
    chunks.removeAll(keepingCapacity: true)
    slots.removeLast(slots.count - 1)
    return node
  }

  /// The level, which is empty again.
  mutating func finish() throws(EngineError) -> Ref {
    if upperChunks.isEmpty { return try makeNode() }
    try closeNode()
    defer { (upperChunks, upperEntries) = ([], []) }
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
    try fillIndexLevel(&level, items, offset: 0, rules)
    return try level.finish()
  }

  /// An index node that is a leaf of one level. Chunks rise; entries are keys (tagged) or refs.
  func makeIndexNode(_ chunks: [Int64], _ entries: [Int64], isInner: Bool = false) throws(EngineError) -> Ref
  {
    var slots = [0] + entries
    return try makeIndexNode(chunks, slots: &slots, isInner: isInner)
  }

  /// The first of `slots` is for the chunks' ref.
  fileprivate func makeIndexNode(
    _ chunks: [Int64], slots: inout [Int64], isInner: Bool = false
  ) throws(EngineError) -> Ref {
    slots[0] = Int64(try makeIntegers(chunks, minimumWidth: 32).offset)
    return try makeSlots(slots, isInner: isInner, contextFlag: true)
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

  /// Adds the entries of all items, which share all chunks before `offset`.
  func fillIndexLevel(
    _ level: inout IndexLevel, _ items: IndexItems, offset: Int, _ rules: IndexRules
  ) throws(EngineError) {
    var filing = IndexFiling(store: self, items: items, rules: rules, words: items.words)
    try filing.fill(&level, filing.words.indices, offset: offset)
  }

  static var wordTooLong: EngineError {
    EngineError(
      .constraint, "a text of more than \(IndexData.offsetMax) bytes cannot be in an indexed list")
  }
}

/// Files items below each other. A level sorts its words in place: those of a group are the next level's.
private struct IndexFiling {
  let store: NodeStore
  let items: IndexItems
  let rules: IndexRules
  /// See `IndexItems.words`.
  var words: [UInt64]
  /// Empty levels, whose memory serves more than once: there may be as many levels as values.
  var spareLevels: [IndexLevel] = []

  /// Adds the entries of some items that share all chunks before `offset`.
  mutating func fill(
    _ level: inout IndexLevel, _ range: Range<Int>, offset: Int
  ) throws(EngineError) {
    guard !range.isEmpty else { return }
    if items.setChunks(of: &words, range, at: offset) { try words.sortWords(range) }
    if rules.kind != .mixedValues, range.count >= rules.sharedCountMin,
      let entries = entriesOfAllThreads(range, offset: offset)
    {
      for entry in entries { try level.append(entry.chunk, entry.entry) }
      return
    }
    try forEachEntry(range, offset: offset) { chunk, entry throws(EngineError) in
      try level.append(chunk, entry)
    }
  }

  /// So many parts for each thread, since some take longer than others.
  private static let partsOfThread = 8

  private typealias LevelEntry = (chunk: UInt32, entry: Int64)

  /// Nil where one thread makes them as well. What is wrong with one of them shows when they are made alone.
  private func entriesOfAllThreads(_ range: Range<Int>, offset: Int) -> [LevelEntry]? {
    let workers = ParallelWork.workerCount
    guard workers > 1 else { return nil }
    let parts = words.groups(range, dividedIn: workers * Self.partsOfThread)
    guard parts.count > 1 else { return nil }
    let (snapshot, kind, isUnique) = (store.snapshot, rules.kind, rules.isUnique)
    let (items, words) = (items, words)
    var entries: [LevelEntry] = []
    let isWhole = try? ParallelWork.forEachMade(of: parts.indices, workers: workers) {
      NodeStore(besideOthers: snapshot.forOneThread())
    } _: { number, store throws(EngineError) in
      guard let store else { throw EngineError(.other, "nothing is being written") }
      var part = IndexFiling(
        store: store, items: items, rules: .ofOneThread(kind, isUnique: isUnique),
        words: Array(words[parts[number]]))
      var made: [LevelEntry] = []
      try part.forEachEntry(part.words.indices, offset: offset) { made.append(($0, $1)) }
      return made
    } _: { made throws(EngineError) in
      entries += made
      return true
    }
    return isWhole == true ? entries : nil
  }

  /// The values of so many groups are asked for at once: they stand all over the file.
  private static let fetchedCount = 128

  /// The entries of sorted words, chunks rising.
  private mutating func forEachEntry(
    _ range: Range<Int>, offset: Int, _ body: (UInt32, Int64) throws(EngineError) -> Void
  ) throws(EngineError) {
    var start = range.lowerBound
    var fetchedEnd = range.count < Self.fetchedCount ? range.upperBound : start
    while start < range.upperBound {
      try Interruption.check()
      if start >= fetchedEnd {
        fetchedEnd = min(start + Self.fetchedCount, range.upperBound)
        items.fetchGroups(words, start..<fetchedEnd)
      }
      let chunk = UInt32(words[start] >> 32)
      let group = start..<words.endOfGroup(at: start, before: range.upperBound)
      start = group.upperBound
      let entry =
        group.count == 1 && rules.kind != .words
        ? NodeStore.tag(items.key(words[group.lowerBound])) : try makeEntry(group, offset: offset)
      try body(chunk, entry)
    }
  }

  /// The entry for items that share a path up to and with the chunk at `offset`, keys ascending.
  private mutating func makeEntry(_ group: Range<Int>, offset: Int) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    let first = words[group.lowerBound]
    let size = rules.kind == .words ? items.size(first) : 0
    let isAlone = group.count == 1
    if isAlone, next >= size { return NodeStore.tag(items.key(first)) }
    let areSame = isAlone || items.areSame(words, group, sharedBefore: next)
    guard try rules.endsPath(at: next, areSame: areSame, size: size) else {
      var level = spareLevels.popLast() ?? IndexLevel(in: store)
      try fill(&level, group, offset: next)
      defer { spareLevels.append(level) }
      return Int64(try level.finish().offset)
    }
    let keys = group.map { items.key(words[$0]) }
    try rules.checkUnique(keys, areSame: areSame)
    return Int64(
      try store.makeKeyTree(rules.isByKey(areSame: areSame) ? keys : rules.inOrderOfValues(keys)).offset)
  }
}
