// A full-text index: a search index over the words of a text column. Layer: Trees.

/// Finds objects by the words of a text.
package struct FullTextIndex: Sendable {
  private let index: SearchIndex

  package init(_ root: Ref, in snapshot: Snapshot) { index = SearchIndex(root, in: snapshot) }

  /// The keys of the objects whose text has `word`, as `FullTextWords` cuts it, ascending. Nothing is left to compare.
  package func find(word: [UInt8]) throws(EngineError) -> [ObjectKey] {
    try index.keys(ofWord: IndexData(word: ByteString(copying: word))).ascending
  }

  /// How many objects' texts have `word`. Cost: a few nodes.
  package func count(word: [UInt8]) throws(EngineError) -> Int {
    try index.count(ofWord: IndexData(word: ByteString(copying: word)))
  }

  /// Those of `wanted`, which ascend, whose text has `word`.
  package func find(word: [UInt8], among wanted: [ObjectKey]) throws(EngineError) -> [ObjectKey] {
    try index.keys(ofWord: IndexData(word: ByteString(copying: word)), among: wanted)
  }

  /// The keys of the objects whose text has a word that begins with `prefix`, each once, ascending.
  package func find(prefix: [UInt8]) throws(EngineError) -> [ObjectKey] {
    var keys = try index.keys(ofWordsWithPrefix: prefix).ascending
    keys.removeRepetitions()
    return keys
  }
}

extension [ObjectKey] {
  /// The same keys in order; lists of an index mostly are.
  var ascending: [ObjectKey] {
    for index in indices.dropFirst() where self[index] < self[index - 1] { return sorted() }
    return self
  }

  /// Keeps one of each run of equal keys.
  mutating func removeRepetitions() {
    guard var last = first else { return }
    var kept = 1
    for key in dropFirst() where key != last {
      self[kept] = key
      kept += 1
      last = key
    }
    removeSubrange(kept...)
  }
}
