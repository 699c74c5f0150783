// Suggestions: near names are found, far ones are not.

import ByteText
import Testing

@Suite("Did you mean …?")
struct EditDistanceTests {
  @Test(
    "the nearest name is suggested",
    arguments: [
      ("qeury", "query"), ("schem", "schema"), ("Schema", "schema"), ("inf", "info"), ("dupm", "dump"),
      ("expo", "export"), ("vaccinatd", "vaccinated"),
    ])
  func near(typed: String, expected: String) {
    let names = ["info", "schema", "query", "export", "dump", "vaccinated"]
    #expect(EditDistance.nearest(to: typed, among: names) == expected)
  }

  @Test("nothing is suggested for a word that is like none", arguments: ["", "x", "elephant", "42"])
  func far(typed: String) {
    #expect(EditDistance.nearest(to: typed, among: ["info", "schema", "query", "a"]) == nil)
  }

  @Test("the first of equally near names wins, and letters outside ASCII count once")
  func ties() {
    #expect(EditDistance.nearest(to: "cat", among: ["bat", "hat"]) == "bat")
    #expect(EditDistance.nearest(to: "størelse", among: ["størrelse"]) == "størrelse")
  }

  @Test("a very long word is answered at once")
  func long() {
    let word = String(repeating: "x", count: 1_000_000)
    #expect(EditDistance.nearest(to: word, among: [word]) == nil)
  }
}
