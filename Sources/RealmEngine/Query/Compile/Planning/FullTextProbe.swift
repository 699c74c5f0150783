// Exact answers to TEXT from full-text indexes, which spell words out. Layer: Query, Compile, Planning.

/// Looks up the words of TEXT conditions, those of each condition once.
final class FullTextProbe {
  private struct Question: Hashable {
    let indexOffset: Int
    let words: FullTextQuery
  }

  private let snapshot: Snapshot
  private var answers: [Question: [ObjectKey]] = [:]

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// The objects whose text has the condition's words, ascending; nil where no index names them: texts that only must
  /// not have some words are all the others. Cost: a step for each key that is filed under one of the words; only those
  /// of the rarest, and of words that are told by their beginning, are kept.
  func keys(_ condition: FullTextCondition) throws(EngineError) -> [ObjectKey]? {
    guard let root = condition.property.indexRef, !condition.words.required.isEmpty else { return nil }
    let question = Question(indexOffset: root.offset, words: condition.words)
    if let known = answers[question] { return known }
    let index = FullTextIndex(root, in: snapshot)
    var prefixed: [[ObjectKey]] = []
    var words: [(word: [UInt8], count: Int)] = []
    for term in condition.words.required {
      if term.isPrefix {
        prefixed.append(term.word.isEmpty ? [] : try index.find(prefix: term.word))
      } else {
        words.append((term.word, try index.count(word: term.word)))
      }
    }
    prefixed.sort { $0.count < $1.count }
    words.sort { $0.count < $1.count }
    var found: [ObjectKey]
    if let rarest = words.first, prefixed.first.map({ rarest.count <= $0.count }) ?? true {
      found = try index.find(word: rarest.word)
      words.removeFirst()
    } else {
      found = prefixed.removeFirst()
    }
    for word in words { found = try index.find(word: word.word, among: found) }
    for list in prefixed { found = found.filtered(by: list, keepsCommon: true) }
    for word in condition.words.excluded {
      found = found.filtered(by: try index.find(word: word, among: found), keepsCommon: false)
    }
    answers[question] = found
    return found
  }
}

extension [ObjectKey] {
  /// The keys that are, or are not, in `other`; both ascend.
  fileprivate func filtered(by other: [ObjectKey], keepsCommon: Bool) -> [ObjectKey] {
    var position = 0
    return filter { key in
      while position < other.count, other[position] < key { position += 1 }
      return (position < other.count && other[position] == key) == keepsCommon
    }
  }
}
