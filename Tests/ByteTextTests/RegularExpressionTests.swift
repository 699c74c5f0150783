// Regular expressions: what they match, what is refused, and that nothing takes long.

import ByteText
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
  private func matches(_ pattern: String, _ text: String, foldsCase: Bool = false) throws -> Bool {
    let bytes = Array(text.utf8)
    return try RegularExpression(Array(pattern.utf8), foldsCase: foldsCase).matches(bytes.span)
  }

  @Test(
    "the whole text must match",
    arguments: [
      ("a", "a", "ab"), ("a*", "", "b"), ("a+b?", "aaab", "b"), ("a|bc", "bc", "ac"),
      ("(ab){2,3}", "ababab", "ab"),
      ("a{2}", "aa", "a"), ("a{2,}", "aaaa", "a"), ("[a-c]+", "abcabc", "abd"), ("[^a-c]", "d", "a"),
      (#"\d{4}-\d\d"#, "2020-01", "2020-1"), (#"\w+@\w+\.com"#, "ada@x.com", "ada@x,com"),
      ("a.c", "aéc", "a\nc"),
      ("(?s)a.c", "a\nc", "ac"), (#"\bfoo\b.*"#, "foo bar", "foobar"), ("^a$", "a", "aa"),
      (#"\Aa\z"#, "a", "b"),
      ("(a|b)*abb", "abaabb", "abab"), (#"\p{Lu}\p{Ll}+"#, "Élan", "élan"), ("[]a]+", "]a", "b"),
      ("[a-]+", "a-a", "b"),
      (#"[\d.]+"#, "1.5", "x"), ("a??b", "ab", "aab"), ("(?:ab)+", "abab", "aba"),
      (#"\x41\u00e9\x{1F600}"#, "Aé😀", "A"),
      (#"\[x\]"#, "[x]", "x"), ("", "", "a"), ("()", "", "a"), ("(|a)+", "aa", "b"), (#"\s\S"#, " x", "xx"),
    ])
  func whole(pattern: String, text: String, other: String) throws {
    #expect(try matches(pattern, text))
    #expect(try !matches(pattern, other))
  }

  @Test("letters stand for either case where that is asked for")
  func cases() throws {
    #expect(try matches("straße|ÉLAN", "élan", foldsCase: true))
    #expect(try matches("[a-f]+", "ABC", foldsCase: true))
    #expect(try matches("(?i)abc", "ABC"))
    #expect(try matches("a(?i)bc", "aBC"))
    #expect(try !matches("a(?i)bc", "ABC"))
    #expect(try !matches("[^a]", "A", foldsCase: true))
  }

  @Test(
    "what is wrong is told with its place",
    arguments: [
      ("a(b", 1), ("a)", 1), ("[a", 0), ("*a", 0), ("a{3,1}", 1), ("a{2", 1), (#"\1"#, 0), ("(?=a)", 0),
      ("(?<!a)b", 0),
      ("a*+", 2), (#"a\"#, 1), (#"\y"#, 0), ("[b-a]", 2), (#"\p{Foo}"#, 0), ("a{2000}", 1), ("é(", 2),
    ])
  func faults(pattern: String, offset: Int) {
    #expect {
      try matches(pattern, "")
    } throws: { ($0 as? RegularExpression.Fault)?.offset == offset }
  }

  @Test("expressions that others take exponential time for take none, and too large ones are refused")
  func linear() throws {
    let many = String(repeating: "a", count: 5000)
    #expect(try !matches("(a*)*b", many))
    #expect(try !matches("(a|aa)+$b", many))
    #expect(try matches("(a?){100}a{100}", String(repeating: "a", count: 100)))
    #expect(throws: RegularExpression.Fault.self) { try matches("((a{100}){100}){100}", "") }
    #expect(throws: RegularExpression.Fault.self) {
      try matches(String(repeating: "(", count: 1000) + String(repeating: ")", count: 1000), "")
    }
  }

  @Test("bytes that are no text match as U+FFFD, one by one")
  func invalid() throws {
    let broken: [UInt8] = [0x61, 0xFF, 0xC3]
    #expect(try RegularExpression(Array("a..".utf8), foldsCase: false).matches(broken.span))
    #expect(try RegularExpression(Array("a\u{FFFD}{2}".utf8), foldsCase: false).matches(broken.span))
  }
}
