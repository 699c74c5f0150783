// Lines of JSON whose form is known in advance, read without tokens: what is the same in each is compared as bytes.
// Layer: TextFormats, JSON. Invariant: what is taken is what the tokens would have been. Where a line looks different, its
// reader gives up, and JSONReader reads the line from its beginning.

import ByteText

extension JSONReader: LineSource {
  /// Goes to where the next value begins, in a text of lines between two values; false at the end.
  package mutating func beginLine() throws(TextFormatError) -> Bool {
    precondition(depth == 0 && framing != .document)
    let byte = try nextByte()
    expectation = .outermostValue
    return byte != nil
  }

  /// The bytes from the beginning of the next value on that have been read already.
  package var bytesAhead: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { input.window.span.extracting(droppingFirst: position) }
  }

  /// Reads more; false at the end of the text.
  package mutating func readAhead() throws(TextFormatError) -> Bool {
    try refillWindow(keepingFrom: position)
  }

  /// Whether the value of the key that was just read begins with `byte`.
  package mutating func valueBegins(with byte: UInt8) throws(TextFormatError) -> Bool {
    var index = 0
    while true {
      while index < bytesAhead.count {
        switch bytesAhead[index] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"): index += 1
        case let other: return other == byte
        }
      }
      guard try readAhead() else { return false }
    }
  }

  /// The lines ahead, in at most `piecesMax` pieces of `count` lines each, as far as they fill about `sizeMax` bytes.
  package mutating func linesAhead(
    inPiecesOf count: Int, sizeMax: Int, piecesMax: Int
  ) throws(TextFormatError) -> LineBatch {
    while bytesAhead.count < sizeMax, try readAhead() {}
    return input.batch(from: position, inPiecesOf: count, sizeMax: sizeMax, piecesMax: piecesMax)
  }

  package mutating func linesAhead(
    inPiecesOfSize pieceSize: Int, piecesMax: Int
  ) throws(TextFormatError) -> LineBatch {
    while bytesAhead.count < pieceSize * piecesMax, try readAhead() {}
    return input.batch(from: position, inPiecesOfSize: pieceSize, piecesMax: piecesMax)
  }

  /// Whether the next byte comes before a place in a batch.
  package func isBefore(_ index: Int, of batch: LineBatch) -> Bool {
    input.windowOffset + position < batch.offset + index
  }

  /// Whether the next byte is at a place in a batch.
  package func isAt(_ index: Int, of batch: LineBatch) -> Bool {
    input.windowOffset + position == batch.offset + index
  }

  package var lineNumber: Int { mutating get { input.location(at: position).line } }

  /// Passes over `count` lines, which take `size` of the bytes ahead with their ends.
  package mutating func passLines(_ size: Int, count: Int) {
    guard count > 0 else { return }
    position += size
    input.passLineEnds(count, lastAt: position - 1)
    expectation = .outermostValue
  }
}

/// Walks through bytes that begin with lines. Each step is one that fits or leaves everything as it was.
package struct JSONLineScanner {
  package private(set) var position = 0
  /// Whether a step failed because the bytes end.
  package private(set) var isCut = false

  package init() {}

  /// Passes over exactly these bytes.
  @inline(__always)
  package mutating func skip(_ literal: Span<UInt8>, in bytes: Span<UInt8>) -> Bool {
    guard literal.count <= bytes.count &- position else {
      isCut = true
      return false
    }
    guard bytes.hasBytes(literal, at: position) else { return false }
    position &+= literal.count
    return true
  }

  /// Passes over bytes that the caller has looked at.
  @inline(__always)
  package mutating func pass(_ count: Int) { position &+= count }

  /// Passes over the rest of a string without escapes, closing quote included, and says where its text stands.
  @inline(__always)
  package mutating func text(in bytes: Span<UInt8>) -> Range<Int>? {
    let run = jsonPlainRun(in: bytes, from: position)
    guard run.end < bytes.count else {
      isCut = true
      return nil
    }
    let range = position..<run.end
    guard bytes[run.end] == UInt8(ascii: "\""),
      run.isASCII || firstInvalidUTF8Index(in: bytes.extracting(range)) == nil
    else { return nil }
    position = run.end &+ 1
    return range
  }

  /// Passes over an integer of at most 18 digits.
  @inline(__always)
  package mutating func integer(in bytes: Span<UInt8>) -> Int64? {
    var index = position
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    let start = index
    var value: Int64 = 0
    while index < bytes.count, index &- start < 18, case let digit = bytes[index] &- UInt8(ascii: "0"),
      digit <= 9
    {
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    guard index < bytes.count else {
      isCut = true
      return nil
    }
    guard index > start, bytes[start] != UInt8(ascii: "0") || index &- start == 1,
      bytes[index] &- UInt8(ascii: "0") > 9
    else { return nil }
    position = index
    return isNegative ? -value : value
  }

  /// Passes over a number that a double can hold.
  @inline(__always)
  package mutating func double(in bytes: Span<UInt8>) -> Double? {
    let start = position
    guard let text = number(in: bytes), let value = Double(decimalText: bytes.extracting(text)) else {
      position = start
      return nil
    }
    return value
  }

  /// Passes over a number and says where its text stands.
  @inline(__always)
  package mutating func number(in bytes: Span<UInt8>) -> Range<Int>? {
    let end = numberRunEnd(in: bytes, from: position)
    guard end < bytes.count else {
      isCut = true
      return nil
    }
    guard end > position else { return nil }
    let range = position..<end
    if case .malformed = numberShape(bytes.extracting(range)) { return nil }
    position = end
    return range
  }

  /// Passes over the rest of a string, closing quote included, whatever it holds, and gives a reader that has its text; nil
  /// where that is none, or longer than `sizeMax`.
  package mutating func escapedText(in bytes: Span<UInt8>, sizeMax: Int) -> JSONReader? {
    let start = position
    var index = position
    while true {
      index = jsonPlainRun(in: bytes, from: index).end
      guard index &+ 1 < bytes.count else {
        isCut = true
        return nil
      }
      if bytes[index] == UInt8(ascii: "\"") { break }
      guard bytes[index] == UInt8(ascii: "\\") else { return nil }
      index &+= 2
    }
    position = index &+ 1
    guard position - start <= sizeMax else { return nil }
    var reader = JSONReader(bytes.extracting(start - 1..<position))
    guard let token = try? reader.next(), token == .string else { return nil }
    return reader
  }
}
