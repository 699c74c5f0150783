// Statements of SQL among ours: where they begin and end. What they mean, SQLite knows. Layer: StatementSyntax.

import ByteText

/// Tells statements of SQL from others by their first words.
package enum SQLWords {
  package static let beginnings = ["select", "with", "values", "pragma"]
  private static let explainedBeginnings = beginnings + ["query"]

  /// Whether the text from `start` on is one: it begins with one of the words above, also behind `explain` or
  /// `explain query plan`. A class with such a name stands in backquotes. Comments of SQL may stand before it, and no statement
  /// of ours begins with one.
  package static func begin(_ source: ArraySlice<UInt8>) -> Bool {
    var rest = source.drop { $0.isBlank }
    while rest.starts(with: Array("/*".utf8)) {
      guard let end = rest.indices.dropFirst(2).first(where: { rest[$0...].starts(with: Array("*/".utf8)) })
      else { return true }
      rest = rest[(end + 2)...].drop { $0.isBlank }
      if rest.isEmpty { return true }
    }
    let first = word(&rest)
    if beginnings.contains(first) { return true }
    return first == "explain" && explainedBeginnings.contains(word(&rest))
  }

  /// The first statement of a part of a text, with the `;` that ends it. What stands behind it is not looked at.
  package static func first(of range: Range<Int>, in source: [UInt8]) -> Range<Int> {
    var (scanner, offset) = (SQLScanner(), range.lowerBound)
    while offset < range.upperBound, !scanner.step(source, &offset) {}
    return range.lowerBound..<min(offset + 1, range.upperBound)
  }

  /// Where a statement has words and single signs, outside of quotes and comments.
  package static func places(in source: [UInt8]) -> [Range<Int>] {
    var (scanner, places, offset) = (SQLScanner(), [Range<Int>](), 0)
    while offset < source.count {
      let (start, wasInCode) = (offset, scanner.isInCode)
      while wasInCode, offset < source.count, source[offset].isNameByte { offset += 1 }
      if offset == start, scanner.step(source, &offset) { offset += 1 }
      if wasInCode, scanner.isInCode, source[start] > 0x20 { places.append(start..<offset) }
    }
    return places
  }

  /// The next word, in lower case.
  private static func word(_ rest: inout ArraySlice<UInt8>) -> String {
    rest = rest.drop { $0.isBlank }
    let word = rest.prefix { $0.isASCIILetter }
    rest = rest.dropFirst(word.count)
    if let next = rest.first, next.isIdentifierPart { return "" }
    return String(decoding: word, as: UTF8.self).lowercased()
  }
}

/// Finds the `;` that ends a statement of SQL: outside of quotes, comments and brackets around names.
struct SQLScanner: Sendable {
  private enum Place: Equatable, Sendable {
    case code
    case quote(end: UInt8)
    case lineComment, comment
  }

  private var place = Place.code

  fileprivate var isInCode: Bool { place == .code }

  /// What is open; nil where the statement only lacks its end.
  var openQuote: UInt8? { if case .quote(let end) = place { end } else { nil } }

  /// A statement on one line, without its comments up to a line's end; nil where a text in it has several lines.
  static func onOneLine(_ source: [UInt8], _ range: SourceRange) -> [UInt8]? {
    var scanner = SQLScanner()
    var line: [UInt8] = []
    var offset = range.offset
    while offset < range.end {
      let (start, before) = (offset, scanner.place)
      _ = scanner.step(source, &offset)
      if scanner.place == .lineComment { continue }
      if case .quote = before, source[start] == UInt8(ascii: "\n") { return nil }
      line += source[start..<offset].map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
    }
    return line
  }

  /// Goes to the end of the statement, or as far as the text tells. Whether there is an end.
  mutating func scan(_ source: [UInt8], from offset: inout Int, isAtEnd: Bool) -> Bool {
    while offset < source.count {
      let byte = source[offset]
      let next = offset + 1 < source.count ? source[offset + 1] : nil
      // Two bytes tell whether a comment begins or ends.
      if next == nil, !isAtEnd, [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "*")].contains(byte) {
        return false
      }
      if step(source, &offset) { return true }
    }
    return false
  }

  /// Goes behind the next byte, or the two that begin or end a comment, unless it ends the statement, which is told.
  fileprivate mutating func step(_ source: [UInt8], _ offset: inout Int) -> Bool {
    let byte = source[offset]
    let next = offset + 1 < source.count ? source[offset + 1] : nil
    switch place {
    case .quote(let end): if byte == end { place = .code }
    case .lineComment: if byte == UInt8(ascii: "\n") { place = .code }
    case .comment:
      if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        place = .code
        offset += 1
      }
    case .code:
      switch (byte, next) {
      case (UInt8(ascii: ";"), _): return true
      case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "`"), _):
        place = .quote(end: byte)
      case (UInt8(ascii: "["), _): place = .quote(end: UInt8(ascii: "]"))
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): place = .lineComment
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        place = .comment
        offset += 1
      default: break
      }
    }
    offset += 1
    return false
  }
}
