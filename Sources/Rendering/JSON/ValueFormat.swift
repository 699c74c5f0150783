// The text of single values in JSON, in both styles. Layer: Rendering, JSON.

package import ByteText
package import RealmEngine
import TextFormats

/// How values that JSON has no type for are written.
package enum JSONStyle: Sendable {
  /// As most programs expect them: dates, decimals and identifiers as strings, links as the target's primary key.
  case plain
  /// Without loss, for dumps: `{"$date":"2020-01-01T00:00:00Z"}`.
  case typed
  /// Plain, but as columns of SQL hold them: a boolean is 1 or 0, and NaN is null.
  case sql
}

/// Writes values that need nothing but themselves.
package struct ValueFormat: Sendable {
  package let style: JSONStyle

  package init(_ style: JSONStyle) { self.style = style }

  package func append(_ value: Bool, to text: inout ByteBuffer) {
    if style == .sql { return text.append(UInt8(ascii: value ? "1" : "0")) }
    if value { text.append(literal: "true") } else { text.append(literal: "false") }
  }

  package func append(_ value: Double, to text: inout ByteBuffer) {
    if style == .sql {
      if value.isNaN { return text.append(literal: "null") }
      if value == 0 { return text.append(shortest: 0.0) }
    }
    if value.isFinite { return text.append(shortest: value) }
    open("{\"$double\":\"", &text)
    text.append(shortest: value)
    close(&text)
  }

  package func append(_ value: Float, to text: inout ByteBuffer) {
    if style == .sql { return append(value.decimal, to: &text) }
    if value.isFinite {
      if style == .typed { text.append(literal: "{\"$float\":") }
      text.append(shortest: value)
      if style == .typed { text.append(UInt8(ascii: "}")) }
      return
    }
    open("{\"$float\":\"", &text)
    text.append(shortest: value)
    close(&text)
  }

  /// Bytes that are meant to be UTF-8, escaped; base64 or U+FFFD where they are not.
  ///
  /// Returns false where U+FFFD stands for some of them.
  @discardableResult
  package func append(text bytes: RawBytes, to text: inout ByteBuffer) -> Bool {
    let start = text.count
    if text.append(jsonString: bytes.span) { return true }
    guard style == .typed else { return false }
    text.truncate(to: start)
    open("{\"$string\":\"", &text)
    text.append(base64: bytes.span)
    close(&text)
    return true
  }

  package func append(text value: ByteString, to text: inout ByteBuffer) {
    append(text: value.bytes, to: &text)
  }

  package func append(data value: ByteString, to text: inout ByteBuffer) {
    append(data: value.bytes, to: &text)
  }

  package func append(data bytes: RawBytes, to text: inout ByteBuffer) {
    open("{\"$binary\":\"", &text)
    text.append(base64: bytes.span)
    close(&text)
  }

  package func append(_ value: Timestamp, to text: inout ByteBuffer) {
    let start = text.count
    open("{\"$date\":\"", &text)
    if value.write(to: &text) { return close(&text) }
    // The calendar form ends with the year 9999.
    text.truncate(to: start)
    switch style {
    case .typed: text.append(literal: "{\"$date\":")
    case .sql: text.append(UInt8(ascii: "\""))
    case .plain: break
    }
    text.append(UInt8(ascii: "["))
    text.append(decimal: value.seconds)
    text.append(UInt8(ascii: ","))
    text.append(decimal: Int64(value.nanoseconds))
    text.append(UInt8(ascii: "]"))
    switch style {
    case .typed: text.append(UInt8(ascii: "}"))
    case .sql: text.append(UInt8(ascii: "\""))
    case .plain: break
    }
  }

  package func append(_ value: Decimal128, to text: inout ByteBuffer) {
    open("{\"$decimal\":\"", &text)
    value.write(to: &text)
    close(&text)
  }

  package func append(_ value: ObjectID, to text: inout ByteBuffer) {
    open("{\"$oid\":\"", &text)
    value.write(to: &text)
    close(&text)
  }

  package func append(_ value: UUIDValue, to text: inout ByteBuffer) {
    open("{\"$uuid\":\"", &text)
    value.write(to: &text)
    close(&text)
  }

  /// `head` is `{"$link":{"class":"Person","key":`.
  func append(link key: ObjectKey, head: [UInt8], to text: inout ByteBuffer) {
    text.append(head)
    text.append(decimal: key.value)
    text.append(UInt8(ascii: "}"), UInt8(ascii: "}"))
  }

  /// The typed style's opening, or only its last byte, the quote.
  private func open(_ tag: StaticString, _ text: inout ByteBuffer) {
    if style == .typed { text.append(literal: tag) } else { text.append(UInt8(ascii: "\"")) }
  }

  private func close(_ text: inout ByteBuffer) {
    if style == .typed {
      text.append(UInt8(ascii: "\""), UInt8(ascii: "}"))
    } else {
      text.append(UInt8(ascii: "\""))
    }
  }
}
