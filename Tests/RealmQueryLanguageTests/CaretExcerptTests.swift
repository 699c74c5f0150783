import RealmQueryLanguage
import Testing

@Suite("Caret excerpts")
struct CaretExcerptTests {
  private func excerpt(_ text: String, _ offset: Int, _ length: Int) -> CaretExcerpt {
    CaretExcerpt(of: SourceRange(offset: offset, length: length), in: Array(text.utf8))
  }

  @Test("a range is marked with a caret and tildes under its line")
  func marksRange() {
    #expect(excerpt("nmae == 'Ada'", 0, 4).lines() == ["  nmae == 'Ada'", "  ^~~~"])
  }

  @Test("columns count Unicode scalars, and a tab is one of them")
  func countsScalars() {
    let shown = excerpt("é\t李 x", 7, 1)
    #expect(shown.column == 5)
    #expect(shown.lines(indentation: "") == ["é 李 x", "    ^"])
  }

  @Test("a range inside a later line is shown with that line and its number")
  func findsLine() {
    let shown = excerpt("first\r\nsecond line\r\nthird", 14, 4)
    #expect(shown.lineNumber == 2)
    #expect(shown.column == 8)
    #expect(shown.lines(indentation: "") == ["second line", "       ^~~~"])
  }

  @Test("a range that goes on in the next line is marked to the end of its first line")
  func stopsAtLineEnd() {
    #expect(excerpt("ab cd\nef", 3, 5).marker == "   ^~")
  }

  @Test("the end of the text, and a place behind it, get one caret after the last scalar")
  func marksEnd() {
    #expect(excerpt("age ==", 6, 0).lines(indentation: "") == ["age ==", "      ^"])
    #expect(excerpt("age ==", 60, 3).marker == "      ^")
    #expect(excerpt("", 0, 0).lines(indentation: "") == ["", "^"])
    #expect(excerpt("a\n", 2, 0).lineNumber == 2)
  }

  @Test("a long line is cut to a window around the place")
  func cutsLongLine() {
    let text = String(repeating: "a", count: 500) + "BC" + String(repeating: "d", count: 500)
    let shown = excerpt(text, 500, 2)
    #expect(shown.column == 501)
    #expect(shown.text.hasPrefix("…aaa") && shown.text.hasSuffix("ddd…"))
    #expect(shown.text.unicodeScalars.count == 122)
    let caret = Array(shown.marker).firstIndex(of: "^")
    #expect(caret.map { Array(shown.text)[$0] } == "B")
    #expect(shown.marker.hasSuffix("^~"))
    #expect(excerpt(text, 0, 1000).marker == "^" + String(repeating: "~", count: 119))
  }

  @Test("control characters and marks of reading direction are not shown")
  func hidesControls() {
    #expect(excerpt("a\u{1B}[31m\u{202E}b\u{85}", 0, 1).text == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}")
  }

  @Test("a source that is not UTF-8 is shown with a replacement for each bad byte")
  func showsIllFormedText() {
    let shown = CaretExcerpt(
      of: SourceRange(offset: 1, length: 1), in: [0x61, 0xFF, 0xC3, 0x62])
    #expect(shown.lines(indentation: "") == ["a\u{FFFD}\u{FFFD}b", " ^"])
  }
}

@Suite("Text validation")
struct UTF8ValidationTests {
  @Test(
    "the first byte that is not text is found",
    arguments: [
      ([0x61, 0x00], 1), ([0xC3], 0), ([0x61, 0xC0, 0x80], 1), ([0xE0, 0x80, 0x80], 0),
      ([0xED, 0xA0, 0x80], 0), ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
      ([0xF5, 0x80, 0x80, 0x80], 0), ([0xE2, 0x82, 0x41], 0), ([0x80], 0), ([0xF0, 0x9F, 0x98], 0),
    ] as [([UInt8], Int)])
  func findsBadBytes(bytes: [UInt8], offset: Int) {
    #expect(firstInvalidTextOffset(in: bytes, bounds: bytes.indices) == offset)
  }

  @Test("every scalar is text, whatever its length")
  func acceptsScalars() {
    for value in [1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32] {
      let bytes = Array(String(Unicode.Scalar(value)!).utf8)
      #expect(firstInvalidTextOffset(in: bytes, bounds: bytes.indices) == nil)
    }
  }

  @Test("validation agrees with the standard library on random bytes")
  func agreesWithStandardLibrary() {
    let seed = UInt64(20_260_731)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        [UInt8(0x41), 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0x9F, 0xA0, 0x90].randomElement(
          using: &generator)!
      }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      #expect(
        (firstInvalidTextOffset(in: bytes, bounds: bytes.indices) == nil) == isText, "\(bytes) seed \(seed)")
    }
  }
}
