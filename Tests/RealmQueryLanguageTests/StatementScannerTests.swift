import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Ends of statements")
struct StatementScannerTests {
  /// The statements of a whole script.
  private func statements(_ text: String) -> [String] {
    let source = Array(text.utf8)
    var scanner = StatementScanner()
    var found: [String] = []
    while case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
      found.append(source.text(in: range))
    }
    return found
  }

  @Test(
    "statements of several lines come on one that means the same, or not at all",
    arguments: [
      ("a 'x\ny'\n", "a 'x\\ny'"), ("a `x\ny` (\n1)", "a `x\\ny` ( 1)"), ("a 'x\\\ny'", nil),
      ("a 'it\\'s\n'", "a 'it\\'s\\n'"), ("a \\\n# b 'c\nd", "a   ; d"), ("a (1, -- one's\n2)", "a (1,   2)"),
      ("a '-- x\n# y'", "a '-- x\\n# y'"), ("a; b (\n)", "a; b ( )"), ("a;\n.x", nil), (".x", nil),
      ("select 1, -- it's\n 2\n;", "select 1,   2;"), ("select 'x\ny';", nil),
      ("select /* it's\n */ 1;\na (\n)", "select /* it's  */ 1; a ( )"), ("# x\n", ""),
    ])
  func lines(text: String, expected: String?) {
    #expect(
      StatementScanner.onOneLine(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(
    "a newline or a semicolon ends a statement, but not inside quotes and brackets",
    arguments: [
      ("a\nb", ["a", "b"]), ("a; b ;c", ["a", "b", "c"]), (" ;;\n\n a \r\n ; ", ["a"]),
      ("a 'x;\ny' b\nc", ["a 'x;\ny' b", "c"]), ("a (\n1\n) b\nc", ["a (\n1\n) b", "c"]),
      ("insert P {\n \"a\": \"}\"\n}\nb", ["insert P {\n \"a\": \"}\"\n}", "b"]),
      ("a 'it\\'s'\nb", ["a 'it\\'s'", "b"]),
      ("a `x\ny` b\nc", ["a `x\ny` b", "c"]), ("a `\\`\nb", ["a `\\`", "b"]),
      ("a \\\nb\nc", ["a \\\nb", "c"]),
      ("a \\\r\nb\nc", ["a \\\r\nb", "c"]), ("a (1; b", ["a (1", "b"]), ("a ) b\nc", ["a ) b", "c"]),
      ("", []), ("  \n", []),
      ("a 'open", ["a 'open"]), ("a (", ["a ("]), ("a 'x\\", ["a 'x\\"]),
      ("first\\ name\nb", ["first\\ name", "b"]),
      // Comments.
      ("# it's\na", ["a"]), ("  # x\n--y\n-- z\na", ["a"]), ("a -- it's (\nb", ["a -- it's (", "b"]),
      ("a --b\nc", ["a --b", "c"]),
      ("a # b\nc", ["a # b", "c"]), ("a (\n# it's\n1)\nb", ["a (\n# it's\n1)", "b"]),
      ("a '-- x'\nb", ["a '-- x'", "b"]),
      ("a --", ["a --"]), ("--", []), ("#", []), ("a;-- x\nb", ["a", "b"]),
      // Shell commands end with their line, whatever is in it.
      (".print it's (\nb", [".print it's (", "b"]), ("  .mode json \nb", [".mode json", "b"]),
      ("\\d x;y\nb", ["\\d x;y", "b"]),
      ("a\n.x\nb", ["a", ".x", "b"]), ("a; .x", ["a", ".x"]), (".5 \\\nb", [".5 \\", "b"]),
    ] as [(String, [String])])
  func cuts(text: String, expected: [String]) {
    #expect(statements(text) == expected)
  }

  @Test(
    "a prompt asks for more while a statement is open, and knows in what",
    arguments: [
      ("Person", ""), ("Person where (a", "("), ("Person where a == 'x", "'"), ("insert P {", "{"),
      ("insert P {\n}", ""), ("Person \\", "\\"), ("Person \\\n", "\\"), ("Person \\\nwhere a", ""),
      ("", ""), ("-- it's", ""), ("a; b (", "("), ("a; b", ""), (".print (", ""), ("`a", "`"),
      ("a 'x\\'", "'"), ("a (;", ""), ("count P -- (", ""), ("a ({[", "["), ("a ({[]", "{"),
      ("a (\"", "\""), ("a ) (", "("),
    ])
  func endings(text: String, opener: String) {
    let expected: StatementScanner.Ending =
      switch opener {
      case "": .complete
      case "\\": .continued
      default: .open(Array(opener.utf8)[0])
      }
    #expect(StatementScanner.ending(of: Array(text.utf8)) == expected)
  }

  private static let pieces = [
    "a", "'", "\"", "`", "(", ")", "{", "}", ";", "\n", "\n", "-- c", "# c", "\\\n", ".m x", " ", "\\'",
    "\\\\", "é", "-", "--", "\\\r\n", "\\", "\r",
  ]

  private func randomText(_ random: inout SplitMix64) -> String {
    (0..<Int.random(in: 1...25, using: &random)).map { _ in
      Self.pieces.randomElement(using: &random) ?? ""
    }
    .joined()
  }

  @Test("a text that grows by parts of any length is cut as the whole text is")
  func growingByParts() {
    let seed = UInt64(20_261_125)
    var random = SplitMix64(state: seed)
    for round in 0..<5_000 {
      let text = randomText(&random)
      var rest = Array(text.utf8)[...]
      var scanner = StatementScanner()
      var source: [UInt8] = []
      var found: [String] = []
      while true {
        while case .statement(let range) = scanner.next(in: source, isAtEnd: rest.isEmpty) {
          found.append(source.text(in: range))
        }
        guard !rest.isEmpty else { break }
        let count = Int.random(in: 1...3, using: &random)
        source += rest.prefix(count)
        rest = rest.dropFirst(count)
      }
      #expect(found == statements(text), "seed \(seed), round \(round): \(text.debugDescription)")
    }
  }

  @Test("a text that grows line by line is cut as the whole text is")
  func growingText() {
    let seed = UInt64(20_260_731)
    var random = SplitMix64(state: seed)
    for round in 0..<3_000 {
      let text = randomText(&random)
      var scanner = StatementScanner()
      var source: [UInt8] = []
      var found: [String] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        source += Array(line.utf8) + [UInt8(ascii: "\n")]
        while case .statement(let range) = scanner.next(in: source, isAtEnd: false) {
          found.append(source.text(in: range))
        }
      }
      while case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
        found.append(source.text(in: range))
      }
      #expect(found == statements(text + "\n"), "seed \(seed), round \(round): \(text.debugDescription)")
    }
  }

  @Test("a long statement is looked at once, not once a line")
  func longStatements() {
    var source = Array("insert P [\n".utf8)
    var scanner = StatementScanner()
    for _ in 0..<100_000 {
      source += Array("{\"name\": \"it's\"},\n".utf8)
      guard scanner.next(in: source, isAtEnd: false) == .incomplete else {
        Issue.record("ended early")
        return
      }
    }
    source += Array("]\n".utf8)
    #expect(
      scanner.next(in: source, isAtEnd: false) == .statement(SourceRange(offset: 0, length: source.count - 1))
    )
    #expect(scanner.next(in: source, isAtEnd: false) == .end)
  }
}
