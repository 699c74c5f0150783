// Lines of JSON whose form is known in advance, read without tokens: what is the same in each is compared as bytes.
// Layer: TextFormats. Invariant: what is taken is what the tokens would have been. Where a line looks different, whoever
// reads it gives up, and JSONReader begins the line anew.

import ByteText

extension JSONReader {
  /// Goes to where the next value begins, in a text of lines between two values; false at the end.
  package mutating func beginLine() throws(TextFormatError) -> Bool {
    precondition(depth == 0 && framing == .lines)
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

  /// Passes over the next value, which takes `size` of the bytes ahead.
  package mutating func passLine(_ size: Int) {
    position += size
    expectation = .lineEnd
  }
}

/// Walks through bytes that begin with a line. Each step is one that fits or leaves everything as it was.
package struct JSONLineScanner {
  package private(set) var position = 0
  /// Whether a step failed because the bytes end.
  package private(set) var isCut = false

  package init() {}

  /// Passes over exactly these bytes.
  @inline(__always)
  package mutating func skip(_ literal: [UInt8], in bytes: Span<UInt8>) -> Bool {
    guard literal.count <= bytes.count &- position else {
      isCut = true
      return false
    }
    for index in literal.indices where bytes[position &+ index] != literal[index] { return false }
    position &+= literal.count
    return true
  }

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
    let end = numberRunEnd(in: bytes, from: position)
    guard end < bytes.count else {
      isCut = true
      return nil
    }
    guard end > position else { return nil }
    let text = bytes.extracting(position..<end)
    if case .malformed = numberShape(text) { return nil }
    guard let value = Double(decimalText: text) else { return nil }
    position = end
    return value
  }
}
