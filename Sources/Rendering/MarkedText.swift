// Text that stands out on a terminal. Layer: Rendering.

import ByteText

extension ByteBuffer {
  /// Appends text, marked where `isColored`, which it is for a terminal only.
  mutating func append(text: String, in mark: TerminalMark, if isColored: Bool) {
    if isColored { append(mark) }
    append(text: text)
    if isColored { append(.plain) }
  }
}
