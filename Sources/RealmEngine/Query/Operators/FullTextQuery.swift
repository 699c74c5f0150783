// The words of a TEXT condition. Layer: Query, Operators.

import ByteText

/// Which words a text must and must not have.
package struct FullTextQuery: Sendable, Hashable {
  package struct Term: Sendable, Hashable {
    /// A word as `FullTextWords` cuts them.
    package let word: [UInt8]
    /// Any word that begins with it will do; none, where it is empty.
    package let isPrefix: Bool
  }

  package let required: [Term]
  package let excluded: [[UInt8]]

  /// Why words make no query.
  package enum Fault: Error, Hashable, Sendable {
    case noWord
    /// A word that is really several, such as `a-b`.
    case splitWord(String)
    case includedAndExcluded(String)
    case excludedPrefix(String)

    package var message: String {
      switch self {
      case .noWord: "TEXT needs a word to look for"
      case .splitWord(let word): "'\(word)' is more than one word; separate words by blanks"
      case .includedAndExcluded(let word): "'\(word)' is both asked for and excluded"
      case .excludedPrefix(let word): "only whole words can be excluded, not '-\(word)'"
      }
    }
  }

  /// `text`: words between blanks; `-word` excludes, `word*` is a prefix.
  package init(_ text: [UInt8]) throws(Fault) {
    var required: [Term] = []
    var excluded: [[UInt8]] = []
    for word in text.split(whereSeparator: \.isASCIIBlank) where word.first != Self.minus {
      let isPrefix = word.last == Self.star
      let term = Term(word: try Self.folded(word), isPrefix: isPrefix)
      if !required.contains(term) { required.append(term) }
    }
    for word in text.split(whereSeparator: \.isASCIIBlank) where word.first == Self.minus {
      let rest = word.dropFirst()
      guard rest.last != Self.star else { throw .excludedPrefix(Self.shown(rest)) }
      let folded = try Self.folded(rest)
      guard !required.contains(Term(word: folded, isPrefix: false)) else {
        throw .includedAndExcluded(Self.shown(rest))
      }
      if !excluded.contains(folded) { excluded.append(folded) }
    }
    guard !required.isEmpty || !excluded.isEmpty else { throw .noWord }
    self.required = required
    self.excluded = excluded
  }

  /// Whether a text of these words is meant; a null text has none.
  package func accepts(_ words: Set<[UInt8]>) -> Bool {
    excluded.allSatisfy { !words.contains($0) }
      && required.allSatisfy { term in
        guard term.isPrefix else { return words.contains(term.word) }
        return !term.word.isEmpty && words.contains { $0.starts(with: term.word) }
      }
  }

  private static let minus = UInt8(ascii: "-")
  private static let star = UInt8(ascii: "*")

  /// A word without any letter is the empty one, which texts of nothing but `×` have.
  private static func folded(_ word: ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
    let text = ByteString(copying: word)
    var words: [[UInt8]] = []
    withExtendedLifetime(text) { FullTextWords.forEachWord(in: text.bytes) { words.append($0) } }
    guard words.count <= 1 else { throw .splitWord(shown(word)) }
    return words.first ?? []
  }

  private static func shown(_ word: ArraySlice<UInt8>) -> String { String(decoding: word, as: UTF8.self) }
}
