// What type a column has, told from all of its cells. Layer: RealmSession, Importing.
// The rules: a number with leading zeros or a plus sign is a text, because it is a code or a phone number; a number whose digits a
// double would not keep is a decimal; words of truth are bools, 0 and 1 are ints; a day is a date; what fits nothing is a text.
// Cells only ever rule types out, so guesses from parts of a column are merged in any order.

import ByteText
import RealmEngine

/// The types that all cells of a column allow.
struct TypeGuess: MergeableGuess {
  private struct Types: OptionSet {
    let rawValue: UInt8

    static let bool = Types(rawValue: 1)
    static let int = Types(rawValue: 2)
    static let double = Types(rawValue: 4)
    static let decimal = Types(rawValue: 8)
    static let date = Types(rawValue: 16)
    static let uuid = Types(rawValue: 32)
    static let objectID = Types(rawValue: 64)
    static let numbers: Types = [.int, .double, .decimal]
    static let all = Types(rawValue: 127)
  }

  private var types = Types.all
  private var hasLetters = false
  private var hasValue = false
  private(set) var hasNull = false

  mutating func addNull() { hasNull = true }

  var continued: TypeGuess { self }

  mutating func merge(_ other: TypeGuess) {
    types.formIntersection(other.types)
    hasLetters = hasLetters || other.hasLetters
    hasValue = hasValue || other.hasValue
    hasNull = hasNull || other.hasNull
  }

  /// Notes the text of a cell. `dates`: how dates are written in the column.
  mutating func add(_ text: Span<UInt8>, dates: DateForm, isDateNamed: Bool) {
    hasValue = true
    // Most columns are texts or short numbers.
    if types.isEmpty { return }
    if case .iso = dates {
      if types == .date, CivilTime(plain: text) != nil { return }
      if let number = ShortNumber(in: text, from: 0), number.end == text.count { return add(number) }
    }
    addOther(text.trimmingBlanks, dates: dates, isDateNamed: isDateNamed)
  }

  /// Notes the value that begins at `start` where it is written as most of its kind are, in a column whose dates are written as
  /// ISO 8601 has them. Gives where it ends, at `separator` or a line's end; nil, with nothing noted, where it must be looked at
  /// more closely.
  @inline(__always)
  mutating func addPlain(in text: Span<UInt8>, from start: Int, before separator: UInt8) -> Int? {
    if types == .date || types == .bool {
      let sizes = types == .date ? (20, 10) : (4, 5)
      guard
        let end = endOfWord(in: text, from: start, size: sizes.0, before: separator)
          ?? endOfWord(in: text, from: start, size: sizes.1, before: separator)
      else { return nil }
      hasValue = true
      return end
    }
    guard !types.isDisjoint(with: .numbers), let number = ShortNumber(in: text, from: start),
      number.end < text.count, Self.isEnd(text[number.end], separator)
    else { return nil }
    add(number)
    return number.end
  }

  /// Where a date or bool of so many characters ends, in a column of such.
  @inline(__always)
  private func endOfWord(
    in text: Span<UInt8>, from start: Int, size: Int, before separator: UInt8
  ) -> Int? {
    let end = start + size
    guard end < text.count, Self.isEnd(text[end], separator) else { return nil }
    let word = text.extracting(start..<end)
    return (types == .date ? CivilTime(plain: word) != nil : Self.isBool(word)) ? end : nil
  }

  @inline(__always)
  private static func isEnd(_ byte: UInt8, _ separator: UInt8) -> Bool {
    byte == separator || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Notes a number in a column whose dates are written as ISO 8601 has them.
  @inline(__always)
  mutating func add(_ number: ShortNumber) {
    hasValue = true
    types.formIntersection(number.isWhole ? .numbers : [.double, .decimal])
  }

  private mutating func addOther(_ text: Span<UInt8>, dates: DateForm, isDateNamed: Bool) {
    if types.contains(.date), !isDateNamed && text.count < 8 || dates.date(text) == nil {
      types.remove(.date)
    }
    if types == .date { return }
    if types.contains(.bool), !Self.isBool(text) { types.remove(.bool) }
    if !types.isDisjoint(with: .numbers) { addNumber(text) }
    if types.contains(.uuid), text.count != 36 || UUIDValue(text: text) == nil { types.remove(.uuid) }
    if types.contains(.objectID) {
      if text.count != 24 || ObjectID(text: text) == nil { types.remove(.objectID) }
      hasLetters = hasLetters || text.indices.contains { text[$0] > UInt8(ascii: "9") }
    }
  }

  private static func isBool(_ text: Span<UInt8>) -> Bool {
    guard text.count == 4 || text.count == 5 else { return false }
    return CellConverter.bool(text) != nil
  }

  private mutating func addNumber(_ text: Span<UInt8>) {
    guard let number = NumberText(text) else {
      let isWord = ["NaN", "Infinity", "-Infinity"].contains { text.equals($0) }
      return types.subtract(isWord ? .int : .numbers)
    }
    if types.contains(.int), !number.isWhole || Int64(decimalText: text) == nil { types.remove(.int) }
    // Whole numbers beyond 64 bits keep all their digits as decimals too.
    if types.contains(.double) {
      let double = Double(decimalText: text)
      let isKept = double.map {
        // Next to zero doubles have fewer digits.
        number.digitCount <= ShortNumber.digitsMax && $0.isNormal || NumberText.isKept(text, by: $0)
      }
      if !(isKept ?? false) { types.remove(.double) }
    }
    if types.contains(.decimal), Decimal128(exactly: text) == nil { types.remove(.decimal) }
  }

  /// Whether other cells change nothing.
  var isText: Bool { types.isEmpty }

  /// Whether cells that agree with the type that is told now leave it so.
  var isSettled: Bool { hasValue && (types.isEmpty || type(isDateNamed: false) != .string) }

  /// Whether texts in quotes, which are no numbers, leave the type that is told now if they agree with it.
  var isSettledInQuotes: Bool {
    types.isDisjoint(with: [.date, .uuid, .objectID]) || typeOfText != .string
  }

  /// Whether another cell, of a column whose dates have their usual form, leaves the type as it is.
  func agrees(with text: Span<UInt8>) -> Bool {
    if isText { return true }
    var other = self
    other.add(text, dates: .iso, isDateNamed: false)
    return other.type(isDateNamed: false) == type(isDateNamed: false)
  }

  /// The type, for a property that is to be made.
  func type(isDateNamed: Bool) -> ValueType {
    if !hasValue { return .string }
    if isDateNamed, types.contains(.date) { return .date }
    if types.contains(.bool) { return .bool }
    if types.contains(.objectID), hasLetters { return .objectID }
    if types.contains(.int) { return .int }
    if types.contains(.double) { return .double }
    if types.contains(.decimal) { return .decimal128 }
    if types.contains(.date) { return .date }
    if types.contains(.uuid) { return .uuid }
    return .string
  }
}
