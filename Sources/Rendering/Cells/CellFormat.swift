// What a single value looks like in the modes that stream. Layer: Rendering, Cells.
// The modes differ in values and in what stands between them; everything else about rows is the same for all.

package import ByteText
package import RealmEngine
import TextFormats

/// The text of values that need nothing but themselves.
package protocol CellFormat: Sendable {
  var nullText: [UInt8] { get }
  /// Whether -0.0 is told from 0.
  var keepsNegativeZero: Bool { get }
  func append(_ value: Bool, to text: inout ByteBuffer)
  func append(_ value: Double, to text: inout ByteBuffer)
  func append(_ value: Float, to text: inout ByteBuffer)
  func append(_ value: Decimal128, to text: inout ByteBuffer)
  func append(_ value: Timestamp, to text: inout ByteBuffer)
  func append(_ value: ObjectID, to text: inout ByteBuffer)
  func append(_ value: UUIDValue, to text: inout ByteBuffer)
  func append(data bytes: RawBytes, to text: inout ByteBuffer)
  /// False: the bytes are not UTF-8, and the text does not show all of them.
  func append(text bytes: RawBytes, to text: inout ByteBuffer) -> Bool
}

extension CellFormat {
  /// Appends a value that needs nothing but itself: false where its text does not show all of it. Nil, and nothing is
  /// appended, for links and collections.
  package func append(single value: Value, to text: inout ByteBuffer) -> Bool? {
    switch value {
    case .null: text.append(nullText)
    case .int(let value): text.append(decimal: value)
    case .bool(let value): append(value, to: &text)
    case .float(let value): append(value, to: &text)
    case .double(let value): append(value, to: &text)
    case .decimal(let value): append(value, to: &text)
    case .string(let value): return append(text: value.bytes, to: &text)
    case .data(let value): append(data: value.bytes, to: &text)
    case .date(let value): append(value, to: &text)
    case .objectID(let value): append(value, to: &text)
    case .uuid(let value): append(value, to: &text)
    case .link, .list, .dictionary: return nil
    }
    return true
  }
}

extension ValueFormat: CellFormat {
  package var nullText: [UInt8] { Array("null".utf8) }
  package var keepsNegativeZero: Bool { style != .sql }
}

/// Values in csv, tsv, list, quote and sql.
struct FieldFormat: CellFormat {
  let mode: OutputMode
  let nullText: [UInt8]
  let keepsNegativeZero: Bool
  private let values: ValueFormat

  /// Nothing but the text of a value.
  static let bare = FieldFormat(RenderSpec(.list))

  init(_ spec: RenderSpec) {
    mode = spec.mode
    nullText =
      switch spec.mode {
      case .tsv: Array("\\N".utf8)
      case .quote, .sql: Array("NULL".utf8)
      case .csv: []
      default: spec.nullText
      }
    values = ValueFormat(spec.hasSQLValues ? .sql : .plain)
    keepsNegativeZero = values.keepsNegativeZero
  }

  private var isOfSQL: Bool { values.style == .sql }

  func append(_ value: Bool, to text: inout ByteBuffer) {
    if isOfSQL { return values.append(value, to: &text) }
    if mode != .sql { quoteIfNeeded(&text) }
    text.append(literal: value ? "true" : "false")
    if mode != .sql { quoteIfNeeded(&text) }
  }

  func append(_ value: Double, to text: inout ByteBuffer) {
    if isOfSQL, value.isNaN { return text.append(nullText) }
    let value = isOfSQL && value == 0 ? 0 : value
    switch mode {
    case .sql: text.append(sqlNumber: value) { $0.append(shortest: value) }
    case .quote: text.append(sqliteNumber: value) { $0.append(shortest: value) }
    default: text.append(shortest: value)
    }
  }

  func append(_ value: Float, to text: inout ByteBuffer) {
    if isOfSQL { return append(value.decimal, to: &text) }
    switch mode {
    case .sql: text.append(sqlNumber: value) { $0.append(shortest: value) }
    case .quote: text.append(sqliteNumber: value) { $0.append(shortest: value) }
    default: text.append(shortest: value)
    }
  }

  func append(_ value: Decimal128, to text: inout ByteBuffer) {
    // A bare number would lose its digits beyond those of a double.
    let isQuoted = mode != .quote || isOfSQL
    if isQuoted { quoteIfNeeded(&text) }
    value.write(to: &text)
    if isQuoted { quoteIfNeeded(&text) }
  }

  func append(_ value: Timestamp, to text: inout ByteBuffer) {
    let isInUTC = mode == .csv || mode == .tsv || isOfSQL
    guard mode != .quote, mode != .sql, isInUTC ? value.write(to: &text) : value.writeZoned(to: &text) else {
      // Before the year 1 and after 9999 it is a pair of numbers, which has a comma.
      var json = ByteBuffer()
      values.append(value, to: &json)
      return append(json: json, to: &text)
    }
  }

  func append(_ value: ObjectID, to text: inout ByteBuffer) {
    quoteIfNeeded(&text)
    value.write(to: &text)
    quoteIfNeeded(&text)
  }

  func append(_ value: UUIDValue, to text: inout ByteBuffer) {
    quoteIfNeeded(&text)
    value.write(to: &text)
    quoteIfNeeded(&text)
  }

  func append(data bytes: RawBytes, to text: inout ByteBuffer) {
    switch mode {
    case .sql: text.append(sqlBytes: bytes.span)
    case .quote: text.append(sqliteBytes: bytes.span)
    case _ where bytes.count == 0: append(field: bytes.span, to: &text)
    default: text.append(base64: bytes.span)
    }
  }

  func append(text bytes: RawBytes, to text: inout ByteBuffer) -> Bool {
    switch mode {
    case .csv: return text.append(csvField: bytes.span)
    case .tsv: return text.append(tsvField: bytes.span)
    case .sql: return text.append(sqlString: bytes.span)
    case .quote:
      text.append(sqliteString: bytes.span)
      return true
    default:
      let isValid = firstInvalidUTF8Index(in: bytes.span) == nil
      if isValid {
        append(field: bytes.span, to: &text)
      } else {
        var repaired = ByteBuffer()
        repaired.append(repairingUTF8: bytes.span)
        append(field: repaired.span, to: &text)
      }
      return isValid
    }
  }

  /// Appends what was written as JSON; of a string its text.
  func append(json: borrowing ByteBuffer, to text: inout ByteBuffer) {
    // Links by number stand in columns of numbers.
    if mode == .sql, json.count > 0,
      ![UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "[")].contains(json[0])
    {
      return text.append(json.span)
    }
    if json.count > 0, json[0] == UInt8(ascii: "\"") {
      var reader = JSONReader(json.span)
      if (try? reader.next()) == .string { return append(field: reader.text, to: &text) }
    }
    append(field: json.span, to: &text)
  }

  /// Appends UTF-8 text as a field.
  func append(field bytes: Span<UInt8>, to text: inout ByteBuffer) {
    switch mode {
    case .csv: _ = text.append(csvField: bytes)
    case .tsv: _ = text.append(tsvField: bytes)
    case .quote: text.append(sqliteString: bytes)
    case .sql: _ = text.append(sqlString: bytes)
    default: text.append(bytes)
    }
  }

  private func quoteIfNeeded(_ text: inout ByteBuffer) {
    if mode == .quote || mode == .sql { text.append(UInt8(ascii: "'")) }
  }
}
