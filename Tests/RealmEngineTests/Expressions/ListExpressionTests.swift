// Functions that see the elements of lists, objects found by values, and values computed before.

import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Computing with elements")
struct ListExpressionTests {
  @Test(
    "elements are computed with, chosen and put in order",
    arguments: [
      ("map(tags, upper(it))", ["['A', 'B']", "['A', 'B']", "[]"]),
      ("map(tags, it + string(index))", ["['a0', 'b1']", "['a0', 'b1']", "[]"]),
      ("map(tags, it + last)", ["['aLøvelace', 'bLøvelace']", "['aO'Neil', 'bO'Neil']", "[]"]),
      ("map(dogs, it.name)", Array(repeating: "['Rex', 'Fido']", count: 3)),
      ("sum(map(dogs, it._id * 10))", ["30", "30", "30"]),
      ("sum(map(dogs, it._id * age))", ["108", "120", "-3"]),
      ("filter(tags, it == 'b')", ["['b']", "['b']", "[]"]),
      ("filter(tags, it != 'b' || age > 38)", ["['a']", "['a', 'b']", "[]"]),
      ("map(filter(dogs, it.name BEGINSWITH[c] 'f'), it._id)", Array(repeating: "[2]", count: 3)),
      ("filter(tags, NOT it CONTAINS 'a')", ["['b']", "['b']", "[]"]),
      ("count(filter(dogs, it._id > 1))", ["1", "1", "1"]),
      ("sort({3, 1, 2})", Array(repeating: "[1, 2, 3]", count: 3)),
      ("map(sort(dogs, it.name), it.name)", Array(repeating: "['Fido', 'Rex']", count: 3)),
      ("reverse(tags)", ["['b', 'a']", "['b', 'a']", "[]"]),
      ("map(tags, count(map(dogs, it.name)))", ["[2, 2]", "[2, 2]", "[]"]),
      ("distinct(list('x', tags, 'a', null, 'x'))", ["['x', 'a', 'b']", "['x', 'a', 'b']", "['x', 'a']"]),
      ("list(first, last)", ["['  Ada ', 'Løvelace']", "['Bob', 'O'Neil']", "['Zed']"]),
      ("list(friend)", ["[]", "[link 0]", "[link 1]"]),
      ("map(list(friend), it.tags.@count)", ["[]", "[2]", "[2]"]),
      ("join(map(split('b,a', ','), trim(it)), '+')", Array(repeating: "'b+a'", count: 3)),
      ("find(Dog, 'name', 'Fido')", Array(repeating: "link 1", count: 3)),
      ("find(Dog, 2)", Array(repeating: "link 1", count: 3)),
      ("find(Dog, 'name', last)", ["null", "null", "null"]),
      ("find(Person, 'age', friend.age)", ["null", "link 0", "link 1"]),
      ("find(Person, 'first', first)", ["link 0", "link 1", "null"]),
      ("type(anything)", ["'int'", "'int'", "'int'"]), ("type(friend)", ["null", "'link'", "'link'"]),
      ("switch(type(anything), 'string', 1, 'int', 2, 3)", ["2", "2", "2"]),
      ("switch(age, 36, 'x', 40, 'y', fail('no'))", nil),
      ("switch(age, 36, 'x', 40, 'y', -1, 'z', fail('no'))", ["'x'", "'y'", "'z'"]),
      ("people + age", ["39", "43", "2"]), ("map(tags, people)", ["[3, 3]", "[3, 3]", "[]"]),
    ] as [(String, [String]?)])
  func results(text: String, expected: [String]?) throws {
    let realm = try ExpressionRealm()
    let names = ["people": ComputedName(ExpressionType(.value(.int)), .int(3))]
    guard let expected else {
      #expect(throws: (any Error).self) { try realm.results(text, names: names) }
      return
    }
    #expect(try realm.results(text, names: names) == expected)
  }

  @Test(
    "what does not fit is refused with its place",
    arguments: [
      ("map(age, it)", "age", "map needs a list here, not int; write map(list, value)"),
      ("map(tags, tags)", "tags", "map needs one value for each element, not list of string"),
      ("map(tags, it.name)", "name", "it is string here, which has no properties"),
      ("map(dogs, it.nam)", "nam", "unknown property 'nam' on class 'Dog' (did you mean 'name'?)"),
      (
        "filter(tags, length(it))", "length(it)", "expected a condition, found int; compare it with something"
      ),
      ("filter(dogs, it._id CONTAINS 'a')", "it._id", "CONTAINS needs a string here, not int"),
      (
        "filter(tags, it IN {'a'})", "IN",
        "IN cannot be asked of the elements of a list; compare single values"
      ),
      ("it", "it", "unknown property 'it' on class 'Person' (did you mean 'id'?)"),
      ("sort(tags, it, it)", "sort(tags, it, it)", "sort does not take 3 arguments; write sort(list, value)"),
      (
        "find(Dgo, 'name', 'x')", "Dgo", "there is no class 'Dgo' (did you mean 'Dog'?)"
      ),
      ("find(Dog, 'nam', 'x')", "'nam'", "unknown property 'nam' on class 'Dog' (did you mean 'name'?)"),
      ("find(Dog, 'name', age)", "age", "Dog.name is string, not int"),
      (
        "find(Person, 'tags', 'x')", "'tags'",
        "objects cannot be found by Person.tags, which is not a single value"
      ),
      (
        "find(Person, 3)", "Person",
        "Person has no primary key to find objects by; write find(Class, 'property', value)"
      ),
      (
        "switch(age, 1, 2)", "switch(age, 1, 2)",
        "switch does not take 3 arguments; write switch(value, case, result, …, otherwise)"
      ),
      (
        "format('{}', age, age)", "format('{}', age, age)",
        "format has more values than {}; write format(template, …)"
      ),
      (
        "format('{} {}', age)", "format('{} {}', age)",
        "format has more {} than values; write format(template, …)"
      ),
      ("format(born, '%Q')", "format(born, '%Q')", "dates know no %Q; write format(template, …)"),
      ("format(born)", "format(born)", "format of a date needs one pattern; write format(template, …)"),
      (
        "date(last, '%m')", "date(last, '%m')",
        "a pattern to read dates needs %Y or %s; write date(value, how)"
      ),
      ("format(born, '%b')", "format(born, '%b')", "%b can be read, not written; write format(template, …)"),
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

  private static func letters(_ count: Int) -> ComputedName {
    ComputedName(
      ExpressionType(.value(.string)), .string(ByteString(String(repeating: "a", count: count))))
  }

  @Test(
    "lists are made as far as there is room for them, and elements are not all computed at once", .slow,
    arguments: [
      // Together they have too many elements.
      ("count(split(long, 'a'))", "4000001"), ("length(join(split(long, 'a'), ''))", "0"),
      ("sum(map(split(short, 'a'), count(split(short, 'a'))))", "9006001"),
    ])
  func sizes(text: String, expected: String) throws {
    let realm = try ExpressionRealm()
    let names = ["long": Self.letters(4_000_000), "short": Self.letters(3_000)]
    #expect(try realm.results(text, names: names) == [expected, expected, expected])
  }

  @Test(
    "lists that are too large are refused before they are made", .slow,
    arguments: [
      (
        "count(split(long, 'a'))", "lists of more than 8388608 elements would be made",
        EngineError.Kind.tooLarge
      ),
      ("split(half, 'a')", "lists of more than 8388608 elements would be made", EngineError.Kind.tooLarge),
      (
        "join(map(split(short, 'a'), join(map(split(short, 'a'), 'abcdefghijklm'), '')), '')",
        "join would make a text of more than 16777199 bytes, which no property can hold",
        EngineError.Kind.refused
      ),
    ])
  func limits(text: String, message: String, kind: EngineError.Kind) throws {
    let realm = try ExpressionRealm()
    let names = [
      "long": Self.letters(9_000_000), "half": Self.letters(5_000_000), "short": Self.letters(3_000),
    ]
    do {
      _ = try realm.results(text, names: names)
      Issue.record("\(text) has a result")
    } catch let error as EngineError {
      #expect(error.message == message)
      #expect(error.kind == kind)
      #expect(error.hint != nil)
    }
  }

  @Test("a condition may compute with elements, and its judge agrees")
  func conditions() throws {
    let realm = try ExpressionRealm()
    for (text, count) in [
      ("sum(map(dogs, it._id)) == 3", 3), ("count(filter(tags, it == 'a')) == 1", 2),
      ("find(Dog, 'name', 'Rex') == dogs[0]", 3), ("join(map(tags, it + '!'), '') == 'a!b!'", 2),
      ("map(tags, index) == {0, 1}", 2), ("age > people", 2),
    ] {
      let source = Array(text.utf8)
      let query = try BoundQuery(
        try Predicate(parsing: source), source: source, of: realm.people, in: realm.realm,
        names: ["people": ComputedName(ExpressionType(.value(.int)), .int(3))])
      #expect(try QueryExecutor(query, in: realm.realm).keys().count == count, "\(text)")
      #expect(try RowEvaluator(realm.realm).keys(query).count == count, "\(text)")
    }
  }

  @Test(
    "dates are exact both ways",
    arguments: [
      ("date(1600000000123, 'ms')", "2020-09-13T12:26:40.123Z"),
      ("date(-1, 'ms')", "1969-12-31T23:59:59.999Z"),
      ("date(1600000000.123)", "2020-09-13T12:26:40.123Z"), ("date(-0.5)", "1969-12-31T23:59:59.5Z"),
      ("date(1600000000123.0, 'ms')", "2020-09-13T12:26:40.123Z"),
      ("date(decimal('1600000000.123456789'))", "2020-09-13T12:26:40.123456789Z"),
      ("milliseconds(date(1600000000123, 'ms'))", "1600000000123"),
      ("milliseconds(date(-1500, 'ms'))", "-1500"),
      ("decimal(date(1600000000123, 'ms'))", "1600000000.123d"),
      ("double(date(1600000000123, 'ms'))", "1600000000.123"),
      ("decimal(date(-1, 'ms'))", "-0.001d"),
      ("date('31.12.2020 23:59', '%d.%m.%Y %H:%M')", "2020-12-31T23:59:00Z"),
      ("date('1.2.2020', '%d.%m.%Y')", "2020-02-01T00:00:00Z"),
      ("date('2020-01-31 1.123', '%Y-%m-%d %S.%L')", "2020-01-31T00:00:01.123Z"),
      ("date('1960-01-01 00.5', '%Y-%m-%d %S.%f')", "1960-01-01T00:00:00.5Z"),
      ("date('-12%', '%s%%')", "1969-12-31T23:59:48Z"),
      ("format(date(1600000000123, 'ms'), '%L %s %f')", "'123 1600000000 123000000'"),
      ("format(date(-1, 'ms'), '%H.%L %s')", "'23.999 -1'"),
      ("date('30.2.2020', '%d.%m.%Y')", nil), ("date('2020x', '%Y')", nil), ("date('', '%Y')", nil),
      ("date(0.0 / 0.0)", nil), ("date(1e300)", nil), ("date(1e300, 'ms')", nil), ("date('1', 'ms')", nil),
      ("milliseconds(date(9223372036854775807))", nil),
    ] as [(String, String?)])
  func dates(text: String, expected: String?) throws {
    let realm = try ExpressionRealm()
    guard let expected else {
      #expect(throws: (any Error).self, "\(text)") { try realm.results(text) }
      return
    }
    #expect(try realm.results(text).first == expected, "\(text)")
  }
}
