// The words of the language. Layer: Lexing.
// A token is a few plain bytes: what it is and where it stands. Its value is decoded only when a parser takes
// it (LiteralDecoder), so that looking ahead costs nothing.

/// One token of a source text.
package struct Token: Hashable, Sendable {
  package let kind: TokenKind
  /// The word it spells, for `.word` and `.atWord`.
  package let keyword: Keyword
  /// Whether a `.word` can only be read as its keyword, never as the name of a property.
  package let isReserved: Bool
  package let range: SourceRange
  /// Which argument a `%` specifier takes, counted from 0; else 0.
  let ordinal: Int

  init(
    _ kind: TokenKind, _ range: SourceRange, keyword: Keyword = .notAKeyword, isReserved: Bool = false,
    ordinal: Int = 0
  ) {
    self.kind = kind
    self.keyword = keyword
    self.isReserved = isReserved
    self.range = range
    self.ordinal = ordinal
  }
}

package enum TokenKind: UInt8, Hashable, Sendable, CaseIterable {
  // Words.
  /// A name or a keyword; `#name` and, in statements, `` `name` `` spell a name that is never a keyword.
  case word
  /// `@count` and its like; its keyword is `.notAKeyword` when it is not known.
  case atWord
  /// `$0`
  case argument
  /// `$K0`
  case keyPathArgument
  /// `%@`, `%d` …
  case specifier
  /// `%K`
  case keyPathSpecifier

  // Literals.
  case string, base64
  /// Decimal digits with an optional sign.
  case integer
  /// `0x…`, `0b…`, `0o…`
  case radixInteger
  case double, float
  case infinity, notANumber
  /// `T<seconds>:<nanoseconds>`
  case ticks
  case civilDate
  case uuid, objectID
  /// `O<key>`, `@<key>`
  case objectKey
  /// `L<table>:<key>`
  case typedObjectKey
  case `true`, `false`, null

  // Symbols.
  case singleEqual, doubleEqual, notEqual, less, lessOrEqual, greater, greaterOrEqual
  case doubleAmpersand, doubleBar, exclamation
  case plus, minus, star, slash, percent
  case openParenthesis, closeParenthesis, openBrace, closeBrace, openBracket, closeBracket
  case comma, dot
  // Symbols of expressions and type words only.
  case question, doubleQuestion, colon
  // The end of a statement in a script.
  case semicolon

  /// The end of the text.
  case end
  /// The rest of the text, in which the lexer found no token.
  case invalid

  /// Whether it stands for a value by itself.
  package var isLiteral: Bool { (TokenKind.string.rawValue...TokenKind.null.rawValue).contains(rawValue) }

  /// Whether it may name an object: by its primary key, or by its object key as `@7`.
  var isKey: Bool {
    switch self {
    case .integer, .string, .uuid, .objectID, .objectKey: true
    default: false
    }
  }

  /// Whether a sign directly before its digits belongs to it.
  var maySign: Bool {
    switch self {
    case .integer, .double, .float, .infinity, .notANumber: true
    default: false
    }
  }

  var isComparison: Bool {
    (TokenKind.singleEqual.rawValue...TokenKind.greaterOrEqual.rawValue).contains(rawValue)
  }
}
