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
    #expect(excerpt("\u{61C}\u{200E}\u{200F}a", 0, 1).text == "\u{FFFD}\u{FFFD}\u{FFFD}a")
  }

  @Test("a source that is not UTF-8 is shown with a replacement for each bad byte")
  func showsIllFormedText() {
    let shown = CaretExcerpt(
      of: SourceRange(offset: 1, length: 1), in: [0x61, 0xFF, 0xC3, 0x62])
    #expect(shown.lines(indentation: "") == ["a\u{FFFD}\u{FFFD}b", " ^"])
  }
}
