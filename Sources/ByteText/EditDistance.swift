// "Did you mean …?": the nearest of some names. Layer: ByteText.

/// How far apart two words are, in slips of the finger.
package enum EditDistance {
  /// Longer words get no suggestion: the cost is the product of the lengths.
  private static let lengthMax = 80

  /// The candidate that `word` was most likely meant to be; the first of equally near ones, nil when none is near.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    nearest(1, to: word, among: candidates).first
  }

  /// `did you mean 'name'?`, where one is near.
  package static func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
    nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
  }

  /// At most `count` candidates that `word` may have been meant to be, the likeliest first.
  package static func nearest(
    _ count: Int, to word: String, among candidates: some Sequence<String>
  ) -> [String] {
    let typed = folded(word)
    guard !typed.isEmpty, typed.count <= lengthMax else { return [] }
    var best: [(name: String, distance: Int)] = []
    for candidate in candidates {
      let name = folded(candidate)
      guard name.count <= lengthMax else { continue }
      let isBeginning = typed.count >= 3 && name.starts(with: typed)
      let distance = isBeginning ? 1 : between(typed, name)
      let distanceMax = max(1, min(3, max(typed.count, name.count) / 3))
      // A distance as long as the word itself says nothing: `a` is not a slip for `b`.
      guard distance <= distanceMax, distance < max(typed.count, name.count) else { continue }
      let place = best.firstIndex { $0.distance > distance } ?? best.count
      guard place < count else { continue }
      best.insert((candidate, distance), at: place)
      if best.count > count { best.removeLast() }
    }
    return best.map(\.name)
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn `left` into `right`.
  package static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(right.count + 1)
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1], current[column]) + 1
        cost = min(cost, last[column] + (scalar == other ? 0 : 1))
        if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func folded(_ word: String) -> [Unicode.Scalar] { Array(word.lowercased().unicodeScalars) }
}
