import RealmQueryLanguage
import Testing

private func statement(_ text: String) throws -> StatementKind {
  try Statement(parsing: Array(text.utf8)).kind
}

private func statementComplaint(_ text: String) -> Complaint? {
  complaint(about: text) { source throws(QueryError) in try Statement(parsing: source) }
}

/// A selection as `Class where …`.
private func shown(_ selection: Selection) -> String {
  selection.className.text + (selection.predicate.map { " where \($0)" } ?? "")
}

@Suite("Statements")
struct StatementTests {
  private func query(_ text: String) throws -> String {
    guard case .select(let selection, let items) = try statement(text) else { return "not a query" }
    let columns = items.map { $0.value.description + ($0.alias.map { " as \($0.text)" } ?? "") }
    return shown(selection) + (columns.isEmpty ? "" : " select " + columns.joined(separator: ", "))
  }

  @Test(
    "a query is a class with a predicate, orderings and a selection",
    arguments: [
      ("Person", "Person"), ("  Person ; ", "Person"), ("`create`", "create"),
      ("`My ``odd`` class`", "My `odd` class"),
      (
        "Person where age > 30 and dogs.@count > 0 sort(name asc) limit(10)",
        "Person where age > 30 AND dogs.@count > 0 SORT(name ASC) LIMIT(10)"
      ),
      (
        "Person WHERE a == 1 SELECT name, address.city, dogs.@count as dogs, @key",
        "Person where a == 1 select name, address.city, dogs.@count as dogs, @key"
      ),
      ("Person select name", "Person select name"),
      ("Person sort(age desc) select name", "Person where TRUEPREDICATE SORT(age DESC) select name"),
      ("Person where active == true select select", "Person where active == true select select"),
      ("Person where select == set select a", "Person where select == set select a"),
      ("Person where `first name` == 'x'", "Person where #first\\ name == 'x'"),
      ("Person where a == 1 -- why\n", "Person where a == 1"),
      ("Person where (a == 1\n  # note\n -- and a half\n  or b == 2)", "Person where a == 1 OR b == 2"),
      ("Person \\\n where a == 1", "Person where a == 1"),
      ("Person select name limit(5)", "Person where TRUEPREDICATE LIMIT(5) select name"),
      (
        "Person limit(5) select upper(name), age * 2 as twice where year(at) == 2020 sort(dogs.@count desc, age)",
        "Person where year(at) == 2020 LIMIT(5) SORT(dogs.@count DESC, age ASC) select upper(name), age * 2 as twice"
      ),
      ("Person where -age % 2 == 0", "Person where -age % 2 == 0"),
      ("Person where (a ?? b) contains 'x'", "Person where a ?? b CONTAINS 'x'"),
      ("Person where (a > 1 ? b : c) == 2", "Person where (a > 1 ? b : c) == 2"),
      ("Sort", "Sort"), ("in where in IN {1}", "in where in IN {1}"),
    ])
  func queries(text: String, expected: String) throws {
    #expect(try query(text) == expected)
  }

  @Test("count and the aggregates take a class with a predicate")
  func aggregates() throws {
    guard case .aggregate(let counted) = try statement("count Person where a > 1") else {
      Issue.record("not a count")
      return
    }
    #expect(counted.isPlainCount && shown(counted.selection) == "Person where a > 1")
    for function in AggregateFunction.allCases {
      let percent = function == .percentile ? " 90" : ""
      let text = "\(function.rawValue.uppercased())\(percent) dogs.age as x, count of Person where a > 1"
      guard case .aggregate(let parsed) = try statement(text) else {
        Issue.record("not an aggregate")
        return
      }
      #expect(parsed.items.map(\.function) == [function, .count] && parsed.groups == nil)
      #expect(parsed.items[0].operand?.description == "dogs.age" && parsed.items[0].alias?.text == "x")
      #expect(parsed.items[1].isCountOfObjects)
      #expect(shown(parsed.selection) == "Person where a > 1")
    }
  }

  @Test(
    "'distinct' counts different values, unless it is the name of what is counted",
    arguments: [
      ("distinct age", true, "age"), ("distinct (age)", true, "age"), ("distinct -age", true, "-age"),
      ("distinct - age", false, "distinct - age"),
    ])
  func distinct(text: String, isDistinct: Bool, operand: String) throws {
    guard case .aggregate(let counted) = try statement("count \(text) of Person") else {
      Issue.record("not a count")
      return
    }
    #expect(counted.items[0].isDistinct == isDistinct && counted.items[0].operand?.description == operand)
  }

  @Test("count and the aggregates take what they group by")
  func groups() throws {
    guard
      case .aggregate(let counted) = try statement(
        "count Person where a > 1 sort(a asc) limit(5) BY address.city, active as on"),
      let groups = counted.groups,
      case .aggregate(let aggregation) = try statement(
        "avg age of Person by name having avg age > 3 sort(avg desc, name asc) limit(3)"),
      let averaged = aggregation.groups
    else {
      Issue.record("not grouped")
      return
    }
    #expect(shown(counted.selection) == "Person where a > 1 SORT(a ASC) LIMIT(5)")
    #expect(averaged.condition != nil)
    #expect(groups.items.map { $0.alias?.text } == [nil, "on"] && groups.orderings.isEmpty)
    #expect(averaged.items.count == 1 && averaged.orderings.count == 2)
    guard case .sort(let keys)? = averaged.orderings.first?.kind,
      case .limit(.number(3))? = averaged.orderings.last?.kind
    else {
      Issue.record("no order of groups")
      return
    }
    #expect(keys.map(\.isAscending) == [false, true])
  }

  @Test("documents to insert are handed through by their ends")
  func insertions() throws {
    func documents(_ text: String) throws -> [String] {
      guard case .insert(let insertion) = try statement(text) else { return [] }
      return ["\(insertion.isUpsert ? "upsert" : "insert") \(insertion.className.text)"]
        + insertion.documents.map { Array(text.utf8).text(in: $0.range) }
    }
    #expect(try documents("insert Person { \"_id\": 7 }") == ["insert Person", "{ \"_id\": 7 }"])
    #expect(
      try documents("UPSERT `my class` {\"a\": \"}\\\"{[\", \"b\": [{}]}\n {\"c\": \"it's\"}, [ {} ] ;")
        == ["upsert my class", "{\"a\": \"}\\\"{[\", \"b\": [{}]}", "{\"c\": \"it's\"}", "[ {} ]"])
    // What is inside need not be tokens of this language.
    #expect(try documents("insert P {~ ? ` : %}").count == 2)
  }

  @Test("update sets properties to expressions")
  func updates() throws {
    guard
      case .update(let selection, let assignments) = try statement(
        "update Person where age < 0 set age = 0, name = name + '?', home.city = old % 2 == 0 ? 'x' : null")
    else {
      Issue.record("not an update")
      return
    }
    #expect(shown(selection) == "Person where age < 0")
    #expect(
      assignments.map { "\(PropertyReference(path: $0.target, range: $0.range)) = \($0.value)" }
        == ["age = 0", "name = name + '?'", "home.city = old % 2 == 0 ? 'x' : NULL"])
  }

  @Test("an update can take arguments in its predicate and its expressions")
  func updatesWithArguments() throws {
    guard
      case .update(_, let assignments) = try statement("update Person where age == $1 set age = $0 -1")
    else {
      Issue.record("not an update")
      return
    }
    #expect(assignments.map(\.value.description) == ["$0 - 1"])
  }

  @Test("statements of one word and delete, drop, explain")
  func simpleStatements() throws {
    #expect(try statement("begin") == .begin)
    #expect(try statement("COMMIT;") == .commit)
    #expect(try statement("Rollback") == .rollback)
    guard case .delete(let deleted) = try statement("delete Person where a == 1"),
      case .delete(let all) = try statement("delete Person"),
      case .dropClass(let dropped, _, isEmpty: false) = try statement("drop class Person"),
      case .explain(let explained) = try statement("explain count Person where a == 1"),
      case .aggregate(let counted) = explained.kind
    else {
      Issue.record("unexpected statement")
      return
    }
    #expect(shown(deleted) == "Person where a == 1")
    #expect(shown(all) == "Person")
    #expect(dropped.text == "Person")
    #expect(shown(counted.selection) == "Person where a == 1")
  }

  @Test(
    "statements at fault are refused with a place and advice",
    arguments: [
      RefusedText("", .expectation, at: "", "expected a statement or a class, found end of statement"),
      RefusedText("5", .expectation, at: "5", "expected a statement or a class"),
      RefusedText(
        "Person whre a == 1", .expectation, at: "whre", "expected where, sort(…), select or end of statement"),
      RefusedText(
        "Person where", .expectation, at: "", "expected a condition after 'where', found end of statement"),
      RefusedText("Person where a == 1 b", .chain, at: "b", "AND, OR or end of statement"),
      RefusedText("Person where (a == 1; b", .parenthesis, at: "(", "missing ')'"),
      RefusedText("Person select", .expectation, at: "", "expected a property"),
      RefusedText("Person select *", .expectation, at: "*", "leave out the list"),
      RefusedText("Person select a b", .expectation, at: "b", "',', AS, where, sort(…) or end of statement"),
      RefusedText("Person select a; b", .expectation, at: "b", "end of statement"),
      RefusedText("count", .expectation, at: "", "expected a class after 'count'"),
      RefusedText("count Person foo", .expectation, at: "foo", "expected where, sort(…), by or end of"),
      RefusedText("count Person group by city", .expectation, at: "group", "leave out GROUP"),
      RefusedText("count Person by", .expectation, at: "", "expected a property"),
      RefusedText("Person by city", .expectation, at: "by", "write count Person by"),
      RefusedText("Person.name", .expectation, at: ".", "write Person select name"),
      RefusedText("Person.count()", .expectation, at: ".", "write count Person"),
      RefusedText("Person.find()", .expectation, at: ".", "expected where"),
      RefusedText("count Person, avg(age) by city", .expectation, at: ",", "write count, avg(age) of Person"),
      RefusedText(
        "count(*), avg(age) of Person by city", .expectation, at: "(", "write count, avg(age) of Person by"),
      RefusedText("count(), avg age of Person", .expectation, at: "(", "write count, avg age of Person"),
      RefusedText("count(*) from Person", .expectation, at: "(", "write count Person"),
      RefusedText("sum age Person", .expectation, at: "Person", "write sum age of Person"),
      RefusedText("max of Person", .expectation, at: "of", "write max PROPERTY of Person"),
      RefusedText("sum age, avg of", .expectation, at: "of", "write avg PROPERTY of CLASS"),
      RefusedText("Person where name contains[x] 'a'", .options, at: "[x]", "[c], [d] or [cd]"),
      RefusedText("Person where name ==[x] $0", .options, at: "[x]", "[c], [d] or [cd]"),
      RefusedText("Person where name in [x]", .listSyntax, at: "[", "quote strings: 'x'"),
      RefusedText("insert Person", .expectation, at: "", "expected a JSON object"),
      RefusedText("insert Person ('a')", .expectation, at: "'a'", "expected a property"),
      RefusedText("insert Person (a) (1)", .expectation, at: "(", "expected values"),
      RefusedText("insert Person (a, b) values (1)", .expectation, at: "(1)", "1 value for 2 properties"),
      RefusedText("insert Person values (1 + 2)", .expectation, at: "+", "',' or ')'"),
      RefusedText("percentile age of Person", .expectation, at: "age", "write percentile 90 age"),
      RefusedText("percentile 101 age of Person", .expectation, at: "101", "from 0 to 100"),
      RefusedText("Person 7 where a == 1", .expectation, at: "where", "end of statement"),
      RefusedText("delete Person 7, name", .expectation, at: "name", "expected a key"),
      RefusedText("insert Person {\"a\": [1}", .parenthesis, at: "{", "missing '}'"),
      RefusedText("insert Person {} x", .expectation, at: "x", "end of statement"),
      RefusedText(
        "update Person where a == 1", .expectation, at: "", "write update Person where … set age = 1"),
      RefusedText("update Person where a == 1 b", .chain, at: "b", "AND, OR"),
      RefusedText("update Person set a == 1", .expectation, at: "==", "write = to assign"),
      RefusedText("update Person set a = ", .expectation, at: "", "expected a value after '='"),
      RefusedText("update Person set a.@count = 1", .property, at: "@count", "only a property can be set"),
      RefusedText(
        "update Person set a = 1 b = 2", .expectation, at: "b", "an operator, ',' or end of statement"),
      RefusedText("begin transaction now", .expectation, at: "now", "end of statement"),
      RefusedText("drop Person", .expectation, at: "Person", "expected class after 'drop'"),
      RefusedText("explain explain Person", .expectation, at: "explain", "a statement to explain"),
      RefusedText("`Person", .unclosedString, at: "`", "name is not closed; expected `"),
      RefusedText("`` where a == 1", .unclosedString, at: "`", "name is not closed"),
      RefusedText("true", .expectation, at: "true", "expected a statement or a class"),
      RefusedText("count true", .expectation, at: "true", "write `true` for a name"),
    ])
  func refuses(_ refused: RefusedText) throws {
    let complaint = try #require(statementComplaint(refused.text))
    #expect(complaint.code == refused.code.rawValue, "\(complaint)")
    #expect(complaint.marked == refused.marked, "\(complaint)")
    #expect(complaint.sentence.contains(refused.part), "\(complaint)")
  }

  @Test("a statement in a script has its place in the script")
  func placesInScript() throws {
    let script = Array("Person;\n  count Dog whre x\n".utf8)
    var scanner = StatementScanner()
    guard case .statement(let first) = scanner.next(in: script, isAtEnd: true),
      case .statement(let second) = scanner.next(in: script, isAtEnd: true)
    else {
      Issue.record("there are two statements")
      return
    }
    #expect(script.text(in: try Statement(parsing: script, in: first).range) == "Person")
    #expect {
      _ = try Statement(parsing: script, in: second)
    } throws: { error in
      guard let error = error as? QueryError else { return false }
      return script.text(in: error.range) == "whre"
    }
    if case .statement = scanner.next(in: script, isAtEnd: true) { Issue.record("there is a third") }
  }

  @Test("shell commands are words with quotes")
  func shellCommands() throws {
    func words(_ text: String) throws -> [String] {
      guard case .shell(let command) = try statement(text) else { return [] }
      return ([command.name] + command.arguments).map { String(decoding: $0.kind, as: UTF8.self) }
        + [Array(text.utf8).text(in: command.rest)]
    }
    #expect(try words(".mode json") == [".mode", "json", "json"])
    #expect(
      try words("  .open  'my file.realm'  \"a\\\"b\\n\" it's ; ")
        == [".open", "my file.realm", "a\"b\n", "it's", ";", "'my file.realm'  \"a\\\"b\\n\" it's ;"])
    #expect(try words("\\d Person") == ["\\d", "Person", "Person"])
    #expect(try words(".quit") == [".quit", ""])
    #expect(try words(".print ''") == [".print", "", "''"])
    let found = statementComplaint(".print 'a b")
    #expect(found?.code == "unclosed-string" && found?.marked == "'")
    // The bytes of a path need not be text.
    guard case .shell(let command) = try Statement(parsing: Array(".o ".utf8) + [0xFF]).kind else {
      Issue.record("not a shell command")
      return
    }
    #expect(command.arguments.map(\.kind) == [[0xFF]])
  }
}
