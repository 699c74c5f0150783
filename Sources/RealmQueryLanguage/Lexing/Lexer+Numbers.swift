// Numbers, and the dates that begin like one. Layer: Lexing.

import ByteText

extension Lexer {
  /// A token that begins with a digit, with `.` before one, or with a sign before either.
  mutating func numberToken() -> Token {
    let digits = source[offset].isSign ? offset + 1 : offset
    if digits == offset, let token = radixToken() ?? dateToken() { return token }
    var kind = TokenKind.integer
    var index = digitsEnd(digits)
    if byte(index, is: ".") {
      kind = .double
      index = digitsEnd(index + 1)
    }
    if let exponentEnd = exponentEnd(index) {
      kind = .double
      index = exponentEnd
    }
    if byte(index, is: "f") {
      kind = .float
      index += 1
    }
    return finishedNumber(kind, offset..<index)
  }

  /// `0x`, `0b` and `0o` with the digits that follow.
  private mutating func radixToken() -> Token? {
    guard byte(offset, is: "0") else { return nil }
    let radix: UInt8
    switch byte(offset + 1) | 0x20 {
    case UInt8(ascii: "x"): radix = 16
    case UInt8(ascii: "b"): radix = 2
    case UInt8(ascii: "o"): radix = 8
    default: return nil
    }
    var index = offset + 2
    while let value = hexadecimalValue(byte(index)), value < radix { index += 1 }
    guard index > offset + 2, !byte(index).isDigit else { return malformedNumber(runEnd: index) }
    return finishedNumber(.radixInteger, offset..<index)
  }

  private func exponentEnd(_ start: Int) -> Int? {
    guard byte(start) | 0x20 == UInt8(ascii: "e") else { return nil }
    let digits = byte(start + 1).isSign ? start + 2 : start + 1
    return byte(digits).isDigit ? digitsEnd(digits) : nil
  }

  /// The number in `run`, unless letters or a second fraction make it none.
  private mutating func finishedNumber(_ kind: TokenKind, _ run: Range<Int>) -> Token {
    let next = byte(run.upperBound)
    if next == UInt8(ascii: "."), kind != .integer || byte(run.upperBound + 1).isDigit {
      return malformedNumber(runEnd: run.upperBound)
    }
    if next.isIdentifierStart, !isFollowedByOperatorWord(run.upperBound) {
      return malformedNumber(runEnd: run.upperBound)
    }
    return Token(kind, SourceRange(run))
  }

  /// Whether the word at `start` may touch the number or date before it, as in `5AND`.
  private func isFollowedByOperatorWord(_ start: Int) -> Bool {
    Keyword.spelled(in: source, start..<identifierEnd(start)).keyword.mayFollowNumber
  }

  private mutating func malformedNumber(runEnd: Int) -> Token {
    var index = runEnd
    while byte(index).isIdentifierPart || byte(index, is: ".") { index += 1 }
    // `1e+` is one number that lost its digits.
    if byte(index).isSign, byte(index - 1) | 0x20 == UInt8(ascii: "e") { index += 1 }
    let range = SourceRange(offset..<index)
    return fail(QueryError(.number, "malformed number \(quoted(source.text(in: range)))", at: range))
  }
}

extension Lexer {
  /// The offset behind `<seconds>:<nanoseconds>` at `start`, or nil.
  func ticksEnd(_ start: Int) -> Int? {
    guard let seconds = signedDigitsEnd(start), byte(seconds, is: ":") else { return nil }
    return signedDigitsEnd(seconds + 1)
  }

  private func signedDigitsEnd(_ start: Int) -> Int? {
    let digits = byte(start).isSign ? start + 1 : start
    return byte(digits).isDigit ? digitsEnd(digits) : nil
  }

  /// A calendar date, with or without a time of day; nil when these digits are a number.
  private mutating func dateToken() -> Token? {
    let date = CivilDateText(in: source, bounds: offset..<end)
    guard let date else { return nil }
    let next = byte(date.end)
    if date.isBroken || next.isIdentifierStart && !isFollowedByOperatorWord(date.end) {
      var index = date.end
      while byte(index).isIdentifierPart || byte(index, is: ":") { index += 1 }
      let range = SourceRange(offset..<index)
      return fail(
        QueryError(
          .date, "not a valid date: \(quoted(source.text(in: range)))", at: range,
          hint: "write 2020-12-31 or 2020-12-31T23:59:59"))
    }
    return Token(.civilDate, SourceRange(offset..<date.end))
  }
}
