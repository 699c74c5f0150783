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
  /// What stands before the word at the cursor with a point: of `dogs[0].na` it is `dogs[0]`. It is not among the words.
  private(set) var path: [TypedStep] = []

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
    if words.last?.kind == .dot {
      let typed = words[...].path(endingAt: words.count - 1)
      path = typed.steps.isEmpty ? [.call] : typed.steps
      words.removeSubrange(min(typed.start, words.count - 1)...)
    }
  }
}

/// One step of a path of properties, as it was typed.
enum TypedStep: Equatable {
  case name(String)
  /// `[0]`, `[first]` or `['key']`
  case element
  case subquery
  /// Of a function; nothing is known of what it gives.
  case call
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

  /// The brackets that are still open, the innermost first.
  var openBracketIndices: [Int] {
    var found: [Int] = []
    var rest = self
    while let open = rest.openBracketIndex {
      found.append(open)
      rest = rest[..<open]
    }
    return found
  }

  /// The last comma outside of brackets.
  var separatingCommaIndex: Int? {
    var depth = 0
    var found: Int?
    for index in indices {
      switch self[index].kind {
      case .openParenthesis, .openBrace, .openBracket: depth += 1
      case .closeParenthesis, .closeBrace, .closeBracket: depth -= 1
      case .comma where depth == 0: found = index
      default: break
      }
    }
    return found
  }
}

// MARK: Paths

extension ArraySlice<StatementPlace.Word> {
  /// The path that ends before `end`, and where it begins: `dogs [ 0 ] . name`. Without steps where none ends there.
  func path(endingAt end: Int) -> (steps: [TypedStep], start: Int) {
    var steps: [TypedStep] = []
    var index = end - 1
    while index >= startIndex {
      switch self[index].kind {
      case .word, .atWord: steps.append(.name(self[index].text))
      case .closeBracket:
        guard let open = self[..<index].openBracketIndex else { return ([], end) }
        if let step = indexStep(self[(open + 1)..<index]) { steps.append(step) }
        index = open - 1
        continue
      case .closeParenthesis:
        guard let open = self[..<index].openBracketIndex, let step = callStep(open) else { return ([], end) }
        steps.append(step)
        index = open - 1
      default: return ([], end)
      }
      guard index - 2 >= startIndex, self[index - 1].kind == .dot else { return (steps.reversed(), index) }
      index -= 2
    }
    return ([], end)
  }

  /// The path behind which a bracket has just been opened: `tags [`.
  var indexedPath: [TypedStep]? {
    guard last?.kind == .openBracket else { return nil }
    let steps = path(endingAt: endIndex - 1).steps
    return steps.isEmpty ? nil : steps
  }

  /// Nil for `[*]`, which means what the path means without it.
  private func indexStep(_ content: Self) -> TypedStep? {
    switch content.first {
    case let word? where word.kind == .star: nil
    case let word? where word.keyword == .size: .name("@count")
    default: .element
    }
  }

  /// What the parentheses that open at `open` belong to; nil where they only group.
  private func callStep(_ open: Int) -> TypedStep? {
    guard open > startIndex, self[open - 1].kind == .word else { return nil }
    switch self[open - 1].keyword {
    case .subquery: return .subquery
    case .and, .or, .not, .in, .between, .sort, .distinct, .limit: return nil
    default: return ["where", "offset", "having"].contains(self[open - 1].word) ? nil : .call
    }
  }

  /// Whether the word at `index` is the variable of a subquery, where it gets its name: `subquery(dogs, $d`.
  func isDeclaration(at index: Int) -> Bool {
    guard self[index].kind == .word, self[index].text.hasPrefix("$"), index > startIndex,
      self[index - 1].kind == .comma
    else { return false }
    let start = path(endingAt: index - 1).start
    return start - 2 >= startIndex && self[start - 1].kind == .openParenthesis
      && self[start - 2].keyword == .subquery
  }
}
