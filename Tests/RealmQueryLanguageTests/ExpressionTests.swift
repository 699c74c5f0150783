import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Value expressions")
struct ExpressionTests {
  private func canonical(_ text: String) throws -> String {
    try Expression(parsing: Array(text.utf8)).description
  }

  @Test(
    "operators bind as in most languages",
    arguments: [
      ("'DK'", "'DK'"),
      (
        "trim((firstName ?? '') + ' ' + (lastName ?? ''))", "trim((firstName ?? '') + ' ' + (lastName ?? ''))"
      ),
      ("string(old)", "string(old)"), ("uuid()", "uuid()"),
      ("count(Order) == orders", "count(Order) == orders"),
      ("a+b*c", "a + b * c"), ("(a+b)*c", "(a + b) * c"), ("a -1", "a - 1"), ("a-1", "a-1"),
      ("a % 2 == 0", "a % 2 == 0"),
      ("a %2", "a % 2"), ("a ?? b == c", "a ?? b == c"), ("(a ?? b) == c", "a ?? b == c"),
      ("a ?? (b == c)", "a ?? (b == c)"),
      ("a ?? b + 1", "a ?? b + 1"), ("a == 1 && b == 2 || c == 3", "a == 1 AND b == 2 OR c == 3"),
      ("a == 1 && (b == 2 || c == 3)", "a == 1 AND (b == 2 OR c == 3)"), ("!a && b", "NOT a AND b"),
      ("a and not b or c", "a AND NOT b OR c"), ("NOT a == b", "NOT a == b"), ("(!a) == b", "(NOT a) == b"),
      ("ANY tags == 'x' ? 1 : 2", "ANY tags == 'x' ? 1 : 2"),
      ("name contains[c] 'x'", "name CONTAINS[c] 'x'"),
      ("age between {1, 2} ? a : b", "age BETWEEN {1, 2} ? a : b"),
      ("!(a && b)", "NOT (a AND b)"),
      ("!!a", "NOT NOT a"), ("-a", "-a"), ("-(a + 1)", "-(a + 1)"), ("-5", "-5"), ("- 5", "- 5"),
      ("-(5)", "- 5"),
      ("--a", "- -a"), ("!-a", "NOT -a"), ("-!a", "-(NOT a)"),
      ("a - -5", "a - -5"),
      ("c ? a : b", "c ? a : b"), ("c?a:b", "c ? a : b"), ("a ? 1 : b ? 2 : 3", "a ? 1 : b ? 2 : 3"),
      ("a ? b ? 1 : 2 : 3", "a ? b ? 1 : 2 : 3"), ("(a ? 1 : 2) ? 3 : 4", "(a ? 1 : 2) ? 3 : 4"),
      ("a ? 1 : (b ? 2 : 3)", "a ? 1 : (b ? 2 : 3)"), ("a == b ? T0:0 : null", "a == b ? T0:0 : NULL"),
      ("home.city", "home.city"), ("tags[0]", "tags[0]"), ("dogs.@count * 2", "dogs.@count * 2"),
      ("@links.Dog.owner.@count", "@links.Dog.owner.@count"),
      ("{1, 'a', null}", "{1, 'a', NULL}"), ("$0 + $1", "$0 + $1"), ("obj('Dog', 1)", "obj('Dog', 1)"),
      ("uuid('00000000-0000-4000-8000-000000000005')", "uuid(00000000-0000-4000-8000-000000000005)"),
      ("uuid(old)", "uuid(old)"),
      ("oid(x)", "oid(x)"), ("first(dogs).name == ''", nil), ("min(a, b, c)", "min(a, b, c)"),
      ("True", "True"), ("substring(a,0,2)", "substring(a, 0, 2)"),
      ("a <> b", "a != b"), ("binary('x')", "binary(B64\"eA==\")"), ("2020-01-01 > a", "T1577836800:0 > a"),
      ("a ? .5 : -1", "a ? .5 : -1"),
    ] as [(String, String?)])
  func canonicalText(text: String, expected: String?) throws {
    if let expected {
      #expect(try canonical(text) == expected)
    } else {
      #expect(throws: QueryError.self) { try canonical(text) }
    }
  }

  @Test(
    "expressions at fault are refused with a place and advice",
    arguments: [
      RefusedText("", .expectation, at: "", "expected a value, found end of expression"),
      RefusedText("a +", .expectation, at: "", "expected a value after '+'"),
      RefusedText("a b", .expectation, at: "b", "expected an operator"),
      RefusedText("a = 1", .expectation, at: "=", "write == to compare"),
      RefusedText("and(a)", .expectation, at: "and", "expected a value"),
      RefusedText("1 < a < 5", .chain, at: "<", "join comparisons with AND"),
      RefusedText("a ? b", .expectation, at: "", "expected ':'"),
      RefusedText("f(a", .parenthesis, at: "(", "missing ')'"),
      RefusedText("f(a b)", .expectation, at: "b", "',' or ')'"),
      RefusedText("(a", .parenthesis, at: "(", "missing ')'"),
      RefusedText("f(,)", .expectation, at: ",", "expected a value"),
      RefusedText("a ** b", .unsupported, at: "**", "'**' is not supported"),
      RefusedText("a & b", .character, at: "&", "write &&"),
      RefusedText("%@", .expectation, at: "%", "expected a value"),
      RefusedText("'open", .unclosedString, at: "'", "not closed"),
      RefusedText("a; b", .character, at: ";", "';'"),
      RefusedText("{a}", .listSyntax, at: "{", "not properties"),
      RefusedText("2020-13-01", .date, at: "13", "month 13"),
    ])
  func refuses(_ refused: RefusedText) throws {
    let found = try #require(
      complaint(about: refused.text) { source throws(QueryError) in try Expression(parsing: source) })
    #expect(found.code == refused.code.rawValue, "\(found)")
    #expect(found.marked == refused.marked, "\(found)")
    #expect(found.sentence.contains(refused.part), "\(found)")
  }

  @Test("nesting is refused beyond 512", arguments: ["(", "!", "-", "f(", "a ? "])
  func limits(opening: String) throws {
    let code = try onDeepStack {
      complaint(about: String(repeating: opening, count: 10_000) + "a") { source throws(QueryError) in
        try Expression(parsing: source)
      }?.code
    }
    #expect(code == "depth")
  }

  @Test("long chains are flat")
  func longChains() throws {
    for separator in [" + ", " * ", " AND ", " OR ", " ?? ", " ? 1 : "] {
      let text = Array(repeating: "a", count: 50_000).joined(separator: separator)
      #expect(try canonical(text) == text)
    }
  }

  @Test("an assignment list sets paths to expressions")
  func assignments() throws {
    let parse = { (source: [UInt8]) throws(QueryError) in try Assignment.list(parsing: source) }
    let source = Array("a = 1, b = a + 1, c.d['k'] = {1} ".utf8)
    let list = try Assignment.list(parsing: source)
    #expect(
      list.map { "\(PropertyReference(path: $0.target, range: $0.range))=\($0.value)" } == [
        "a=1", "b=a + 1", "c.d['k']={1}",
      ])
    #expect(list.map { source.text(in: $0.range) } == ["a = 1", "b = a + 1", "c.d['k'] = {1}"])
    #expect(complaint(about: "", parse)?.sentence == "expected a property, found end of list")
    #expect(complaint(about: "a == 1", parse)?.sentence.hasSuffix("write = to assign") == true)
    #expect(complaint(about: "a = 1,", parse)?.code == "syntax")
    #expect(complaint(about: "5 = a", parse)?.marked == "5")
    #expect(complaint(about: "a = 1 b = 2", parse)?.marked == "b")
  }
}
