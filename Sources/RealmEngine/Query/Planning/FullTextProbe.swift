// Exact answers to TEXT from full-text indexes, which spell words out. Layer: Query.

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
  /// not have some words are all the others. Cost: a step for each key that is filed under one of the words.
  func keys(_ condition: FullTextCondition) throws(EngineError) -> [ObjectKey]? {
    guard let root = condition.property.indexRef, !condition.words.required.isEmpty else { return nil }
    let question = Question(indexOffset: root.offset, words: condition.words)
    if let known = answers[question] { return known }
    let index = FullTextIndex(root, in: snapshot)
    var lists: [[ObjectKey]] = []
    for term in condition.words.required {
      lists.append(try term.isPrefix ? index.find(prefix: term.word) : index.find(word: term.word))
    }
    lists.sort { $0.count < $1.count }
    var found = lists[0]
    for list in lists.dropFirst() { found = found.filtered(by: list, keepsCommon: true) }
    for word in condition.words.excluded {
      found = found.filtered(by: try index.find(word: word), keepsCommon: false)
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
