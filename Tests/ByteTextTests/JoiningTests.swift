// Texts one after the other.

import ByteText
import Testing

@Suite("Joining texts")
struct JoiningTests {
  @Test(
    "the separator stands between texts, empty ones too",
    arguments: [([], ""), (["a"], "a"), (["", ""], ", "), (["é", "", "b"], "é, , b")])
  func joined(texts: [String], whole: String) {
    #expect(texts.joined(separator: ", ") == whole)
    #expect(texts.joined() == texts.reduce("", +))
  }
}
