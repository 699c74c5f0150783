// Single values as JSON spells them: as dumps write them, `{"$date":"…"}`, or plainly where the type is known.
// Layer: RealmSession, Documents.

import ByteText
import RealmEngine

extension Value {
  /// The value that a scalar spells, in quotes or without, where it is to be of `type`; nil where it spells none. Links,
  /// collections and mixed values are no scalars.
  static func spelled(_ text: Span<UInt8>, isQuoted: Bool, as type: ValueType) -> Value? {
    switch (type, isQuoted) {
    case (.int, false): Int64(decimalText: text).map(Value.int)
    case (.bool, false): text.equals("true") ? .bool(true) : text.equals("false") ? .bool(false) : nil
    case (.float, false): Float(decimalText: text).map(Value.float)
    case (.float, true): infiniteNumber(text).map { .float(Float($0)) }
    case (.double, false): Double(decimalText: text).map(Value.double)
    case (.double, true): infiniteNumber(text).map(Value.double)
    case (.decimal128, _): Decimal128(exactly: text).map(Value.decimal)
    case (.string, true): .string(ByteString(copying: text))
    case (.data, true): bytes(base64: text).map(Value.data)
    case (.date, true): Timestamp(iso: text).map(Value.date)
    case (.objectID, true): ObjectID(text: text).map(Value.objectID)
    case (.uuid, true): UUIDValue(text: text).map(Value.uuid)
    default: nil
    }
  }

  /// `TRUE`, as other databases write it.
  static func truth(_ text: String) -> Value? {
    switch text.lowercased() {
    case "true": .bool(true)
    case "false": .bool(false)
    default: nil
    }
  }

  /// `7.0`, which is written for 7 where numbers are doubles.
  static func wholeNumber(_ text: Span<UInt8>) -> Value? {
    var end = text.count
    while end > 0, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
    guard end > 0, end < text.count, text[end - 1] == UInt8(ascii: ".") else { return nil }
    return Int64(decimalText: text.extracting(0..<end - 1)).map(Value.int)
  }

  /// A number that is no int, where any type may stand: a double, but a decimal for a whole number whose digits no double has.
  static func widest(_ text: Span<UInt8>) -> Value? {
    guard let double = Double(decimalText: text) else { return nil }
    guard text.isWholeNumber, let decimal = Decimal128(holding: text), !decimal.spells(double) else {
      return .double(double)
    }
    return .decimal(decimal)
  }

  /// The numbers that JSON has no digits for.
  private static func infiniteNumber(_ word: Span<UInt8>) -> Double? {
    switch word.string {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  /// A date as seconds since 1970 and nanoseconds.
  static func date(parts: [Int64]) -> Value? {
    guard parts.count == 2, let nanoseconds = Int32(exactly: parts[1]) else { return nil }
    return .date(Timestamp(seconds: parts[0], nanoseconds: nanoseconds))
  }

  static func bytes(base64 text: Span<UInt8>) -> ByteString? {
    var bytes = ByteBuffer(capacity: max(1, text.count))
    return bytes.append(decodingBase64: text) ? ByteString(copying: bytes.span) : nil
  }
}

extension ValueType {
  private static let announced = allCases.compactMap { type in type.jsonTag.map { (tag: $0, type: type) } }

  /// The type that a key such as `$date` announces; nil for a key that announces none.
  init?(announcedBy key: Span<UInt8>) {
    guard key.count > 1, key[0] == UInt8(ascii: "$") else { return nil }
    for (tag, type) in Self.announced where key.extracting(droppingFirst: 1).equals(tag) {
      self = type
      return
    }
    return nil
  }

  /// Whether a value that is announced as one of this type may stand in for one of `type`.
  func fits(_ type: ValueType) -> Bool {
    self == type || isFloating && type.isFloating || self == .double && type == .decimal128
  }
}

extension Span<UInt8> {
  /// Digits alone, with or without a sign.
  var isWholeNumber: Bool {
    indices.allSatisfy { self[$0].isDigit || self[$0] == UInt8(ascii: "-") }
  }

  func equals(_ text: StaticString) -> Bool { equals("\(text)") }

  func equals(_ text: String) -> Bool {
    guard count == text.utf8.count else { return false }
    var index = 0
    for byte in text.utf8 {
      guard self[index] == byte else { return false }
      index += 1
    }
    return true
  }
}
