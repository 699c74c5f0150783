// White space and, in statements, comments and continued lines. Layer: Lexing.

extension Lexer {
  /// Goes to the next byte that belongs to a token.
  mutating func skipBlanks() {
    var index = offset
    while index < end {
      let byte = source[index]
      if byte.isBlank {
        index += 1
      } else if flavor == .statement, let behind = statementBlankEnd(at: index, in: source, end: end) {
        index = behind
      } else {
        break
      }
    }
    offset = index
  }
}

/// The offset behind the comment or the continued newline at `index`, or nil when neither stands there.
///
/// A comment is `#` or `--` at the beginning of a line, or `--` before a blank; it ends before its newline.
func statementBlankEnd(at index: Int, in source: [UInt8], end: Int) -> Int? {
  switch source[index] {
  case UInt8(ascii: "\\"):
    return continuedNewlineEnd(at: index, in: source, end: end)
  case UInt8(ascii: "#") where isAtBeginningOfLine(index, in: source):
    break
  case UInt8(ascii: "-") where index + 1 < end && source[index + 1] == UInt8(ascii: "-"):
    guard index + 2 >= end || source[index + 2].isBlank || isAtBeginningOfLine(index, in: source)
    else { return nil }
  default:
    return nil
  }
  return source[index..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
}

/// The offset behind a backslash that ends its line, and the newline.
func continuedNewlineEnd(at index: Int, in source: [UInt8], end: Int) -> Int? {
  var next = index + 1
  if next < end, source[next] == UInt8(ascii: "\r") { next += 1 }
  if next >= end { return next }
  return source[next] == UInt8(ascii: "\n") ? next + 1 : nil
}

private func isAtBeginningOfLine(_ index: Int, in source: [UInt8]) -> Bool {
  for byte in source[..<index].reversed() {
    if byte == UInt8(ascii: "\n") { return true }
    guard byte.isBlank else { return false }
  }
  return true
}
