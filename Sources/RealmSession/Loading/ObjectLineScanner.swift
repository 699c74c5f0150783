// What stands between the values of an object in JSON. Layer: RealmSession, Loading.

import ByteText
import TextFormats

/// Walks through an object of single values on one line.
struct ObjectLineScanner: ~Escapable {
  private let line: Span<UInt8>
  private var position = 0
  /// Where the last value ended.
  private var valueEnd = 0
  private var isBroken = false
  /// What stands behind the last value, line end included; nil where the line is no such object.
  private(set) var end: Range<Int>?

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) { self.line = line }

  /// What stands before the next value, and its key without quotes; nil behind the last one.
  mutating func nextLabel() -> (label: Range<Int>, key: Range<Int>)? {
    guard !isBroken, end == nil else { return nil }
    passBlanks()
    if valueEnd > 0, take(UInt8(ascii: "}")) {
      passBlanks()
      if take(UInt8(ascii: "\n")), position == line.count { end = valueEnd..<position }
      return nil
    }
    isBroken = true
    guard take(valueEnd == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")) else { return nil }
    passBlanks()
    guard let key = text() else { return nil }
    passBlanks()
    guard take(UInt8(ascii: ":")) else { return nil }
    passBlanks()
    let label = valueEnd..<position
    guard passValue() else { return nil }
    valueEnd = position
    isBroken = false
    return (label, key)
  }

  private mutating func passBlanks() {
    while position < line.count,
      [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(line[position])
    {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < line.count, line[position] == byte else { return false }
    position += 1
    return true
  }

  /// A text in quotes; with escapes only where nobody asks what it says.
  private mutating func text() -> Range<Int>? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < line.count, line[position] != UInt8(ascii: "\"") {
      position += line[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard take(UInt8(ascii: "\"")) else { return nil }
    return start..<position - 1
  }

  private mutating func passValue() -> Bool {
    guard position < line.count else { return false }
    if line[position] == UInt8(ascii: "\"") { return text() != nil }
    let start = position
    while position < line.count, case let byte = line[position],
      byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: ".")
    {
      position += 1
    }
    return position > start
  }
}
