import RealmEngine
import Testing

@Suite("Full text")
struct FullTextQueryTests {
  private func accepts(_ query: String, _ text: String) throws -> Bool {
    let text = ByteString(text)
    return try withExtendedLifetime(text) {
      try FullTextQuery(Array(query.utf8)).accepts(FullTextWords.words(in: text.bytes))
    }
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
      } catch { return error }
    }
    #expect(fault(" \t") == .noWord)
    #expect(fault("a-b") == .splitWord("a-b"))
    #expect(
      fault("fox -fox") == .includedAndExcluded("fox") && fault("-fox fox") == .includedAndExcluded("fox"))
    #expect(fault("fox -qui*") == .excludedPrefix("qui*"))
  }
}
