// Where JSON documents stand in a text.

import RealmQueryLanguage
import Testing

@Suite("JSON documents in a text")
struct DocumentRangesTests {
  @Test(
    "objects and arrays stand one behind the other, whatever is between them",
    arguments: [
      ("", []), (" \n", []), ("{}", ["{}"]), ("{}{}", ["{}", "{}"]), (" {} ,\n[{}]\r\n", ["{}", "[{}]"]),
      ("{\"a\": \"}\\\"{\"}\n{}", ["{\"a\": \"}\\\"{\"}", "{}"]),
      ("{\n \"a\": [1,\n 2]\n}", ["{\n \"a\": [1,\n 2]\n}"]),
    ])
  func finds(text: String, expected: [String]) { #expect(documents(text) == expected) }

  @Test(
    "what is no whole document goes to the end of the text",
    arguments: [("{} x {}", ["{}", "x {}"]), ("{\"a\": {", ["{\"a\": {"]), ("] {}", ["] {}"])])
  func goesToTheEnd(text: String, expected: [String]) { #expect(documents(text) == expected) }

  private func documents(_ text: String) -> [String] {
    let source = Array(text.utf8)
    return documentRanges(in: source).map { source.text(in: $0) }
  }
}
