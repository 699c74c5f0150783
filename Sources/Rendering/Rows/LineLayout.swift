// `   name = value`: a line a cell. Layer: Rendering.

import ByteText

/// The names of a result's columns, ready to stand in front of values.
struct LineLayout {
  private let names: [String]
  private let width: Int
  private let isColored: Bool

  init(names: [String], isColored: Bool) {
    self.names = names.map(\.visible)
    width = self.names.map(TerminalWidth.width).max() ?? 0
    self.isColored = isColored
  }

  func writeName(_ index: Int, to text: inout ByteBuffer) {
    text.append(repeating: UInt8(ascii: " "), count: width - TerminalWidth.width(names[index]))
    text.append(text: names[index], in: .bold, if: isColored)
    text.append(literal: " = ")
  }
}
