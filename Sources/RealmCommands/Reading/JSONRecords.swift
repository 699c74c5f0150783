// JSON objects that follow one another: a line each, or as one array. Layer: RealmCommands, Reading.

import Rendering

/// What stands between the objects, which others write.
struct JSONRecords {
  private let isArray: Bool
  private var count = 0

  init(asArray isArray: Bool) { self.isArray = isArray }

  /// Before each object.
  mutating func begin(_ out: inout OutputBuffer) {
    if isArray { out.text.append(literal: count == 0 ? "[\n" : ",\n") }
    count += 1
  }

  /// Behind each object.
  func end(_ out: inout OutputBuffer) {
    if !isArray { out.text.append(UInt8(ascii: "\n")) }
  }

  /// When all have been written.
  func finish(_ out: inout OutputBuffer) {
    if isArray { out.text.append(literal: count == 0 ? "[]\n" : "\n]\n") }
  }
}
