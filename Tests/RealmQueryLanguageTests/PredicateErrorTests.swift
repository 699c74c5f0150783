import RealmQueryLanguage
import Testing

/// A text, and the code, the marked text and a part of the message that it must be refused with.
struct RefusedText: CustomTestStringConvertible {
  let text: String
  let code: QueryError.Code
  let marked: String
  let part: String

  init(_ text: String, _ code: QueryError.Code, at marked: String, _ part: String) {
    (self.text, self.code, self.marked, self.part) = (text, code, marked, part)
  }

  var testDescription: String { text }
}

@Suite("Syntax errors of predicates")
struct PredicateErrorTests {
  @Test(
    "each is reported with its code, place and advice",
    arguments: [
      // What begins no token.
      RefusedText("age ~ 5", .character, at: "~", "unexpected character '~'"),
      RefusedText("age == 5 | b == 1", .character, at: "|", "write || or OR"),
      RefusedText("age & 5", .character, at: "&", "write && or AND"),
      RefusedText("age == 5;", .character, at: ";", "without ';'"),
      RefusedText("#", .character, at: "#", "unexpected character '#'"),
      RefusedText("@ == 1", .character, at: "@", "unexpected character '@'"),
      RefusedText("name == `Ada", .unclosedString, at: "`", "expected `"),
      RefusedText("a := 1", .expectation, at: ":", "write =="),
      RefusedText("a == ? ", .expectation, at: "?", "expected a value"),
      RefusedText("a\\ == 1 \\", .character, at: "\\", "unexpected"),
      // Strings.
      RefusedText("name == 'open", .unclosedString, at: "'", "expected '"),
      RefusedText("name == \"open'", .unclosedString, at: "\"", "expected \""),
      RefusedText("name == 'a\\", .unclosedString, at: "'", "expected '"),
      RefusedText(#"name == 'a\q'"#, .escape, at: "\\q", "use \\\\ for a backslash"),
      RefusedText(#"name == '\x41'"#, .escape, at: "\\x", "unknown escape"),
      RefusedText(#"name == '\u12'"#, .escape, at: "\\u12", "four hex digits"),
      RefusedText(#"name == '\uD83D'"#, .escape, at: "\\uD83D", "half of a surrogate pair"),
      RefusedText(#"name == '\uDE00\uD83D'"#, .escape, at: "\\uDE00", "half of a surrogate pair"),
      RefusedText(#"name == '\uD83D\u0041'"#, .escape, at: "\\uD83D", "half of a surrogate pair"),
      RefusedText("name == “Ada”", .typographicQuote, at: "“", "use ' or \" instead of “"),
      RefusedText("name == ‘Ada’", .typographicQuote, at: "‘", "instead of ‘"),
      RefusedText("name == B64\"!!\"", .base64, at: "B64\"!!\"", "invalid base64"),
      RefusedText("name == B64\"QQ\"", .base64, at: "B64\"QQ\"", "multiple of 4"),
      RefusedText("name == B64\"Q=Q=\"", .base64, at: "B64\"Q=Q=\"", "invalid base64"),
      RefusedText("name == B64\"Q===\"", .base64, at: "B64\"Q===\"", "invalid base64"),
      RefusedText("name == B64\"QQ==", .base64, at: "B64\"QQ==", "invalid base64"),
      // Numbers and dates.
      RefusedText("age == 0x", .number, at: "0x", "malformed number '0x'"),
      RefusedText("age == 0b2", .number, at: "0b2", "malformed"),
      RefusedText("age == 0x1G", .number, at: "0x1G", "malformed"),
      RefusedText("age == 1e", .number, at: "1e", "malformed number '1e'"),
      RefusedText("age == 1e+ ", .number, at: "1e+", "malformed"),
      RefusedText("age == 1.2.3", .number, at: "1.2.3", "malformed number '1.2.3'"),
      RefusedText("age == 1_000", .number, at: "1_000", "malformed number '1_000'"),
      RefusedText("age == 30abc", .number, at: "30abc", "malformed"),
      RefusedText(
        "age == 0x100000000000000000000000000000000", .number, at: "0x100000000000000000000000000000000",
        "too large"),
      RefusedText("born == O99999999999999999999", .number, at: "99999999999999999999", "too large"),
      RefusedText("born == 2020-13-45@25:61:61", .date, at: "13", "not a valid date: month 13"),
      RefusedText("born == 2021-02-29@00:00:00", .date, at: "29", "day 29 of month 2"),
      RefusedText("born == 1900-02-29", .date, at: "29", "day 29 of month 2"),
      RefusedText("born == 2020-01-01@24:00:00", .date, at: "24", "hour 24"),
      RefusedText("born == 2020-01-01@23:60:00", .date, at: "60", "minute 60"),
      RefusedText("born == 2020-01-01@23:59:60", .date, at: "60", "second 60"),
      RefusedText("born == 0-1-1@0:0:0", .date, at: "0", "year 0"),
      RefusedText("born == 10000-1-1@0:0:0", .date, at: "10000", "year 10000"),
      RefusedText("born == 2020-1-1@0:0:0:1000000000", .date, at: "1000000000", "nanosecond"),
      RefusedText("born == 2020-1-1@0:0:0.1234567890", .date, at: "1234567890", "more than 9 digits"),
      RefusedText("born == 2020-01-01T", .date, at: "2020-01-01T", "write 2020-12-31"),
      RefusedText("born == 2020-01-01T10", .date, at: "2020-01-01T10", "not a valid date"),
      RefusedText("born == 2020-01-01T10:00+99:00", .date, at: "99", "hour 99"),
      RefusedText("born == T-1:500000000", .date, at: "500000000", "different signs"),
      RefusedText("born == T1:-5", .date, at: "-5", "different signs"),
      RefusedText("born == T1:1000000000", .date, at: "1000000000", "whole second"),
      RefusedText("born == T99999999999999999999:0", .date, at: "99999999999999999999", "too many seconds"),
      RefusedText("born == 2020-01-01 12:30", .chain, at: "12", "write a time as 2020-01-01T12:00:00"),
      // Identities.
      RefusedText("a == uuid(12)", .uuid, at: "uuid(12)", "8-4-4-4-12 hex digits"),
      RefusedText(
        "a == uuid('00000000-0000-4000-8000-00000000000g')", .uuid,
        at: "uuid('00000000-0000-4000-8000-00000000000g')", "8-4-4-4-12"),
      RefusedText("a == uuid(12", .uuid, at: "uuid(12", "8-4-4-4-12"),
      RefusedText("a == oid(5f)", .objectID, at: "oid(5f)", "24 hex digits"),
      // What is missing.
      RefusedText("", .expectation, at: "", "expected a condition, found end of query"),
      RefusedText("age ==", .expectation, at: "", "expected a value after '==', found end of query"),
      RefusedText("age == ", .expectation, at: "", "found end of query"),
      RefusedText("== 5", .expectation, at: "==", "expected a condition, found '=='"),
      RefusedText("age == 5 AND", .expectation, at: "", "expected a condition after 'AND'"),
      RefusedText("a == 1 OR OR b == 1", .expectation, at: "OR", "expected a condition after 'OR'"),
      RefusedText("()", .expectation, at: ")", "expected a condition after '('"),
      RefusedText("age === 5", .expectation, at: "=", "expected a value after '=='"),
      RefusedText("age =! 5", .expectation, at: "!", "expected a value"),
      RefusedText("age ! = 5", .expectation, at: "!", "write != without a blank"),
      RefusedText("age < = 6", .expectation, at: "=", "expected a value after '<'"),
      RefusedText(
        "name 'A'", .expectation, at: "'A'", "expected a comparison operator after 'name', found 'A'"),
      RefusedText("age. == 5", .expectation, at: "==", "expected a property name after '.'"),
      RefusedText("age..name == 5", .expectation, at: ".", "expected a property name"),
      RefusedText("a.null == 5", .expectation, at: "null", "expected a property name"),
      RefusedText("a.and == 5", .expectation, at: "and", "write #and for a property"),
      RefusedText("@count > 1", .expectation, at: "@count", "needs a property before it"),
      RefusedText("name.@foo == 1", .expectation, at: "@foo", "known are @count"),
      RefusedText("a.@count.b == 1", .expectation, at: ".", "nothing can follow '@count'"),
      RefusedText("tags[-1] == 1", .expectation, at: "-1", "expected a position"),
      RefusedText("tags[1.5] == 1", .expectation, at: "1.5", "expected a position"),
      RefusedText("tags[] == 1", .expectation, at: "]", "expected a position"),
      RefusedText("tags[a] == 1", .expectation, at: "a", "expected a position"),
      RefusedText("ANY ALL tags == 'x'", .expectation, at: "ALL", "expected a to-many path after 'ANY'"),
      RefusedText("ANY 5 == 5", .expectation, at: "5", "expected a to-many path"),
      RefusedText("(name) BEGINSWITH 'A'", .expectation, at: "name", "leave out the parentheses"),
      RefusedText("name BEGINSWITH ('A')", .expectation, at: "(", "leave out the parentheses"),
      RefusedText("age + 1 BETWEEN {1, 5}", .expectation, at: "age + 1", "not an expression"),
      RefusedText("age IN {1 2}", .expectation, at: "2", "expected ',' or '}'"),
      RefusedText("a == obj(Dog, 1)", .expectation, at: "Dog", "a class name in quotes"),
      RefusedText("a == obj('Dog', 1.5)", .expectation, at: "1.5", "a primary key"),
      RefusedText("a == binary(x)", .expectation, at: "x", "a quoted string"),
      RefusedText("a == TRUEPREDICATE", .expectation, at: "TRUEPREDICATE", "expected a value"),
      RefusedText("a == geoBox([1,2],[3,4])", .expectation, at: "geoBox", "shapes come after GEOWITHIN"),
      RefusedText("a GEOWITHIN geoPoint([0,0])", .expectation, at: "geoPoint", "expected geoBox"),
      RefusedText("a GEOWITHIN geoCircle([0,0], nan)", .expectation, at: "nan", "a radius in radians"),
      // What cannot follow.
      RefusedText("1 < age < 5", .chain, at: "<", "join comparisons with AND"),
      RefusedText("(1 < age) < 5", .chain, at: "<", "join comparisons with AND"),
      RefusedText("a == 1 b == 2", .chain, at: "b", "expected AND, OR or end of query, found 'b'"),
      RefusedText("age > 5 ANDname == 1", .chain, at: "ANDname", "expected AND, OR"),
      RefusedText("(a == 1 b)", .chain, at: "b", "expected AND, OR or ')'"),
      RefusedText("name == 'it''s'", .chain, at: "'s'", "write \\' for a quote"),
      RefusedText("(a == 1, b == 2)", .chain, at: ",", "expected AND, OR or ')'"),
      // Operands alone.
      RefusedText("TRUE", .bareOperand, at: "TRUE", "write TRUEPREDICATE"),
      RefusedText("FALSE", .bareOperand, at: "FALSE", "is not a condition"),
      RefusedText("(a + 1) AND b == 1", .bareOperand, at: "a + 1", "compare it"),
      // Brackets.
      RefusedText("(age == 5", .parenthesis, at: "(", "missing ')' for '(' at column 1"),
      RefusedText("a == 1 AND (é == 5", .parenthesis, at: "(", "at column 12"),
      RefusedText("age == 5)", .parenthesis, at: ")", "closes nothing"),
      RefusedText("age == (5", .parenthesis, at: "(", "missing ')'"),
      RefusedText("age IN {1, 2", .parenthesis, at: "{", "missing '}'"),
      RefusedText("age IN {1,", .parenthesis, at: "{", "missing '}'"),
      RefusedText("tags[0 == 1", .expectation, at: "==", "expected ']'"),
      RefusedText("tags[0", .parenthesis, at: "[", "missing ']'"),
      RefusedText("SUBQUERY(a, $x, $x.b == 1", .parenthesis, at: "(", "missing ')'"),
      // Options.
      RefusedText("name ==[x] 'b'", .options, at: "[x]", "[c], [d] or [cd]"),
      RefusedText("name ==[c d] 'b'", .options, at: "[c d]", "[c], [d] or [cd]"),
      RefusedText("name ==[ c] 'b'", .options, at: "[ c]", "[c], [d] or [cd]"),
      RefusedText("name <[c] 'b'", .options, at: "[c]", "'<' cannot be case-insensitive"),
      RefusedText("name <[d] 'b'", .options, at: "[d]", "'<' cannot be diacritic-insensitive"),
      RefusedText("name TEXT[c] 'b'", .options, at: "[c]", "cannot be case-insensitive"),
      RefusedText("name BETWEEN[c] {1,2}", .options, at: "[c]", "cannot be case-insensitive"),
      RefusedText("name LIKE[cd] 'b'", .options, at: "[cd]", "cannot be diacritic-insensitive"),
      RefusedText("a GEOWITHIN[c] $0", .options, at: "[c]", "cannot be case-insensitive"),
      // Habits from SQL.
      RefusedText("age NOT IS NULL", .negatedOperator, at: "NOT IS", "write age IS NOT NULL"),
      RefusedText("age NOT GEOWITHIN $0", .negatedOperator, at: "NOT GEOWITHIN", "write NOT age GEOWITHIN …"),
      RefusedText("age BETWEEN 1", .listSyntax, at: "1", "write BETWEEN 1 AND 5"),
      RefusedText("age BETWEEN $0 AND b == 1 c", .chain, at: "c", "expected AND, OR"),
      RefusedText("age IN (1, )", .listSyntax, at: "(", "empty place"),
      RefusedText("age IN (1, 2", .parenthesis, at: "(", "missing ')'"),
      RefusedText("age IS NOT 5", .negatedOperator, at: "IS NOT", "write age != 5"),
      RefusedText("age IS 5", .negatedOperator, at: "IS", "write age == 5"),
      RefusedText("age IN [1, 2]", .listSyntax, at: "[", "lists are written {1, 2}"),
      RefusedText("age IN []", .listSyntax, at: "[", "lists are written {1, 2}"),
      RefusedText("(1, 2) == age", .listSyntax, at: "(", "lists are written {1, 2}"),
      RefusedText("[1, 2] == age", .listSyntax, at: "[", "lists are written {1, 2}"),
      RefusedText("age BETWEEN (1, 5)", .listSyntax, at: "(", "lists are written {1, 2}"),
      RefusedText("age IN {age}", .listSyntax, at: "{", "quote strings: 'age'"),
      RefusedText("age IN {1 + 2}", .listSyntax, at: "{", "not expressions"),
      RefusedText("age IN {1 +2}", .listSyntax, at: "{", "not expressions"),
      RefusedText("age IN {(1)}", .listSyntax, at: "{", "not expressions"),
      RefusedText("age IN {,1}", .listSyntax, at: "{", "empty place"),
      RefusedText("age IN {1,}", .listSyntax, at: "{", "empty place"),
      RefusedText("age IN {{1}}", .listSyntax, at: "{", "cannot hold lists"),
      // Orderings.
      RefusedText("SORT(age ASC)", .ordering, at: "SORT", "write TRUEPREDICATE SORT(…)"),
      RefusedText("limit(1)", .ordering, at: "limit", "write TRUEPREDICATE LIMIT(…)"),
      RefusedText("a == 1 AND LIMIT(1)", .ordering, at: "LIMIT", "needs a condition before it"),
      RefusedText("TRUEPREDICATE SORT(age)", .ordering, at: ")", "SORT key needs ASC or DESC; write age ASC"),
      RefusedText("TRUEPREDICATE SORT()", .ordering, at: ")", "SORT() is empty"),
      RefusedText("TRUEPREDICATE SORT age ASC", .ordering, at: "SORT", "needs parentheses"),
      RefusedText("TRUEPREDICATE SORT(age ASC,)", .ordering, at: ")", "empty place"),
      RefusedText("TRUEPREDICATE DISTINCT()", .ordering, at: ")", "DISTINCT() is empty"),
      RefusedText("TRUEPREDICATE DISTINCT(a,)", .ordering, at: ")", "empty place"),
      RefusedText("TRUEPREDICATE DISTINCT(a ASC)", .ordering, at: "ASC", "takes no direction"),
      RefusedText("TRUEPREDICATE LIMIT(-1)", .ordering, at: "-1", "LIMIT needs a whole number"),
      RefusedText("TRUEPREDICATE LIMIT(1.5)", .ordering, at: "1.5", "LIMIT needs a whole number"),
      RefusedText("TRUEPREDICATE LIMIT(0x1)", .ordering, at: "0x1", "LIMIT needs a whole number"),
      RefusedText("TRUEPREDICATE LIMIT()", .ordering, at: ")", "LIMIT() is empty"),
      RefusedText("TRUEPREDICATE LIMIT -5", .ordering, at: "-5", "LIMIT needs a whole number"),
      RefusedText("TRUEPREDICATE ORDER a", .ordering, at: "ORDER", "ORDER needs BY after it"),
      RefusedText("TRUEPREDICATE LIMIT(1, 2)", .ordering, at: ",", "LIMIT takes one number"),
      RefusedText("(age > 5 LIMIT(2))", .ordering, at: "LIMIT", "after the whole condition"),
      RefusedText(
        "a > 5 SORT(a ASC) AND a < 10", .ordering, at: "AND", "only SORT, DISTINCT, LIMIT and OFFSET"),
      RefusedText(
        "SUBQUERY(a, $x, $x.b == 1 LIMIT(1)).@count > 0", .ordering, at: "LIMIT", "inside SUBQUERY"),
      RefusedText("TRUEPREDICATE SORT(dogs.@count ASC)", .sorting, at: "@count", "needs a property"),
      RefusedText("TRUEPREDICATE DISTINCT(dogs.@max.age)", .sorting, at: "@max.age", "needs a property"),
      // What is known but not offered.
      RefusedText("FUNCTION(a, 'b') == 1", .unsupported, at: "FUNCTION", "FUNCTION is not supported"),
      RefusedText("CAST(a, 'NSDate') == b", .unsupported, at: "CAST", "CAST is not supported"),
      RefusedText("age > 5 INCLUDE(dogs)", .unsupported, at: "INCLUDE", "INCLUDE is not supported"),
      RefusedText("a > 5 GROUP BY a", .unsupported, at: "GROUP", "GROUP is not supported"),
      RefusedText("age ** 2 == 4", .unsupported, at: "**", "'**' is not supported"),
      RefusedText("age % 2 == 0", .unsupported, at: "%", "'%' is not supported"),
      RefusedText("-age == -30", .unsupported, at: "-", "subtract from 0"),
      RefusedText("age == --5", .unsupported, at: "-", "subtract from 0"),
      RefusedText("age == - 5", .unsupported, at: "-", "subtract from 0"),
      // Quantifiers, aggregates, subqueries, backlinks, shapes, arguments.
      RefusedText("ANY scores.@max > 5", .quantifier, at: "ANY", "an aggregate has one value"),
      RefusedText(
        "ALL SUBQUERY(a, $x, $x.b == 1).@count > 1", .quantifier, at: "ALL", "SUBQUERY has one value"),
      RefusedText("dogs.@max.age.x > 1", .aggregate, at: "@max.age", "only one property"),
      RefusedText("SUBQUERY(a, $x, $x.b == 1) > 1", .subquery, at: "SUBQUERY(a, $x, $x.b == 1)", ".@count"),
      RefusedText("SUBQUERY(a, x, x.b == 1).@count > 1", .subquery, at: "x", "a variable such as $x"),
      RefusedText("SUBQUERY(a, $0, b == 1).@count > 1", .subquery, at: "$0", "a variable such as $x"),
      RefusedText("SUBQUERY(a, $, b == 1).@count > 1", .subquery, at: "$", "a variable such as $x"),
      RefusedText("SUBQUERY(a.@count, $x, b == 1).@count > 1", .subquery, at: "@count", "needs a path"),
      RefusedText(
        "SUBQUERY(a, $d, SUBQUERY($d.b, $d, c == 1).@count > 1).@count > 0", .subquery, at: "$d",
        "already used"),
      RefusedText("@links.Dog == 1", .backlink, at: "@links.Dog", "write @links.Class.property"),
      RefusedText("@links == NULL", .backlink, at: "@links", "write @links.Class.property"),
      RefusedText("a GEOWITHIN geoBox([0,0])", .geospatial, at: "geoBox([0,0])", "two opposite corners"),
      RefusedText("a GEOWITHIN geoCircle([0,1e999], 1)", .geospatial, at: "1e999", "too large"),
      RefusedText("5 GEOWITHIN geoBox([0,0],[1,1])", .geospatial, at: "5", "needs a property"),
      RefusedText("a == %@ AND b == $1", .argument, at: "$1", "not both"),
      RefusedText("a == $0 AND b == %d", .argument, at: "%d", "not both"),
      RefusedText("$K2.x == 'Ada'", .argument, at: "x", "$K2 is a whole path"),
      RefusedText("a.$K2 == 'Ada'", .argument, at: "$K2", "is a whole path"),
      RefusedText("$K2[0] == 'Ada'", .argument, at: "[", "$K2 is a whole path"),
    ])
  func refuses(_ refused: RefusedText) throws {
    let complaint = try #require(predicateComplaint(refused.text))
    #expect(complaint.code == refused.code.rawValue, "\(complaint)")
    #expect(complaint.marked == refused.marked, "\(complaint)")
    #expect(complaint.sentence.contains(refused.part), "\(complaint)")
  }

  @Test("the column of a bracket counts characters of its line")
  func countsColumns() {
    let text = "a == 1 AND\n e\u{301} == '李' AND (b == 1"
    #expect(predicateComplaint(text)?.sentence.contains("at column 15") ?? false)
  }

  @Test("text that is not UTF-8, or holds a NUL, is refused at its first bad byte")
  func refusesBadEncoding() {
    for (bytes, offset) in [([0x61, 0xFF], 1), ([0x61, 0x20, 0x00, 0x62], 2)] as [([UInt8], Int)] {
      #expect {
        try Predicate(parsing: bytes)
      } throws: { error in
        let error = error as? QueryError
        return error?.code == .encoding && error?.range == SourceRange(offset: offset, length: 1)
      }
    }
  }

  @Test("of two errors the first in the text is reported, also when the second is no token")
  func reportsFirstError() {
    #expect(predicateComplaint("age == = 'open")?.marked == "=")
    #expect(predicateComplaint("((a == == 1) ~")?.marked == "==")
  }

  @Test("control characters of the text do not reach a message")
  func hidesControlCharacters() throws {
    let complaint = try #require(predicateComplaint("a == 1 'x\u{1B}[31m'"))
    #expect(!complaint.sentence.unicodeScalars.contains("\u{1B}"))
  }

  @Test("a LIKE pattern with % and no wildcard is accepted with a warning")
  func warnsAboutSQLPatterns() throws {
    #expect(try parsed("name LIKE '%a%'").warnings.map(\.range.offset) == [10])
    #expect(try parsed("name LIKE '%a*'").warnings.isEmpty)
    #expect(try parsed("name CONTAINS '%'").warnings.isEmpty)
  }
}
