import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Predicate syntax")
struct PredicateSyntaxTests {
  @Test(
    "texts that mean the same parse to the same canonical text",
    arguments: [
      // Operators and their spellings.
      ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"),
      ("a==1&&b!='x'||c==6", "a == 1 AND b != 'x' OR c == 6"),
      ("a == 1 aNd b == 2 oR c == 3", "a == 1 AND b == 2 OR c == 3"),
      ("!a > 5", "NOT a > 5"), ("!!(a > 5)", "NOT NOT a > 5"), ("not (a > 5)", "NOT a > 5"),
      ("Not a == true", "NOT a == true"), ("nOt(a == 1)", "NOT a == 1"),
      ("5AND == 1", nil), ("a == 5AND b == 1", "a == 5 AND b == 1"), ("(a==5)OR(b==6)", "a == 5 OR b == 6"),
      ("truepredicate", "TRUEPREDICATE"), ("FalsePredicate", "FALSEPREDICATE"),
      ("a In {1, 2}", "a IN {1, 2}"), ("a beginsWith[C] 'x'", "a BEGINSWITH[c] 'x'"),
      ("a ==[DC] 'x'", "a ==[cd] 'x'"), ("a == [c] 'x'", "a ==[c] 'x'"), ("a IN[c] {'x'}", "a IN[c] {'x'}"),
      ("blurb text 'fox'", "blurb TEXT 'fox'"), ("{1,2} == scores", "{1, 2} == scores"),
      ("'Ada' BEGINSWITH name", "'Ada' BEGINSWITH name"), ("nick == nil", "nick == NULL"),
      // As SQL has them.
      ("a IS NULL", "a == NULL"), ("a.b is not nil", "a.b != NULL"), ("a + 1 IS NULL", "a + 1 == NULL"),
      ("NOT a IS NULL", "NOT a == NULL"), ("a IS NULL AND b IS NOT NULL", "a == NULL AND b != NULL"),
      ("a IN (1, 'x', NULL, true)", "a IN {1, 'x', NULL, true}"), ("a IN ('x')", "a IN {'x'}"),
      ("a IN ()", "a IN {}"), ("a IN (-1)", "a IN {-1}"), ("a IN ($0, $1)", "a IN {$0, $1}"),
      ("a IN ($0)", "a IN $0"), ("a IN (b)", "a IN b"), ("a IN (obj('C', 1))", "a IN {obj('C', 1)}"),
      ("a NOT IN (1, 2)", "NOT a IN {1, 2}"), ("a not in b", "NOT a IN b"),
      ("a NOT LIKE[c] 'x*'", "NOT a LIKE[c] 'x*'"), ("a NOT CONTAINS 'x'", "NOT a CONTAINS 'x'"),
      ("a BETWEEN 1 AND 5", "a BETWEEN {1, 5}"), ("a NOT BETWEEN -1 AND 5", "NOT a BETWEEN {-1, 5}"),
      ("a BETWEEN 1 AND 5 AND b == 1", "a BETWEEN {1, 5} AND b == 1"),
      ("a BETWEEN $0 AND $1", "a BETWEEN {$0, $1}"), ("a BETWEEN $0 AND b == 1", "a BETWEEN $0 AND b == 1"),
      ("a BETWEEN b AND c", "a >= b AND a <= c"), ("a NOT BETWEEN b AND 5", "NOT (a >= b AND a <= 5)"),
      ("a == 1 OR a BETWEEN b AND c OR a == 2", "a == 1 OR a >= b AND a <= c OR a == 2"),
      ("a == 1 ORDER BY a, b DESC LIMIT 3 OFFSET 2", "a == 1 SORT(a ASC, b DESC) LIMIT(3) OFFSET(2)"),
      ("is is null", "is == NULL"), ("order == 1", "order == 1"),
      ("offset == 1 limit $0", "offset == 1 LIMIT($0)"),
      // Precedence and parentheses.
      ("a == 1 OR b == 2 AND c == 3", "a == 1 OR b == 2 AND c == 3"),
      ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
      ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND (b == 2 AND c == 3)"),
      ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
      ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
      ("((((a == 5))))", "a == 5"), ("(a) == 5", "a == 5"), ("a == ({5})", "a == {5}"),
      ("((a + 1) == 2)", "a + 1 == 2"), ("((a) + 1) * 2 == 62", "(a + 1) * 2 == 62"),
      ("2 * (3 + 4) == a", "2 * (3 + 4) == a"), ("a - 5 - 5 == 20", "a - 5 - 5 == 20"),
      ("a - (5 - 5) == 20", "a - (5 - 5) == 20"), ("a * 2 + b / 3 == 1", "a * 2 + b / 3 == 1"),
      // Signs.
      ("a +1 == 31", "a + 1 == 31"), ("a+1 == 31", "a + 1 == 31"), ("a -1 == 29", "a - 1 == 29"),
      ("a - -1 == 29", "a - -1 == 29"), ("a-1 == 29", "a-1 == 29"), ("a.@count -1 == 2", "a.@count - 1 == 2"),
      ("10-3-1 == a", "10 - 3 - 1 == a"), ("(a) -1 == 2", "a - 1 == 2"), ("a -inf == 2", "a - inf == 2"),
      ("5 -9223372036854775808 == a", "5 - 9223372036854775808 == a"), ("a +.5 == 1", "a + .5 == 1"),
      ("a IN {-1, +2}", "a IN {-1, 2}"), ("a == -5", "a == -5"),
      // Paths.
      ("a.b[0]['k'][*].@count > 1", "a.b[0]['k'][*].@count > 1"),
      ("a[first].b[Last][#ANY] == 1", "a[FIRST].b[LAST][*] == 1"),
      ("a[SIZE] == 1", "a.@count == 1"), ("a.@size == 1", "a.@count == 1"),
      ("a.@Type == 'int'", "a.@type == 'int'"),
      ("ANY a.@allKeys == 'x'", "ANY a.@keys == 'x'"), ("a.@allvalues == 1", "a.@values == 1"),
      ("@links.Dog.owner.@count > 0", "@links.Dog.owner.@count > 0"),
      ("@links.@count > 0", "@links.@count > 0"),
      ("@links[SIZE] > 0", "@links.@count > 0"), ("a.@links.Dog.owner.b == 1", "a.@links.Dog.owner.b == 1"),
      ("a.@max.b > a.@MIN.b", "a.@max.b > a.@min.b"), ("a.@sum == NULL", "a.@sum == NULL"),
      ("first\\ name == 1", "first\\ name == 1"), ("a.#in == 1", "a.#in == 1"), ("#age == 5", "#age == 5"),
      ("étoile.李 == 1", "étoile.李 == 1"), ("SELF.age == 5", "SELF.age == 5"),
      ("a[$0] == 1", "a[$0] == 1"), ("a[%@] == 1", "a[%@] == 1"),
      ("a[99999999999999999999] == 1", "a[9223372036854775807] == 1"),
      ("$K2 == 'Ada'", "$K2 == 'Ada'"), ("$K2.@count == 1", "$K2.@count == 1"),
      ("$K2[SIZE] == 1", "$K2.@count == 1"),
      ("a.%K.b == %@", "a.%K.b == %@"), ("$7x == 1", "$7x == 1"), ("$-1 == 1", "$-1 == 1"),
      ("$ == 1", "$ == 1"),
      // Quantifiers and lists.
      ("SOME a == 1", "ANY a == 1"), ("Any a == 1", "ANY a == 1"), ("none a.b IN {1}", "NONE a.b IN {1}"),
      ("ALL a == ANY {1, 2}", "ALL a == ANY {1, 2}"), ("ANY $0 == a", "ANY $0 == a"),
      ("NONE %@ == a", "NONE %@ == a"),
      ("a == {}", "a == {}"),
      ("a == {True, no, NULL, binary('x')}", "a == {true, false, NULL, binary(B64\"eA==\")}"),
      ("a BETWEEN {1, $0}", "a BETWEEN {1, $0}"), ("a between $0", "a BETWEEN $0"),
      ("a BETWEEN ANY {1,2}", "a BETWEEN ANY {1, 2}"),
      ("ALL a * 2 > 50", "ALL a * 2 > 50"),
      // Subqueries and shapes.
      (
        "subquery(a, $x, SUBQUERY($x.b, $y, $y.c > 3).@size > 1).@count > 0",
        "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c > 3).@count > 1).@count > 0"
      ),
      ("SUBQUERY(a, $x, $x == 1).@count + 1 == 2", "SUBQUERY(a, $x, $x == 1).@count + 1 == 2"),
      (
        "SUBQUERY(a, $x, $x == 1).@count > SUBQUERY(b, $x, $x == 1).@count",
        "SUBQUERY(a, $x, $x == 1).@count > SUBQUERY(b, $x, $x == 1).@count"
      ),
      (
        "a GEOWITHIN geobox([-50, -30.5], [+50.0, 30, 7])",
        "a GEOWITHIN geoBox([-50.0, -30.5], [50.0, 30.0, 7.0])"
      ),
      ("ANY a geowithin GEOCIRCLE([$0, $1], $2)", "ANY a GEOWITHIN geoCircle([$0, $1], $2)"),
      (
        "a GEOWITHIN geoPolygon({[0,0],[1,0],[0,1],[0,0]},{[2,2],[3,3]})",
        "a GEOWITHIN geoPolygon({[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]}, {[2.0, 2.0], [3.0, 3.0]})"
      ),
      ("a GEOWITHIN $0", "a GEOWITHIN $0"),
      // Orderings.
      (
        "a == 1 sort(b Ascending, c.d desc)DISTINCT(e, f['k'])limit(010)",
        "a == 1 SORT(b ASC, c.d DESC) DISTINCT(e, f['k']) LIMIT(10)"
      ),
      (
        "TRUEPREDICATE LIMIT($0) LIMIT(99999999999999999999)",
        "TRUEPREDICATE LIMIT($0) LIMIT(9223372036854775807)"
      ),
      ("TRUEPREDICATE SORT(asc asc, $K0 desc)", "TRUEPREDICATE SORT(asc ASC, $K0 DESC)"),
    ] as [(String, String?)])
  func canonicalText(text: String, expected: String?) throws {
    if let expected {
      #expect(try canonical(text) == expected)
      #expect(try canonical(expected) == expected)
    } else {
      #expect(predicateComplaint(text) != nil)
    }
  }

  @Test(
    "words that are keywords elsewhere are properties where a property stands",
    arguments: [
      "in IN {1}", "text TEXT 'x'", "like LIKE 'x'", "contains CONTAINS 'x'", "beginswith == 1",
      "endswith == 1",
      "between BETWEEN {1, 2}", "sort == 1", "distinct == 1 SORT(sort ASC)", "limit == 1 LIMIT(1)",
      "asc == desc",
      "binary == bin", "first == last", "size.size == 1", "a.in == a.first", "yes-no == 1",
      "truepredicates == 1",
      "NOTage == 1", "uuid == oid", "uuid.x == 1", "T5 == 1", "O == L", "O1x == 1", "L1 == 1", "T-1 == 1",
      "Tx == 1",
      "matches == 1", "cast.function == 1", "include == is", "self-x == 1", "B64 == 1", "info == nano",
      // Mixed case is not reserved: these are names because an operator follows.
      "Not == 5", "Any.x == 5", "Any IN {1}", "Not IN a", "Some[0] == 1", "All CONTAINS 'x'", "None == Not",
      "Not CONTAINS contains", "@key == 7 AND a.@key IN {1}", "a == uuid(b)", "a == uuid(string(b))",
      "Any LIKE like", "Not IN[c] {'x'}", "Not + 1 == 2", "Any BETWEEN {1, 2}",
    ])
  func wordsAsNames(text: String) throws {
    #expect(try canonical(text) == text)
  }

  @Test(
    "a mixed-case prefix is the keyword where an operand follows",
    arguments: [
      ("Not in == 5", "NOT in == 5"), ("Not contains.x == 5", "NOT contains.x == 5"),
      ("Any in == 5", "ANY in == 5"),
      ("Any in IN {1}", "ANY in IN {1}"), ("Not like LIKE 'x'", "NOT like LIKE 'x'"),
      ("Not not a == 1", "NOT NOT a == 1"),
      ("Not Any tags == 'red'", "NOT ANY tags == 'red'"), ("Not text[0] == 5", "NOT text[0] == 5"),
      ("Not 5 == a", "NOT 5 == a"), ("Not 'x' IN a", "NOT 'x' IN a"), ("Any {1} == a", "ANY {1} == a"),
      ("Not sort == 1", "NOT sort == 1"), ("Some $0 == a", "ANY $0 == a"),
      ("All @links.A.b.c == 1", "ALL @links.A.b.c == 1"),
    ])
  func mixedCasePrefixes(text: String, expected: String) throws {
    #expect(try canonical(text) == expected)
  }

  @Test("a lone mixed-case word keeps both of its readings")
  func keywordReadings() throws {
    func reading(_ text: String) throws -> PropertyPath.KeywordReading? {
      guard case .comparison(let comparison) = try parsed("a == \(text)").condition.kind,
        case .property(_, let reference) = comparison.right.kind
      else { return nil }
      return reference.path.keywordReading
    }
    for text in ["True", "tRUE", "YES", "yes", "Yes"] { #expect(try reading(text) == .bool(true)) }
    for text in ["False", "NO", "no", "No"] { #expect(try reading(text) == .bool(false)) }
    #expect(try reading("SELF") == .wholeObject)
    #expect(try reading("self.name") == .wholeObject)
    for text in ["True.x", "#True", "#no", "#SELF", "name", "yes[0]"] { #expect(try reading(text) == nil) }
  }

  @Test("every node knows its place")
  func ranges() throws {
    let text = "  NOT ( é.b + 1 ==[c]  { 1 , 'x' } )  AND ANY c.d >= 2"
    let source = Array(text.utf8)
    let condition = try Predicate(parsing: source).condition
    #expect(source.text(in: condition.range) == "NOT ( é.b + 1 ==[c]  { 1 , 'x' } )  AND ANY c.d >= 2")
    guard case .and(let members) = condition.kind, case .not(let negated) = members[0].kind,
      case .comparison(let comparison) = negated.kind,
      case .arithmetic(let first, let rest) = comparison.left.kind,
      case .property(_, let path) = first.kind, case .list(_, let list) = comparison.right.kind
    else {
      Issue.record("unexpected shape: \(condition)")
      return
    }
    #expect(source.text(in: members[0].range) == "NOT ( é.b + 1 ==[c]  { 1 , 'x' } )")
    #expect(source.text(in: negated.range) == "é.b + 1 ==[c]  { 1 , 'x' }")
    #expect(source.text(in: comparison.symbolRange) == "==[c]")
    #expect(source.text(in: comparison.left.range) == "é.b + 1")
    #expect(source.text(in: rest[0].symbolRange) == "+")
    #expect(path.path.steps.map { source.text(in: $0.range) } == ["é", "b"])
    #expect(list.elements.map { source.text(in: $0.range) } == ["1", "'x'"])
    #expect(source.text(in: list.range) == "{ 1 , 'x' }")
  }

  @Test("a path and the question about its end have places of their own")
  func pathRanges() throws {
    let source = Array(" a['k'].@links.C.d .@max. e ".utf8)
    let reference = try PropertyReference(parsing: source)
    #expect(source.text(in: reference.range) == "a['k'].@links.C.d .@max. e")
    #expect(source.text(in: reference.path.range) == "a['k'].@links.C.d")
    #expect(reference.path.steps.map { source.text(in: $0.range) } == ["a", "['k']", "@links.C.d"])
    #expect(reference.question.map { source.text(in: $0.range) } == "@max. e")
  }

  @Test("blanks may stand between any two tokens")
  func blanks() throws {
    #expect(
      try canonical("\n a . b [ 0 ] . @count\r\n==\t5 AND(c==[c]'x')  SORT ( a ASC ) ")
        == "a.b[0].@count == 5 AND c ==[c] 'x' SORT(a ASC)")
  }
}

@Suite("Limits of predicates")
struct PredicateLimitTests {
  @Test(
    "nesting is refused beyond 512, whatever nests",
    arguments: [
      ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("(", "a", ") == 1"),
      ("(a + ", "1", ") == 1"),
      ("SUBQUERY(a, $x, ", "b == 1", ").@count > 0"), ("NOT (", "a == 1", ")"),
    ])
  func refusesDeepNesting(opening: String, middle: String, closing: String) throws {
    let start = String(repeating: opening, count: 10_000)
    let deep = start + middle + String(repeating: closing, count: 10_000)
    let codes = try onDeepStack { [deep, start].map { predicateComplaint($0)?.code } }
    #expect(codes[0] == "depth" || codes[0] == "subquery", "\(codes)")
    #expect(codes[1] != nil)
  }

  @Test("512 parentheses are fine")
  func acceptsDepth() throws {
    let text = String(repeating: "(", count: 512) + "a == 1" + String(repeating: ")", count: 512)
    let value = String(repeating: "(", count: 512) + "a" + String(repeating: ")", count: 512) + " == 1"
    let texts = try onDeepStack { try [text, value].map { try canonical($0) } }
    #expect(texts == ["a == 1", "a == 1"])
    #expect(try onDeepStack { predicateComplaint("(" + text + ")")?.code } == "depth")
  }

  @Test("long chains are flat")
  func acceptsLongChains() throws {
    let count = 100_000
    for (separator, part) in [
      (" OR ", "a == 1"), (" AND ", "a == 1"), (" + ", "a"), (" * ", "a"),
    ] {
      let chain = Array(repeating: part, count: count).joined(separator: separator)
      let text = part == "a" ? chain + " == 1" : chain
      #expect(try canonical(text) == text)
    }
    let list = "a IN {" + Array(repeating: "-1", count: count).joined(separator: ", ") + "}"
    #expect(try canonical(list) == list)
  }

  @Test("parentheses that are never closed cost no more than their length")
  func scansUnclosedParenthesesOnce() {
    let text = String(repeating: "(", count: 512) + String(repeating: "(a) == 1 AND ", count: 20_000)
    #expect(predicateComplaint(text) != nil)
    let nested =
      String(repeating: "(a == 1 AND ", count: 500) + String(repeating: "(a) + 1 == 1 AND ", count: 20_000)
    #expect(predicateComplaint(nested) != nil)
  }
}

@Suite("Parts of predicates")
struct PredicatePartTests {
  private func sortKeys(_ text: String) throws -> [String] {
    try SortKey.list(parsing: Array(text.utf8)).map {
      "\($0.value) \($0.isAscending ? "up" : "down")"
    }
  }

  @Test("sort keys need no direction on the command line")
  func sortKeyLists() throws {
    #expect(try sortKeys("name, age desc") == ["name up", "age down"])
    #expect(try sortKeys(" a.b ASCENDING,c['k'] Descending, desc ") == ["a.b up", "c['k'] down", "desc up"])
    let parse = { (source: [UInt8]) throws(QueryError) in try SortKey.list(parsing: source) }
    #expect(complaint(about: "", parse)?.sentence == "expected a property, found end of list")
    #expect(complaint(about: "a b", parse)?.marked == "b")
    #expect(try sortKeys("dogs.@count desc, length(name)") == ["dogs.@count down", "length(name) up"])
    #expect(complaint(about: "a,", parse)?.code == "syntax")
  }

  private func columns(_ text: String) throws -> [String] {
    try SelectItem.list(parsing: Array(text.utf8)).map { item in
      "\(item.value)" + (item.alias.map { " as \($0.text)" } ?? "")
    }
  }

  @Test("a selection is of paths, counts and the object key, with names")
  func selectionLists() throws {
    #expect(
      try columns("a,b.c , dogs.@count as n, @key AS 'the key', a.@max.b As last, as as as")
        == ["a", "b.c", "dogs.@count as n", "@key as the key", "a.@max.b as last", "as as as"])
    let parse = { (source: [UInt8]) throws(QueryError) in try SelectItem.list(parsing: source) }
    #expect(complaint(about: "*", parse)?.sentence.contains("leave out the list") == true)
    #expect(complaint(about: "a b", parse)?.marked == "b")
    #expect(complaint(about: "a as 5", parse)?.marked == "5")
    #expect(try columns("upper(a), b * 2 as twice, c ?? 'x'") == ["upper(a)", "b * 2 as twice", "c ?? 'x'"])
  }

  private func argument(_ text: String) throws -> ExpressionKind {
    try Expression(argument: Array(text.utf8)).kind
  }

  private func string(_ text: String) -> ExpressionKind {
    .constant(
      Constant(.literal(.string(Array(text.utf8))), range: SourceRange(offset: 0, length: text.utf8.count)))
  }

  @Test(
    "an argument that begins like no literal is a string as a whole",
    arguments: [
      "", "Ada", "two words", "Ada's", "a@b.c", "$0", "%@", "-", "-x", "+ 5", "(1)", "true story",
      "null and void",
      "no way", "O1 x", "obj", "uuid", "&", "“smart”", "[1]", "#x", "SELECT *", "T", "notes.txt", "/path",
    ])
  func bareArguments(text: String) throws {
    #expect(try argument(text) == string(text))
  }

  @Test("an argument that is a literal has its value")
  func literalArguments() throws {
    func literal(_ text: String) throws -> Literal? {
      guard case .constant(let constant) = try argument(text), case .literal(let literal) = constant.kind
      else { return nil }
      return literal
    }
    #expect(try literal("30") == .int(30))
    #expect(try literal(" -1.5 ") == .double(-1.5, text: "-1.5"))
    #expect(try literal("'Ada'") == .string(Array("Ada".utf8)))
    #expect(try literal("''") == .string([]))
    #expect(try literal("T0:0") == .date(seconds: 0, nanoseconds: 0))
    #expect(try literal("true") == .bool(true))
    #expect(try literal("No") == .bool(false))
    #expect(try literal("null") == .null)
    #expect(try literal("2020-01-01") == .date(seconds: 1_577_836_800, nanoseconds: 0))
    #expect(try literal("binary('x')") == .binary([0x78]))
    #expect(try literal("O5") == .objectKey(5))
    guard case .list(nil, let list) = try argument("{1, 'x', NULL}") else {
      Issue.record("not a list")
      return
    }
    #expect(list.elements.count == 3)
    guard case .shape = try argument("geoCircle([0,0], 1)") else {
      Issue.record("not a shape")
      return
    }
    guard case .constant(let constant) = try argument("obj('Dog', 1)"),
      case .object(let object) = constant.kind
    else {
      Issue.record("not an object")
      return
    }
    #expect(object.className.text == "Dog")
    #expect(object.primaryKey == .literal(.int(1)))
  }

  @Test(
    "an argument that begins like a literal and goes wrong is refused",
    arguments: [
      ("12 Main St", "Main"), ("'open", "'"), ("5x", "5x"), ("2020-13-01", "13"), ("{1, $0}", "$0"),
      ("{1", "{"),
      ("'a' 'b'", "'b'"), ("uuid(1)", "uuid(1)"), ("obj('Dog', $0)", "$0"), ("{a}", "{"),
    ])
  func brokenArguments(text: String, marked: String) throws {
    let found = try #require(
      complaint(about: text) { source throws(QueryError) in try Expression(argument: source) })
    #expect(found.marked == marked, "\(found)")
  }

  @Test("tokens for completion end where the text does or where no token begins")
  func tokenLists() {
    let kinds = { (text: String) in tokens(of: Array(text.utf8)).map(\.kind) }
    #expect(kinds("a.b == 'x'") == [.word, .dot, .word, .doubleEqual, .string, .end])
    #expect(kinds("a CONTAINS 'x") == [.word, .word, .invalid])
    #expect(kinds("") == [.end])
    #expect(tokens(of: [0xFF]).map(\.kind) == [.invalid])
    #expect(tokens(of: Array("a NOT Not".utf8)).map(\.isReserved) == [false, true, false, false])
    #expect(tokens(of: Array("a NOT Not".utf8)).map(\.keyword) == [.notAKeyword, .not, .not, .notAKeyword])
  }
}
