import ByteText
import Foundation
import TestSupport
import Testing
import TextFormats

private func jsonString(_ bytes: [UInt8]) -> (text: String, isValid: Bool) {
  var buffer = ByteBuffer()
  let isValid = buffer.append(jsonString: bytes.span)
  return (buffer.text, isValid)
}

@Suite("JSON writing")
struct JSONWriterTests {
  @Test("what must be escaped is escaped, what steers a terminal or an editor too, and nothing else")
  func escapes() {
    #expect(
      jsonString(Array("a\"b\\c/\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}æ\u{2028}😀".utf8)).text
        == "\"a\\\"b\\\\c/\\n\\r\\t\\b\\f\\u0000\\u001f\\u007fæ\\u2028😀\"")
    #expect(jsonString([]).text == "\"\"")
    for padding in 0..<40 {
      let clean = String(repeating: "x", count: padding)
      #expect(jsonString(Array("\(clean)\"\(clean)".utf8)).text == "\"\(clean)\\\"\(clean)\"")
      #expect(
        jsonString(Array("\(clean)§–“\u{85}\u{2029}\u{7F}\(clean)".utf8)).text
          == "\"\(clean)§–“\\u0085\\u2029\\u007f\(clean)\"")
    }
  }

  @Test("text that is not UTF-8 gets U+FFFD, and the caller is told")
  func invalidText() {
    let (text, isValid) = jsonString([0x22, 0x61, 0xFF, 0xC3])
    #expect(text == "\"\\\"a\u{FFFD}\u{FFFD}\"" && !isValid)
    #expect(jsonString(Array("æ".utf8)).isValid)
  }

  @Test("random documents survive JSON, on one line and indented")
  func roundTrip() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    for _ in 0..<500 {
      let document = randomDocument(&random, depth: 4)
      for indentation in [nil, 0, 2] {
        let text = written { $0.append(json: document, indentation: indentation) }
        let reread = try DocumentNode.json(text.utf8.span)
        #expect(reread == document, "\(text), seed \(seed)")
        #expect(throws: Never.self) {
          try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        }
      }
    }
  }

  @Test("indented documents have one item a line, and nothing between empty brackets")
  func layout() {
    let document = DocumentNode.mapping([
      DocumentEntry("a", .sequence([.integer(1), .null])), DocumentEntry("b", .mapping([])),
      DocumentEntry("c", .sequence([])),
    ])
    #expect(written { $0.append(json: document) } == "{\"a\":[1,null],\"b\":{},\"c\":[]}")
    #expect(
      written { $0.append(json: document, indentation: 2) }
        == "{\n  \"a\": [\n    1,\n    null\n  ],\n  \"b\": {},\n  \"c\": []\n}")
  }
}

@Suite("documents from JSON")
struct JSONDocumentTests {
  @Test("nodes know their places, kinds and quotes")
  func nodes() throws {
    let document = try DocumentNode.json(Array("{\"a\": 7,\n \"b\": [\"7\", null, true]}".utf8).span)
    #expect(document["a"]?.integer == 7 && document["a"]?.text == "7" && document["a"]?.plainText == "7")
    let items = try #require(document["b"]?.items)
    #expect(items[0].text == "7" && items[0].integer == nil && items[0].plainText == nil)
    #expect(items[1].isNull && items[2].bool == true && !items[0].isNull)
    #expect(items[1].location == TextLocation(line: 2, column: 13, offset: 21))
    #expect(document.entries?[1].keyLocation == TextLocation(line: 2, column: 2, offset: 10))
    #expect(document["c"] == nil && items[0]["a"] == nil && document.items == nil)
  }

  @Test("a key that stands twice is refused at its second place")
  func duplicateKeys() {
    func complaint(_ text: String) -> Complaint? {
      do throws(TextFormatError) {
        _ = try DocumentNode.json(Array(text.utf8).span)
        return nil
      } catch { return Complaint(error) }
    }
    let found = complaint("{\"a\": 1,\n \"\\u0061\": {}}")
    #expect(found?.message == "the key 'a' appears twice, first in line 1")
    #expect(found?.line == 2 && found?.column == 2)
    // The last of many, where keys are no longer compared one by one.
    let many = (0..<60).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    #expect(complaint("{\(many)}") == nil)
    #expect(
      complaint("{\(many), \"k3\": 1}")?.message == "the key 'k3' appears twice, first in line 1")
    #expect(
      complaint("{\(many), \"k58\": 1}")?.message
        == "the key 'k58' appears twice, first in line 1")
    // Two spellings that only look alike are two keys.
    #expect(complaint("{\"\u{E9}\": 1, \"e\u{301}\": 2}") == nil)
    #expect(complaint("[{\"a\":1},{\"a\":1}]") == nil)
  }
}
