// Where statements begin and end. Layer: Statements.
// A statement ends at `;`, or at a newline outside quotes and brackets that no `\` continues; a shell command,
// which begins with `.` or `\`, always ends at its newline. Bytes are enough to know that; nothing is parsed.

/// Cuts a text that may still grow by whole lines into statements. Every byte is looked at once, however often
/// it is asked.
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

  package init() {}

  /// Bytes that belong to no statement any more.
  package var consumedCount: Int { start ?? offset }

  /// The next statement of `source`, which begins with the source of the last call.
  ///
  /// With `isAtEnd`, what has begun ends with the text.
  package mutating func next(in source: [UInt8], isAtEnd: Bool) -> Result {
    skipBetweenStatements(in: source)
    guard let start else { return .end }
    if source[start] == UInt8(ascii: ".") || source[start] == UInt8(ascii: "\\") {
      offset = source[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    } else {
      scanStatement(in: source)
    }
    guard offset < source.count || isAtEnd else { return .incomplete }
    let statement = start..<offset
    let next = min(offset + 1, source.count)
    self = StatementScanner()
    offset = next
    let end = statement.last { !source[$0].isBlank }.map { $0 + 1 } ?? start
    return .statement(SourceRange(start..<end))
  }

  /// How a text ends.
  package enum Ending: Hashable, Sendable {
    /// With a whole statement, so that a prompt need not ask for more.
    case complete
    /// Inside this quote or bracket.
    case open(UInt8)
    /// Behind a backslash.
    case continued
  }

  /// How `source` ends.
  package static func ending(of source: [UInt8]) -> Ending {
    let lines = source.last == UInt8(ascii: "\n") ? source : source + [UInt8(ascii: "\n")]
    var scanner = StatementScanner()
    while true {
      switch scanner.next(in: lines, isAtEnd: false) {
      case .statement: continue
      case .incomplete:
        return (scanner.openQuote ?? scanner.openBrackets.last).map(Ending.open) ?? .continued
      case .end: return .complete
      }
    }
  }

  private mutating func skipBetweenStatements(in source: [UInt8]) {
    guard start == nil else { return }
    while offset < source.count {
      let byte = source[offset]
      if byte.isBlank || byte == UInt8(ascii: ";") {
        offset += 1
      } else if let behind = statementBlankEnd(at: offset, in: source, end: source.count) {
        offset = behind
      } else {
        start = offset
        return
      }
    }
  }

  /// Goes to the byte that ends the statement, or to the end of the text.
  private mutating func scanStatement(in source: [UInt8]) {
    while offset < source.count {
      let byte = source[offset]
      if let quote = openQuote {
        // Behind a backslash no quote ends, except in names.
        let isEscape = byte == UInt8(ascii: "\\") && quote != UInt8(ascii: "`")
        if byte == quote { openQuote = nil }
        offset = min(offset + (isEscape ? 2 : 1), source.count)
        continue
      }
      switch byte {
      case UInt8(ascii: ";"): return
      case UInt8(ascii: "\n") where openBrackets.isEmpty: return
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): openQuote = byte
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openBrackets.append(byte)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openBrackets.popLast()
      default:
        if let behind = statementBlankEnd(at: offset, in: source, end: source.count) {
          offset = behind
          continue
        }
      }
      offset += 1
    }
  }
}
