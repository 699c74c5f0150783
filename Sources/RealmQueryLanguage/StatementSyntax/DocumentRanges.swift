// Where JSON objects and arrays stand in a text. Layer: StatementSyntax. Brackets outside strings are counted; nothing is
// parsed.

/// The ranges of the JSON objects and arrays in `source`, one behind the other with blanks, newlines or commas between
/// them. What is neither is the last range and goes to the end, so that its reader complains.
package func documentRanges(in source: [UInt8]) -> [SourceRange] {
  var ranges: [SourceRange] = []
  var index = 0
  while let start = source[index...].firstIndex(where: { !$0.isBlank && $0 != UInt8(ascii: ",") }) {
    let isOpener = source[start] == UInt8(ascii: "{") || source[start] == UInt8(ascii: "[")
    let end = isOpener ? jsonDocumentEnd(in: source, from: start, end: source.count) : nil
    index = end ?? source.count
    ranges.append(SourceRange(start..<index))
  }
  return ranges
}

/// The offset behind the JSON value that opens at `start`; nil where it is not closed before `end`.
func jsonDocumentEnd(in source: [UInt8], from start: Int, end: Int) -> Int? {
  var openCount = 0
  /// That a string began with; JavaScript has two.
  var quote: UInt8?
  var index = start
  while index < end {
    switch source[index] {
    case let byte where byte == quote: quote = nil
    case UInt8(ascii: "\\") where quote != nil: index += 1
    case _ where quote != nil: break
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = source[index]
    case UInt8(ascii: "{"), UInt8(ascii: "["): openCount += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      openCount -= 1
      if openCount == 0 { return index + 1 }
    default: break
    }
    index += 1
  }
  return nil
}
