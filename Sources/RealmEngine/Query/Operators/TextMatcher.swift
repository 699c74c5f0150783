// Equality and the text operators on bytes, prepared for one right-hand side. Layer: Query, Operators.

import ByteText

/// What a text or binary value is held against.
package struct TextMatcher: Sendable {
  private enum Sought: Sendable {
    case bytes([UInt8])
    case latinFolded([UInt8])
    case containedBytes(SequenceSearch<UInt8>, foldsCase: Bool)
    case containedScalars(SequenceSearch<UInt32>, foldsCase: Bool)
    case scalars([UInt32], foldsCase: Bool)
    case pattern(TextPattern)
    /// Nil where the text is no regular expression: nothing matches it.
    case expression(RegularExpression?)
    /// Letters cannot be folded in bytes that are no UTF-8: nothing is like them.
    case unfoldable
  }

  private let kind: ComparisonTest.Kind
  private let needle: Sought

  /// For any relation but the orderings; `notEqual` matches what `equal` does not. Where letters are folded, `text`
  /// must be UTF-8 to match anything.
  package init(_ relation: ComparisonTest, _ text: RawBytes) {
    precondition(!relation.isOrdering, "texts are ordered by ValueComparison")
    kind = relation.kind
    if relation.folding != .none, firstInvalidUTF8Index(in: text.span) != nil {
      needle = .unfoldable
      return
    }
    if kind == .like {
      needle = .pattern(TextPattern(text.array(), isCaseInsensitive: relation.folding == .latinCase))
      return
    }
    if kind == .matches {
      needle = .expression(
        try? RegularExpression(text.array(), foldsCase: relation.folding == .latinCase))
      return
    }
    let isContained = kind == .contains
    switch relation.folding {
    case .none:
      let bytes = text.array()
      needle = isContained ? .containedBytes(SequenceSearch(bytes), foldsCase: false) : .bytes(bytes)
    case .latinCase:
      let bytes = LatinCase.folded(text)
      needle = isContained ? .containedBytes(SequenceSearch(bytes), foldsCase: true) : .latinFolded(bytes)
    case .diacritics, .diacriticsAndCase:
      let foldsCase = relation.folding == .diacriticsAndCase
      let scalars = DiacriticFolding.folded(text, foldsCase: foldsCase)
      needle =
        isContained
        ? .containedScalars(SequenceSearch(scalars), foldsCase: foldsCase)
        : .scalars(scalars, foldsCase: foldsCase)
    }
  }

  package func matches(_ text: RawBytes) -> Bool {
    switch needle {
    case .pattern(let pattern): pattern.matches(text)
    case .expression(let expression): expression?.matches(text.span) ?? false
    case .unfoldable: kind == .notEqual
    case .containedBytes(let search, let foldsCase):
      search.first(in: text.count) { index in
        foldsCase ? LatinCase.folded(text[index], after: index > 0 ? text[index - 1] : 0) : text[index]
      } != nil
    case .containedScalars(let search, let foldsCase):
      isContained(search, in: DiacriticFolding.folded(text, foldsCase: foldsCase))
    case .bytes(let bytes): compare(text.count, bytes.count) { text[$0] == bytes[$1] }
    case .latinFolded(let bytes):
      compare(text.count, bytes.count) { index, other in
        LatinCase.folded(text[index], after: index > 0 ? text[index - 1] : 0) == bytes[other]
      }
    case .scalars(let scalars, let foldsCase):
      matches(DiacriticFolding.folded(text, foldsCase: foldsCase), scalars)
    }
  }

  private func matches(_ text: [UInt32], _ scalars: [UInt32]) -> Bool {
    compare(text.count, scalars.count) { text[$0] == scalars[$1] }
  }

  private func isContained(_ search: SequenceSearch<UInt32>, in scalars: [UInt32]) -> Bool {
    search.first(in: scalars.count) { scalars[$0] } != nil
  }

  /// Runs the operator over `count` elements and `needleCount` of the needle; `isSame` compares one of each.
  private func compare(_ count: Int, _ needleCount: Int, _ isSame: (Int, Int) -> Bool) -> Bool {
    func isThere(at start: Int) -> Bool { (0..<needleCount).allSatisfy { isSame(start + $0, $0) } }
    switch kind {
    case .equal: return count == needleCount && isThere(at: 0)
    case .notEqual: return count != needleCount || !isThere(at: 0)
    case .beginsWith: return count >= needleCount && isThere(at: 0)
    case .endsWith: return count >= needleCount && isThere(at: count - needleCount)
    case .contains, .compare, .like, .matches:
      preconditionFailure("orderings, patterns and what is contained do not come here")
    }
  }
}

// Folding never changes a length and works on bytes, valid UTF-8 or not.

/// Folds ASCII and Latin-1 letters to lower case, byte by byte.
package enum LatinCase {
  /// The byte after the lead byte of U+00C0 to U+00FF.
  private static let latinLead: UInt8 = 0xC3
  private static let multiplicationSign: UInt8 = 0x97

  /// `byte` in lower case; `previous` is the byte before it in the text, 0 at the beginning.
  @inline(__always)
  package static func folded(_ byte: UInt8, after previous: UInt8) -> UInt8 {
    if byte &- UInt8(ascii: "A") < 26 { return byte | 0x20 }
    let isUpperLatin = previous == latinLead && byte &- 0x80 < 0x1F && byte != multiplicationSign
    return isUpperLatin ? byte + 0x20 : byte
  }

  package static func folded(_ text: RawBytes) -> [UInt8] {
    var previous: UInt8 = 0
    return (0..<text.count).map { index in
      let byte = text[index]
      defer { previous = byte }
      return folded(byte, after: previous)
    }
  }
}
