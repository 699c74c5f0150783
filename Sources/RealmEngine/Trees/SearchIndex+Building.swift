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

extension [UInt64] {
  private static let radixCountMin = 2048

  /// Sorts by the upper 32 bits; equal ones keep their order, which is that of the lower bits.
  fileprivate mutating func sortByHighHalf() throws(EngineError) {
    guard count >= Self.radixCountMin else { return sort() }
    var other = self
    for shift in stride(from: UInt64(32), to: 64, by: 8) {
      try Interruption.check()
      var starts = [Int](repeating: 0, count: 257)
      for value in self { starts[Int(value >> shift & 0xFF) + 1] += 1 }
      // All in one bucket: nothing to move.
      if starts.contains(count) { continue }
      for index in 1...256 { starts[index] += starts[index - 1] }
      for value in self {
        let bucket = Int(value >> shift & 0xFF)
        other[starts[bucket]] = value
        starts[bucket] += 1
      }
      swap(&self, &other)
    }
  }
}

/// Items of one level in the order of their chunks. Levels below are made while it is there, so it keeps little.
private struct IndexGroups {
  /// Positions of items: those that share a chunk follow each other, ascending.
  let order: ArraySlice<UInt32>
  /// The chunks that there are, rising.
  private(set) var chunks: [Int64] = []
  /// Where the positions of each chunk end in `order`.
  private(set) var ends: [UInt32] = []

  /// `words`: see `IndexItems.sortingWords`; those of `positions` in their order.
  init(_ words: [UInt64], _ positions: ArraySlice<UInt32>) throws(EngineError) {
    guard let first = words.first.map({ $0 >> 32 }) else {
      order = []
      return
    }
    if words.allSatisfy({ $0 >> 32 == first }) {
      order = positions
      chunks = [Self.chunk(first)]
      ends = [UInt32(positions.endIndex)]
      return
    }
    var sorted = words
    try sorted.sortByHighHalf()
    order = sorted.map { UInt32(truncatingIfNeeded: $0) }[...]
    for (index, word) in sorted.enumerated() where index > 0 && word >> 32 != sorted[index - 1] >> 32 {
      chunks.append(Self.chunk(sorted[index - 1] >> 32))
      ends.append(UInt32(index))
    }
    chunks.append(Self.chunk(sorted[sorted.count - 1] >> 32))
    ends.append(UInt32(sorted.count))
  }

  private static func chunk(_ word: UInt64) -> Int64 {
    Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: word) ^ 0x8000_0000))
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

  /// One level of an index, split in nodes of at most `indexFanOut` entries.
  func makeIndexLevel(_ chunks: [Int64], _ entries: [Int64]) throws(EngineError) -> Ref {
    var chunks = chunks
    var entries = entries
    var isInner = false
    while true {
      guard chunks.count > Self.indexFanOut else {
        return try makeIndexNode(chunks, entries, isInner: isInner)
      }
      var upperChunks: [Int64] = []
      var upperEntries: [Int64] = []
      for start in stride(from: 0, to: chunks.count, by: Self.indexFanOut) {
        let end = min(start + Self.indexFanOut, chunks.count)
        let node = try makeIndexNode(
          Array(chunks[start..<end]), Array(entries[start..<end]), isInner: isInner)
        upperChunks.append(chunks[end - 1])
        upperEntries.append(Int64(node.offset))
      }
      chunks = upperChunks
      entries = upperEntries
      isInner = true
    }
  }

  /// An index of `items`, whose keys ascend.
  func makeIndex(_ items: IndexItems, _ rules: IndexRules) throws(EngineError) -> Ref {
    guard let count = UInt32(exactly: items.count) else {
      throw EngineError(.constraint, "an index cannot hold \(items.count) entries")
    }
    return try makeIndexLevel(items, Array(0..<count)[...], offset: 0, rules)
  }

  /// Items that share all chunks before `offset`; `positions` point into `items` and ascend with the keys.
  private func makeIndexLevel(
    _ items: IndexItems, _ positions: ArraySlice<UInt32>, offset: Int, _ rules: IndexRules
  ) throws(EngineError) -> Ref {
    let groups = try IndexGroups(items.sortingWords(positions, at: offset), positions)
    var entries: [Int64] = []
    entries.reserveCapacity(groups.chunks.count)
    var start = groups.order.startIndex
    for end in groups.ends {
      try Interruption.check()
      let group = groups.order[start..<Int(end)]
      entries.append(
        group.count == 1 && rules.kind != .words
          ? Self.tag(items.keys[Int(group[start])])
          : try makeIndexEntry(items, group, offset: offset, rules))
      start = Int(end)
    }
    return try makeIndexLevel(groups.chunks, entries)
  }

  /// The entry for items that share a path up to and with the chunk at `offset`, keys ascending.
  private func makeIndexEntry(
    _ items: IndexItems, _ group: ArraySlice<UInt32>, offset: Int, _ rules: IndexRules
  ) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    let first = Int(group[group.startIndex])
    let size = rules.kind == .words ? items.size(first) : 0
    let isAlone = group.count == 1
    if isAlone, next >= size { return Self.tag(items.keys[first]) }
    let allSame = isAlone || items.areSame(group)
    let endsHere =
      rules.kind == .words ? allSame && next >= size : allSame || next > IndexData.offsetMax
    guard endsHere else {
      guard rules.kind != .words || next <= IndexData.offsetMax else { throw Self.wordTooLong }
      return Int64(try makeIndexLevel(items, group, offset: next, rules).offset)
    }
    let keys = group.map { ObjectKey(items.keys[Int($0)]) }
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
