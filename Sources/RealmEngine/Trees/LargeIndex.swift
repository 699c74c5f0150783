// Building a search index from more values than should be in memory at once. Layer: Trees.
// Invariant: what is built is the same as from all values at once. Levels with too many of them are divided in runs of chunks,
// which are set aside and taken one by one; what one chunk alone has too much of is a level below, or a list of keys that are
// written as they come.

/// Puts an index together from parts of what a source sends.
struct LargeIndex {
  let store: NodeStore
  let rules: IndexRules
  /// Values that are held in memory at once.
  let heldCountMax: Int
  /// For values that are set aside.
  let room: SlabArena

  /// Runs are written at once, each in blocks of its own.
  private static let runCountMax = 64

  /// The level for all values of a source that share the chunks before `offset`.
  func makeLevel(_ source: some IndexSource, at offset: Int) throws(EngineError) -> Ref {
    try makeLevel(source, IndexHistogram(of: source, at: offset), at: offset)
  }

  private func makeLevel(
    _ source: some IndexSource, _ survey: IndexHistogram, at offset: Int
  ) throws(EngineError) -> Ref {
    var level = IndexLevel(in: store)
    try fill(&level, source, survey, at: offset)
    return try level.finish()
  }

  private func fill(
    _ level: inout IndexLevel, _ source: some IndexSource, _ survey: IndexHistogram, at offset: Int
  ) throws(EngineError) {
    guard survey.count > heldCountMax else { return try fill(&level, source, at: offset) }
    if let chunk = survey.sharedChunk {
      return try level.append(chunk, try makeEntry(source, at: offset + IndexData.chunkSize))
    }
    let countMax = max(heldCountMax, survey.count / Self.runCountMax)
    for run in try IndexDivision(of: source, survey.division(countMax), in: room).runs {
      if run.objectCount <= heldCountMax {
        try fill(&level, run, at: offset)
      } else {
        try fill(&level, run, try IndexHistogram(of: run, at: offset), at: offset)
      }
    }
  }

  /// The entries of no more values than are held.
  private func fill(
    _ level: inout IndexLevel, _ source: some IndexSource, at offset: Int
  ) throws(EngineError) {
    guard let items = try IndexItems.all(of: source, countMax: heldCountMax) else {
      throw EngineError(.other, "values changed while an index was made of them")
    }
    try store.fillIndexLevel(&level, items, offset: offset, rules)
  }

  /// The entry for values that share all chunks before `offset`.
  private func makeEntry(_ source: some IndexSource, at offset: Int) throws(EngineError) -> Int64 {
    let survey = try IndexHistogram(of: source, at: offset)
    guard try rules.endsPath(at: offset, areSame: survey.areSame, size: survey.first.count) else {
      return Int64(try makeLevel(source, survey, at: offset).offset)
    }
    try rules.checkUnique(survey.firstKeys, areSame: survey.areSame)
    var keys = KeyCollection(in: store, isTree: rules.isByKey(areSame: survey.areSame))
    try source.send(to: &keys)
    return Int64(try keys.finish(rules).offset)
  }
}

/// All keys of a source, in a list of the file or in memory.
private struct KeyCollection: IndexSink {
  private var tree: KeyTreeBuilding?
  private var keys: [Int64] = []
  private let store: NodeStore

  init(in store: NodeStore, isTree: Bool) {
    self.store = store
    tree = isTree ? KeyTreeBuilding(in: store) : nil
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    guard tree != nil else {
      keys += batch.keys
      return true
    }
    for key in batch.keys { try tree?.append(key) }
    return true
  }

  mutating func finish(_ rules: IndexRules) throws(EngineError) -> Ref {
    guard let list = try tree?.finish() else { return try store.makeKeyTree(rules.inOrderOfValues(keys)) }
    return list
  }
}
