// Where statements begin and end. Layer: StatementSyntax.
// A statement ends at `;`, or at a newline outside quotes and brackets that no `\` continues; a shell command,
// which begins with `.` or `\`, always ends at its newline. Bytes are enough to know that; nothing is parsed.

/// Cuts a text that may still grow, by whatever parts, into statements. Every byte is looked at once, however often it is
/// asked.
package struct StatementScanner: Sendable {
  package enum Result: Hashable, Sendable {
    /// A statement, without the blanks and comments before it and the mark that ended it.
    case statement(SourceRange)
    /// A statement has begun and does not end in the text so far.
    case incomplete
    /// Nothing but blanks and comments is left.
    case end
  }

  private var offset = 0
  private var start: Int?
  private var openBrackets: [UInt8] = []
  private var openQuote: UInt8?
  /// The newline of a comment has not come yet.
  private var isInComment = false
  /// Of a statement of SQL, which ends at `;` alone.
  private var sql: SQLScanner?

  package init() {}

  /// Bytes that belong to no statement any more.
  package var consumedCount: Int { start ?? offset }

  /// The next statement of `source`, which begins with the source of the last call.
  ///
  /// With `isAtEnd`, what has begun ends with the text.
  package mutating func next(in source: [UInt8], isAtEnd: Bool) -> Result {
    if isInComment {
      offset = source[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
      isInComment = offset == source.count
    }
    if start == nil { skipBetweenStatements(in: source, isAtEnd: isAtEnd) }
    guard let start else { return .end }
    if source[start] == UInt8(ascii: ".") || source[start] == UInt8(ascii: "\\") {
      offset = source[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    } else {
      guard scan(in: source, isAtEnd: isAtEnd) || isAtEnd else { return .incomplete }
    }
    guard offset < source.count || isAtEnd else { return .incomplete }
    let statement = start..<offset
    let next = min(offset + 1, source.count)
    self = StatementScanner()
    offset = next
    let end = statement.last { !source[$0].isBlank }.map { $0 + 1 } ?? start
    return .statement(SourceRange(start..<end))
  }

  /// The source of the next call is that of the last without its first `count` bytes, which belong to no statement.
  package mutating func forget(_ count: Int) {
    offset -= count
    start = start.map { $0 - count }
  }

  /// How a text ends.
  package enum Ending: Hashable, Sendable {
    /// With a whole statement, so that a prompt need not ask for more.
    case complete
    /// Inside this quote or bracket.
    case open(UInt8)
    /// Behind a backslash.
    case continued
    /// In a statement of SQL whose `;` has not come yet.
    case unfinished
  }

  /// How `source` ends.
  package static func ending(of source: [UInt8]) -> Ending {
    let lines = source.last == UInt8(ascii: "\n") ? source : source + [UInt8(ascii: "\n")]
    var scanner = StatementScanner()
    while true {
      switch scanner.next(in: lines, isAtEnd: false) {
      case .statement: continue
      case .incomplete:
        if let sql = scanner.sql { return sql.openQuote.map(Ending.open) ?? .unfinished }
        return (scanner.openQuote ?? scanner.openBrackets.last).map(Ending.open) ?? .continued
      case .end: return .complete
      }
    }
  }

  private mutating func skipBetweenStatements(in source: [UInt8], isAtEnd: Bool) {
    while offset < source.count, isAtEnd || !isUndecided(in: source) {
      let byte = source[offset]
      if byte.isBlank || byte == UInt8(ascii: ";") {
        offset += 1
      } else if !skipBlank(in: source, isAtEnd: isAtEnd) {
        start = offset
        return
      }
    }
  }

  /// Whether the last bytes may be the beginning of a comment, a continued line or an escape.
  private func isUndecided(in source: [UInt8]) -> Bool {
    let rest = source[offset...].prefix(3)
    guard rest.count < 3 else { return false }
    return switch rest.first {
    case UInt8(ascii: "\\"): rest.dropFirst().allSatisfy { $0 == UInt8(ascii: "\r") }
    case UInt8(ascii: "-"): openQuote == nil && rest.allSatisfy { $0 == UInt8(ascii: "-") }
    default: false
    }
  }

  /// Goes behind the comment or continued newline, if one stands here.
  private mutating func skipBlank(in source: [UInt8], isAtEnd: Bool) -> Bool {
    guard let behind = statementBlankEnd(at: offset, in: source, end: source.count) else { return false }
    // Behind a continued newline another line begins.
    isInComment = !isAtEnd && behind == source.count && source[offset] != UInt8(ascii: "\\")
    offset = behind
    return true
  }

  /// Goes to the byte that ends the statement, or as far as the text tells. Whether there is such a byte.
  private mutating func scan(in source: [UInt8], isAtEnd: Bool) -> Bool {
    if sql == nil, let start, offset == start, SQLWords.begin(source[start...]) { sql = SQLScanner() }
    if sql != nil { return sql?.scan(source, from: &offset, isAtEnd: isAtEnd) ?? false }
    let isFound = scanStatement(in: source, isAtEnd: isAtEnd)
    // The first words may have come since.
    guard isFound, let start, SQLWords.begin(source[start..<offset]), source[offset] != UInt8(ascii: ";")
    else { return isFound }
    sql = SQLScanner()
    offset = start
    return scan(in: source, isAtEnd: isAtEnd)
  }

  /// Finds the end of a statement that is not SQL.
  private mutating func scanStatement(in source: [UInt8], isAtEnd: Bool) -> Bool {
    while offset < source.count, isAtEnd || !isUndecided(in: source) {
      let byte = source[offset]
      if let quote = openQuote {
        // Behind a backslash no quote ends, except in names.
        let isEscape = byte == UInt8(ascii: "\\") && quote != UInt8(ascii: "`")
        if byte == quote { openQuote = nil }
        offset = min(offset + (isEscape ? 2 : 1), source.count)
        continue
      }
      switch byte {
      case UInt8(ascii: ";"): return true
      case UInt8(ascii: "\n") where openBrackets.isEmpty: return true
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): openQuote = byte
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBrackets.append(byte)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openBrackets.popLast()
      default: if skipBlank(in: source, isAtEnd: isAtEnd) { continue }
      }
      offset += 1
    }
    return false
  }
}
