import RealmEngine
import RealmQueryLanguage
import Testing

/// A predicate and what is said about it.
private struct Refusal: Sendable, CustomTestStringConvertible {
  let className: String
  let predicate: String
  let complaint: String

  init(_ predicate: String, _ complaint: String, of className: String = "Person") {
    self.className = className
    self.predicate = predicate
    self.complaint = complaint
  }

  var testDescription: String { predicate }
}

@Suite("Refusing predicates that do not fit the schema")
struct BindingErrorTests {
  @Test(
    "names",
    arguments: [
      Refusal(
        "nmae == 'Ada'",
        "unknown-property «nmae» unknown property 'nmae' on class 'Person' (did you mean 'name'?)"),
      Refusal(
        "city == 'Paris'",
        "unknown-property «city» unknown property 'city' on class 'Person' (did you mean 'address.city'?)"),
      Refusal("bestFriend.foo == 1", "unknown-property «foo» unknown property 'foo' on class 'Person'"),
      Refusal(
        "age-1 == 3", "unknown-property «age-1» unknown property 'age-1' on class 'Person'; write age - 1"),
      Refusal(
        "name == Adx", "unknown-property «Adx» unknown property 'Adx' on class 'Person'; quote strings: 'Adx'"
      ),
      Refusal("age.foo == 1", "step «foo» 'age' is an int; nothing can follow it"),
      Refusal(
        "name.length == 3",
        "step «length» 'name' is a string; nothing can follow it; write .@size for the number of bytes"),
      Refusal("tags.foo == 1", "step «foo» 'tags' is a list of string; nothing can follow it"),
      Refusal("tags.@keys == 'a'", "step «@keys» @keys needs a dictionary; 'tags' is a list of string"),
      Refusal("@links.Dgo.owner.@count > 0", "backlink «Dgo» no class 'Dgo' (did you mean 'Dog'?)"),
      Refusal(
        "@links.Dog.onwer.@count > 0",
        "backlink «onwer» unknown property 'onwer' on class 'Dog' (did you mean 'owner'?)"),
      Refusal(
        "@links.Dog.age.@count > 0", "backlink «@links.Dog.age» 'Dog.age' does not link to 'Person'"),
      Refusal("labels[0] == 'a'", "index «[0]» 'labels' is a set of string and has no positions"),
      Refusal("attrs[0] == 'a'", "index «[0]» 'attrs' is a dictionary and has no positions"),
      Refusal(
        "attrs.@values[0] == 'a'", "index «[0]» 'attrs.@values' is a list of values and has no positions"),
      Refusal("tags['x'] == 'a'", "index «['x']» 'tags' is a list of string and has no keys"),
      Refusal("tags[0][0] == 'a'", "index «[0]» 'tags[0]' is a string and has no positions"),
    ])
  fileprivate func names(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "a property where a condition is due",
    arguments: [
      Refusal(
        "actve",
        "unknown-property «actve» unknown property 'actve' on class 'Person' (did you mean 'active'?)"),
      Refusal(
        "age > 1 AND NOT active", "bare-operand «active» 'active' is not a condition; write active == true"),
      Refusal("(age)", "bare-operand «age» 'age' is not a condition; write age > 0"),
      Refusal("nick SORT(age ASC)", "bare-operand «nick» 'nick' is not a condition; write nick == 'text'"),
      Refusal("born", "bare-operand «born» 'born' is not a condition; write born >= 2020-12-31"),
      Refusal(
        "bestFriend", "bare-operand «bestFriend» 'bestFriend' is not a condition; write bestFriend != null"),
      Refusal("dogs", "bare-operand «dogs» 'dogs' is not a condition; write dogs.@count > 0"),
      Refusal(
        "tags.@count", "bare-operand «tags.@count» 'tags.@count' is not a condition; write tags.@count > 0"),
      Refusal("tags", "bare-operand «tags» 'tags' is not a condition; write tags.@count > 0"),
      Refusal("extra", "bare-operand «extra» 'extra' is not a condition; write extra != null"),
      Refusal(
        "bestFriend.activ",
        "unknown-property «activ» unknown property 'activ' on class 'Person' (did you mean 'active'?)"),
      Refusal("False", "bare-operand «False» 'False' is not a condition; write FALSEPREDICATE"),
    ])
  fileprivate func bareOperands(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "questions at the end of a path",
    arguments: [
      Refusal("age.@count == 1", "operation «age.@count» @count does not apply; 'age' is an int"),
      Refusal("age.@type == 'int'", "operation «age.@type» @type is for mixed values; 'age' is int, always"),
      Refusal("age.@max > 1", "aggregate «age.@max» @max needs a collection; 'age' is an int"),
      Refusal(
        "dogs.@max > 1",
        "aggregate «dogs.@max» @max needs a property of the objects in 'dogs'; write dogs.@max.property"),
      Refusal("dogs.@sum.name > 1", "aggregate «name» @sum needs numbers; 'name' is a string"),
      Refusal("dogs.@sum.born > 1", "aggregate «born» @sum needs numbers; 'born' is a date"),
      Refusal("dogs.@max.foo > 1", "aggregate «foo» unknown property 'foo' on class 'Dog'"),
      Refusal("tags.@sum > 1", "aggregate «tags.@sum» @sum needs numbers; 'tags' holds string"),
      Refusal(
        "scores.@max.age > 1", "aggregate «age» 'scores' is a list of int; no property can follow @max"),
      Refusal(
        "SUBQUERY(tags, $t, $t == 'x').@count > 0",
        "subquery «tags» SUBQUERY needs a list of objects; 'tags' is a list of string"),
      Refusal(
        "SUBQUERY(bestFriend, $f, $f.age > 5).@count > 0",
        "subquery «bestFriend» SUBQUERY needs a list of objects; 'bestFriend' is a link"),
      Refusal(
        "SUBQUERY(dogs, $d, $x.age > 5).@count > 0",
        "unknown-property «$x» unknown property '$x' on class 'Dog'; only the variable of the innermost SUBQUERY is known here"
      ),
    ])
  fileprivate func questions(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "types",
    arguments: [
      Refusal("age == 'abc'", "type «'abc'» cannot compare int 'age' with string 'abc'"),
      Refusal("name == now()", "type «now()» cannot compare string 'name' with a date"),
      Refusal(
        "age == date('2020-01-01')", "type «date('2020-01-01')» cannot compare int 'age' with a date"),
      Refusal("age == '30abc'", "type «'30abc'» cannot compare int 'age' with string '30abc'"),
      Refusal("age == infinity", "type «infinity» cannot compare int 'age' with double infinity"),
      Refusal("name == 5", "type «5» cannot compare string 'name' with int 5; write '5'"),
      Refusal("active == 2", "type «2» cannot compare bool 'active' with int 2; write true or false"),
      Refusal(
        "token == '00000000-0000-4000-8000-000000000005'",
        "type «'00000000-0000-4000-8000-000000000005'» cannot compare uuid 'token' with string "
          + "'00000000-0000-4000-8000-000000000005'; write uuid(00000000-0000-4000-8000-000000000005)"),
      Refusal(
        "oid == 'x'", "type «'x'» cannot compare objectId 'oid' with string 'x'; write oid(…)"),
      Refusal(
        "born == 1577880000",
        "type «1577880000» cannot compare date 'born' with int 1577880000; "
          + "write T1577880000:0 or 2020-12-31T23:59:59"),
      Refusal(
        "born == 1577880000250",
        "type «1577880000250» cannot compare date 'born' with int 1577880000250; "
          + "write T1577880000:250000000 or 2020-12-31T23:59:59"),
      Refusal(
        "born > 2020", "type «2020» cannot compare date 'born' with int 2020; write 2020-01-01"),
      Refusal(
        "born > 5",
        "type «5» cannot compare date 'born' with int 5; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "born > '2020-01-01 12:30'",
        "type «'2020-01-01 12:30'» cannot compare date 'born' with string '2020-01-01 12:30'; "
          + "write 2020-01-01T12:30"),
      Refusal(
        "born > 'yesterday'",
        "type «'yesterday'» cannot compare date 'born' with string 'yesterday'; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "born == 2020/01/01",
        "type «2020/01/01» cannot compare date 'born' with int 2020; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "avatar == 'x'",
        "type «'x'» cannot compare data 'avatar' with string 'x'; write binary('…') or binary(B64\"…\")"),
      Refusal("active == dogs", "type «dogs» cannot compare bool 'active' with link 'dogs'"),
      Refusal("age == name", "type «name» cannot compare int 'age' with string 'name'"),
      Refusal(
        "bestFriend == 'Ada'",
        "type «'Ada'» cannot compare link 'bestFriend' with string 'Ada'; "
          + "write obj('Person', …) with its _id"),
      Refusal(
        "bestFriend == 18",
        "type «18» cannot compare link 'bestFriend' with int 18; write obj('Person', 18)"),
      Refusal(
        "dogs == 'Rex'",
        "type «'Rex'» cannot compare link 'dogs' with string 'Rex'; "
          + "compare a property of it, such as dogs.name"),
      Refusal(
        "dogs == NULL",
        "type «NULL» 'dogs' is never NULL: it leads to several objects; write dogs.@count == 0"),
      Refusal(
        "active BEGINSWITH 't'", "type «active» BEGINSWITH needs texts or binary data; 'active' is bool"),
      Refusal("name CONTAINS 5", "type «5» cannot compare string 'name' with int 5; write '5'"),
      Refusal("extra LIKE NULL", "type «NULL» LIKE needs texts or binary data, not NULL"),
      Refusal("scores ==[c] 5", "type «==[c]» letters can only be disregarded in texts; 'scores' is int"),
      Refusal("age ==[c] NULL", "type «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal("5 ==[c] age", "type «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal("{1, 2} ==[c] age", "type «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal(
        "address IN[c] {NULL}", "type «IN[c]» letters can only be disregarded in texts; 'address' is link"),
      Refusal("age IN {1, -inf}", "type «-inf» cannot compare int 'age' with double -infinity"),
      Refusal("name ==[c] B64\"/w==\"", "encoding «B64\"/w==\"» [c] and [d] need text in UTF-8"),
      Refusal("bestFriend > obj('Person', 1)", "ordering-type «>» only == and != work on links"),
      Refusal("bestFriend > {obj('Person', 1)}", "ordering-type «>» only == and != work on links"),
      Refusal("{'int', 'bool'} <= extra.@type", "ordering-type «<=» only == and != work on @type"),
      Refusal("extra.@type > 'int'", "ordering-type «>» only == and != work on @type"),
      Refusal("extra.@type == 5", "type «5» @type is compared with a name such as 'int', not with 5"),
      Refusal(
        "extra.@type == NULL",
        "type «NULL» @type is compared with a name such as 'int', not with NULL; write 'null'"),
      Refusal(
        "extra.@type == 'strng'",
        "type-name «'strng'» unknown type name 'strng'; use null, int, bool, string, data, date, float, double, "
          + "decimal128, objectId, uuid, link, list, dictionary, numeric, collection (did you mean 'string'?)"
      ),
      Refusal("bestFriend == obj('Nope', 1)", "object «'Nope'» no class 'Nope'"),
      Refusal("dogs == obj('Dog', 1)", "object «'Dog'» class 'Dog' has no primary key"),
      Refusal(
        "bestFriend == obj('Person', 'x')", "object «'x'» the primary key of 'Person' is an int, not 'x'"),
      Refusal(
        "owner.dogs == obj('Person', 1)",
        "object «obj('Person', 1)» 'owner.dogs' links to 'Dog', not to 'Person'", of: "Dog"),
      Refusal("scores == ratings", "lists «==» cannot compare two collections, 'scores' and 'ratings'"),
      Refusal("tags[0] == tags[1]", "lists «==» cannot compare two collections, 'tags[0]' and 'tags[1]'"),
    ])
  fileprivate func types(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "operators",
    arguments: [
      Refusal("5 == 5", "constant «5 == 5» nothing to look up: both sides are constants"),
      Refusal("2 * 3 == {6}", "constant «2 * 3 == {6}» nothing to look up: both sides are constants"),
      Refusal("True == 5", "constant «True == 5» nothing to look up: both sides are constants"),
      Refusal(
        "age IN 5",
        "membership «5» right side of IN must be a list; write {a, b}, or a path to several values"),
      Refusal(
        "'a' IN name",
        "membership «name» right side of IN must be a list; write {a, b}, or a path to several values"),
      Refusal("age BETWEEN {1}", "between «{1}» BETWEEN needs exactly two values; write BETWEEN {1, 5}"),
      Refusal("age BETWEEN {NULL, 5}", "null-bound «NULL» a bound of BETWEEN cannot be NULL"),
      Refusal("age BETWEEN {'a', 'b'}", "type «'a'» cannot compare int 'age' with string 'a'"),
      Refusal(
        "scores BETWEEN {1, 5}",
        "between «scores» only ALL is allowed before a collection with BETWEEN; "
          + "write ALL scores BETWEEN …, or SUBQUERY for single elements of objects"),
      Refusal(
        "ANY attrs.@keys BETWEEN {'a', 'z'}",
        "between «ANY attrs.@keys» only ALL is allowed before a collection with BETWEEN; "
          + "write ALL attrs.@keys BETWEEN …, or SUBQUERY for single elements of objects"),
      Refusal("ANY age > 5", "quantifier «ANY age» ANY needs a to-many path; 'age' has one value"),
      Refusal(
        "none bestFriend.age > 5",
        "quantifier «none bestFriend.age» NONE needs a to-many path; 'bestFriend.age' has one value"),
      Refusal("name + 1 == 2", "arithmetic «name» '+' needs numbers; 'name' is string"),
      Refusal("age + 'x' == 2", "arithmetic «'x'» '+' needs numbers, not 'x'"),
      Refusal(
        "age + inf > 3", "arithmetic «inf» '+' calculates with integers here, not with infinity"),
      Refusal("scores + ratings > 1", "lists «+» '+' cannot calculate with two lists"),
      Refusal(
        "title TEXT 'fox'",
        "full-text «title» 'title' has no full-text index; write title CONTAINS[c] 'word'",
        of: "Place"),
      Refusal(
        "'fox' TEXT blurb", "full-text «'fox'» TEXT needs a string property with a full-text index before it",
        of: "Place"),
      Refusal("blurb TEXT 5", "full-text «5» TEXT needs words in quotes after it", of: "Place"),
      Refusal(
        "blurb TEXT 'a-b'", "full-text «'a-b'» 'a-b' is more than one word; separate words by blanks",
        of: "Place"
      ),
      Refusal(
        "title GEOWITHIN geoCircle([0.0, 0.0], 1)",
        "geospatial «title» GEOWITHIN needs embedded GeoJSON points; "
          + "'title' is a string; a point has 'type' (string) and 'coordinates' (list of double)", of: "Place"
      ),
      Refusal(
        "location GEOWITHIN geoCircle([0.0, 0.0], -1)",
        "geospatial «geoCircle([0.0, 0.0], -1)» "
          + "the radius must be a number of radians that is not negative", of: "Place"),
    ])
  fileprivate func operators(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "orderings",
    arguments: [
      Refusal("TRUEPREDICATE SORT(nope ASC)", "sorting «nope» unknown property 'nope' on class 'Person'"),
      Refusal(
        "TRUEPREDICATE SORT(tags ASC)",
        "sorting «tags» cannot sort by 'tags': each object must have one value there; 'tags' is a list of string"
      ),
      Refusal(
        "TRUEPREDICATE SORT(dogs.age ASC)",
        "sorting «dogs.age» cannot sort by 'dogs.age': each object must have one value there; 'dogs.age' is an int"
      ),
      Refusal(
        "TRUEPREDICATE SORT(tags[0] ASC)",
        "sorting «tags[0]» cannot sort by 'tags[0]': each object must have one value there; 'tags[0]' is a string"
      ),
      Refusal(
        "TRUEPREDICATE DISTINCT(labels)",
        "sorting «labels» cannot make distinct by 'labels': each object must have one value there; 'labels' is a set of string"
      ),
    ])
  fileprivate func orderings(_ refusal: Refusal) throws { try check(refusal) }

  private func check(_ refusal: Refusal) throws {
    let realm = refusal.className == "Place" ? Fixture.place : Fixture.zoo
    let asked = try Asked(realm, refusal.className)
    #expect(asked.complaint(refusal.predicate) == refusal.complaint)
  }

  private static let argumentsHint =
    "give the values in order with --arg, at the prompt with .param set 0 VALUE"

  @Test("arguments")
  func arguments() throws {
    let person = try Asked(Fixture.zoo, "Person")
    #expect(
      person.complaint("age == $3", ["1", "2"])
        == "argument «$3» $3 is used but only 2 arguments are given; \(Self.argumentsHint)")
    #expect(
      person.complaint("ANY $0 == age", ["5"])
        == "argument «ANY $0» a quantifier needs a list, and $0 is a single value")
    #expect(person.complaint("age == %d", ["'x'"]) == "argument «%d» argument 1 needs an integer, not 'x'")
    #expect(person.complaint("$K0 == 1", ["5"]) == "argument «$K0» $0 must be the text of a path")
    #expect(
      person.complaint("$K0 == 1", ["'dogs.nme'"])
        == "unknown-property «$K0» unknown property 'nme' on class 'Dog' (did you mean 'name'?)")
    #expect(
      person.complaint("TRUEPREDICATE LIMIT($0)", ["-1"])
        == "argument «LIMIT($0)» $0 must be a whole number here, 0 or more")
    #expect(
      person.complaint("name == $0", ["5"])
        == "type «$0» cannot compare string 'name' with int 5; write '5'")
    // A literal in a list may fit nothing; an argument may not.
    #expect(
      person.complaint("name IN {'Ada', $0}", ["5"])
        == "type «$0» cannot compare string 'name' with int 5; write '5'")
    #expect(
      person.complaint("avatar CONTAINS $0", ["'x'"])
        == "type «$0» cannot compare data 'avatar' with string 'x'; write binary('…') or binary(B64\"…\")")
    #expect(person.complaint("name IN $0", ["{'Ada', 5}"]) == nil)
    #expect(person.complaint("age == $0", ["5", "surplus"]) == nil)
  }

  @Test("a name or list that cannot match is only a warning")
  func warnings() throws {
    let query = try Asked(Fixture.zoo, "Person").bound(
      "age IN {1, 'x'} OR name CONTAINS binary('y') OR age ==[c] 5")
    #expect(
      query.warnings.map(\.message) == [
        "'x' is never equal to int 'age'", "binary data is never part of string",
        "letters are only disregarded in texts",
      ])
  }
}
