// What the tab key offers at each place of a statement.

import RealmCommands
import RealmEngine
import Testing

@Suite("Completion at the prompt")
struct CompleterTests {
  private static let schema = SchemaDescription(
    version: 1,
    classes: [
      ClassDefinition(
        "Person", primaryKey: "_id",
        properties: [
          PropertyDefinition("_id", PropertyType(.int, isOptional: false)),
          PropertyDefinition("name", PropertyType(.string, isOptional: true)),
          PropertyDefinition("active", PropertyType(.bool, isOptional: false)),
          PropertyDefinition(
            "dogs", PropertyType(.object, collection: .list, isOptional: false, target: "Dog")),
        ]),
      ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("age", PropertyType(.int, isOptional: false)),
          PropertyDefinition("call sign", PropertyType(.string, isOptional: false)),
          PropertyDefinition("owner", PropertyType(.object, isOptional: true, target: "Person")),
        ]),
    ])

  private func pressed(_ line: String, after before: String = "") -> (line: String, choices: [String]) {
    Completer(Self.schema).pressed(line, after: before)
  }

  @Test(
    "a unique beginning becomes the word",
    arguments: [
      ("Per", "Person "), ("pers", "Person "), ("cou", "count "), ("COU", "COUNT "), ("count Do", "Dog "),
      ("Person wh", "where "), ("Person where na", "name "), ("Person where dogs.ag", "age "),
      ("Person where dogs.@c", "@count "), ("Person where dogs.owner.na", "name "),
      ("Dog where call", "`call sign` "), ("Person where name beg", "beginswith "),
      ("Person where active == tr", "true "), ("Person where name == nu", "null "),
      ("Person where name == 'x' an", "and "), ("Person where name == 'x' or act", "active "),
      ("Person where any dogs.ag", "age "), ("Person where @links.Do", "Dog."),
      ("Person where @links.Dog.ow", "owner."), ("Person where subquery(dogs, $d, $d.ag", "age "),
      ("Person select upp", "upper("), ("Person select upper(na", "name "), ("Person sort(leng", "length("),
      ("Person where low", "lower("), ("Person select name li", "limit("), ("Person sort(na", "name "),
      ("Person sort(name de", "desc "), ("Person select dogs.ag", "age "),
      ("Person where name == 'x' sel", "select "), ("update Person where _id == 1 se", "set "),
      ("update Person set na", "name = "), ("insert Person { \"na", "\"name\": "),
      ("insert Person { \"name\": \"x\", \"act", "\"active\": "), ("avg age of D", "Dog "),
      ("avg ag", "age "), ("count Person by na", "name "), ("count Person where name == 'x' b", "by "),
      ("avg age of Dog by owner.na", "name "), ("count Person by name so", "sort("),
      ("count Person by name, active sort(co", "count "), ("count Person by name as n sort(n", "n "),
      ("avg age of Dog by owner.name sort(name asc, owner.na", "name "),
      ("avg age of Dog by owner.name sort(av", "avg age "), ("count Dog by age sort(count de", "desc "),
      ("count Dog by age sort(count desc) li", "limit("),
      ("explain count P", "Person "), ("alter class Person dr", "drop "),
      ("alter class Person drop na", "name "), ("rename Dog t", "to "), ("rename Person.nam", "name "),
      ("rename Person.name t", "to "),
      ("create class X { a: in", "int"), ("create class X { a: list<Do", "Dog "), ("drop class D", "Dog "),
      (".mod", ".mode "), (".mode mark", "markdown "), (".schema D", "Dog "), (".help schem", "schema "),
      (".explain Per", "Person "),
    ])
  func unique(line: String, ending: String) {
    let (text, choices) = pressed(line)
    #expect(text.hasSuffix(ending), "\(line) → \(text)")
    #expect(choices.isEmpty)
  }

  @Test("what fits the place and the type is offered, and nothing else")
  func choices() {
    #expect(pressed("Person where ").choices.contains("dogs"))
    #expect(pressed("Person where active ").choices == ["==", "!="])
    #expect(pressed("Person where dogs.age ").choices.contains("between"))
    #expect(!pressed("Person where dogs.age ").choices.contains("contains"))
    #expect(pressed("Person where name == 'x' ").choices.prefix(2) == ["and", "or"])
    #expect(pressed("Person where dogs.").choices.starts(with: ["age", "`call sign`", "owner"]))
  }

  @Test("the lines above count", arguments: ["Person where (\n", "Person\\\n where "])
  func lines(before: String) {
    #expect(pressed("nam", after: before).line == "name ")
  }

  @Test(
    "where nothing can be known nothing is done",
    arguments: [
      "Person where name == 'Per", "Person where name == 3 and nonsense.", "Nothing where na", "begin ", "'",
    ])
  func nothing(line: String) {
    let (text, choices) = pressed(line)
    #expect(text == line)
    #expect(choices.isEmpty)
  }

  @Test("a schema of 200 classes gives all its names, through links too")
  func manyClasses() {
    let classes = (0..<200).map { number in
      ClassDefinition(
        "Class\(number)",
        properties: (0..<30).map { index in
          PropertyDefinition(
            "property\(index)",
            PropertyType(.object, isOptional: true, target: "Class\((number + index) % 200)"))
        })
    }
    let schema = SchemaDescription(version: nil, classes: classes)
    let counts = ["": 0, "Class1": 111, "Class7 where property3.property4.property": 30]
    for (line, count) in counts {
      let choices = Completer(schema).complete(Array(line.utf8)).choices
      let named = choices.filter { $0.hasPrefix("Class1") || $0.hasPrefix("property") }
      #expect(line.isEmpty ? !choices.isEmpty : named.count == count, "\(line): \(named.count)")
    }
  }

  @Test("what holds a key is not kept, nor what begins with a blank")
  func history() {
    let digits = String(repeating: "a1", count: 64)
    let grouped = Array(repeating: "a1b2c3d4", count: 16).joined(separator: " ")
    let list = "[" + Array(repeating: "17", count: 64).joined(separator: ", ") + "]"
    let base64 = String(repeating: "Abc/", count: 21) + "AA=="
    for secret in [digits, grouped, list, base64, "key: '\(digits)'"] {
      #expect(!HistoryFile.mayBeKept(Array(".print \(secret)".utf8)), "\(secret)")
    }
    #expect(!HistoryFile.mayBeKept(Array(" Person".utf8)))
    for line in ["Person where name == 'Ada'", "Person where _id in {1, 2, 3, 4, 5, 6, 7, 8}", ".mode json"] {
      #expect(HistoryFile.mayBeKept(Array(line.utf8)), "\(line)")
    }
  }
}

extension Completer {
  /// The line as it is after the tab key, and what is offered.
  func pressed(
    _ line: String, after before: String = "", ahead: String = ""
  ) -> (line: String, choices: [String]) {
    let result = complete(Array(line.utf8), after: Array(before.utf8), ahead: Array(ahead.utf8))
    var scalars = Array(line.unicodeScalars)
    scalars.removeLast(result.replacedCount)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return (String(text) + String(decoding: result.insertion, as: UTF8.self), result.choices)
  }
}
