import RealmEngine
import Testing

private func tokens(_ text: String) -> [String] { tokens(Array(text.utf8)) }

private func tokens(_ bytes: [UInt8]) -> [String] {
  FullTextTokens(ByteString(copying: bytes)).map { String(decoding: $0, as: UTF8.self) }
}

@Suite("Full text")
struct FullTextQueryTests {
  @Test("words are runs of ASCII and Latin-1 letters, without case and most diacritics")
  func words() {
    #expect(tokens("The quick-Brown fox2!") == ["the", "quick", "brown", "fox2"])
    #expect(tokens("Café ÉTOILE naïve") == ["cafe", "etoile", "naive"])
    #expect(tokens("smörgåsbord Bøger Ærø Þór Straße") == ["smorgåsbord", "bøger", "ærø", "þor", "straße"])
    #expect(tokens("2×3÷4") == ["234"])
    #expect(tokens("мария 李雷 😀 ÿ ā") == [])
    #expect(tokens("") == [] && tokens("×") == [""])
  }

  @Test("of a long word 64 bytes count")
  func longWord() {
    #expect(tokens(String(repeating: "a", count: 70)) == [String(repeating: "a", count: 64)])
    #expect(tokens(String(repeating: "a", count: 63) + "åb") == [String(repeating: "a", count: 63) + "b"])
  }

  @Test("broken UTF-8 ends words and never reads past the end")
  func brokenText() {
    #expect(tokens([0x61, 0x80, 0x62]) == ["a", "b"])
    // As the index has it: the missing byte reads as 0, and U+00C0 is an a.
    #expect(tokens([0x61, 0xC3]) == ["aa"])
    #expect(tokens([0x61, 0xE2, 0x82]) == ["a"])
    #expect(tokens([0x61, 0xF0]) == ["a"])
  }

  private func accepts(_ query: String, _ text: String) throws -> Bool {
    try FullTextQuery(Array(query.utf8)).accepts(Set(FullTextTokens(ByteString(text))))
  }

  @Test("all words must be there, excluded ones must not, and a star stands for any ending")
  func matching() throws {
    #expect(try accepts("fox QUICK", "the quick brown fox") && !accepts("fox cat", "the quick brown fox"))
    #expect(try accepts("fox -cat", "a fox") && !accepts("fox -cat", "a fox, a cat"))
    #expect(try accepts("qui*", "quite") && !accepts("qui", "quite") && !accepts("qui*", "qi"))
    #expect(try accepts("-fox", "") && accepts("fox!", "fox") && accepts("\"quick brown\"", "brown quick"))
  }

  @Test("words that cannot be meant are refused")
  func faults() {
    func fault(_ query: String) -> FullTextQuery.Fault? {
      do throws(FullTextQuery.Fault) {
        _ = try FullTextQuery(Array(query.utf8))
        return nil
      } catch {
        return error
      }
    }
    #expect(fault(" \t") == .noWord)
    #expect(fault("a-b") == .splitWord("a-b"))
    #expect(
      fault("fox -fox") == .includedAndExcluded("fox") && fault("-fox fox") == .includedAndExcluded("fox"))
    #expect(fault("fox -qui*") == .excludedPrefix("qui*"))
  }
}
