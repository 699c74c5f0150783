// Patterns of LIKE: `*` for anything, `?` for one character, a backslash before either or before itself for just
// that sign. Layer: Query.
// The pieces between the stars are found one behind the other, each where it stands first. Cost: the length of the text
// for pieces without `?`; a short piece with `?` is tried at each place, its length at most, and a long one at all places at
// once.

/// A compiled pattern; it must match the whole text.
package struct LikePattern: Sendable {
  private enum Element: Sendable, Hashable {
    case byte(UInt8)
    /// One scalar of UTF-8; a byte that begins none counts as one.
    case oneCharacter
  }

  private struct Segment: Sendable {
    var elements: [Element] = []
    /// Nil where a `?` stands.
    var search: SequenceSearch<UInt8>?
    /// For long ones with a `?`.
    var wildcardSearch: WildcardSearch?
  }

  /// One more than there are stars; pieces between two of them may be empty.
  private let pieces: [Segment]
  private let foldsCase: Bool

  package init(_ pattern: RawBytes, foldsCase: Bool) {
    let text = foldsCase ? LatinCase.folded(pattern) : pattern.array()
    var pieces = [Segment()]
    var index = 0
    while index < text.count {
      let byte = text[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"):
        // Stars behind each other are one.
        if pieces.count == 1 || !pieces[pieces.count - 1].elements.isEmpty { pieces.append(Segment()) }
      case UInt8(ascii: "?"): pieces[pieces.count - 1].elements.append(.oneCharacter)
      case UInt8(ascii: "\\") where index < text.count && Self.isEscapable(text[index]):
        pieces[pieces.count - 1].elements.append(.byte(text[index]))
        index += 1
      default: pieces[pieces.count - 1].elements.append(.byte(byte))
      }
    }
    for number in pieces.indices {
      let bytes = pieces[number].elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
      if bytes.count == pieces[number].elements.count {
        pieces[number].search = SequenceSearch(bytes)
      } else if pieces[number].elements.count >= WildcardSearch.countMin {
        pieces[number].wildcardSearch = WildcardSearch(
          pieces[number].elements.map { if case .byte(let byte) = $0 { (byte, byte) } else { nil } })
      }
    }
    self.pieces = pieces
    self.foldsCase = foldsCase
  }

  private static func isEscapable(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  package func matches(_ text: RawBytes) -> Bool {
    guard var position = end(of: pieces[0], in: text, at: 0) else { return false }
    guard pieces.count > 1 else { return position == text.count }
    for piece in pieces.dropFirst().dropLast() {
      guard let end = firstEnd(of: piece, in: text, from: position) else { return false }
      position = end
    }
    return isEnd(pieces[pieces.count - 1], of: text, from: position)
  }

  private func firstEnd(of piece: Segment, in text: RawBytes, from start: Int) -> Int? {
    if let search = piece.search {
      return search.first(in: text.count, from: start) { byte(text, $0) }.map { $0 + search.count }
    }
    if let search = piece.wildcardSearch { return firstEnd(search, in: text, from: start, atEnd: false) }
    for position in start...text.count {
      if let end = end(of: piece, in: text, at: position) { return end }
    }
    return nil
  }

  private func isEnd(_ piece: Segment, of text: RawBytes, from start: Int) -> Bool {
    if let search = piece.search {
      // Plain bytes can stand in one place only.
      let place = text.count - search.count
      return place >= start && end(of: piece, in: text, at: place) != nil
    }
    if let search = piece.wildcardSearch {
      return firstEnd(search, in: text, from: start, atEnd: true) != nil
    }
    return (start...text.count).contains { end(of: piece, in: text, at: $0) == text.count }
  }

  private func firstEnd(
    _ search: WildcardSearch, in text: RawBytes, from start: Int, atEnd: Bool
  ) -> Int? {
    search.firstEnd(
      in: text.count, from: start, atEnd: atEnd, { byte(text, $0) }, { Self.characterSize(text, $0) })
  }

  /// Where `piece` ends when it begins at `start`; nil where it does not stand there.
  private func end(of piece: Segment, in text: RawBytes, at start: Int) -> Int? {
    var position = start
    for element in piece.elements {
      guard position < text.count else { return nil }
      switch element {
      case .oneCharacter: position += Self.characterSize(text, position)
      case .byte(let wanted):
        guard byte(text, position) == wanted else { return nil }
        position += 1
      }
    }
    return position
  }

  private func byte(_ text: RawBytes, _ position: Int) -> UInt8 {
    let byte = text[position]
    return foldsCase ? LatinCase.folded(byte, after: position > 0 ? text[position - 1] : 0) : byte
  }

  private static func characterSize(_ text: RawBytes, _ position: Int) -> Int {
    let size =
      switch text[position] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    return min(size, text.count - position)
  }
}
