// What MongoDB's programs write for values that JSON has no type for: `{"$numberLong":"5"}`, `{"$date":{"$numberLong":"0"}}`,
// `{"$binary":{"base64":"…","subType":"00"}}`. Layer: RealmSession, Documents.
// Tags that dumps have too mean the same there.

import ByteText
import RealmEngine
import TextFormats

extension ObjectReader {
  /// The type that a key announces, in a dump or there; nil for a key that announces none.
  static func announcedType(_ key: Span<UInt8>) -> ValueType? {
    if let type = ValueType(announcedBy: key) { return type }
    return switch key.string {
    case "$numberLong", "$numberInt": .int
    case "$numberDouble": .double
    case "$numberDecimal": .decimal128
    default: nil
    }
  }

  /// Whether a value that is announced as one of a type is one of `type` as well: numbers are ints where they can be, UUIDs bytes.
  static func isExtended(_ announced: ValueType, _ type: ValueType) -> Bool {
    announced == .int && [.float, .double, .decimal128].contains(type) || announced == .data && type == .uuid
  }

  /// A number whose digits are a text.
  static func quotedNumber(_ token: JSONToken, _ reader: borrowing JSONReader, _ type: ValueType) -> Value? {
    guard token == .string, [.int, .float, .double].contains(type) else { return nil }
    return Value.spelled(reader.text, isQuoted: false, as: type)
  }

  /// A value that is an object itself, to its end; the brace was passed.
  func extended(
    _ announced: ValueType, from reader: inout JSONReader, as type: ValueType
  ) throws -> Value? {
    switch announced {
    case .date: try milliseconds(&reader)
    case .data: try binary(&reader, as: type)
    default: nil
    }
  }

  private func milliseconds(_ reader: inout JSONReader) throws -> Value? {
    guard try reader.next() == .key, Self.announcedType(reader.text) == .int else { return nil }
    let token = try reader.next()
    guard token == .string || token == .integer, let count = Int64(decimalText: reader.text),
      try reader.next() == .endObject
    else { return nil }
    return .date(Timestamp(seconds: count / 1000, nanoseconds: Int32(count % 1000) * 1_000_000))
  }

  private static func isUUID(subtype: Span<UInt8>) -> Bool {
    ["03", "04", "3", "4"].contains(subtype.string)
  }

  /// Passes over a value whose first token is `token`, which was announced as one of a type. Gives the type that it has.
  static func skip(
    _ token: JSONToken, of announced: ValueType, in reader: inout JSONReader
  ) throws(TextFormatError) -> ValueType {
    guard announced == .data, token == .beginObject else {
      try reader.skipRest(of: token)
      return announced
    }
    var type = ValueType.data
    var next = try reader.next()
    while next == .key {
      let isSubtype = reader.text.equals("subType")
      next = try reader.next()
      if isSubtype, next == .string, isUUID(subtype: reader.text) { type = .uuid }
      try reader.skipRest(of: next)
      next = try reader.next()
    }
    return type
  }

  /// Subtypes 3 and 4 are UUIDs, where `type` is no other.
  private func binary(_ reader: inout JSONReader, as type: ValueType) throws -> Value? {
    var bytes: ByteString?
    var isUUID = type == .uuid
    var token = try reader.next()
    while token == .key {
      let isContent = reader.text.equals("base64")
      guard isContent || reader.text.equals("subType"), try reader.next() == .string else { return nil }
      if isContent {
        bytes = Value.bytes(base64: reader.text)
      } else {
        isUUID = isUUID || Self.isUUID(subtype: reader.text)
      }
      token = try reader.next()
    }
    guard token == .endObject, let bytes else { return nil }
    guard isUUID, bytes.count == 16 else { return type == .uuid ? nil : .data(bytes) }
    func half(_ offset: Int) -> UInt64 { bytes.bytes.load(UInt64.self, at: offset).byteSwapped }
    let id = Value.uuid(UUIDValue(high: half(0), low: half(8)))
    return type == .data ? .data(bytes) : id
  }
}
