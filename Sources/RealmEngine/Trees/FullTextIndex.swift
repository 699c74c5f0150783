// A full-text index: a search index over the words of a text column. Layer: Trees.

/// Finds objects by the words of a text.
package struct FullTextIndex: Sendable {
  private let index: SearchIndex

  package init(_ root: Ref, in snapshot: Snapshot) { index = SearchIndex(root, in: snapshot) }

  /// The keys of the objects whose text has `word`, as `FullTextWords` cuts it. Nothing is left to compare.
  package func find(word: [UInt8]) throws(EngineError) -> [ObjectKey] {
    try index.keys(ofWord: IndexData(word: ByteString(copying: word)))
  }

  /// The keys of the objects whose text has a word that begins with `prefix`, each once, ascending.
  package func find(prefix: [UInt8]) throws(EngineError) -> [ObjectKey] {
    let keys = try index.keys(ofWordsWithPrefix: prefix)
    return Array(Set(keys)).sorted()
  }
}
