// Phrases that must not come back into what users read: messages, help, manual and README.

import Foundation
import Testing

@Suite("Plain words")
struct UserTextTests {
  /// What is odd, and what to write instead.
  private static let phrases: [(odd: String, plain: String)] = [
    ("is none of", "unknown value 'x' (expected a, b)"),
    ("look into", "inspect"),
    ("tell what", "show what"),
    ("tells what", "shows what"),
    ("surplus word", "unexpected argument"),
    ("a check said no", "a check failed"),
    ("so it is none", "so it cannot be one"),
    ("taken back", "rolled back"),
    ("takes back", "undoes"),
    ("kept at once", "saved immediately"),
    ("stands in for null", "is a default for null"),
    ("what stands in", "a default"),
    ("where nobody can be asked", "in scripts"),
    ("needs a confirmation", "confirmation required"),
    ("held for older versions", "kept for older versions"),
    ("looks like an encrypted realm", "appears to be encrypted"),
    ("nothing to remark", "no problems found"),
    ("nothing to complain", "no problems found"),
    ("of nothing the count", "with no rows, count"),
    ("comes of age", "turns 18"),
    ("a row a ", "one row per"),
    (" a line a ", "one line per"),
    ("go on below with", "wrap"),
    ("names of columns first", "a header"),
    ("is no value", "is not a value"),
    ("which is no ", "which is not a"),
    ("would end by itself", "ends by itself"),
    ("control-C", "Ctrl-C"),
    ("makes B of A", "turns A into B"),
    ("make B of A", "turn A into B"),
    ("anew", "again"),
    ("without loss", "losslessly"),
    ("does not any more", "remove the index"),
    ("be erased\\n", "be deleted"),
    ("stands here a second time", "appears twice"),
    ("looking around", "look-around"),
    ("numbers that are none", "invalid numbers"),
    ("whoever", "who"),
    ("The same of", "name what is the same"),
  ]

  /// Lines without comments: with them goes most of what only readers of the code see.
  private static func userLines(_ text: String) -> [(number: Int, line: Substring)] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      let code = line.range(of: " // ").map { line[..<$0.lowerBound] } ?? line
      return code.drop { $0 == " " }.hasPrefix("//") ? nil : (index + 1, code)
    }
  }

  @Test("strings in sources are in plain English", arguments: SourceTree.sources)
  func sources(file: SourceFile) { expectPlain(file.text, in: file.path) }

  @Test("so are README and manual")
  func texts() throws {
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: SourceTree.root.appendingPathComponent("man").path)
    for path in ["README.md"] + pages.map({ "man/\($0)" }) {
      expectPlain(try SourceTree.text(path), in: path)
    }
  }

  private func expectPlain(_ text: String, in path: String) {
    for (odd, plain) in Self.phrases where text.contains(odd) {
      for (number, line) in Self.userLines(text) where line.contains(odd) {
        Issue.record("\(path):\(number) says '\(odd)'; better: \(plain)")
      }
    }
  }
}
