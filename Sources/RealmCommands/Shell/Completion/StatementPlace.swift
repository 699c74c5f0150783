// The words of a statement before the cursor. Layer: RealmCommands, Shell, Completion.

import RealmQueryLanguage

/// Tokens with their spelling. The statement may be wrong or unfinished.
struct StatementPlace {
  struct Word: Equatable {
    let kind: TokenKind
    let keyword: Keyword
    /// Names without their backquotes.
    let text: String

    /// In lower case where the language may take it for one of its words, else empty.
    let word: String

    /// Whether a value is due behind it, wherever values are computed.
    var isBeforeValue: Bool {
      switch kind {
      case .comma, .openParenthesis, .plus, .minus, .star, .slash, .percent, .question, .doubleQuestion,
        .colon:
        true
      default: false
      }
    }
  }

  private(set) var words: [Word] = []

  /// Nil where the cursor is inside quotes or behind something that is no token.
  init?(_ head: [UInt8]) {
    for token in RealmQueryLanguage.tokens(of: head, isStatement: true) {
      guard token.kind != .invalid else { return nil }
      guard token.kind != .end else { break }
      if token.kind == .semicolon {
        words.removeAll()
        continue
      }
      let bytes = head[token.range.bounds]
      let isQuoted = bytes.first == UInt8(ascii: "`")
      let text = String(decoding: isQuoted ? bytes.dropFirst().dropLast() : bytes, as: UTF8.self)
      let isWord = token.kind == .word && !isQuoted
      words.append(
        Word(kind: token.kind, keyword: token.keyword, text: text, word: isWord ? text.lowercased() : ""))
    }
    if words.first?.word == "explain" { words.removeFirst() }
  }
}

extension ArraySlice<StatementPlace.Word> {
  /// The position of the last bracket that is still open.
  var openBracketIndex: Int? {
    var closed = 0
    for index in indices.reversed() {
      switch self[index].kind {
      case .closeParenthesis, .closeBrace, .closeBracket: closed += 1
      case .openParenthesis, .openBrace, .openBracket:
        if closed == 0 { return index }
        closed -= 1
      default: break
      }
    }
    return nil
  }

  /// The names of the path that ends before `end`: `dogs . name`.
  func path(endingAt end: Int) -> [String] {
    var names: [String] = []
    var index = end - 1
    while index >= startIndex, self[index].kind == .word || self[index].kind == .atWord {
      names.append(self[index].text)
      guard index - 2 >= startIndex, self[index - 1].kind == .dot else { break }
      index -= 2
    }
    return names.reversed()
  }
}
