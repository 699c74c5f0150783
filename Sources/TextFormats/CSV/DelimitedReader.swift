// A strict reader of CSV (RFC 4180) and TSV records, from bytes or from a descriptor.
// Layer: TextFormats. Memory does not grow with the text, only with its largest record. Line ends are LF or
// CRLF; a byte order mark is passed over; the last line may lack its end. An empty line is a record of one
// null field, as a table of one column writes it.

import ByteText

/// Reads one record of fields after the other.
package struct DelimitedReader: ~Copyable {
  package enum Dialect: Sendable, Equatable {
    /// Quoted fields, with `""` for a quote; a field of nothing is null.
    case csv(separator: UInt8)
    /// Fields between tabs with `\t \n \r \\`; `\N` is null.
    case tsv
  }

  private struct Field {
    let end: Int
    let isNull: Bool
    let line: Int
    let column: Int
  }

  private let dialect: Dialect
  private let separator: UInt8
  private var input: TextInput
  private var position = 0
  private var record = ByteBuffer(capacity: 1024)
  private var fields: [Field] = []

  /// Reads from a copy of `bytes`.
  package init(_ bytes: Span<UInt8>, dialect: Dialect) {
    input = TextInput(bytes)
    self.dialect = dialect
    separator = dialect.separator
  }

  /// Reads from an open descriptor, which stays open.
  package init(descriptor: Int32, dialect: Dialect) throws(TextFormatError) {
    input = try TextInput(descriptor: descriptor)
    self.dialect = dialect
    separator = dialect.separator
  }

  /// The number of fields of the present record.
  package var fieldCount: Int { fields.count }

  /// The text of a field; empty when it is null. Valid until the next record.
  @_lifetime(borrow self)
  package borrowing func field(_ index: Int) -> Span<UInt8> {
    record.span.extracting((index == 0 ? 0 : fields[index - 1].end)..<fields[index].end)
  }

  package func isNull(_ index: Int) -> Bool { fields[index].isNull }

  /// The line and column (in characters) where a field begins.
  package func place(_ index: Int) -> (line: Int, column: Int) {
    (fields[index].line, fields[index].column)
  }

  /// Reads the next record; false at the end. Throws when the text is malformed or cannot be read.
  package mutating func nextRecord() throws(TextFormatError) -> Bool {
    record.removeAll()
    fields.removeAll(keepingCapacity: true)
    guard try peek() != nil else { return false }
    while true {
      let place = input.location(at: position)
      let start = record.count
      let isNull = dialect == .tsv ? try readEscapedField() : try readField(from: place)
      if let invalid = firstInvalidUTF8Index(in: record.span.extracting(start..<record.count)) {
        throw TextFormatError("the field is not valid UTF-8 (its byte \(invalid + 1))", at: place)
      }
      fields.append(Field(end: record.count, isNull: isNull, line: place.line, column: place.column))
      guard try peek() == separator else { break }
      position += 1
    }
    try passLineEnd()
    return true
  }

  /// Reads up to the separator or line end; returns whether the field is null.
  private mutating func readField(from place: TextLocation) throws(TextFormatError) -> Bool {
    if try peek() == UInt8(ascii: "\"") {
      try readQuotedField(from: place)
      return false
    }
    let start = record.count
    try appendRun(upTo: UInt8(ascii: "\""))
    if try peek() == UInt8(ascii: "\"") {
      throw TextFormatError(
        "a quote in a field that does not begin with one; the whole field must be quoted",
        at: input.location(at: position))
    }
    return record.count == start
  }

  private mutating func readQuotedField(from place: TextLocation) throws(TextFormatError) {
    position += 1
    while true {
      guard try peek() != nil else { throw TextFormatError("the text ends inside a quoted field", at: place) }
      try appendQuotedRun()
      if position == input.window.count { continue }
      position += 1
      let next = try peek()
      if next == UInt8(ascii: "\"") {
        record.append(UInt8(ascii: "\""))
        position += 1
        continue
      }
      if next == nil || next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") {
        return
      }
      throw TextFormatError(
        "after the closing quote must come a separator or the end of the line",
        at: input.location(at: position))
    }
  }

  /// Reads a field of TSV; returns whether it is null.
  private mutating func readEscapedField() throws(TextFormatError) -> Bool {
    let start = record.count
    while true {
      try appendRun(upTo: UInt8(ascii: "\\"))
      guard try peek() == UInt8(ascii: "\\") else { return false }
      position += 1
      switch try peek() {
      case UInt8(ascii: "t"): record.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "n"): record.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): record.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "\\"): record.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "N") where record.count == start:
        position += 1
        let next = try peek()
        if next == nil || next == separator || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") {
          return true
        }
        throw TextFormatError("'\\N' must be the whole field", at: input.location(at: position - 1))
      default:
        throw TextFormatError(
          "after a backslash must come t, n, r, N or another backslash", at: input.location(at: position))
      }
      position += 1
    }
  }

  /// Moves bytes to the record up to a separator, a line end or `stop`.
  private mutating func appendRun(upTo stop: UInt8) throws(TextFormatError) {
    while try peek() != nil {
      let end = fieldRunEnd(in: input.window.span, from: position, separator: separator, stop: stop)
      record.append(input.window[position..<end].span)
      position = end
      if end < input.window.count { return }
    }
  }

  /// Moves bytes to the record up to a quote or the end of the window, counting the lines in them.
  private mutating func appendQuotedRun() throws(TextFormatError) {
    while position < input.window.count {
      // Line ends stop the run, so that each is counted at its place.
      let end = fieldRunEnd(
        in: input.window.span, from: position, separator: UInt8(ascii: "\n"), stop: UInt8(ascii: "\""))
      record.append(input.window[position..<end].span)
      position = end
      if end == input.window.count || input.window[end] == UInt8(ascii: "\"") { return }
      if input.window[end] == UInt8(ascii: "\n") { input.passLineEnd(at: end) }
      record.append(input.window[end])
      position += 1
    }
  }

  private mutating func passLineEnd() throws(TextFormatError) {
    if try peek() == UInt8(ascii: "\r") {
      position += 1
      guard try peek() == UInt8(ascii: "\n") else {
        throw TextFormatError(
          "a carriage return without a line feed must stand in quotes", at: input.location(at: position - 1))
      }
    }
    guard try peek() != nil else { return }
    input.passLineEnd(at: position)
    position += 1
  }

  /// The next byte; nil at the end of the text.
  private mutating func peek() throws(TextFormatError) -> UInt8? {
    if position == input.window.count {
      // A byte before the position stays, because complaints may point at it.
      let kept = max(0, position - 1)
      guard try input.refill(keepingFrom: kept) else { return nil }
      position -= kept
    }
    return input.window[position]
  }
}

extension DelimitedReader.Dialect {
  fileprivate var separator: UInt8 {
    switch self {
    case .csv(let separator): separator
    case .tsv: UInt8(ascii: "\t")
    }
  }
}

private func fieldRunEnd(
  in bytes: Span<UInt8>, from start: Int, separator: UInt8, stop: UInt8
) -> Int {
  var index = start
  while index < bytes.count, case let byte = bytes[index], byte != separator, byte != stop, byte != 0x0A,
    byte != 0x0D
  {
    index &+= 1
  }
  return index
}
