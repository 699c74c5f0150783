// Pieces of a text that several threads read at once. Layer: TextFormats.

/// Some lines or records of a text, which stay as they are while the reader goes on.
package struct LineBatch: Sendable {
  package let bytes: [UInt8]
  /// Pieces of so many lines as were asked for, each line with its end.
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
  /// Passes over `count` lines, which take `size` of the bytes ahead with their ends.
  mutating func passLines(_ size: Int, count: Int)
  /// The number of the present line.
  var lineNumber: Int { mutating get }
}
