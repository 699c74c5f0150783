// A date that was meant, where SQL reads a subtraction. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmQueryLanguage

/// The first date without quotes in a statement of SQL: `born > 2016-01-31` compares with 1984, and nothing says so.
struct UnquotedDate {
  let text: String
  /// What SQL makes of it.
  let number: Int

  private static let size = 10

  /// Nil where there is none.
  init?(in statement: [UInt8]) {
    let (minus, point) = (UInt8(ascii: "-"), UInt8(ascii: "."))
    let places = SQLWords.places(in: statement)
    for first in places.indices.dropLast(4) {
      let date = places[first].lowerBound..<places[first + 4].upperBound
      guard date.count == Self.size, statement[places[first + 1].lowerBound] == minus,
        statement[places[first + 3].lowerBound] == minus,
        let year = Self.number(statement[places[first]], of: 4, 1...9999),
        let month = Self.number(statement[places[first + 2]], of: 2, 1...12),
        let day = Self.number(statement[places[first + 4]], of: 2, 1...31),
        statement[..<date.lowerBound].last != point,
        ![minus, point].contains(statement[date.upperBound...].first)
      else { continue }
      text = String(decoding: statement[date], as: UTF8.self)
      number = year - month - day
      return
    }
    return nil
  }

  private static func number(
    _ digits: ArraySlice<UInt8>, of count: Int, _ range: ClosedRange<Int>
  ) -> Int? {
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    let number = digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }
}
