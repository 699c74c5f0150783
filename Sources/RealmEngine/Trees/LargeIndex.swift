// Building a search index from more values than should be in memory at once. Layer: Trees.
// Invariant: what is built is the same as from all values at once. Levels with too many of them are taken piece by piece,
// each a run of chunks; what one chunk alone has too much of is a level below, or a list of keys that are written as they
// come.

/// Puts an index together from parts of what a source sends.
private struct LargeIndex<Source: IndexSource> {
  let store: NodeStore
  let source: Source
  let rules: IndexRules
  /// Values that are held in memory at once.
  let heldCountMax: Int

  /// A level with more values than are held.
  func makeLevel(_ part: IndexedPart, _ survey: IndexSurvey) throws(EngineError) -> Ref {
    var level = IndexLevel(in: store)
    for piece in try survey.pieces(heldCountMax, of: source) {
      try Interruption.check()
      if piece.count > heldCountMax {
        let chunk = piece.chunks.lowerBound
        try level.append(chunk, try makeEntry(part.below(chunk)))
      } else {
        let items = try ItemCollection(part.between(piece.chunks), of: source, countMax: piece.count).items
        try store.fillIndexLevel(&level, items, IndexPositions(0..<items.count), offset: part.offset, rules)
      }
    }
    return try level.finish()
  }

  /// The entry for more values than are held, which share a path up to `part`.
  private func makeEntry(_ part: IndexedPart) throws(EngineError) -> Int64 {
    let survey = try IndexSurvey(part, of: source)
    guard try rules.endsPath(at: part.offset, areSame: survey.areSame, size: survey.first.count) else {
      return Int64(try makeLevel(part, survey).offset)
    }
    try rules.checkUnique(survey.firstKeys, areSame: survey.areSame)
    var keys = KeyCollection(part, in: store, isTree: rules.isByKey(areSame: survey.areSame))
    try source.send(to: &keys)
    return Int64(try keys.finish(rules).offset)
  }
}

/// The values of a part, in memory.
private struct ItemCollection: IndexSink {
  let part: IndexedPart
  let countMax: Int
  private(set) var items: IndexItems

  init(_ part: IndexedPart, of source: some IndexSource, countMax: Int) throws(EngineError) {
    self.part = part
    self.countMax = countMax
    items = source.noItems
    items.reserve(countMax)
    try source.send(to: &self)
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    try items.append(batch, in: part)
    return items.count <= countMax
  }
}

/// The keys of a part, in a list of the file or in memory.
private struct KeyCollection: IndexSink {
  let part: IndexedPart
  private var tree: KeyTreeBuilding?
  private var keys: [Int64] = []
  private let store: NodeStore

  init(_ part: IndexedPart, in store: NodeStore, isTree: Bool) {
    self.part = part
    self.store = store
    tree = isTree ? KeyTreeBuilding(in: store) : nil
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    for index in 0..<batch.count where part.contains(batch, index) {
      if tree == nil { keys.append(batch.keys[index]) } else { try tree?.append(batch.keys[index]) }
    }
    return true
  }

  mutating func finish(_ rules: IndexRules) throws(EngineError) -> Ref {
    guard let list = try tree?.finish() else { return try store.makeKeyTree(rules.inOrderOfValues(keys)) }
    return list
  }
}

extension NodeStore {
  /// More parts would take longer than their memory is worth.
  private static let indexPartCountMax = 16

  /// An index of all values of a source. `heldMin`: as many are in memory at once, at least.
  func makeIndex(
    _ source: some IndexSource, _ rules: IndexRules, heldMin: Int
  ) throws(EngineError) -> Ref {
    if source.objectCount <= heldMin {
      let items = try ItemCollection(IndexedPart(), of: source, countMax: heldMin).items
      if items.count <= heldMin {
        var level = IndexLevel(in: self)
        try fillIndexLevel(&level, items, IndexPositions(0..<items.count), offset: 0, rules)
        return try level.finish()
      }
    }
    let survey = try IndexSurvey(IndexedPart(), of: source)
    guard UInt32(exactly: survey.count) != nil else {
      throw EngineError(.constraint, "an index cannot hold \(survey.count) entries")
    }
    let held = max(heldMin, survey.count / Self.indexPartCountMax)
    return try LargeIndex(store: self, source: source, rules: rules, heldCountMax: held)
      .makeLevel(IndexedPart(), survey)
  }
}
