// A date that was meant, where SQL reads a subtraction. Layer: RealmCommands, StatementOutput.

import ByteText

/// The first date without quotes in a statement of SQL: `born > 2016-01-31` compares with 1984, and nothing says so.
struct UnquotedDate {
  let text: String
  /// What SQL makes of it.
  let number: Int

  /// Nil where there is none.
  init?(in statement: ArraySlice<UInt8>) {
    var rest = statement
    while let first = rest.first {
      let second = rest.dropFirst().first
      switch (first, second) {
      case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _), (UInt8(ascii: "`"), _):
        rest = Self.behind([first], in: rest.dropFirst())
      case (UInt8(ascii: "["), _): rest = Self.behind([UInt8(ascii: "]")], in: rest)
      case (UInt8(ascii: "-"), UInt8(ascii: "-")): rest = Self.behind([UInt8(ascii: "\n")], in: rest)
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): rest = Self.behind(Array("*/".utf8), in: rest.dropFirst(2))
      case _ where Self.isWordByte(first):
        let end = rest.firstIndex { !Self.isWordByte($0) } ?? rest.endIndex
        if let number = Self.number(in: rest[..<end], of: 4, 1...9999),
          let date = Self(year: number, end, in: rest)
        {
          self = date
          return
        }
        rest = rest[end...]
      default: rest = rest.dropFirst()
      }
    }
    return nil
  }

  /// `year`: ends at `end`, where month and day follow.
  private init?(year: Int, _ end: Int, in statement: ArraySlice<UInt8>) {
    let parts = statement[end...].prefix(6)
    let minus = UInt8(ascii: "-")
    guard parts.count == 6, parts[end] == minus, parts[end + 3] == minus,
      let month = Self.number(in: parts[(end + 1)..<(end + 3)], of: 2, 1...12),
      let day = Self.number(in: parts[(end + 4)...], of: 2, 1...31),
      statement[(end + 6)...].first.map({ !Self.isWordByte($0) && $0 != minus }) ?? true
    else { return nil }
    text = String(decoding: statement[statement.startIndex..<end + 6], as: UTF8.self)
    number = year - month - day
  }

  private static func isWordByte(_ byte: UInt8) -> Bool { byte.isNameByte || byte == UInt8(ascii: ".") }

  private static func number(
    in digits: ArraySlice<UInt8>, of count: Int, _ range: ClosedRange<Int>
  ) -> Int? {
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    let number = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }

  /// What follows the first `end`.
  private static func behind(_ end: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = text
    while !rest.isEmpty, !rest.starts(with: end) { rest = rest.dropFirst() }
    return rest.dropFirst(end.count)
  }
}
