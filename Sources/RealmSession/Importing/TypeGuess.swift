// What type a column has, told from all of its cells. Layer: RealmSession, Importing.
// The rules: a number with leading zeros or a plus sign is a text, because it is a code or a phone number; a number whose digits a
// double would not keep is a decimal; words of truth are bools, 0 and 1 are ints; a day is a date; what fits nothing is a text.

import ByteText
import RealmEngine

/// The types that all cells of a column allow.
struct TypeGuess {
  private var isBool = true
  private var isInt = true
  private var isDouble = true
  private var isDecimal = true
  private var isDate = true
  private var isUUID = true
  private var isObjectID = true
  private var hasLetters = false
  private var valueCount = 0
  private(set) var hasNull = false

  mutating func addNull() { hasNull = true }

  /// Notes the text of a cell. `dates`: how dates are written in the column.
  mutating func add(_ text: Span<UInt8>, dates: DateForm, isDateNamed: Bool) {
    valueCount += 1
    let text = text.trimmingBlanks
    if isBool { isBool = Self.isBool(text) }
    if isInt || isDouble || isDecimal { addNumber(text) }
    if isDate { isDate = (isDateNamed || text.count >= 8) && dates.date(text) != nil }
    if isUUID { isUUID = text.count == 36 && UUIDValue(text: text) != nil }
    if isObjectID {
      isObjectID = text.count == 24 && ObjectID(text: text) != nil
      hasLetters = hasLetters || text.indices.contains { text[$0] > UInt8(ascii: "9") }
    }
  }

  private static func isBool(_ text: Span<UInt8>) -> Bool {
    guard text.count == 4 || text.count == 5 else { return false }
    return ["true", "false"].contains(text.string.lowercased())
  }

  private static let decimalDigitsMax = 34

  private mutating func addNumber(_ text: Span<UInt8>) {
    if ["NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"].contains(where: { text.equals($0) }) {
      isInt = false
      return
    }
    guard let number = NumberText(text) else {
      (isInt, isDouble, isDecimal) = (false, false, false)
      return
    }
    isInt = isInt && number.isWhole && Int64(decimalText: text) != nil
    // Whole numbers beyond 64 bits keep all their digits as decimals too.
    if isDouble, number.digitCount > 15 { isDouble = number.isKept(by: Double(decimalText: text)) }
    if isDouble { isDouble = Double(decimalText: text) != nil }
    isDecimal = isDecimal && number.digitCount <= Self.decimalDigitsMax && Decimal128(text: text) != nil
  }

  /// The type, for a property that is to be made.
  func type(isDateNamed: Bool) -> ValueType {
    if valueCount == 0 { return .string }
    if isDateNamed, isDate { return .date }
    if isBool { return .bool }
    if isObjectID, hasLetters { return .objectID }
    if isInt { return .int }
    if isDouble { return .double }
    if isDecimal { return .decimal128 }
    if isDate { return .date }
    if isUUID { return .uuid }
    return .string
  }
}

/// A number as programs write it: no plus sign, no leading zeros.
private struct NumberText {
  /// Without fraction and exponent.
  private(set) var isWhole = true
  /// Significant ones.
  private(set) var digitCount = 0
  private var digits: [UInt8] = []

  init?(_ text: Span<UInt8>) {
    var index = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
    let start = index
    index = scanDigits(text, index)
    let wholeCount = index - start
    guard wholeCount <= 1 || text[start] != UInt8(ascii: "0") else { return nil }
    if index < text.count, text[index] == UInt8(ascii: ".") {
      isWhole = false
      index = scanDigits(text, index + 1)
    }
    // One side of the point may be empty.
    guard !digits.isEmpty else { return nil }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      guard decimalExponent(text.extracting(index + 1..<text.count)) != nil else { return nil }
      index = text.count
    }
    guard index == text.count else { return nil }
    digits = Self.significant(digits)
    digitCount = digits.count
  }

  private mutating func scanDigits(_ text: Span<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < text.count, text[index] &- UInt8(ascii: "0") <= 9 {
      digits.append(text[index])
      index += 1
    }
    return index
  }

  private static func significant(_ digits: [UInt8]) -> [UInt8] {
    let zero = UInt8(ascii: "0")
    let rest = digits.drop { $0 == zero }
    return Array(rest.reversed().drop { $0 == zero }.reversed())
  }

  /// Whether a double is written with the same digits.
  func isKept(by number: Double?) -> Bool {
    guard let number, number.isFinite else { return false }
    let mantissa = "\(number)".split { $0 == "e" || $0 == "E" }.first ?? ""
    return Self.significant(mantissa.utf8.filter { $0 &- UInt8(ascii: "0") <= 9 }) == digits
  }
}
