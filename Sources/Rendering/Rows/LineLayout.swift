// `   name = value`: a line a cell. Layer: Rendering.

import ByteText

/// The names of a result's columns, ready to stand in front of values.
struct LineLayout {
  private let names: [String]
  private let width: Int
  private let isColored: Bool

  init(names: [String], isColored: Bool) {
    self.names = names.map(TerminalWidth.visible)
    width = self.names.map(TerminalWidth.width).max() ?? 0
    self.isColored = isColored
  }

  func writeName(_ index: Int, to text: inout ByteBuffer) {
    text.append(repeating: UInt8(ascii: " "), count: width - TerminalWidth.width(names[index]))
    text.append(text: names[index], in: .bold, if: isColored)
    text.append(literal: " = ")
  }
}

/// How a terminal emphasises text.
enum Emphasis: String {
  case bold = "1"
  case dim = "2"
}

extension ByteBuffer {
  /// Appends text, emphasised where `isColored`.
  mutating func append(text: String, in emphasis: Emphasis, if isColored: Bool) {
    guard isColored else { return append(text: text) }
    append(text: "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m")
  }
}
