// What SQL reads otherwise than it was meant, without an error. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmQueryLanguage

/// A statement of SQL that works, but hardly as somebody meant it who knows the predicates of Realm.
struct MisreadSQL {
  private let statement: [UInt8]
  /// Its words and signs.
  private let places: [Range<Int>]

  init(_ statement: [UInt8]) {
    self.statement = statement
    places = SQLWords.places(in: statement)
  }

  /// One for each kind of mistake.
  var warnings: [String] { [unquotedDate, comparisonWithNull, foreignPattern].compactMap { $0 } }

  private func word(_ index: Int) -> String {
    String(decoding: statement[places[index]], as: UTF8.self).lowercased()
  }

  private static let comparisons = ["=", "<", ">"]

  private var comparisonWithNull: String? {
    places.indices.dropFirst().contains { word($0) == "null" && Self.comparisons.contains(word($0 - 1)) }
      ? "in SQL no comparison with null is true; write: is null, or: is not null" : nil
  }

  /// `like 'R*'`, which finds texts with an asterisk.
  private var foreignPattern: String? {
    for index in places.indices where word(index) == "like" {
      let rest = statement[places[index].upperBound...].drop { $0 <= 0x20 }
      guard let quote = rest.first, [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(quote) else { continue }
      let pattern = String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self)
      guard pattern.holds("*"), !pattern.holds("%") else { continue }
      let meant = String(pattern.map { $0 == "*" ? "%" : $0 })
      return "in SQL like takes * as it is; % stands for any text: like '\(meant)'"
    }
    return nil
  }

  private static let dateSize = 10

  /// `born > 2016-01-31`, which compares with 1984.
  private var unquotedDate: String? {
    let (minus, point) = (UInt8(ascii: "-"), UInt8(ascii: "."))
    for first in places.indices.dropLast(4) {
      let date = places[first].lowerBound..<places[first + 4].upperBound
      guard date.count == Self.dateSize, statement[places[first + 1].lowerBound] == minus,
        statement[places[first + 3].lowerBound] == minus,
        let year = Self.number(statement[places[first]], of: 4, 1...9999),
        let month = Self.number(statement[places[first + 2]], of: 2, 1...12),
        let day = Self.number(statement[places[first + 4]], of: 2, 1...31),
        statement[..<date.lowerBound].last != point,
        ![minus, point].contains(statement[date.upperBound...].first)
      else { continue }
      let text = String(decoding: statement[date], as: UTF8.self)
      return "\(text) is the number \(year - month - day) to SQL; a date is a text: '\(text)'"
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
