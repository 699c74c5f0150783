// Names as statements spell them are read back as the same names.

import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Spelled names")
struct NameSpellingTests {
  @Test(
    "a plain word stands for itself, all else stands in backquotes",
    arguments: [
      ("name", "name"), ("größe", "größe"), ("size", "size"), ("a b", "`a b`"), ("", "``"), ("7", "`7`"),
      ("a`b", "`a``b`"), ("a\\b", "`a\\\\b`"), ("a\nb", "`a\\nb`"), ("\u{202E}", "`\\u202e`"),
      ("null", "`null`"),
      ("O5", "`O5`"), ("T5", "`T5`"), ("$0", "`$0`"), ("a-b", "`a-b`"), ("“a", "`“a`"),
      ("\u{E0041}", "`\\udb40\\udc41`"),
    ])
  func spelled(name: String, spelling: String) {
    #expect(spelledName(name, as: .property) == spelling)
  }

  @Test("where a name stands decides what it could be taken for")
  func places() {
    #expect(spelledName("count", as: .className) == "`count`")
    #expect(spelledName("count", as: .property) == "count")
    #expect(spelledName("int", as: .type) == "`int`")
    #expect(spelledName("int", as: .className) == "int")
  }

  @Test(
    "a class that is called like the beginning of a statement can begin one",
    arguments: StatementWords.beginnings)
  func beginnings(word: String) throws {
    for name in [word, word.uppercased()] {
      let statement = try Statement(parsing: Array("\(spelledName(name, as: .className)) where a = 1".utf8))
      guard case .select(let selection, _) = statement.kind else {
        Issue.record("\(name): \(statement.kind)")
        continue
      }
      #expect(selection.className.text == name)
    }
  }

  @Test("any name is read back, as a class, a property and a type")
  func roundTrip() throws {
    let seed = testSeed()
    var random = SplitMix64(state: seed)
    let pieces =
      [
        "`", "\\", "\\n", "\\u0041", "n", "u", "\n", "\r", "\u{1B}", "\u{85}", "\u{202E}", "\u{FEFF}",
        "\u{1D173}",
      ]
      + ["'", "\"", "#", " ", ";", "--", "{", "é", "😀", "7", "T", "$", "create", "int", "list", "null", "-"]
    for _ in 0..<500 {
      let name = (0...random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined()
      let text =
        "create class \(spelledName(name, as: .className)) { \(spelledName(name, as: .property)): "
        + "list<\(spelledName(name, as: .type))> }"
      let source = Array(text.utf8)
      var scanner = StatementScanner()
      #expect(
        scanner.next(in: source, isAtEnd: true) == .statement(SourceRange(source.indices)), "seed \(seed)")
      let statement = try Statement(parsing: source, in: SourceRange(source.indices))
      guard case .createClass(let made) = statement.kind,
        case .object(let target)? = made.properties.first?.type.element
      else {
        Issue.record("seed \(seed): \(text)")
        continue
      }
      for read in [made.name, made.properties[0].name, target] {
        #expect(read.text.unicodeScalars.elementsEqual(name.unicodeScalars), "seed \(seed): \(text)")
      }
    }
  }

  @Test("a word of a shell command is read back")
  func words() throws {
    for word in ["a", "a b", "'", "\"a\\", "\u{1B}\n\u{202E}", "\u{E0041}", "|x"] {
      let source = Array(".read \(spelledWord(word))".utf8)
      let statement = try Statement(parsing: source, in: SourceRange(source.indices))
      guard case .shell(let command) = statement.kind else { return #expect(Bool(false)) }
      #expect(command.arguments.map { String(decoding: $0.kind, as: UTF8.self) } == [word])
    }
  }

  @Test("escapes in backquotes are checked")
  func refused() {
    for text in ["Person where `a\\x` == 1", "delete `a\\ud800`", "delete `a\\`", "delete ``"] {
      let source = Array(text.utf8)
      #expect(throws: QueryError.self) { try Statement(parsing: source, in: SourceRange(source.indices)) }
    }
  }
}
