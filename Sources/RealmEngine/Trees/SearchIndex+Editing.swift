// Keeping a search index in step with single objects. Layer: Trees.
// Invariants as in SearchIndex+Building. A key that sits alone behind a chunk is not spelled out further, so putting
// another beside it needs its object's value: `dataOf` gives it.

/// An index that is being changed.
struct SearchIndexEditor {
  let store: NodeStore
  let rules: IndexRules
  /// What an object that is filed in the index is filed under.
  let dataOf: (ObjectKey) throws(EngineError) -> IndexData

  private var snapshot: Snapshot { store.snapshot }

  private func node(_ ref: Ref) throws(EngineError) -> SearchIndex.Node {
    try SearchIndex(ref, in: snapshot).node(ref)
  }

  // MARK: Inserting

  /// Files `key` under `data`; gives the index's root.
  func insert(_ key: ObjectKey, _ data: IndexData, into root: Ref) throws(EngineError) -> Ref {
    try insert(key, data, root: root, offset: 0)
  }

  private func insert(
    _ key: ObjectKey, _ data: IndexData, root: Ref, offset: Int
  ) throws(EngineError) -> Ref {
    let (left, right) = try insertInNode(root, key, data, offset: offset, level: 0)
    guard let right else { return left }
    return try store.makeIndexNode(
      [try lastChunk(left), try lastChunk(right)], [Int64(left.offset), Int64(right.offset)], isInner: true)
  }

  private func lastChunk(_ ref: Ref) throws(EngineError) -> Int64 {
    let node = try node(ref)
    return node.count == 0 ? 0 : node.chunks[node.count - 1]
  }

  private func insertInNode(
    _ ref: Ref, _ key: ObjectKey, _ data: IndexData, offset: Int, level: Int
  ) throws(EngineError) -> (Ref, Ref?) {
    let chunk = data.chunk(at: offset)
    let node = try node(ref)
    guard node.view.isInner else {
      let position = node.lowerBound(chunk)
      if position < node.count, node.chunks[position] == Int64(chunk) {
        let entry = try node.entry(position)
        let changed = try add(key, data, to: entry, of: node, offset: offset)
        if changed == entry { return (ref, nil) }
        return (try store.setInteger(ref, SearchIndex.firstEntrySlot + position, changed), nil)
      }
      return try insertEntry(
        node, position, Int64(chunk), try newEntry(key, data, offset: offset), isInner: false)
    }
    try check(level, ref)
    guard node.count > 0 else { throw Self.damaged(node) }
    let position = min(node.lowerBound(chunk), node.count - 1)
    let old = try child(node, position)
    let (left, right) = try insertInNode(old, key, data, offset: offset, level: level + 1)
    var new = ref
    if left != old { new = try store.setSlot(new, SearchIndex.firstEntrySlot + position, left) }
    new = try setChunk(new, position, try lastChunk(left))
    guard let right else { return (new, nil) }
    return try insertEntry(
      try self.node(new), position + 1, try lastChunk(right), Int64(right.offset), isInner: true)
  }

  private func setChunk(_ ref: Ref, _ position: Int, _ chunk: Int64) throws(EngineError) -> Ref {
    let node = try node(ref)
    if node.chunks[position] == chunk { return ref }
    let chunks = try node.view.requiredRef(0)
    let changed = try store.setInteger(chunks, position, chunk)
    return changed == chunks ? ref : try store.setSlot(ref, 0, changed)
  }

  private func child(_ node: SearchIndex.Node, _ position: Int) throws(EngineError) -> Ref {
    guard let ref = Ref(try node.entry(position)) else { throw Self.damaged(node) }
    return ref
  }

  private static func damaged(_ node: SearchIndex.Node) -> EngineError {
    .damaged(at: node.view.ref.offset, expected: "an index node with children", found: node.view.description)
  }

  private func check(_ level: Int, _ ref: Ref) throws(EngineError) {
    guard level < SearchIndex.innerLevelsMax else {
      throw EngineError.damaged(
        at: ref.offset, expected: "at most \(SearchIndex.innerLevelsMax) levels of an index", found: "more")
    }
  }

  /// Puts an entry into a node, splitting it when it is full.
  private func insertEntry(
    _ node: SearchIndex.Node, _ position: Int, _ chunk: Int64, _ entry: Int64, isInner: Bool
  ) throws(EngineError) -> (Ref, Ref?) {
    if node.count < NodeStore.indexFanOut {
      let chunksRef = try node.view.requiredRef(0)
      let chunks = try store.insertInteger(chunksRef, position, chunk)
      let new = try store.insertInteger(node.view.ref, SearchIndex.firstEntrySlot + position, entry)
      return (try store.setSlot(new, 0, chunks), nil)
    }
    var chunks = node.chunks.array()
    var entries: [Int64] = []
    for index in 0..<node.count { entries.append(try node.entry(index)) }
    chunks.insert(chunk, at: position)
    entries.insert(entry, at: position)
    try store.release(try node.view.requiredRef(0))
    store.release(node.view)
    let cut = position == chunks.count - 1 ? position : chunks.count / 2
    return (
      try store.makeIndexNode(Array(chunks[..<cut]), Array(entries[..<cut]), isInner: isInner),
      try store.makeIndexNode(Array(chunks[cut...]), Array(entries[cut...]), isInner: isInner)
    )
  }

  private func newEntry(_ key: ObjectKey, _ data: IndexData, offset: Int) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    guard rules.kind == .words, next < data.count else { return NodeStore.tag(key.value) }
    guard next <= IndexData.offsetMax else { throw NodeStore.wordTooLong }
    let below = try newEntry(key, data, offset: next)
    return Int64(try store.makeIndexNode([Int64(data.chunk(at: next))], [below]).offset)
  }

  /// The entry with `key` added to it.
  private func add(
    _ key: ObjectKey, _ data: IndexData, to entry: Int64, of node: SearchIndex.Node, offset: Int
  ) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    switch try SearchIndex(node.view.ref, in: snapshot).entry(entry, of: node) {
    case .subindex(let ref):
      return Int64(try insert(key, data, root: ref, offset: next).offset)
    case .one(let other):
      let otherData = try dataOfEntry(other, data, offset)
      if other == key, otherData.isSame(as: data) { return entry }
      return try join(other, otherData, key, data, offset: offset)
    case .list(let list):
      guard let first = try keyList(list).first else {
        try store.releaseTree(list)
        return try newEntry(key, data, offset: offset)
      }
      let otherData = try dataOfEntry(first, data, offset)
      if try rules.endsPath(at: next, areSame: otherData.isSame(as: data), size: otherData.count) {
        // Values of one that stands where paths end may differ.
        let isByKey = rules.isByKey(areSame: next <= IndexData.offsetMax)
        return Int64(try insert(key, intoList: list, isByKey: isByKey).offset)
      }
      // The whole list moves down a level, until the paths part.
      return try moveDown(entry, otherData, key, data, offset: next)
    }
  }

  /// What the objects of an entry are filed under. A word's entry without a level below ends here: its word has the
  /// bytes of the path, and those of the path are the new word's.
  private func dataOfEntry(_ key: ObjectKey, _ data: IndexData, _ offset: Int) throws(EngineError)
    -> IndexData
  {
    rules.kind == .words ? data.wordEnding(at: offset) : try dataOf(key)
  }

  private func join(
    _ other: ObjectKey, _ otherData: IndexData, _ key: ObjectKey, _ data: IndexData, offset: Int
  ) throws(EngineError) -> Int64 {
    let next = offset + IndexData.chunkSize
    let areSame = otherData.isSame(as: data)
    if try rules.endsPath(at: next, areSame: areSame, size: otherData.count) {
      let keys = rules.isByKey(areSame: areSame) ? [other, key].sorted() : try rules.inOrder([other, key])
      return Int64(try store.makeKeyTree(keys.map(\.value)).offset)
    }
    return try moveDown(NodeStore.tag(other.value), otherData, key, data, offset: next)
  }

  /// A level at `offset` with the entry of `otherData` in it, and `key` added.
  private func moveDown(
    _ entry: Int64, _ otherData: IndexData, _ key: ObjectKey, _ data: IndexData, offset: Int
  ) throws(EngineError) -> Int64 {
    let level = try store.makeIndexNode([Int64(otherData.chunk(at: offset))], [entry])
    return Int64(try insert(key, data, root: level, offset: offset).offset)
  }

  private func insert(
    _ key: ObjectKey, intoList list: Ref, isByKey: Bool
  ) throws(EngineError) -> Ref {
    func isBefore(_ left: ObjectKey, _ right: ObjectKey) throws(EngineError) -> Bool {
      try isByKey ? left < right : rules.inOrder([left, right])[0] == left
    }
    if let (position, isThere) = try keyList(list).place(of: key, isBefore) {
      if isThere { return list }
      return try store.insertInTree(list, .integerKeys, position, .int(key.value))
    }
    let keys = try SearchIndex(list, in: snapshot).keys(inList: list)
    if keys.contains(key) { return list }
    let position = try rules.inOrder(keys + [key]).firstIndex(of: key) ?? keys.count
    return try store.insertInTree(list, .integerKeys, position, .int(key.value))
  }

  private func keyList(_ list: Ref) throws(EngineError) -> KeyList { try KeyList(list, in: snapshot) }

  // MARK: Erasing

  /// Removes `key` from what is filed under `data`; gives the index's root. A key that is not there is no error.
  func erase(_ key: ObjectKey, _ data: IndexData, from root: Ref) throws(EngineError) -> Ref {
    if let left = try erase(key, data, in: root, offset: 0, level: 0) { return try collapsed(left) }
    return try store.makeIndexNode([], [])
  }

  /// An inner node with one child is that child.
  private func collapsed(_ ref: Ref) throws(EngineError) -> Ref {
    var ref = ref
    while true {
      let node = try node(ref)
      guard node.view.isInner, node.count == 1 else { return ref }
      let only = try child(node, 0)
      try store.release(try node.view.requiredRef(0))
      store.release(node.view)
      ref = only
    }
  }

  /// The node without the key; nil when nothing is left and it has been released.
  private func erase(
    _ key: ObjectKey, _ data: IndexData, in ref: Ref, offset: Int, level: Int
  ) throws(EngineError) -> Ref? {
    let node = try node(ref)
    let chunk = data.chunk(at: offset)
    let position = node.lowerBound(chunk)
    guard position < node.count else { return ref }
    if node.view.isInner {
      try check(level, ref)
      let old = try child(node, position)
      guard let new = try erase(key, data, in: old, offset: offset, level: level + 1) else {
        return try eraseEntry(node, position)
      }
      var changed = ref
      if new != old { changed = try store.setSlot(ref, SearchIndex.firstEntrySlot + position, new) }
      return try setChunk(changed, position, try lastChunk(new))
    }
    guard node.chunks[position] == Int64(chunk) else { return ref }
    let entry = try node.entry(position)
    guard let changed = try remove(key, data, from: entry, of: node, offset: offset) else {
      return try eraseEntry(node, position)
    }
    return changed == entry
      ? ref : try store.setInteger(ref, SearchIndex.firstEntrySlot + position, changed)
  }

  private func eraseEntry(_ node: SearchIndex.Node, _ position: Int) throws(EngineError) -> Ref? {
    let chunksRef = try node.view.requiredRef(0)
    guard node.count > 1 else {
      try store.release(chunksRef)
      store.release(node.view)
      return nil
    }
    let chunks = try store.eraseInteger(chunksRef, position)
    let new = try store.eraseInteger(node.view.ref, SearchIndex.firstEntrySlot + position)
    return try store.setSlot(new, 0, chunks)
  }

  /// The entry without the key; nil when nothing is left of it.
  private func remove(
    _ key: ObjectKey, _ data: IndexData, from entry: Int64, of node: SearchIndex.Node, offset: Int
  ) throws(EngineError) -> Int64? {
    switch try SearchIndex(node.view.ref, in: snapshot).entry(entry, of: node) {
    case .one(let other): return other == key ? nil : entry
    case .list(let list):
      let keys = try keyList(list)
      guard let position = try keys.position(of: key) else { return entry }
      if keys.count == 1 {
        try store.releaseTree(list)
        return nil
      }
      return Int64(try store.eraseFromTree(list, .integerKeys, position).offset)
    case .subindex(let ref):
      let next = offset + IndexData.chunkSize
      guard next <= IndexData.offsetMax else {
        throw EngineError.damaged(
          at: ref.offset, expected: "an index of \(IndexData.offsetMax) bytes", found: "more levels")
      }
      guard let new = try erase(key, data, in: ref, offset: next, level: 0) else { return nil }
      return Int64(try collapsed(new).offset)
    }
  }
}
