// JSON objects that follow one another: a line each, or as one array. Layer: RealmCommands, Reading.

import Rendering

/// Separators between objects that others write.
struct JSONRecords {
  private let opening: StaticString
  private let separator: StaticString
  private let closing: StaticString
  /// Written after each object.
  private let end: StaticString
  /// Where there is none.
  private let empty: StaticString
  private var count = 0

  /// An array with an object a line, or lines alone.
  init(asArray isArray: Bool) {
    (opening, separator, closing, end, empty) =
      isArray ? ("[\n", ",\n", "\n]\n", "", "[]\n") : ("", "", "", "\n", "")
  }

  /// An array inside of another object, on its line.
  static var inner: JSONRecords { JSONRecords() }

  private init() { (opening, separator, closing, end, empty) = ("[", ",", "]", "", "[]") }

  /// Before each object.
  mutating func begin(_ out: inout OutputBuffer) {
    out.text.append(literal: count == 0 ? opening : separator)
    count += 1
  }

  /// After each object.
  func end(_ out: inout OutputBuffer) { out.text.append(literal: end) }

  /// When all have been written.
  func finish(_ out: inout OutputBuffer) {
    out.text.append(literal: count == 0 ? empty : closing)
  }
}
