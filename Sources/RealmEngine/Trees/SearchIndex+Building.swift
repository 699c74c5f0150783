// Building a search index from all its values at once. Layer: Trees.
// Invariant: entries are what the format prescribes for the values that share a path: one key; a list of keys, where all
// values are equal or the path ends; else a level for the next four bytes. Chunks are always 32 bits wide.

/// A value's bytes and the object that has it.
struct IndexItem {
  let data: IndexData
  let key: ObjectKey
}

/// How an index files its values.
enum IndexKind {
  /// Levels are made only where values differ.
  case values
  /// Values of several types: equal bytes need not mean equal values, so lists are put in the order of the values.
  case mixedValues
  /// Every word is spelled out to its end.
  case words
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

  /// An index of `items`, in any order. `inOrder` sorts the keys of a list whose values differ.
  func makeIndex(
    _ items: [IndexItem], _ kind: IndexKind, inOrder: ([ObjectKey]) throws(EngineError) -> [ObjectKey]
  ) throws(EngineError) -> Ref {
    try makeIndexLevel(items[...], offset: 0, kind, inOrder)
  }

  private struct Chunked {
    let chunk: Int32
    let position: Int32
    let key: Int64
  }

  private func makeIndexLevel(
    _ items: ArraySlice<IndexItem>, offset: Int, _ kind: IndexKind,
    _ inOrder: ([ObjectKey]) throws(EngineError) -> [ObjectKey]
  ) throws(EngineError) -> Ref {
    var sorted: [Chunked] = []
    sorted.reserveCapacity(items.count)
    for (position, item) in items.enumerated() {
      sorted.append(
        Chunked(
          chunk: item.data.chunk(at: offset), position: Int32(truncatingIfNeeded: position),
          key: item.key.value))
    }
    sorted.sort { $0.chunk != $1.chunk ? $0.chunk < $1.chunk : $0.key < $1.key }
    var chunks: [Int64] = []
    var entries: [Int64] = []
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].chunk == sorted[start].chunk { end += 1 }
      let group = sorted[start..<end].map { items[items.startIndex + Int($0.position)] }
      chunks.append(Int64(sorted[start].chunk))
      entries.append(try makeIndexEntry(group, offset: offset, kind, inOrder))
      start = end
    }
    return try makeIndexLevel(chunks, entries)
  }

  /// The entry for items that share a path up to and with the chunk at `offset`, keys ascending.
  private func makeIndexEntry(
    _ group: [IndexItem], offset: Int, _ kind: IndexKind,
    _ inOrder: ([ObjectKey]) throws(EngineError) -> [ObjectKey]
  ) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    let first = group[0]
    let allSame = group.dropFirst().allSatisfy { $0.data.isSame(as: first.data) }
    if kind == .words {
      guard allSame, next >= first.data.count else {
        guard next <= IndexData.offsetMax else { throw Self.wordTooLong }
        return Int64(try makeIndexLevel(group[...], offset: next, kind, inOrder).offset)
      }
      return group.count == 1
        ? Self.tag(first.key.value) : Int64(try makeKeyList(group.map(\.key)).offset)
    }
    if group.count == 1 { return Self.tag(first.key.value) }
    if allSame || next > IndexData.offsetMax {
      let keys = group.map(\.key)
      let ordered = allSame && kind == .values ? keys : try inOrder(keys)
      return Int64(try makeKeyList(ordered).offset)
    }
    return Int64(try makeIndexLevel(group[...], offset: next, kind, inOrder).offset)
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
