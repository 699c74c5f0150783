// A reader of CSV and TSV records, from bytes or from a descriptor. Where RFC 4180 is silent it reads what Python's csv module
// does: a quote inside a field that does not begin with one is a quote, and what stands behind a closing quote belongs to the
// field. Layer: TextFormats, CSV. Memory does not grow with the text, only with its largest record. Line ends are LF, CRLF or
// CR; a byte order mark is passed over; the last line may lack its end.

import ByteText

/// Reads one record of fields after the other.
package struct DelimitedReader: ~Copyable {
  private struct Field {
    let end: Int
    let isNull: Bool
    /// Bytes from the beginning of the record.
    let start: Int
  }

  /// How large the fields of one column may be.
  package struct FieldLimit: Sendable {
    let sizeMax: Int
    let refusal: String

    /// `refusal`: what is said of a larger one, before its first characters.
    package init(sizeMax: Int, refusal: String) {
      self.sizeMax = sizeMax
      self.refusal = refusal
    }
  }

  /// By columns; a field that is too large is refused before all of it was read.
  package var limits: [FieldLimit?] = []
  /// Whether a record that has such a field is read to its end all the same, because it is to be shown.
  package var keepsLargeRecords = false
  /// How many fields records have. Nil where it is not known: then one with very many is refused. Else one more is kept of a
  /// record that has more, and the others are only counted.
  package var columnCount: Int?

  package let separator: UInt8
  private let quote: UInt8?
  private let comment: UInt8?
  private let hasEscapes: Bool
  private var input: TextInput
  private var position = 0
  private var recordStart = 0
  private var record = ByteBuffer(capacity: 1024)
  private var fields: [Field] = []
  /// Fields that are not kept.
  private var surplusCount = 0
  /// What is wrong with a field of the present record, which is read to its end all the same.
  private var fault: TextFormatError?
  /// Where the field that is read begins: its text in `record`, and its first byte in the record as it stands.
  private var presentField = (textStart: 0, start: 0)

  /// Reads from a copy of `bytes`.
  package init(_ bytes: Span<UInt8>, format: DelimitedFormat) {
    self.init(TextInput(bytes), format: format)
  }

  /// Reads from an open descriptor, which stays open.
  package init(descriptor: Int32, format: DelimitedFormat) throws(TextFormatError) {
    self.init(try TextInput(descriptor: descriptor), format: format)
  }

  /// Reads a text from its beginning.
  package init(_ input: consuming TextInput, format: DelimitedFormat) {
    self.input = input
    separator = format.separator
    quote = format.quote
    comment = format.comment
    hasEscapes = format.hasEscapes
  }

  // MARK: The present record

  /// The number of fields.
  package var fieldCount: Int { fields.count + surplusCount }

  /// The text of a field; empty when it is null. Valid until the next record.
  @_lifetime(borrow self)
  package borrowing func field(_ index: Int) -> Span<UInt8> {
    record.span.extracting((index == 0 ? 0 : fields[index - 1].end)..<fields[index].end)
  }

  package func isNull(_ index: Int) -> Bool { fields[index].isNull }

  /// Whether nothing stands on the line.
  package var isBlankLine: Bool { fieldCount == 1 && fields[0].isNull && !hasEscapes }

  /// The record as it stands in the text, without its line end.
  package var source: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { input.window.span.extracting(recordStart..<recordEnd) }
  }

  private var recordEnd = 0
  private var location = TextLocation.start

  /// Where the record begins.
  package var recordLocation: TextLocation { location }

  /// Where a field begins. Cost: a look at what stands before it in its record.
  package func place(_ index: Int) -> TextLocation { place(atByte: fields[index].start) }

  private func place(atByte offset: Int) -> TextLocation {
    location.moved(over: input.window.span.extracting(recordStart..<recordStart + offset))
  }

  /// Bytes that were read from the descriptor.
  package var readCount: Int { input.readCount }

  // MARK: Reading

  /// Passes over lines at the beginning, whatever they hold.
  package mutating func skipLines(_ count: Int) throws(TextFormatError) {
    for _ in 0..<count {
      guard try peek() != nil else { return }
      try skipLine()
    }
  }

  private mutating func skipLine() throws(TextFormatError) {
    while let byte = try peek() {
      recordStart = position
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return try passLineEnd() }
      position += 1
    }
  }

  /// Whether what was thrown last is wrong with one record, which was passed: the next one can be read.
  package var isPastFault: Bool { fault != nil }

  /// Reads the next record; false at the end. Throws when the text is malformed or cannot be read.
  package mutating func nextRecord() throws(TextFormatError) -> Bool {
    fault = nil
    record.removeAll()
    fields.removeAll(keepingCapacity: true)
    surplusCount = 0
    recordStart = position
    while let comment, try peek() == comment {
      try skipLine()
      recordStart = position
    }
    guard try peek() != nil else { return false }
    location = input.location(at: recordStart)
    while true {
      let start = position - recordStart
      let textStart = record.count
      presentField = (textStart, start)
      if columnCount == nil, fields.count == Self.fieldsMax {
        fault = nil
        throw TextFormatError("a record can have at most \(Self.fieldsMax) cells", at: place(atByte: start))
      }
      let isNull = hasEscapes ? try readEscapedField() : try readField()
      // Only the first fault of a record is told, and its place costs a look at what stands before it.
      if fault == nil, firstInvalidUTF8Index(in: record.span.extracting(textStart..<record.count)) != nil {
        fault = invalidText(from: recordStart + start)
      }
      if let columnCount, fields.count > columnCount {
        surplusCount += 1
        record.truncate(to: textStart)
      } else {
        fields.append(Field(end: record.count, isNull: isNull, start: start))
      }
      guard try peek() == separator else { break }
      position += 1
    }
    recordEnd = position
    try passLineEnd()
    if let fault { throw fault }
    return true
  }

  private static let fieldsMax = 1 << 16
  private static let shownCharactersMax = 60

  /// Refuses the present field where it has grown too large.
  private mutating func checkFieldSize() throws(TextFormatError) {
    let (textStart, start) = presentField
    guard fields.count < limits.count, let limit = limits[fields.count],
      record.count - textStart > limit.sizeMax
    else { return }
    if fault == nil || !keepsLargeRecords {
      let headSize = min(limit.sizeMax, 4 * Self.shownCharactersMax)
      let head = record.span.extracting(textStart..<textStart + headSize).string.prefix(
        Self.shownCharactersMax)
      let error = TextFormatError("\(limit.refusal), not \"\(head)…\"", at: place(atByte: start))
      guard keepsLargeRecords else {
        fault = nil
        throw error
      }
      fault = error
    }
    // Nobody asks for it any more.
    record.truncate(to: textStart)
  }

  private mutating func invalidText(from start: Int) -> TextFormatError {
    let bytes = input.window.span
    let invalid = start + (firstInvalidUTF8Index(in: bytes.extracting(start..<position)) ?? 0)
    let place = place(atByte: invalid - recordStart)
    return TextFormatError(
      "the text is not UTF-8: byte \(bytes[invalid]) at offset \(place.offset)", at: place,
      hint: "convert it first: iconv -f WINDOWS-1252 -t UTF-8")
  }

  /// Reads up to the separator or line end; returns whether the field is null.
  private mutating func readField() throws(TextFormatError) -> Bool {
    let start = record.count
    if let quote, try peek() == quote {
      try readQuotedField(quote)
      // What stands behind the closing quote belongs to the field.
      try appendRun(upTo: separator)
      return false
    }
    try appendRun(upTo: separator)
    return record.count == start
  }

  private mutating func readQuotedField(_ quote: UInt8) throws(TextFormatError) {
    let start = position - recordStart
    position += 1
    while true {
      guard try peek() != nil else {
        fault = nil
        throw TextFormatError("the text ends inside a quoted field", at: place(atByte: start))
      }
      let end = input.window.span.firstIndex(of: quote, from: position) ?? input.window.count
      record.append(input.window[position..<end].span)
      position = end
      try checkFieldSize()
      if end == input.window.count { continue }
      position += 1
      guard try peek() == quote else { return }
      record.append(quote)
      position += 1
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
        if fault == nil {
          fault = TextFormatError(
            "'\\N' must be the whole field", at: place(atByte: position - 1 - recordStart))
        }
        continue
      default:
        if fault == nil {
          fault = TextFormatError(
            "after a backslash must come t, n, r, N or another backslash",
            at: place(atByte: position - recordStart),
            hint: "--format csv --delimiter tab reads fields in quotes, and backslashes as they are")
        }
        continue
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
      try checkFieldSize()
      if end < input.window.count { return }
    }
  }

  /// Passes over the end of the line, if one stands here, and counts the lines of the record.
  private mutating func passLineEnd() throws(TextFormatError) {
    let isReturn = try peek() == UInt8(ascii: "\r")
    if isReturn { position += 1 }
    if try peek() == UInt8(ascii: "\n") { position += 1 } else if !isReturn { return }
    let lineCount =
      input.window.span.extracting(recordStart..<position - 1).count(of: UInt8(ascii: "\n")) + 1
    input.passLineEnds(lineCount, lastAt: position - 1)
  }

  /// What cannot be read is no fault of one record.
  private mutating func refill(keepingFrom kept: Int) throws(TextFormatError) -> Bool {
    do throws(TextFormatError) {
      return try input.refill(keepingFrom: kept)
    } catch {
      fault = nil
      throw error
    }
  }

  /// The next byte; nil at the end of the text.
  private mutating func peek() throws(TextFormatError) -> UInt8? {
    if position == input.window.count {
      // The record stays, because places are told from it.
      let kept = recordStart
      guard try refill(keepingFrom: kept) else { return nil }
      position -= kept
      recordEnd -= kept
      recordStart = 0
    }
    return input.window[position]
  }
}

extension DelimitedReader: LineSource {
  package mutating func beginLine() throws(TextFormatError) -> Bool {
    let isThere = try peek() != nil
    recordStart = position
    return isThere
  }

  package var lineNumber: Int { mutating get { input.location(at: position).line } }

  package mutating func linesAhead(
    inPiecesOf count: Int, sizeMax: Int, piecesMax: Int
  ) throws(TextFormatError) -> LineBatch {
    try readAhead(sizeMax)
    return input.batch(
      from: position, inPiecesOf: count, sizeMax: sizeMax, piecesMax: piecesMax, quote: quote)
  }

  package mutating func linesAhead(
    inPiecesOfSize pieceSize: Int, piecesMax: Int
  ) throws(TextFormatError) -> LineBatch {
    try readAhead(pieceSize * piecesMax)
    return input.batch(from: position, inPiecesOfSize: pieceSize, piecesMax: piecesMax, quote: quote)
  }

  /// Reads until so many bytes are there from the next record on, or the text ends.
  private mutating func readAhead(_ size: Int) throws(TextFormatError) {
    recordStart = position
    while input.window.count - position < size, try input.refill(keepingFrom: position) {
      position = 0
      recordStart = 0
      recordEnd = 0
    }
  }

  package mutating func passLines(_ size: Int, count: Int) {
    let lineCount = input.window.span.extracting(position..<position + size).count(of: UInt8(ascii: "\n"))
    position += size
    recordStart = position
    if lineCount > 0 { input.passLineEnds(lineCount, lastAt: position - 1) }
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
