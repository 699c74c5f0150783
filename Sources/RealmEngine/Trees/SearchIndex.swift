// The search index of a column: a tree over the bytes of its values, four a level. Layer: Trees.
// Invariants: chunks are 32 bits wide and rise; a walk ends after `IndexData.offsetMax` bytes and `innerLevelsMax`
// levels for each four of them, whatever the file says. A key that is found may still have another value: only
// the whole words of full-text and list indexes are spelled out.

/// An index that finds objects by a value.
package struct SearchIndex: Sendable {
  package let root: Ref
  let snapshot: Snapshot

  static let innerLevelsMax = 8
  static let firstEntrySlot = 1
  private static let keysReservedMax = 1 << 16
  /// Keys of a list for which at least one byte is charged. Keys differ, so that a list has no more of them than bytes, but engines
  /// may leave a key in it twice.
  private static let keysOfAByte = 2

  package init(_ root: Ref, in snapshot: Snapshot) {
    self.root = root
    self.snapshot = snapshot
  }

  /// One node of the index: chunks and as many entries.
  struct Node {
    let view: NodeView
    let chunks: PackedIntegers

    var count: Int { chunks.count }

    func entry(_ index: Int) throws(EngineError) -> Int64 {
      try view.slot(SearchIndex.firstEntrySlot + index)
    }

    /// The first chunk that is not below `chunk`.
    func lowerBound(_ chunk: Int32) -> Int {
      return (0..<count).partitionPoint { chunks[$0] < Int64(chunk) }
    }
  }

  /// What stands behind a chunk.
  package enum Entry {
    case one(ObjectKey)
    case list(Ref)
    case subindex(Ref)
  }

  /// What a search ends at, which is no subindex.
  package struct Found {
    package let entry: Entry
    /// Whether all of its objects have the same value, which need not be the one that was searched for. At the end of the
    /// bytes that an index knows, values that begin alike share a list.
    let isOneValue: Bool

    init(_ entry: Entry, offset: Int) {
      self.entry = entry
      isOneValue = offset + IndexData.chunkSize <= IndexData.offsetMax
    }
  }

  func node(_ ref: Ref) throws(EngineError) -> Node {
    let view = try snapshot.refsNode(ref)
    guard view.header.contextFlag, view.count >= Self.firstEntrySlot else {
      throw EngineError.damaged(at: ref.offset, expected: "a node of an index", found: view.description)
    }
    let chunks = try snapshot.integersNode(try view.requiredRef(0)).integers
    guard chunks.count == view.count - Self.firstEntrySlot else {
      throw EngineError.damaged(
        at: ref.offset, expected: "\(view.count - Self.firstEntrySlot) chunks", found: "\(chunks.count)")
    }
    return Node(view: view, chunks: chunks)
  }

  func entry(_ value: Int64, of node: Node) throws(EngineError) -> Entry {
    if value & 1 == 1 { return .one(ObjectKey(Int64(bitPattern: UInt64(bitPattern: value) >> 1))) }
    guard let ref = Ref(value) else {
      throw EngineError.damaged(
        at: node.view.ref.offset, expected: "an entry of an index", found: "\(value)")
    }
    return try snapshot.node(ref).header.contextFlag ? .subindex(ref) : .list(ref)
  }

  /// The leaf below `ref` whose chunks may include `chunk`; nil when all are below it.
  private func leaf(_ ref: Ref, _ chunk: Int32) throws(EngineError) -> Node? {
    var current = try node(ref)
    var level = 0
    while current.view.isInner {
      let position = current.lowerBound(chunk)
      if position == current.count { return nil }
      level += 1
      guard level <= Self.innerLevelsMax, let child = Ref(try current.entry(position)) else {
        throw EngineError.damaged(
          at: current.view.ref.offset, expected: "at most \(Self.innerLevelsMax) levels of an index",
          found: "more, or no ref")
      }
      current = try node(child)
    }
    return current
  }

  /// What stands behind `chunk` below `ref`; nil: nothing.
  func entry(_ ref: Ref, _ chunk: Int32) throws(EngineError) -> Entry? {
    guard let leaf = try leaf(ref, chunk) else { return nil }
    let position = leaf.lowerBound(chunk)
    guard position < leaf.count, leaf.chunks[position] == Int64(chunk) else { return nil }
    return try entry(try leaf.entry(position), of: leaf)
  }

  /// The keys of all objects that have the value of `data`, and perhaps of some that do not: compare the objects'
  /// values. Keys that share a list ascend. Cost: a few nodes, then one step a key.
  package func candidates(_ data: IndexData) throws(EngineError) -> [ObjectKey] {
    switch try find(data)?.entry {
    case nil, .subindex?: return []
    case .one(let key)?: return [key]
    case .list(let list)?: return try keys(inList: list)
    }
  }

  /// What the bytes of `data` lead to; nil: nothing.
  package func find(_ data: IndexData) throws(EngineError) -> Found? {
    var ref = root
    var offset = 0
    while offset <= IndexData.offsetMax {
      let entry = try entry(ref, data.chunk(at: offset))
      guard case .subindex(let next)? = entry else { return entry.map { Found($0, offset: offset) } }
      ref = next
      offset += IndexData.chunkSize
    }
    return nil
  }

  /// The lowest key of the objects with a value; `valueOf` gives that of an object, and nil where there is none. Cost: a few nodes, and
  /// a few values where many objects share all bytes that an index knows.
  func firstKey(
    of value: Value, _ valueOf: (ObjectKey) throws(EngineError) -> Value?
  ) throws(EngineError) -> ObjectKey? {
    guard let found = try find(IndexData(value)) else { return nil }
    let keys: [ObjectKey]
    switch found.entry {
    case .subindex: return nil
    case .one(let key): keys = [key]
    case .list(let list) where found.isOneValue: keys = try self.keys(inList: list)
    case .list(let list):
      // In the order of their values, which differ.
      let key = try KeyList(list, in: snapshot).first(notBefore: { key throws(EngineError) in
        (try valueOf(key)?.storedOrder(value) ?? -1) < 0
      })
      keys = key.map { [$0] } ?? []
    }
    for key in keys where try valueOf(key) == value { return key }
    return nil
  }

  /// The keys filed under exactly `word` in an index that spells words out: full-text, or of a list's elements.
  package func keys(ofWord word: IndexData) throws(EngineError) -> [ObjectKey] {
    switch try entry(ofWord: word) {
    case nil, .subindex?: []
    case .one(let key)?: [key]
    case .list(let list)?: try keys(inList: list)
    }
  }

  /// How many keys are filed under exactly `word`. Cost: a few nodes.
  func count(ofWord word: IndexData) throws(EngineError) -> Int {
    switch try entry(ofWord: word) {
    case nil, .subindex?: 0
    case .one?: 1
    case .list(let list)?: try KeyList(list, in: snapshot).count
    }
  }

  /// Those of `wanted`, which ascend, that are filed under exactly `word`.
  func keys(ofWord word: IndexData, among wanted: [ObjectKey]) throws(EngineError) -> [ObjectKey] {
    switch try entry(ofWord: word) {
    case nil, .subindex?: []
    case .one(let key)?: wanted.contains(key) ? [key] : []
    case .list(let list)?: try keys(inList: list, among: wanted)
    }
  }

  private func entry(ofWord word: IndexData) throws(EngineError) -> Entry? {
    var ref = root
    var offset = 0
    while offset <= IndexData.offsetMax {
      let isLast = offset + IndexData.chunkSize >= word.count
      guard let entry = try entry(ref, word.chunk(at: offset)) else { return nil }
      guard case .subindex(let next) = entry else { return isLast ? entry : nil }
      ref = next
      offset += IndexData.chunkSize
    }
    return nil
  }

  /// The keys filed under any word that begins with `prefix`; a key comes once for each such word.
  package func keys(ofWordsWithPrefix prefix: [UInt8]) throws(EngineError) -> [ObjectKey] {
    var ref = root
    var offset = 0
    let data = IndexData(word: ByteString(copying: prefix))
    while offset + IndexData.chunkSize <= prefix.count {
      let isLast = offset + IndexData.chunkSize == prefix.count
      switch try entry(ref, data.chunk(at: offset)) {
      case nil: return []
      case .one(let key)?: return isLast ? [key] : []
      case .list(let list)?: return isLast ? try keys(inList: list) : []
      case .subindex(let next)?: ref = next
      }
      offset += IndexData.chunkSize
      guard offset <= IndexData.offsetMax else { return [] }
    }
    let rest = prefix[offset...]
    var found: [ObjectKey] = []
    let budget = TraversalBudget(snapshot)
    try forEachEntry(ref, budget: budget) { chunk, entry throws(EngineError) in
      guard Self.chunk(chunk, beginsWith: rest) else { return }
      try collect(entry, budget: budget, into: &found)
    }
    return found
  }

  private static func chunk(_ chunk: Int32, beginsWith bytes: ArraySlice<UInt8>) -> Bool {
    let pattern = UInt32(bitPattern: chunk)
    for (position, byte) in bytes.enumerated()
    where UInt8(truncatingIfNeeded: pattern >> UInt32(24 - 8 * position)) != byte {
      return false
    }
    return true
  }

  /// Calls `body` with every key of the index, in no useful order.
  package func forEachKey(_ body: (ObjectKey) throws(EngineError) -> Void) throws(EngineError) {
    var keys: [ObjectKey] = []
    let budget = TraversalBudget(snapshot)
    try forEachEntry(root, budget: budget) { _, entry throws(EngineError) in
      try collect(entry, budget: budget, into: &keys)
      for key in keys { try body(key) }
      keys.removeAll(keepingCapacity: true)
    }
  }

  private func collect(
    _ entry: Entry, budget: TraversalBudget, depth: Int = 0, into found: inout [ObjectKey]
  ) throws(EngineError) {
    switch entry {
    case .one(let key): found.append(key)
    case .list(let list): found += try keys(inList: list, budget: budget)
    case .subindex(let ref):
      guard depth * IndexData.chunkSize <= IndexData.offsetMax else {
        throw EngineError.damaged(
          at: ref.offset, expected: "an index of \(IndexData.offsetMax) bytes", found: "more levels")
      }
      var entries: [Entry] = []
      try forEachEntry(ref, budget: budget) { _, entry throws(EngineError) in entries.append(entry) }
      for entry in entries { try collect(entry, budget: budget, depth: depth + 1, into: &found) }
    }
  }

  /// How many values there are; nil where they are so long that some may share a list. Cost: every node but those of lists.
  func valueCount() throws(EngineError) -> Int? {
    var count = 0
    var levels = [(ref: root, offset: 0)]
    let budget = TraversalBudget(snapshot)
    while let (ref, offset) = levels.popLast() {
      guard offset + IndexData.chunkSize <= IndexData.offsetMax else { return nil }
      try forEachEntry(ref, budget: budget) { _, entry throws(EngineError) in
        if case .subindex(let next) = entry {
          levels.append((next, offset + IndexData.chunkSize))
        } else {
          count += 1
        }
      }
    }
    return count
  }

  /// Calls `body` with the chunks and entries of one level.
  private func forEachEntry(
    _ ref: Ref, budget: TraversalBudget, level: Int = 0,
    _ body: (Int32, Entry) throws(EngineError) -> Void
  ) throws(EngineError) {
    let current = try node(ref)
    try budget.charge(current.view)
    for index in 0..<current.count {
      guard index == 0 || current.chunks[index - 1] < current.chunks[index] else {
        throw EngineError.damaged(
          at: ref.offset, expected: "chunks that rise",
          found: "\(current.chunks[index]) behind \(current.chunks[index - 1])")
      }
      let value = try current.entry(index)
      guard current.view.isInner else {
        try body(Int32(truncatingIfNeeded: current.chunks[index]), try entry(value, of: current))
        continue
      }
      guard level < Self.innerLevelsMax, let child = Ref(value) else {
        throw EngineError.damaged(
          at: ref.offset, expected: "at most \(Self.innerLevelsMax) levels of an index",
          found: "more, or no ref")
      }
      try forEachEntry(child, budget: budget, level: level + 1, body)
    }
  }

  /// All keys of a list entry. `budget`: what a walk over several entries may still meet.
  func keys(inList ref: Ref, budget: TraversalBudget? = nil) throws(EngineError) -> [ObjectKey] {
    let tree = try BPlusTree(ref, in: snapshot) { node throws(EngineError) in node.count }
    var keys: [ObjectKey] = []
    // What the file states is believed only so far.
    keys.reserveCapacity(min(tree.count, Self.keysReservedMax))
    try forEachKeyLeaf(tree, budget: budget ?? TraversalBudget(snapshot)) { values in
      values.forEachElement { keys.append(ObjectKey($0)) }
      return true
    }
    return keys
  }

  /// Those of `wanted`, which ascend, that are in a list entry. The list is not kept: words can be in most texts.
  private func keys(inList ref: Ref, among wanted: [ObjectKey]) throws(EngineError) -> [ObjectKey] {
    let tree = try BPlusTree(ref, in: snapshot) { node throws(EngineError) in node.count }
    var found: [ObjectKey] = []
    var position = 0
    var last = Int64.min
    var ascends = true
    try forEachKeyLeaf(tree, budget: TraversalBudget(snapshot)) { values in
      values.forEachElement { value in
        if value < last { ascends = false }
        last = value
        while position < wanted.count, wanted[position].value < value { position += 1 }
        if position < wanted.count, wanted[position].value == value {
          found.append(wanted[position])
          position += 1
        }
      }
      return ascends
    }
    if ascends { return found }
    let all = try keys(inList: ref).sorted()
    return wanted.filter { all.containsSorted($0) }
  }

  /// Calls `body` with the keys of each leaf until it returns false.
  @inline(__always)
  private func forEachKeyLeaf(
    _ tree: BPlusTree, budget: TraversalBudget, _ body: (PackedIntegers) -> Bool
  ) throws(EngineError) {
    try tree.forEachLeaf(budget: budget) { node throws(EngineError) in
      guard !node.hasRefs, node.header.kind == .bits, node.header.width > 0 || node.count <= 1 else {
        throw EngineError.damaged(at: node.ref.offset, expected: "a list of keys", found: node.description)
      }
      // The node itself is charged, but its elements become eight bytes each.
      try budget.charge(max(0, node.count / Self.keysOfAByte - node.byteSize), at: node.ref.offset)
      return body(node.integers)
    }
  }
}
