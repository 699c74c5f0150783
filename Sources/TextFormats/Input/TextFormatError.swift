// What readers of text refuse, and where. Layer: TextFormats, Input.

/// A place in a text.
package struct TextLocation: Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// From 1, in Unicode scalars.
  package let column: Int
  /// Bytes before it, from the beginning of the text.
  package let offset: Int

  package init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  package static let start = TextLocation(line: 1, column: 1, offset: 0)

  /// The place behind `bytes`, which begin here.
  package func moved(over bytes: Span<UInt8>) -> TextLocation {
    var (line, column) = (line, column)
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        (line, column) = (line + 1, 1)
      } else if bytes[index] & 0xC0 != 0x80 {
        column += 1
      }
    }
    return TextLocation(line: line, column: column, offset: offset + bytes.count)
  }
}

/// A text that does not follow its format, or that cannot be read at all.
///
/// One word in size, so that typed throws cost nothing on the paths that succeed.
package struct TextFormatError: Error, Sendable {
  private final class Detail: Sendable {
    let message: String
    let location: TextLocation
    let hint: String?
    let systemError: Int32?

    init(message: String, location: TextLocation, hint: String?, systemError: Int32?) {
      self.message = message
      self.hint = hint
      self.location = location
      self.systemError = systemError
    }
  }

  private let detail: Detail

  package init(
    _ message: String, at location: TextLocation, hint: String? = nil, systemError: Int32? = nil
  ) {
    detail = Detail(message: message, location: location, hint: hint, systemError: systemError)
  }

  /// One line: what was expected and what stands there instead.
  package var message: String { detail.message }
  package var location: TextLocation { detail.location }
  /// What to write instead, where that is known.
  package var hint: String? { detail.hint }
  /// The value of `errno` when reading failed.
  package var systemError: Int32? { detail.systemError }
}
