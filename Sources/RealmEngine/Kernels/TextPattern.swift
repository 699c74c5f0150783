// Patterns of LIKE, prepared once for many texts: the pieces between the stars, each looked for behind the one before.
// Layer: Kernels. Safe: a byte is read only behind a check of its position. Cost: the length of the text, times that of a piece
// where it is short.
// `*` stands for any bytes, `?` for one character, a backslash before either or before itself for just that sign.
// Invariant: a piece counts where it is met first, as if matching always went back to the last star only.

/// A pattern that must match the whole text.
package final class TextPattern: Sendable {
  /// One byte in either case, or one character.
  fileprivate struct Sign: Sendable {
    let upper: UInt8
    let lower: UInt8
    let isAnyCharacter: Bool
  }

  private let signs: [Sign]
  /// Where the pieces stand in `signs`.
  private let pieces: [Range<Int>]
  private let beginsWithStar: Bool
  private let endsWithStar: Bool
  private let hasAnyCharacter: Bool
  /// Pieces of plain bytes that are too long to be held against every place of a text, by their number.
  private let longPieces: [Int: SearchTerm]
  /// Searches for those that are not plain.
  private let wildcardPieces: [Int: WildcardSearch]

  /// What is no longer is compared in a few steps.
  private static let shortPieceMax = 16
  /// The bytes of all pieces; zeros stand for any character.
  private let bytes: [UInt8]
  private let isCaseInsensitive: Bool
  /// Nil for a pattern that may begin anywhere.
  package let beginning: Beginning?

  /// What the first 16 bytes of a text that matches are like, as the processor loads them: a text that has a byte
  /// beyond ASCII in the place of any character may match all the same.
  package struct Beginning: Sendable {
    fileprivate(set) var wanted: (UInt64, UInt64) = (0, 0)
    fileprivate(set) var relevant: (UInt64, UInt64) = (0, 0)
    fileprivate(set) var anyCharacter: (UInt64, UInt64) = (0, 0)

    fileprivate init(_ signs: ArraySlice<Sign>) {
      for (index, sign) in signs.prefix(16).enumerated() {
        let shift = UInt64(8 * (index % 8))
        // The cases of a letter differ in one bit.
        let bits = sign.isAnyCharacter ? 0 : UInt64(~(sign.upper ^ sign.lower)) << shift
        let byte = UInt64(sign.upper) << shift & bits
        let any: UInt64 = sign.isAnyCharacter ? 0x80 << shift : 0
        if index < 8 {
          wanted.0 |= byte
          relevant.0 |= bits
          anyCharacter.0 |= any
        } else {
          wanted.1 |= byte
          relevant.1 |= bits
          anyCharacter.1 |= any
        }
      }
    }
  }

  /// Where case does not matter, `pattern` must be UTF-8.
  package init(_ pattern: [UInt8], isCaseInsensitive: Bool) {
    var bytes: [UInt8] = []
    var wildcards: Set<Int> = []
    var pieces: [Range<Int>] = []
    var start = 0
    var lastIsStar = false
    var index = 0
    while index < pattern.count {
      let byte = pattern[index]
      index += 1
      lastIsStar = byte == UInt8(ascii: "*")
      switch byte {
      case UInt8(ascii: "*"):
        if start < bytes.count { pieces.append(start..<bytes.count) }
        start = bytes.count
      case UInt8(ascii: "?"):
        wildcards.insert(bytes.count)
        bytes.append(0)
      case UInt8(ascii: "\\") where index < pattern.count && Self.isEscapable(pattern[index]):
        bytes.append(pattern[index])
        index += 1
      default: bytes.append(byte)
      }
    }
    if start < bytes.count || pattern.isEmpty { pieces.append(start..<bytes.count) }
    let needle = SearchTerm(bytes, isCaseInsensitive: isCaseInsensitive)
    signs = bytes.indices.map {
      Sign(upper: needle.upper[$0], lower: needle.lower[$0], isAnyCharacter: wildcards.contains($0))
    }
    self.pieces = pieces
    let long = pieces.enumerated().filter { _, piece in
      piece.count > Self.shortPieceMax && !piece.contains(where: wildcards.contains)
    }
    longPieces = Dictionary(
      uniqueKeysWithValues: long.map { [bytes] number, piece in
        (number, SearchTerm(Array(bytes[piece]), isCaseInsensitive: isCaseInsensitive))
      })
    var wild: [Int: WildcardSearch] = [:]
    for (number, piece) in pieces.enumerated()
    where piece.count >= WildcardSearch.countMin && longPieces[number] == nil {
      wild[number] = WildcardSearch(signs[piece].map { $0.isAnyCharacter ? nil : ($0.upper, $0.lower) })
    }
    wildcardPieces = wild
    beginning =
      pattern.first == UInt8(ascii: "*") ? nil : pieces.first.map { [signs] in Beginning(signs[$0]) }
    beginsWithStar = pattern.first == UInt8(ascii: "*")
    endsWithStar = lastIsStar
    hasAnyCharacter = !wildcards.isEmpty
    self.bytes = bytes
    self.isCaseInsensitive = isCaseInsensitive
  }

  private static func isEscapable(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  /// What a pattern of one piece of plain bytes asks.
  package enum Simple {
    case equal(SearchTerm)
    case beginsWith(SearchTerm)
    case endsWith(SearchTerm)
    case contains(SearchTerm)
  }

  /// Nil where only `matches` knows.
  package var simple: Simple? {
    guard pieces.count <= 1, !hasAnyCharacter else { return nil }
    let needle = SearchTerm(bytes, isCaseInsensitive: isCaseInsensitive)
    return switch (beginsWithStar, endsWithStar) {
    case (false, false): .equal(needle)
    case (false, true): .beginsWith(needle)
    case (true, false): .endsWith(needle)
    case (true, true): .contains(needle)
    }
  }

  package func matches(_ text: RawBytes) -> Bool {
    var position = 0
    var piece = 0
    if !beginsWithStar {
      guard let end = end(of: pieces[0], in: text, at: 0) else { return false }
      if pieces.count == 1 { return endsWithStar || end == text.count }
      position = end
      piece = 1
    }
    while piece < pieces.count - (endsWithStar ? 0 : 1) {
      guard let end = firstEnd(of: piece, in: text, from: position) else { return false }
      position = end
      piece += 1
    }
    return endsWithStar || endsWithLastPiece(text, from: position)
  }

  private func firstEnd(of number: Int, in text: RawBytes, from start: Int) -> Int? {
    let piece = pieces[number]
    if let needle = longPieces[number] {
      return needle.first(in: text, from: start).map { $0 + piece.count }
    }
    if let search = wildcardPieces[number] {
      return firstEnd(search, in: text, from: start, atEnd: false)
    }
    var position = start
    while position < text.count {
      if let end = end(of: piece, in: text, at: position) { return end }
      position += 1
    }
    return nil
  }

  private func endsWithLastPiece(_ text: RawBytes, from start: Int) -> Bool {
    let piece = pieces[pieces.count - 1]
    if let search = wildcardPieces[pieces.count - 1] {
      return firstEnd(search, in: text, from: start, atEnd: true) != nil
    }
    // Plain bytes can stand in one place only.
    let isPlain = !hasAnyCharacter || longPieces[pieces.count - 1] != nil
    var position = !isPlain ? start : text.count - piece.count
    while position >= start, position < text.count {
      if end(of: piece, in: text, at: position) == text.count { return true }
      position += 1
    }
    return false
  }

  private func firstEnd(
    _ search: WildcardSearch, in text: RawBytes, from start: Int, atEnd: Bool
  ) -> Int? {
    search.firstEnd(
      in: text.count, from: start, atEnd: atEnd, { text[$0] },
      { min(Self.characterSize(text[$0]), text.count - $0) })
  }

  /// Where `piece` ends in `text` when it begins at `start`; nil where it does not stand there.
  @inline(__always)
  private func end(of piece: Range<Int>, in text: RawBytes, at start: Int) -> Int? {
    var position = start
    for index in piece {
      guard position < text.count else { return nil }
      let sign = signs[index]
      let byte = unsafe text.start.load(fromByteOffset: position, as: UInt8.self)
      if sign.isAnyCharacter {
        position += min(Self.characterSize(byte), text.count - position)
      } else if byte == sign.upper || byte == sign.lower {
        position += 1
      } else {
        return nil
      }
    }
    return position
  }

  /// Bytes of the character that `lead` begins; a byte that begins none is one of its own.
  private static func characterSize(_ lead: UInt8) -> Int {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }
}
