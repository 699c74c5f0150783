// The bytes of a text that is read once from beginning to end, with its place in lines and columns.
// Layer: TextFormats; under the readers of JSON and CSV. Memory is flat: a window over the descriptor's
// bytes that slides forward and only grows when a single token is larger than it.

import ByteText

/// A window over a text. Indices are positions in the window and move when it slides.
struct TextInput: ~Copyable {
  private(set) var window: [UInt8] = []
  /// Nil when all bytes are in the window from the beginning.
  private let descriptor: Int32?
  /// Bytes of the text before the window.
  private(set) var windowOffset = 0
  private var line = 1
  /// A place in the present line, by its offset in the text, up to which columns have been counted.
  private var markOffset = 0
  private var markColumn = 1

  private static let readSize = 1 << 18
  static let tokenSizeMax = 1 << 27

  init(_ bytes: Span<UInt8>) {
    descriptor = nil
    window.append(addingCapacity: bytes.count) { (copy: inout OutputSpan<UInt8>) in
      for index in bytes.indices { copy.append(bytes[index]) }
    }
    skipByteOrderMark()
  }

  init(descriptor: Int32) throws(TextFormatError) {
    self.descriptor = descriptor
    while window.count < 3, try refill(keepingFrom: 0) {}
    skipByteOrderMark()
  }

  /// Reads more and drops everything before `index`, which becomes 0; false, with nothing changed, at the
  /// end of the text.
  mutating func refill(keepingFrom index: Int) throws(TextFormatError) -> Bool {
    guard let descriptor else { return false }
    if window.count - index >= Self.tokenSizeMax {
      throw TextFormatError(
        "a single value is larger than \(Self.tokenSizeMax >> 20) MiB", at: location(at: index))
    }
    do throws(SystemCallError) {
      let readCount = try window.append(
        readingFrom: descriptor, countMax: max(Self.readSize, window.count - index))
      if readCount == 0 { return false }
    } catch {
      throw TextFormatError(
        "reading failed: \(error.message)", at: location(at: index), systemError: error.code)
    }
    drop(index)
    return true
  }

  /// Says that the byte at `index` ends a line; to be called once for each, in order.
  mutating func passLineEnd(at index: Int) { passLineEnds(1, lastAt: index) }

  /// The same for several lines, the last of which the byte at `index` ends.
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

/// The number of Unicode scalars that begin in `bytes`.
func scalarCount(_ bytes: Span<UInt8>) -> Int {
  var continuationCount = 0
  for index in bytes.indices { continuationCount &+= bytes[index] & 0xC0 == 0x80 ? 1 : 0 }
  return bytes.count - continuationCount
}
