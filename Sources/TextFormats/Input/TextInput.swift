// The bytes of a text that is read once from beginning to end, with its place in lines and columns.
// Layer: TextFormats, Input; under the readers of JSON and CSV. Memory is flat: a window over the descriptor's
// bytes that slides forward and only grows when a single token is larger than it.

import ByteText

/// A window over a text. Indices are positions in the window and move when it slides. Text in UTF-16 that says so with a
/// byte order mark is read as UTF-8.
package struct TextInput: ~Copyable {
  private(set) var window: [UInt8] = []
  /// Nil when all bytes are in the window from the beginning.
  private let descriptor: Int32?
  /// Bytes of the text before the window.
  private(set) var windowOffset = 0
  private var line = 1
  /// A place in the present line, by its offset in the text, up to which columns have been counted.
  private var markOffset = 0
  private var markColumn = 1

  private var decoder: UTF16Decoder?
  /// What stands in the file before it is decoded.
  private var encoded: [UInt8] = []
  /// How many bytes the descriptor gave.
  package private(set) var readCount = 0

  private static let readSize = 1 << 18
  static let tokenSizeMax = 1 << 27

  /// Reads from a copy of `bytes`.
  package init(_ bytes: Span<UInt8>) {
    descriptor = nil
    window.reserveCapacity(bytes.count)
    for index in bytes.indices { window.append(bytes[index]) }
    skipByteOrderMark()
  }

  package init(descriptor: Int32) throws(TextFormatError) {
    self.descriptor = descriptor
    while window.count < 4, try refill(keepingFrom: 0) {}
    if window.span.isMarkedUTF32 {
      throw TextFormatError(
        "the text is in UTF-32", at: .start, hint: "convert it first: iconv -f UTF-32 -t UTF-8")
    }
    let decoder = UTF16Decoder(head: window.span)
    if decoder != nil {
      self.decoder = decoder
      encoded = Array(window.dropFirst(UTF16Decoder.markSize))
      window = []
      try decode()
    } else {
      skipByteOrderMark()
    }
  }

  /// The first bytes of the text, without what is behind `size`, before any of it was read.
  package mutating func head(_ size: Int) throws(TextFormatError) -> [UInt8] {
    _ = try readAhead(size)
    return Array(window.prefix(size))
  }

  /// Reads ahead until so many bytes are in the window; false where the text ends before.
  package mutating func readAhead(_ size: Int) throws(TextFormatError) -> Bool {
    while window.count < size { guard try refill(keepingFrom: 0) else { return false } }
    return true
  }

  private mutating func decode() throws(TextFormatError) {
    guard var decoder else { return }
    var text: [UInt8] = []
    swap(&text, &window)
    let isText = decoder.decode(encoded.span, into: &text)
    swap(&text, &window)
    self.decoder = decoder
    guard isText else {
      throw TextFormatError(
        "the text is no UTF-16 at its byte \(decoder.byteCount + UTF16Decoder.markSize)", at: endLocation)
    }
    encoded.removeAll(keepingCapacity: true)
  }

  /// The place behind all text that was read, of which lines may still be to be passed.
  private var endLocation: TextLocation {
    mutating get {
      let line = line
      var ahead = window.span.extracting(max(0, markOffset - windowOffset)..<window.count)
      var lineCount = 0
      while let end = ahead.firstIndex(of: UInt8(ascii: "\n"), from: 0) {
        ahead = ahead.extracting(end + 1..<ahead.count)
        lineCount += 1
      }
      guard lineCount > 0 else { return location(at: window.count) }
      return TextLocation(
        line: line + lineCount, column: scalarCount(ahead) + 1, offset: windowOffset + window.count)
    }
  }

  /// Reads more and drops everything before `index`, which becomes 0; false, with nothing changed, at the
  /// end of the text.
  mutating func refill(keepingFrom index: Int) throws(TextFormatError) -> Bool {
    guard let descriptor else { return false }
    if window.count - index >= Self.tokenSizeMax {
      throw TextFormatError(
        "a single value is larger than \(Self.tokenSizeMax >> 20) MiB", at: location(at: index))
    }
    let known = window.count
    // Half a character is no text yet.
    while window.count == known {
      guard try read(descriptor, keepingFrom: index) else {
        guard decoder?.isWhole ?? true else {
          throw TextFormatError("the text in UTF-16 ends within a character", at: endLocation)
        }
        return false
      }
      if decoder != nil { try decode() }
    }
    drop(index)
    return true
  }

  /// Reads some bytes into the window, or to where they are decoded from; false at the end.
  private mutating func read(
    _ descriptor: Int32, keepingFrom index: Int
  ) throws(TextFormatError) -> Bool {
    do throws(SystemCallError) {
      let countMax = max(Self.readSize, window.count - index)
      let count =
        decoder == nil
        ? try window.append(readingFrom: descriptor, countMax: countMax)
        : try encoded.append(readingFrom: descriptor, countMax: countMax)
      readCount += count
      return count > 0
    } catch {
      throw TextFormatError(
        "reading failed: \(error.message)", at: location(at: index), systemError: error.code)
    }
  }

  /// Says that the byte at `index` ends a line; to be called once for each, in order.
  mutating func passLineEnd(at index: Int) { passLineEnds(1, lastAt: index) }

  /// Passes several line ends, the last of them at `index`.
  mutating func passLineEnds(_ count: Int, lastAt index: Int) {
    line += count
    markOffset = windowOffset + index + 1
    markColumn = 1
  }

  /// The place of `index` in the text. Cost: counts the characters since the last place asked for.
  mutating func location(at index: Int) -> TextLocation {
    advanceMark(to: index)
    return TextLocation(line: line, column: markColumn, offset: windowOffset + index)
  }

  private mutating func advanceMark(to index: Int) {
    let start = markOffset - windowOffset
    guard index > start else { return }
    markColumn += scalarCount(window.span.extracting(start..<index))
    markOffset = windowOffset + index
  }

  private mutating func drop(_ count: Int) {
    advanceMark(to: count)
    window.removeFirst(count)
    windowOffset += count
  }

  private mutating func skipByteOrderMark() {
    drop(byteOrderMarkSize(of: window.span))
    markColumn = 1
  }
}

/// 3 when `bytes` begin with a byte order mark, else 0.
func byteOrderMarkSize(of bytes: Span<UInt8>) -> Int {
  bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
}

extension Span<UInt8> {
  /// Whether it begins with a byte order mark of UTF-32.
  fileprivate var isMarkedUTF32: Bool {
    guard count >= 4 else { return false }
    let isLittle = self[0] == 0xFF && self[1] == 0xFE && self[2] == 0 && self[3] == 0
    return isLittle || self[0] == 0 && self[1] == 0 && self[2] == 0xFE && self[3] == 0xFF
  }
}

/// The number of Unicode scalars that begin in `bytes`.
func scalarCount(_ bytes: Span<UInt8>) -> Int {
  var continuationCount = 0
  for index in bytes.indices { continuationCount &+= bytes[index] & 0xC0 == 0x80 ? 1 : 0 }
  return bytes.count - continuationCount
}
