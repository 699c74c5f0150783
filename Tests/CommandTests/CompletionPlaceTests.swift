// Completion behind points, brackets and quotes: which class, table or file the next word is of.

import Foundation
import RealmCommands
import RealmEngine
import Testing

@Suite("Places of completion")
struct CompletionPlaceTests {
  private static let schema = SchemaDescription(
    version: 1,
    classes: [
      ClassDefinition(
        "Person", primaryKey: "_id",
        properties: [
          PropertyDefinition("_id", .int), PropertyDefinition("name", .string, isOptional: true),
          PropertyDefinition("notes", .string, index: .fullText),
          PropertyDefinition("tags", .string, collection: .list),
          PropertyDefinition("attrs", .mixed, collection: .dictionary, isOptional: true),
          PropertyDefinition("dogs", .object, collection: .list, target: "Dog"),
          PropertyDefinition("address", .object, isOptional: true, target: "Address"),
          PropertyDefinition("homes", .object, collection: .list, target: "Address"),
        ]),
      ClassDefinition(
        "Dog",
        properties: [
          PropertyDefinition("age", .int), PropertyDefinition("call sign", .string),
          PropertyDefinition("owner", .object, isOptional: true, target: "Person"),
        ]),
      ClassDefinition(
        "Address", kind: .embedded,
        properties: [PropertyDefinition("city", .string), PropertyDefinition("street", .string)]),
    ])

  private func pressed(_ line: String, ahead: String = "") -> (line: String, choices: [String]) {
    Completer(Self.schema) { ["adults", "old dogs"] }.pressed(line, ahead: ahead)
  }

  @Test(
    "a unique beginning becomes the word",
    arguments: [
      ("update Person set address.c", "address.city = "), ("update Dog set age = owner.na", "owner.name "),
      ("update Person set name = address.ci", "address.city "), ("update Person set na", "name = "),
      ("update Dog set age = 3, call", "`call sign` = "), ("update Dog set age = 3 li", "limit("),
      ("insert Person { \"address\": { \"ci", "\"city\": "),
      ("insert Person [{ \"homes\": [{ \"city\": \"x\", \"st", "\"street\": "),
      ("insert Person { \"address\": { \"city\": \"x\" }, \"na", "\"name\": "),
      ("insert Person { \"address\": { ", "{ \""), ("insert Dog { \"owner\": { \"na", "\"name\": "),
      ("insert into D", "Dog "), ("insert in", "into "), ("insert into Person { \"na", "\"name\": "),
      ("insert into Person (na", "name "), ("delete from D", "Dog "),
      ("Person where dogs[0].ag", "age "), ("Person where dogs[first].owner.na", "name "),
      ("Person where dogs[*].@c", "@count "), ("Person where tags[fi", "first]"),
      ("Person select tags[si", "size]"), ("Person sort(tags[la", "last]"),
      ("Person where attrs.@k", "@keys "), ("Dog where owner.@k", "@key "), ("Person select @k", "@key "),
      ("Person where subquery(dogs, $d, $d.age > 3).@", "@count "),
      ("Person where subquery(dogs, $d, $d.owner.na", "name "), ("Person where dogs.@max.a", "age "),
      ("Person where name mat", "matches "), ("Person where notes te", "text "),
      ("Person where name bet", "between "), ("Person where name is no", "not null "),
      ("Person where name not beg", "beginswith "), ("Person where length(name) bet", "between "),
      ("Person where name in ['a'] an", "and "), ("Person off", "offset("), ("Person or", "order by "),
      ("Person order by na", "name "), ("Person order by name de", "desc "),
      ("Person sort(length(na", "name "), ("count Dog by age order by co", "count "),
      ("count distinct ag", "age "), ("count distinct owner.na", "owner.name "),
      ("Dog where `call si", "`call sign` "), (".pager ", "o"),
      ("select * from Person_t", "Person_tags "), ("select * from Dog d join Person_a", "Person_attrs "),
      ("select d.ag", "d.age "), ("select * from Dog d where d.ow", "d.owner "),
      ("select * from Dog order by ag", "age "), ("select * fr", "from "),
      ("select * from Dog gr", "group by "), ("select * from Person_tags where val", "value "),
      ("with old as (select * from Dog) select * from ol", "old "),
      (".watch Do", "Dog "), (".export Do", "Dog "), (".export Dog --unn", "--unnest "),
      (".query ad", "adults "), (".query ol", "\"old dogs\" "), (".pager of", "off "),
      (".schema 'Do", "'Dog' "),
    ])
  func unique(line: String, ending: String) {
    let (text, choices) = pressed(line)
    #expect(text.hasSuffix(ending), "\(line) → \(text)")
    #expect(choices.isEmpty)
  }

  @Test(
    "nothing but what fits is offered",
    arguments: [
      ("update Person set address.", ["city", "street"]), ("update Dog set age ", ["=", "+=", "-="]),
      ("update Dog set `call sign` ", ["=", "+="]),
      ("insert Person { \"address\": { \"", ["\"city\"", "\"street\""]),
      ("insert into ", ["Address", "Dog", "Person"]), ("Person where tags[", ["first", "last", "size", "*"]),
      ("Person where attrs[", ["size", "*"]), ("Person where name contains[", ["c", "d", "cd"]),
      ("select * from ", ["Address", "Dog", "Person", "Person_tags", "Person_attrs", "Person_dogs"]),
      ("count distinct owner.a", ["attrs", "address"]), (".pager o", ["on", "off"]),
      (".query ", ["adults", "\"old dogs"]),
    ])
  func choices(line: String, choices: [String]) {
    #expect(pressed(line).choices == choices, "\(line)")
  }

  @Test(
    "where nothing can follow nothing is done",
    arguments: [
      "update Dog set owner.", "update Dog set owner.na", "update Person set dogs.a", "update Person set _i",
      "update Person set homes[0].ci", "insert Person { \"homes\": { \"ci", "Person where nothing.",
      "select age as ",
    ])
  func nothing(line: String) {
    let (text, choices) = pressed(line)
    #expect(text == line)
    #expect(choices.isEmpty)
  }

  @Test("columns are those of the table that stands behind them")
  func ahead() {
    #expect(pressed("select d.", ahead: " from Dog d").choices == ["age", "\"call sign\"", "owner", "_key"])
    #expect(pressed("select d.ci", ahead: " from Dog d").line == "select d.ci")
    #expect(pressed("select ci", ahead: " from Dog").line == "select ci")
  }

  @Test("a file name is completed within its quotes")
  func quotedFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let inner = folder.appendingPathComponent("my realms")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: inner.appendingPathComponent("one.realm"))
    let path = folder.path
    #expect(pressed(".open '\(path)/my").line == ".open '\(path)/my realms/")
    #expect(pressed(".open '\(path)/my realms/o").line == ".open '\(path)/my realms/one.realm' ")
    #expect(pressed(".open \"\(path)/my realms/o").line == ".open \"\(path)/my realms/one.realm\" ")
    #expect(pressed(".open \(path)/m").line == ".open \"\(path)/my realms/")
  }
}
