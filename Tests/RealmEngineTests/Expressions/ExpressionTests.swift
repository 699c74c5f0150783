import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Computing values")
struct ExpressionTests {
  @Test(
    "expressions give a value for each object",
    arguments: [
      ("'DK'", ["'DK'", "'DK'", "'DK'"]),
      ("trim((first ?? '') + ' ' + last)", ["'Ada  Løvelace'", "'Bob O'Neil'", "'Zed'"]),
      ("first + last", ["'  Ada Løvelace'", "'BobO'Neil'", "null"]),
      ("age + 1", ["37", "41", "0"]), ("age * 2 - 1", ["71", "79", "-3"]),
      ("age / 5 + age % 5", ["8", "8", "-1"]),
      ("age + 0.5", ["36.5", "40.5", "-0.5"]), ("-age", ["-36", "-40", "1"]),
      ("score ?? age", ["4.5", "5.0", "-1.0"]), ("score * 2", ["9.0", "10.0", "null"]),
      ("price + 1", ["37d", "41d", "0d"]),
      ("age > 38", ["false", "true", "false"]), ("score > 4.7", ["false", "true", "null"]),
      ("score == null", ["false", "false", "true"]), ("!isAdmin && age > 0", ["true", "false", "false"]),
      ("score > 4.7 || age < 0", ["false", "true", "true"]),
      ("score > 4.7 && age < 0", ["false", "false", "null"]),
      ("age < 0 ? 'none' : age < 38 ? 'young' : 'old'", ["'young'", "'old'", "'none'"]),
      ("age < 0 ? fail('negative') : age", nil),
      ("age > 100 ? fail('old') : age", ["36", "40", "-1"]),
      ("lower(last)", ["'løvelace'", "'o'neil'", "'zed'"]),
      ("upper(last)", ["'LØVELACE'", "'O'NEIL'", "'ZED'"]),
      ("length(last)", ["8", "6", "3"]), ("substring(last, 1, 2)", ["'øv'", "''N'", "'ed'"]),
      ("substring(last, 2)", ["'velace'", "'Neil'", "'d'"]), ("substring(last, 9)", ["''", "''", "''"]),
      ("replace(last, 'e', '--')", ["'Løv--lac--'", "'O'N--il'", "'Z--d'"]),
      (
        "split(last, 'e')", ["['Løv', 'lac', '']", "['O'N', 'il']", "['Z', 'd']"]
      ),
      ("join(split(last, 'e'), '+')", ["'Løv+lac+'", "'O'N+il'", "'Z+d'"]),
      ("join(tags, ', ')", ["'a, b'", "'a, b'", "''"]), ("first(tags)", ["'a'", "'a'", "null"]),
      ("last(tags)", ["'b'", "'b'", "null"]), ("count(tags)", ["2", "2", "0"]),
      ("tags.@count + 1", ["3", "3", "1"]),
      ("tags[0]", ["'a'", "'a'", "null"]), ("upper(tags[last])", ["'B'", "'B'", "null"]),
      ("friend.tags[1]", ["null", "'b'", "'b'"]), ("friend.tags.@count", ["0", "2", "2"]),
      ("friend.dogs.@count", ["null", "2", "2"]), ("dogs[1].name", ["'Fido'", "'Fido'", "'Fido'"]),
      ("@key", ["0", "1", "2"]), ("friend.@key ?? @key * 10", ["0", "0", "1"]),
      ("min(age, 38.5)", ["36.0", "38.5", "-1.0"]), ("max(age, price)", ["36d", "40d", "-1d"]),
      ("isAdmin ? age : score", ["4.5", "40.0", "null"]),
      ("list(age, 0.5)", ["[36.0, 0.5]", "[40.0, 0.5]", "[-1.0, 0.5]"]),
      ("dogs.name", ["['Rex', 'Fido']", "['Rex', 'Fido']", "['Rex', 'Fido']"]),
      ("friend.last", ["null", "'Løvelace'", "'O'Neil'"]), ("friend.age + 1", ["null", "37", "41"]),
      ("int('12')", ["12", "12", "12"]), ("int(score)", ["4", "5", "null"]),
      ("int(isAdmin)", ["0", "1", "0"]),
      ("int(born)", ["31536000", "31536000", "31536000"]), ("int(first)", nil),
      ("double(age)", ["36.0", "40.0", "-1.0"]), ("decimal('1.50')", ["1.50d", "1.50d", "1.50d"]),
      ("string(age)", ["'36'", "'40'", "'-1'"]), ("string(score)", ["'4.5'", "'5.0'", "null"]),
      ("string(isAdmin)", ["'false'", "'true'", "'false'"]),
      ("string(photo)", ["'YWJj'", "'YWJj'", "'YWJj'"]),
      ("string(born)", ["'1971-01-01T00:00:00.5Z'", "'1971-01-01T00:00:00.5Z'", "'1971-01-01T00:00:00.5Z'"]),
      ("bool('true')", ["true", "true", "true"]), ("bool(age + 1)", ["true", "true", "false"]),
      ("date('2020-01-31')", ["2020-01-31T00:00:00Z", "2020-01-31T00:00:00Z", "2020-01-31T00:00:00Z"]),
      ("date(age)", ["1970-01-01T00:00:36Z", "1970-01-01T00:00:40Z", "1969-12-31T23:59:59Z"]),
      ("format('{}/{}', age, last)", ["'36/Løvelace'", "'40/O'Neil'", "'-1/Zed'"]),
      ("format(born, '%Y-%m-%d %j %%')", ["'1971-01-01 001 %'", "'1971-01-01 001 %'", "'1971-01-01 001 %'"]),
      ("round(score)", ["5.0", "5.0", "null"]), ("round(2.345, 2)", ["2.35", "2.35", "2.35"]),
      ("round(decimal('-2.5'))", ["-3d", "-3d", "-3d"]), ("abs(age)", ["36", "40", "1"]),
      ("min(age, 38)", ["36", "38", "-1"]), ("max(tags)", ["'b'", "'b'", "null"]),
      ("sum({1, 2, 3})", ["6", "6", "6"]),
      ("now()", ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z"]),
      (
        "uuid('00000000-0000-4000-8000-00000000000a')",
        [
          "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000a",
          "00000000-0000-4000-8000-00000000000a",
        ]
      ),
      (
        "hash('abc')",
        Array(repeating: "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'", count: 3)
      ),
      ("obj('Dog', 2)", nil), ("obj('Dog', 1).name", nil),
      ("anything", ["7", "7", "7"]), ("anything + 1", ["8", "8", "8"]),
      ("9223372036854775807 + age", nil), ("age / 0", nil),
      ("isAdmin == True", ["false", "true", "false"]),
    ] as [(String, [String]?)])
  func results(text: String, expected: [String]?) throws {
    let realm = try ExpressionRealm()
    guard let expected else {
      if text.hasPrefix("obj('Dog', 2)") {
        #expect(try realm.results(text).allSatisfy { $0.hasPrefix("link") })
      } else {
        #expect(throws: (any Error).self) { try realm.results(text) }
      }
      return
    }
    #expect(try realm.results(text) == expected)
  }

  @Test("old is the present value of the property that is set")
  func oldValue() throws {
    let realm = try ExpressionRealm()
    #expect(try realm.results("old + 1", old: "age") == ["37", "41", "0"])
    #expect(try realm.bind("old", old: "age").type.name == "int")
  }

  @Test(
    "what does not fit is refused with its place and advice",
    arguments: [
      ("agee + 1", "agee", "unknown property 'agee' on class 'Person' (did you mean 'age'?)"),
      ("friend.nam", "nam", "unknown property 'nam' on class 'Person'"),
      ("dogs.nam", "nam", "unknown property 'nam' on class 'Dog' (did you mean 'name'?)"),
      (
        "old", "old",
        "unknown property 'old' on class 'Person'; there is no old value here"
      ),
      (
        "first + age", "+",
        "+ does not work on string and int; write string(…) around values that are not strings"
      ),
      ("first - last", "-", "- does not work on string and string"),
      ("tags + 'a'", "+", "+ does not work on list of string and string"),
      ("trimm(first)", "trimm", "there is no function 'trimm' (did you mean 'trim'?)"),
      ("trim(age)", "age", "trim needs a string here, not int; write trim(text)"),
      ("trim()", "trim()", "trim does not take 0 arguments; write trim(text)"),
      ("join(first, ',')", "first", "join needs a list here, not string; write join(list, separator)"),
      ("age ? 1 : 2", "age", "expected a condition, found int; compare it with something"),
      ("!age", "age", "expected a condition, found int; compare it with something"),
      ("first == age", "first == age", "cannot compare string with int"),
      ("isAdmin ? 1 : 'a'", "'a'", "int and string have no common type"),
      ("first ?? 1", "1", "string and int have no common type"),
      ("-first", "first", "expected a number, found string"),
      ("obj('Dgo', 1)", "'Dgo'", "no class 'Dgo' (did you mean 'Dog'?)"),
      (
        "$0", "$0",
        "$0 is used but only 0 arguments are given; give the values in order with --arg, at the prompt with .param set 0 VALUE"
      ),
    ])
  func refusals(text: String, marked: String, sentence: String) throws {
    let realm = try ExpressionRealm()
    do {
      _ = try realm.bind(text)
      Issue.record("\(text) is accepted")
    } catch BindingFailure.query(let error) {
      #expect(Array(text.utf8).text(in: error.range) == marked)
      #expect(error.sentence == sentence)
    }
  }

  @Test("what asks about an object is refused where there is none", arguments: ["count(Dog) in {1, 2}"])
  func realmWithoutObject(text: String) throws {
    let realm = try ExpressionRealm()
    let source = Array(text.utf8)
    #expect(throws: BindingFailure.self) {
      try BoundExpression(
        try Expression(parsing: source), source: source,
        in: ExpressionScope(.realm(names: [:]), in: realm.realm))
    }
  }

  @Test("an error while computing names the object")
  func errorPlace() throws {
    let realm = try ExpressionRealm()
    do {
      _ = try realm.results("int(last)")
      Issue.record("a name is a number")
    } catch let error as EngineError {
      #expect(error.message == "'Løvelace' does not convert to int")
      #expect(error.place == "object 0")
    }
  }

  @Test("what does not convert becomes null where that is wanted, and is counted")
  func tolerance() throws {
    let realm = try ExpressionRealm()
    let evaluator = try realm.evaluator("int(age < 0 ? '12' : last)")
    evaluator.toleratesFailures = true
    var cursor = realm.people.blocks()
    let block = try #require(try cursor.next())
    let column = try evaluator.column(block)
    #expect(try (0..<3).map { ExpressionRealm.text(try column.value($0)) } == ["null", "null", "12"])
    #expect(evaluator.failedRows == [0, 1])
  }

  @Test("new identifiers are different for each object and the same for the same seed")
  func identifiers() throws {
    let realm = try ExpressionRealm()
    for text in ["uuid()", "objectId()"] {
      let first = try realm.results(text)
      #expect(Set(first).count == 3)
      #expect(try realm.results(text) == first)
    }
  }

  @Test(
    "an expression on the whole realm knows classes and names",
    arguments: [
      ("count(Person) == people", "true"), ("count(Dog)", "2"), ("sum(Person.age)", "75"),
      ("max(Person.last)", "'Zed'"), ("join(Dog.name, '+')", "'Rex+Fido'"), ("count(Person.dogs.name)", "6"),
    ])
  func wholeRealm(text: String, expected: String) throws {
    let realm = try ExpressionRealm()
    let source = Array(text.utf8)
    let scope = ExpressionScope(
      .realm(names: ["people": ComputedName(ExpressionType(.value(.int)), .int(3))]), in: realm.realm)
    let bound = try BoundExpression(try Expression(parsing: source), source: source, in: scope)
    let environment = ExpressionRealm.environment
    let evaluator = try ExpressionEvaluator(bound, of: nil, in: realm.realm, environment: environment)
    #expect(ExpressionRealm.text(try evaluator.result().value(0)) == expected)
  }

  @Test(
    "types tell what a property can store",
    arguments: [
      ("age", "int", nil), ("age", "double?", nil), ("age", "decimal128", nil),
      ("age", "string", "int cannot be stored as string"), ("first", "string", nil),
      ("tags", "list<string>", nil), ("tags", "string", "list of string cannot be stored as string"),
      ("null", "int", "null cannot be stored as int"), ("null", "int?", nil), ("friend", "Person?", nil),
      ("friend", "Dog?", "a link to Person cannot be stored as Dog?"), ("anything", "string", nil),
    ] as [(String, String, String?)])
  func fitting(text: String, target: String, message: String?) throws {
    let types = [
      "int": PropertyType(.int, isOptional: false), "int?": PropertyType(.int, isOptional: true),
      "double?": PropertyType(.double, isOptional: true),
      "decimal128": PropertyType(.decimal128, isOptional: false),
      "string": PropertyType(.string, isOptional: false),
      "list<string>": PropertyType(.string, collection: .list, isOptional: false),
      "Person?": PropertyType(.object, isOptional: true, target: "Person"),
      "Dog?": PropertyType(.object, isOptional: true, target: "Dog"),
    ]
    let type = try ExpressionRealm().bind(text).type
    let target = try #require(types[target])
    #expect(type.misfit(for: target)?.message == message)
  }
}
