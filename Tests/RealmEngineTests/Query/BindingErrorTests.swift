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
        "nmae == 'Ada'", "E-PROP «nmae» unknown property 'nmae' on class 'Person' (did you mean 'name'?)"),
      Refusal(
        "city == 'Paris'",
        "E-PROP «city» unknown property 'city' on class 'Person' (did you mean 'address.city'?)"),
      Refusal("bestFriend.foo == 1", "E-PROP «foo» unknown property 'foo' on class 'Person'"),
      Refusal("age-1 == 3", "E-PROP «age-1» unknown property 'age-1' on class 'Person'; write age - 1"),
      Refusal("name == Adx", "E-PROP «Adx» unknown property 'Adx' on class 'Person'; quote strings: 'Adx'"),
      Refusal("age.foo == 1", "E-STEP «foo» 'age' is an int; nothing can follow it"),
      Refusal(
        "name.length == 3",
        "E-STEP «length» 'name' is a string; nothing can follow it; write .@size for the number of bytes"),
      Refusal("tags.foo == 1", "E-STEP «foo» 'tags' is a list of string; nothing can follow it"),
      Refusal("tags.@keys == 'a'", "E-STEP «@keys» @keys needs a dictionary; 'tags' is a list of string"),
      Refusal("@links.Dgo.owner.@count > 0", "E-BACKLINK «Dgo» no class 'Dgo' (did you mean 'Dog'?)"),
      Refusal(
        "@links.Dog.onwer.@count > 0",
        "E-BACKLINK «onwer» unknown property 'onwer' on class 'Dog' (did you mean 'owner'?)"),
      Refusal(
        "@links.Dog.age.@count > 0", "E-BACKLINK «@links.Dog.age» 'Dog.age' does not link to 'Person'"),
      Refusal("labels[0] == 'a'", "E-INDEX «[0]» 'labels' is a set of string and has no positions"),
      Refusal("attrs[0] == 'a'", "E-INDEX «[0]» 'attrs' is a dictionary and has no positions"),
      Refusal(
        "attrs.@values[0] == 'a'", "E-INDEX «[0]» 'attrs.@values' is a list of values and has no positions"),
      Refusal("tags['x'] == 'a'", "E-INDEX «['x']» 'tags' is a list of string and has no keys"),
      Refusal("tags[0][0] == 'a'", "E-INDEX «[0]» 'tags[0]' is a string and has no positions"),
    ])
  fileprivate func names(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "questions at the end of a path",
    arguments: [
      Refusal("age.@count == 1", "E-OP «age.@count» @count does not apply; 'age' is an int"),
      Refusal("age.@type == 'int'", "E-OP «age.@type» @type is for mixed values; 'age' is int, always"),
      Refusal("age.@max > 1", "E-AGG «age.@max» @max needs a collection; 'age' is an int"),
      Refusal(
        "dogs.@max > 1",
        "E-AGG «dogs.@max» @max needs a property of the objects in 'dogs'; write dogs.@max.property"),
      Refusal("dogs.@sum.name > 1", "E-AGG «name» @sum needs numbers; 'name' is a string"),
      Refusal("dogs.@sum.born > 1", "E-AGG «born» @sum needs numbers; 'born' is a date"),
      Refusal("dogs.@max.foo > 1", "E-AGG «foo» unknown property 'foo' on class 'Dog'"),
      Refusal("tags.@sum > 1", "E-AGG «tags.@sum» @sum needs numbers; 'tags' holds string"),
      Refusal(
        "scores.@max.age > 1", "E-AGG «age» 'scores' is a list of int; no property can follow @max"),
      Refusal(
        "SUBQUERY(tags, $t, $t == 'x').@count > 0",
        "E-SUBQ «tags» SUBQUERY needs a list of objects; 'tags' is a list of string"),
      Refusal(
        "SUBQUERY(bestFriend, $f, $f.age > 5).@count > 0",
        "E-SUBQ «bestFriend» SUBQUERY needs a list of objects; 'bestFriend' is a link"),
      Refusal(
        "SUBQUERY(dogs, $d, $x.age > 5).@count > 0",
        "E-PROP «$x» unknown property '$x' on class 'Dog'; only the variable of the innermost SUBQUERY is known here"
      ),
    ])
  fileprivate func questions(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "types",
    arguments: [
      Refusal("age == 'abc'", "E-TYPE «'abc'» cannot compare int 'age' with string 'abc'"),
      Refusal("name == now()", "E-TYPE «now()» cannot compare string 'name' with a date"),
      Refusal(
        "age == date('2020-01-01')", "E-TYPE «date('2020-01-01')» cannot compare int 'age' with a date"),
      Refusal("age == '30abc'", "E-TYPE «'30abc'» cannot compare int 'age' with string '30abc'"),
      Refusal("age == infinity", "E-TYPE «infinity» cannot compare int 'age' with double infinity"),
      Refusal("name == 5", "E-TYPE «5» cannot compare string 'name' with int 5; write '5'"),
      Refusal("active == 2", "E-TYPE «2» cannot compare bool 'active' with int 2; write true or false"),
      Refusal(
        "token == '00000000-0000-4000-8000-000000000005'",
        "E-TYPE «'00000000-0000-4000-8000-000000000005'» cannot compare uuid 'token' with string "
          + "'00000000-0000-4000-8000-000000000005'; write uuid(00000000-0000-4000-8000-000000000005)"),
      Refusal(
        "oid == 'x'", "E-TYPE «'x'» cannot compare objectId 'oid' with string 'x'; write oid(…)"),
      Refusal(
        "born == 1577880000",
        "E-TYPE «1577880000» cannot compare date 'born' with int 1577880000; "
          + "write T1577880000:0 or 2020-12-31T23:59:59"),
      Refusal(
        "born == 1577880000250",
        "E-TYPE «1577880000250» cannot compare date 'born' with int 1577880000250; "
          + "write T1577880000:250000000 or 2020-12-31T23:59:59"),
      Refusal(
        "born > 2020", "E-TYPE «2020» cannot compare date 'born' with int 2020; write 2020-01-01"),
      Refusal(
        "born > 5",
        "E-TYPE «5» cannot compare date 'born' with int 5; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "born > '2020-01-01 12:30'",
        "E-TYPE «'2020-01-01 12:30'» cannot compare date 'born' with string '2020-01-01 12:30'; "
          + "write 2020-01-01T12:30"),
      Refusal(
        "born > 'yesterday'",
        "E-TYPE «'yesterday'» cannot compare date 'born' with string 'yesterday'; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "born == 2020/01/01",
        "E-TYPE «2020/01/01» cannot compare date 'born' with int 2020; "
          + "write a date without quotes: 2020-12-31 or 2020-12-31T23:59:59"),
      Refusal(
        "avatar == 'x'",
        "E-TYPE «'x'» cannot compare data 'avatar' with string 'x'; write binary('…') or binary(B64\"…\")"),
      Refusal("active == dogs", "E-TYPE «dogs» cannot compare bool 'active' with link 'dogs'"),
      Refusal("age == name", "E-TYPE «name» cannot compare int 'age' with string 'name'"),
      Refusal(
        "bestFriend == 'Ada'",
        "E-TYPE «'Ada'» cannot compare link 'bestFriend' with string 'Ada'; "
          + "write obj('Person', …) with its _id"),
      Refusal(
        "bestFriend == 18",
        "E-TYPE «18» cannot compare link 'bestFriend' with int 18; write obj('Person', 18)"),
      Refusal(
        "dogs == 'Rex'",
        "E-TYPE «'Rex'» cannot compare link 'dogs' with string 'Rex'; "
          + "compare a property of it, such as dogs.name"),
      Refusal(
        "dogs == NULL",
        "E-TYPE «NULL» 'dogs' is never NULL: it leads to several objects; write dogs.@count == 0"),
      Refusal(
        "active BEGINSWITH 't'", "E-TYPE «active» BEGINSWITH needs texts or binary data; 'active' is bool"),
      Refusal("name CONTAINS 5", "E-TYPE «5» cannot compare string 'name' with int 5; write '5'"),
      Refusal("extra LIKE NULL", "E-TYPE «NULL» LIKE needs texts or binary data, not NULL"),
      Refusal("scores ==[c] 5", "E-TYPE «==[c]» letters can only be disregarded in texts; 'scores' is int"),
      Refusal("age ==[c] NULL", "E-TYPE «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal("5 ==[c] age", "E-TYPE «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal("{1, 2} ==[c] age", "E-TYPE «==[c]» letters can only be disregarded in texts; 'age' is int"),
      Refusal(
        "address IN[c] {NULL}", "E-TYPE «IN[c]» letters can only be disregarded in texts; 'address' is link"),
      Refusal("age IN {1, -inf}", "E-TYPE «-inf» cannot compare int 'age' with double -infinity"),
      Refusal("name ==[c] B64\"/w==\"", "E-UTF8 «B64\"/w==\"» [c] and [d] need text in UTF-8"),
      Refusal("bestFriend > obj('Person', 1)", "E-ORDERTYPE «>» only == and != work on links"),
      Refusal("bestFriend > {obj('Person', 1)}", "E-ORDERTYPE «>» only == and != work on links"),
      Refusal("{'int', 'bool'} <= extra.@type", "E-ORDERTYPE «<=» only == and != work on @type"),
      Refusal("extra.@type > 'int'", "E-ORDERTYPE «>» only == and != work on @type"),
      Refusal("extra.@type == 5", "E-TYPE «5» @type is compared with a name such as 'int', not with 5"),
      Refusal(
        "extra.@type == NULL",
        "E-TYPE «NULL» @type is compared with a name such as 'int', not with NULL; write 'null'"),
      Refusal(
        "extra.@type == 'strng'",
        "E-TYPENAME «'strng'» unknown type name 'strng'; use null, int, bool, string, data, date, float, double, "
          + "decimal128, objectId, uuid, link, list, dictionary, numeric, collection (did you mean 'string'?)"
      ),
      Refusal("bestFriend == obj('Nope', 1)", "E-OBJ «'Nope'» no class 'Nope'"),
      Refusal("dogs == obj('Dog', 1)", "E-OBJ «'Dog'» class 'Dog' has no primary key"),
      Refusal(
        "bestFriend == obj('Person', 'x')", "E-OBJ «'x'» the primary key of 'Person' is an int, not 'x'"),
      Refusal(
        "owner.dogs == obj('Person', 1)",
        "E-OBJ «obj('Person', 1)» 'owner.dogs' links to 'Dog', not to 'Person'", of: "Dog"),
      Refusal("scores == ratings", "E-LISTS «==» cannot compare two collections, 'scores' and 'ratings'"),
      Refusal("tags[0] == tags[1]", "E-LISTS «==» cannot compare two collections, 'tags[0]' and 'tags[1]'"),
    ])
  fileprivate func types(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "operators",
    arguments: [
      Refusal("5 == 5", "E-CONST «5 == 5» nothing to look up: both sides are constants"),
      Refusal("2 * 3 == {6}", "E-CONST «2 * 3 == {6}» nothing to look up: both sides are constants"),
      Refusal("True == 5", "E-CONST «True == 5» nothing to look up: both sides are constants"),
      Refusal(
        "age IN 5", "E-IN «5» right side of IN must be a list; write {a, b}, or a path to several values"),
      Refusal(
        "'a' IN name",
        "E-IN «name» right side of IN must be a list; write {a, b}, or a path to several values"),
      Refusal("age BETWEEN {1}", "E-BETWEEN «{1}» BETWEEN needs exactly two values; write BETWEEN {1, 5}"),
      Refusal("age BETWEEN {NULL, 5}", "E-NULL «NULL» a bound of BETWEEN cannot be NULL"),
      Refusal("age BETWEEN {'a', 'b'}", "E-TYPE «'a'» cannot compare int 'age' with string 'a'"),
      Refusal(
        "scores BETWEEN {1, 5}",
        "E-BETWEEN «scores» only ALL is allowed before a collection with BETWEEN; "
          + "write ALL scores BETWEEN …, or SUBQUERY for single elements of objects"),
      Refusal(
        "ANY attrs.@keys BETWEEN {'a', 'z'}",
        "E-BETWEEN «ANY attrs.@keys» only ALL is allowed before a collection with BETWEEN; "
          + "write ALL attrs.@keys BETWEEN …, or SUBQUERY for single elements of objects"),
      Refusal("ANY age > 5", "E-QUANT «ANY age» ANY needs a to-many path; 'age' has one value"),
      Refusal(
        "none bestFriend.age > 5",
        "E-QUANT «none bestFriend.age» NONE needs a to-many path; 'bestFriend.age' has one value"),
      Refusal("name + 1 == 2", "E-ARITH «name» '+' needs numbers; 'name' is string"),
      Refusal("age + 'x' == 2", "E-ARITH «'x'» '+' needs numbers, not 'x'"),
      Refusal(
        "age + inf > 3", "E-ARITH «inf» '+' calculates with integers here, not with infinity"),
      Refusal("scores + ratings > 1", "E-LISTS «+» '+' cannot calculate with two lists"),
      Refusal(
        "title TEXT 'fox'", "E-FTS «title» 'title' has no full-text index; write title CONTAINS[c] 'word'",
        of: "Place"),
      Refusal(
        "'fox' TEXT blurb", "E-FTS «'fox'» TEXT needs a string property with a full-text index before it",
        of: "Place"),
      Refusal("blurb TEXT 5", "E-FTS «5» TEXT needs words in quotes after it", of: "Place"),
      Refusal(
        "blurb TEXT 'a-b'", "E-FTS «'a-b'» 'a-b' is more than one word; separate words by blanks", of: "Place"
      ),
      Refusal(
        "title GEOWITHIN geoCircle([0.0, 0.0], 1)",
        "E-GEO «title» GEOWITHIN needs embedded GeoJSON points; "
          + "'title' is a string; a point has 'type' (string) and 'coordinates' (list of double)", of: "Place"
      ),
      Refusal(
        "location GEOWITHIN geoCircle([0.0, 0.0], -1)",
        "E-GEO «geoCircle([0.0, 0.0], -1)» "
          + "the radius must be a number of radians that is not negative", of: "Place"),
    ])
  fileprivate func operators(_ refusal: Refusal) throws { try check(refusal) }

  @Test(
    "orderings",
    arguments: [
      Refusal("TRUEPREDICATE SORT(nope ASC)", "E-SORT «nope» unknown property 'nope' on class 'Person'"),
      Refusal(
        "TRUEPREDICATE SORT(tags ASC)",
        "E-SORT «tags» cannot sort by 'tags': each object must have one value there; 'tags' is a list of string"
      ),
      Refusal(
        "TRUEPREDICATE SORT(dogs.age ASC)",
        "E-SORT «dogs.age» cannot sort by 'dogs.age': each object must have one value there; 'dogs.age' is an int"
      ),
      Refusal(
        "TRUEPREDICATE SORT(tags[0] ASC)",
        "E-SORT «tags[0]» cannot sort by 'tags[0]': each object must have one value there; 'tags[0]' is a string"
      ),
      Refusal(
        "TRUEPREDICATE DISTINCT(labels)",
        "E-SORT «labels» cannot make distinct by 'labels': each object must have one value there; 'labels' is a set of string"
      ),
    ])
  fileprivate func orderings(_ refusal: Refusal) throws { try check(refusal) }

  private func check(_ refusal: Refusal) throws {
    let realm = refusal.className == "Place" ? Fixture.place : Fixture.zoo
    let asked = try Asked(realm, refusal.className)
    #expect(asked.complaint(refusal.predicate) == refusal.complaint)
  }

  @Test("arguments")
  func arguments() throws {
    let person = try Asked(Fixture.zoo, "Person")
    #expect(
      person.complaint("age == $3", ["1", "2"])
        == "E-ARG «$3» $3 is used but only 2 arguments are given; give the values in order with --arg")
    #expect(
      person.complaint("ANY $0 == age", ["5"])
        == "E-ARG «ANY $0» a quantifier needs a list, and $0 is a single value")
    #expect(person.complaint("age == %d", ["'x'"]) == "E-ARG «%d» argument 1 needs an integer, not 'x'")
    #expect(person.complaint("$K0 == 1", ["5"]) == "E-ARG «$K0» $0 must be the text of a path")
    #expect(
      person.complaint("$K0 == 1", ["'dogs.nme'"])
        == "E-PROP «$K0» unknown property 'nme' on class 'Dog' (did you mean 'name'?)")
    #expect(
      person.complaint("TRUEPREDICATE LIMIT($0)", ["-1"])
        == "E-ARG «LIMIT($0)» $0 must be a whole number here, 0 or more")
    #expect(
      person.complaint("name == $0", ["5"])
        == "E-TYPE «$0» cannot compare string 'name' with int 5; write '5'")
    // A literal in a list may fit nothing; an argument may not.
    #expect(
      person.complaint("name IN {'Ada', $0}", ["5"])
        == "E-TYPE «$0» cannot compare string 'name' with int 5; write '5'")
    #expect(
      person.complaint("avatar CONTAINS $0", ["'x'"])
        == "E-TYPE «$0» cannot compare data 'avatar' with string 'x'; write binary('…') or binary(B64\"…\")")
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
