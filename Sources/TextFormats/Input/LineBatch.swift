// Pieces of a text that several threads read at once. Layer: TextFormats, Input.

import ByteText

/// Some lines or records of a text, which stay as they are while the reader goes on.
package struct LineBatch: Sendable {
  package let bytes: [UInt8]
  /// Whole lines, each with its end, in pieces of so many lines or bytes as were asked for.
  package let pieces: [Range<Int>]
  /// Where `bytes` begin in the text.
  let offset: Int
}

/// A reader that knows where lines or records begin and end without reading what they hold.
package protocol LineSource: ~Copyable {
  /// Goes to where the next line begins; false at the end.
  mutating func beginLine() throws(TextFormatError) -> Bool
  /// The lines ahead, in at most `piecesMax` pieces of `count` lines each, as far as they fill about `sizeMax` bytes.
  mutating func linesAhead(
    inPiecesOf count: Int, sizeMax: Int, piecesMax: Int
  ) throws(TextFormatError) -> LineBatch
  /// The lines ahead, in at most `piecesMax` pieces of about `pieceSize` bytes and a line at least.
  mutating func linesAhead(inPiecesOfSize pieceSize: Int, piecesMax: Int) throws(TextFormatError) -> LineBatch
  /// Passes over `count` lines, which take `size` of the bytes ahead with their ends.
  mutating func passLines(_ size: Int, count: Int)
  /// The number of the present line.
  var lineNumber: Int { mutating get }
}

extension TextInput {
  /// Whole lines from `position` on, in at most `piecesMax` pieces of `count` lines each, as far as they fill about `sizeMax`
  /// bytes. `quote`: a line feed between two of them ends no line.
  func batch(
    from position: Int, inPiecesOf count: Int, sizeMax: Int, piecesMax: Int, quote: UInt8? = nil
  ) -> LineBatch {
    var pieces: [Range<Int>] = []
    var start = position
    while start - position < sizeMax, pieces.count < piecesMax {
      var end = start
      var found = 0
      while found < count, let next = lineEnd(in: window.span, from: end, quote: quote) {
        end = next
        found += 1
      }
      guard found == count else { break }
      pieces.append(start..<end)
      start = end
    }
    return LineBatch(bytes: window, pieces: pieces, offset: windowOffset)
  }

  /// Whole lines from `position` on, in at most `piecesMax` pieces of about `pieceSize` bytes.
  func batch(
    from position: Int, inPiecesOfSize pieceSize: Int, piecesMax: Int, quote: UInt8? = nil
  ) -> LineBatch {
    let pieces = linePieces(
      in: window.span, from: position, size: pieceSize, countMax: piecesMax, quote: quote)
    return LineBatch(bytes: window, pieces: pieces, offset: windowOffset)
  }
}

/// Where the line ends that begins at `start`, behind its line feed; nil where that is not there. Quotes count in pairs:
/// where they stand inside a field that has none around it, the line may end too late, which shows when the record is read.
private func lineEnd(in bytes: Span<UInt8>, from start: Int, quote: UInt8?) -> Int? {
  var from = start
  var quoteCount = 0
  while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: from) {
    if let quote {
      var index = from
      let line = bytes.extracting(0..<end)
      while let found = line.firstIndex(of: quote, from: index) {
        quoteCount += 1
        index = found + 1
      }
    }
    if quoteCount % 2 == 0 { return end + 1 }
    from = end + 1
  }
  return nil
}

/// Pieces of whole lines, each of about `size` bytes or of less where the bytes end. `quote`: a line feed between two of them
/// ends no line.
func linePieces(
  in bytes: Span<UInt8>, from position: Int, size: Int, countMax: Int, quote: UInt8? = nil
) -> [Range<Int>] {
  var pieces: [Range<Int>] = []
  var start = position
  var size = size
  while pieces.count < countMax, start < bytes.count, size > 0 {
    var end = start
    var isQuoted = false
    var from = min(start + size, bytes.count) - 1
    while let lineFeed = bytes.firstIndex(of: UInt8(ascii: "\n"), from: from) {
      if let quote, !bytes.extracting(end..<lineFeed).count(of: quote).isMultiple(of: 2) {
        isQuoted.toggle()
      }
      end = lineFeed + 1
      from = end
      if !isQuoted { break }
    }
    if end == start || isQuoted {
      size /= 2
    } else {
      pieces.append(start..<end)
      start = end
    }
  }
  return pieces
}
