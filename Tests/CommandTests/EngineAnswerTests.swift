// Answers of conditions that are what the reference engine gives where that is the rule, though one would not guess them.

import Foundation
import Testing

@Suite("Answers of the reference engine")
struct EngineAnswerTests {
  private static let script = """
    create class Dog { name: string primary key, age: int? }
    create class Owner { _id: int primary key, l: list<mixed>, d: dictionary<Dog>, pets: list<Dog>, ps: set<Dog>, \
    dog: Dog?, mixed: mixed, int: int, next: Owner? }
    insert Dog [{"name":"a","age":1},{"name":"b"}]
    insert Owner [{"_id":1,"int":1,"l":[1.1,2.2,3.9],"d":{"x":"a","y":null},"pets":["a","b"],"ps":["a","b"],\
    "dog":"a","mixed":5},{"_id":2,"int":2,"l":[9007199254740992],"next":{"_id":1},"pets":["a"],"dog":"b",\
    "mixed":"t"},{"_id":3,"int":3,"l":["x",{"$double":"NaN"},2.0]},{"_id":4,"int":4,"l":[{"$decimal":"NaN"},2.0]}]
    """

  /// Primary keys of what is found.
  private static let answers: [(condition: String, keys: [Int])] = [
    // A dictionary of links counts null entries behind a link only.
    ("d.@count == 1", [1]), ("next.d.@count == 1", []), ("next.d.@count == 2", [2]),
    // A double stays one beside what is added up of mixed values.
    ("l.@sum == 7.2000000000000002", [1]), ("l.@avg == 2.4000000000000001", [1]),
    ("l.@sum == 9007199254740992.0", []), ("l.@sum == 9007199254740992", [2]),
    // Only a decimal NaN is passed over there.
    ("l.@sum == 2", [4]), ("l.@avg == 2", [4]),
    // Objects that are listed are sought one by one.
    ("pets == {obj('Dog','b')}", [1]), ("ps == {obj('Dog','b')}", [1]), ("d == {obj('Dog','a')}", [1]),
    ("pets == {obj('Dog','a')}", [1, 2]),
    // What may be asked, though it is never so or always.
    ("dog['age'] == NULL", [2, 3, 4]), ("dog['name'] == 'b'", [2]),
    ("mixed.@type == int.@type", [1]), ("int.@type == mixed.@type", [1]),
    ("mixed.@type != int.@type", [2, 3, 4]),
    ("l.@sum == 2020-01-01@00:00:00", []), ("l.@avg == 'a'", []),
    ("l.@sum == uuid(00000000-0000-0000-0000-000000000000)", []), ("l.@max == 'x'", [3]),
  ]

  @Test("conditions find what they find there")
  func conditions() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(Self.script.utf8).write(to: scene.url("script"))
    #expect(try scene.shell("\"$R\" create a.realm 2>/dev/null && \"$R\" -w a.realm <script").status == 0)
    for (condition, keys) in Self.answers {
      let run = try scene.run(["query", "a.realm", "Owner", condition, "--select", "_id", "--jsonl"])
      let found = run.outputText.split(separator: "\n").map { $0.filter(\.isNumber) }
      #expect(found == keys.map(String.init), "\(condition)")
    }
    for condition in ["int.@type == 'int'", "int.@type == int.@type", "pets['x'] == NULL"] {
      try scene.run(["query", "a.realm", "Owner", condition], status: 7)
    }
  }

  @Test("an argument that is no uuid or object id is refused as a literal is")
  func arguments() throws {
    let scene = try WholeFileScene()
    for property in ["uuid_o", "oid_o"] {
      for argument in ["true", "5", "1.5", "2020-01-01", "abc"] {
        let command = ["query", "alltypes.realm", "AllTypes", "\(property) == $0", "--arg", argument]
        try scene.run(command, status: 7)
      }
    }
    let oid = "5f0f0f0f0f0f0f0f0f0f0f0f"
    let uuid = "3b241101-e2bb-4255-8caf-4136c566a962"
    try scene.run(["query", "alltypes.realm", "AllTypes", "oid_o == $0", "--arg", oid])
    try scene.run(["query", "alltypes.realm", "AllTypes", "uuid_o == $0", "--arg", uuid])
    try scene.run(["query", "alltypes.realm", "AllTypes", "uuid_o == $0", "--arg", "oid(\(oid))"], status: 7)
  }

  @Test("data that a realm cannot hold has one status, whichever statement brings it")
  func refusedData() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try Data(Self.script.utf8).write(to: scene.url("script"))
    _ = try scene.shell(
      "\"$R\" create a.realm; \"$R\" -w a.realm <script; \"$R\" -w a.realm 'create class D { _id: int primary key, m: dictionary<int>, x: mixed }'"
    )
    for verb in ["insert", "upsert"] {
      for values in ["\"m\":{\"a.b\":1}", "\"m\":{\"$oid\":1}", "\"x\":{\"a.b\":1}"] {
        try scene.run(["-w", "a.realm", "\(verb) D {\"_id\":1,\(values)}"], status: 8)
      }
    }
    try scene.run(["-w", "a.realm", "insert Owner {\"_id\":1,\"int\":1}"], status: 8)
    try scene.run(["-w", "a.realm", "insert Owner {\"_id\":\"x\"}"], status: 8)
  }
}
