// Walks through the cells of records that have nothing special: what looks otherwise is for DelimitedReader to read.
// Layer: RealmSession, Importing. Invariant: what is taken is what the reader would have taken.

import ByteText
import TextFormats

/// A place in bytes that begin with records.
struct PlainCellScanner: ~Copyable {
  /// The first character behind a carriage return, which comes behind a line feed.
  private static let firstBlank: UInt8 = 0x0E

  enum Cell {
    case null
    /// Where it stands. What has no quotes around it may still be null.
    case text(Range<Int>, isQuoted: Bool)
    /// A cell with quotes inside, which the scanner holds without them.
    case unescaped
  }

  private let separator: UInt8
  private let quote: UInt8?
  private let hasEscapes: Bool
  private(set) var position = 0
  private(set) var unescaped = ByteBuffer(capacity: 256)

  init(_ format: DelimitedFormat) {
    separator = format.separator
    quote = format.quote
    hasEscapes = format.hasEscapes
  }

  /// Reads a cell; the position is behind it then.
  @inline(__always)
  mutating func cell(in bytes: Span<UInt8>) -> Cell? {
    guard position < bytes.count else { return nil }
    if let quote, bytes[position] == quote { return quotedCell(quote, in: bytes) }
    let start = position
    let escape: UInt8 = hasEscapes ? UInt8(ascii: "\\") : 0x0A
    var (end, isASCII) = bytes.runEnd(from: start, before: separator, escape, orBelow: Self.firstBlank)
    // Few other characters are among those that end lines.
    while end < bytes.count, !isEnd(bytes[end]), bytes[end] != escape {
      let rest = bytes.runEnd(from: end + 1, before: separator, escape, orBelow: Self.firstBlank)
      (end, isASCII) = (rest.end, isASCII && rest.isASCII)
    }
    if hasEscapes, end == start, end + 2 < bytes.count, bytes[end] == escape,
      bytes[end + 1] == UInt8(ascii: "N"), isEnd(bytes[end + 2])
    {
      position = end + 2
      return .null
    }
    // A backslash stands for something else.
    guard end < bytes.count, !hasEscapes || bytes[end] != escape, end - start <= plainTextSizeMax,
      isASCII || firstInvalidUTF8Index(in: bytes.extracting(start..<end)) == nil
    else { return nil }
    position = end
    return .text(start..<end, isQuoted: hasEscapes)
  }

  /// Passes over what ends a cell: a separator, or the end of the record where it is the last one.
  @inline(__always)
  mutating func passEnd(isLast: Bool, in bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count else { return false }
    if isLast, bytes[position] == UInt8(ascii: "\r") { position &+= 1 }
    guard position < bytes.count, bytes[position] == (isLast ? UInt8(ascii: "\n") : separator) else {
      return false
    }
    position &+= 1
    return true
  }

  /// Passes over bytes that the caller has looked at.
  mutating func pass(to end: Int) { position = end }

  /// Whether a byte ends what has no quotes around it.
  func isEnd(_ byte: UInt8) -> Bool { byte == separator || byte == 0x0A || byte == 0x0D }

  /// Nil where the cell goes on behind its closing quote.
  private mutating func quotedCell(_ quote: UInt8, in bytes: Span<UInt8>) -> Cell? {
    unescaped.removeAll()
    var start = position + 1
    while let end = bytes.firstIndex(of: quote, from: start), end + 1 < bytes.count {
      let part = bytes.extracting(start..<end)
      guard part.count + unescaped.count <= plainTextSizeMax, firstInvalidUTF8Index(in: part) == nil else {
        return nil
      }
      let next = bytes[end + 1]
      if next == quote {
        unescaped.append(part)
        unescaped.append(quote)
        start = end + 2
        continue
      }
      guard isEnd(next) else { return nil }
      position = end + 1
      if unescaped.isEmpty { return .text(start..<end, isQuoted: true) }
      unescaped.append(part)
      return .unescaped
    }
    return nil
  }
}
