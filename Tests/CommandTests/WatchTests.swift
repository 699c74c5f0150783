import Foundation
import Testing

/// What commits change, told to whoever watches.
@Suite("Watching")
struct WatchTests {
  private static let classes = """
    create class Place embedded { town: string }; \
    create class Dog { name: string, age: int, home: Place? }; create class Cat { name: string }
    """

  /// Runs `watch` with `options` while commits are made, each when the one before it has been told.
  private func changes(
    _ options: String, _ commits: [String], classes: String = Self.classes
  ) throws -> [String] {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "pets.realm"])
    try scene.run(["-w", "pets.realm", classes])
    let lines = commits.map { commit in
      """
      n=$(wc -l <seen); $R -w --yes pets.realm '\(commit)' 2>>commits.log
      for i in $(seq 300); do [ $(wc -l <seen) -gt $n ] && break; sleep 0.1; done
      """
    }
    let script = """
      $R watch pets.realm \(options) --for 100s >seen & watch=$!
      while [ ! -s seen ]; do sleep 0.02; done
      \(lines.joined(separator: "\n"))
      wait $watch; cat seen
      """
    let result = try scene.shell(script)
    #expect(result.status == 0, "\(result)")
    return result.outputText.split(separator: "\n").map { (line: Substring) -> String in
      let timeless = String(line).replacing(/"time":"[^"]*",?/, with: "")
      return timeless.replacing(/20[0-9-]+T[0-9:.]+Z/, with: "TIME").replacing(
        /version [0-9]+/, with: "version N")
    }
  }

  @Test("objects that are inserted, changed and deleted are told with old and new values")
  func objects() throws {
    let seen = try changes(
      "--jsonl --count 4",
      [
        #"insert Dog {"name": "Rex", "age": 1, "home": {"town": "Ulm"}}"#, #"insert Cat {"name": "Tom"}"#,
        "update Dog set age = 2", "delete Cat",
      ])
    let all = seen.joined(separator: "\n")
    #expect(seen.count == 5, "\(all)")
    #expect(seen.first?.contains(#""classes":{"Dog":0,"Cat":0}"#) ?? false, "\(all)")
    for part in [
      #"{"op":"insert","class":"Dog","key":0,"values":{"name":"Rex","age":1,"home":{"town":"Ulm"}}}"#,
      #"{"op":"insert","class":"Cat","key":0,"values":{"name":"Tom"}}"#,
      #"{"op":"update","class":"Dog","key":0,"old":{"age":1},"new":{"age":2}}"#,
      #"{"op":"delete","class":"Cat","key":0,"values":{"name":"Tom"}}"#,
    ] {
      #expect(all.contains(part), "\(part)\n\(all)")
    }
  }

  #if os(Linux)
    /// Its own openings are told to it as those of others are.
    @Test("a watch that expects more after a change looks again every few moments, and sleeps in between")
    func pauses() throws {
      let scene = try WholeFileScene(isEmpty: true)
      try scene.run(["create", "pets.realm"])
      let result = try scene.shell(
        """
        $R watch pets.realm --jsonl --for 100s >seen & watch=$!
        while [ ! -s seen ]; do sleep 0.02; done
        ticks() { set -- $(cat /proc/$watch/stat); echo $((${14} + ${15})); }
        before=$(ticks); : >>pets.realm; sleep 1
        echo $(($(ticks) - before)); kill $watch
        """)
      let ticks = try #require(Int(result.outputText.filter(\.isNumber)), "\(result)")
      #expect(ticks < 15, "\(ticks) hundredths of a second")
    }
  #endif

  @Test("objects count from when they meet a condition")
  func condition() throws {
    let seen = try changes(
      "Dog 'age > 1' --count 1", [#"insert Dog {"name": "Rex", "age": 2, "home": {"town": "Ulm"}}"#])
    #expect(
      seen == [
        "version N – TIME – Dog: 0 objects", "version N – TIME",
        #"  + Dog @0 {"name":"Rex","age":2,"home":{"town":"Ulm"}}"#, "  1 inserted, 0 deleted, 0 modified",
      ])
  }

  @Test("an object is named by its primary key, and by its object key where it has none")
  func names() throws {
    let commits = ["create class Note { id: int primary key }", #"insert Note {"id": 9}"#]
    #expect(try changes("--count 2", commits).contains("  + Note 9 {\"id\":9}"))
    let lines = try changes("--jsonl --count 2", commits).joined()
    #expect(lines.contains(#""class":"Note","key":0,"primary_key":9,"values""#), "\(lines)")
  }

  @Test("a class is followed under its new name, and its end is told with its objects")
  func schemaChanges() throws {
    let seen = try changes(
      "Dog --count 5",
      [
        #"insert Dog {"name": "Rex", "age": 1}"#, "rename Dog to Hound", "rename Hound.age to years",
        "alter schema version 4", "drop class Hound",
      ])
    #expect(
      seen.filter { !$0.hasPrefix("version") } == [
        #"  + Dog @0 {"name":"Rex","age":1,"home":null}"#, "  1 inserted, 0 deleted, 0 modified",
        "  rename class Dog → Hound", "  0 inserted, 0 deleted, 0 modified",
        "  change class Hound", "  0 inserted, 0 deleted, 0 modified",
        "  change schema version none → 4", "  0 inserted, 0 deleted, 0 modified",
        "  drop class Hound", #"  - Hound @0 {"name":"Rex","years":1,"home":null}"#,
        "  0 inserted, 1 deleted, 0 modified",
      ])
    let lines = try changes("Cat --jsonl --count 2", ["rename Cat to Lion", "alter schema version 7"])
      .joined()
    #expect(lines.contains(#"{"op":"rename class","class":"Lion","from":"Cat"}"#), "\(lines)")
    #expect(lines.contains(#"{"op":"change schema version","from":null,"to":7}"#), "\(lines)")
  }

  @Test("another realm in the place of the one that is watched ends the watch, and a compacted one does not")
  func replaced() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "pets.realm"])
    try scene.run(["-w", "pets.realm", Self.classes])
    try scene.run(["create", "other.realm"])
    try scene.run(["-w", "other.realm", "create class Money { amount: int }", "insert Money {\"amount\": 7}"])
    let result = try scene.shell(
      """
      $R watch pets.realm --jsonl --for 100s >seen 2>errors & watch=$!
      while [ ! -s seen ]; do sleep 0.02; done
      $R compact -q pets.realm; $R -w -q pets.realm 'insert Cat {"name": "Tom"}'
      for i in $(seq 300); do grep -q Tom seen && break; sleep 0.1; done
      mv other.realm pets.realm; wait $watch; echo $?; grep -c Money seen; cat errors
      """)
    #expect(result.outputText.hasPrefix("10\n0\n"), "\(result)")
    #expect(result.outputText.contains("another one is at pets.realm"), "\(result)")
  }

  @Test("a program is given each change set")
  func program() throws {
    let seen = try changes("Cat --count 1 --quiet --exec 'cat >&1'", [#"insert Cat {"name": "Tom"}"#])
    #expect(seen.contains { $0.contains(#"{"op":"insert","class":"Cat","key":0"#) }, "\(seen)")
  }

  @Test("a condition on what a link leads to is met when that changes")
  func conditionAcrossLinks() throws {
    let seen = try changes(
      "Dog 'home.town == \"Ulm\"' --jsonl --count 2",
      [
        #"begin; insert Dog {"name": "Rex", "age": 2, "home": {"town": "Ulm"}}; commit"#, "delete Dog",
      ])
    #expect(seen.count == 3 && seen[1].contains(#""created":1,"updated":0,"deleted":0"#), "\(seen)")
    #expect(seen.last?.contains(#""created":0,"updated":0,"deleted":1"#) ?? false, "\(seen)")
  }

  @Test("what paths lead to is watched as the object's own")
  func paths() throws {
    let classes = """
      create class City { id: int primary key, name: string, size: int }; \
      create class Street { id: int primary key, city: City? }; \
      create class Person { id: int primary key, name: string, streets: list<Street>, twin: Person? }
      """
    let seen = try changes(
      "Person --properties \"name, streets.city.name, twin.twin.name\" --jsonl --count 4",
      [
        #"begin; insert City {"id": 1, "name": "Ulm", "size": 1}; insert Street {"id": 1, "city": 1}"#
          + #"; insert Person [{"id": 1, "name": "Ann", "streets": [1]}, {"id": 2, "name": "Bob", "twin": 1}]"#
          + #"; upsert Person {"id": 1, "twin": 2}; commit"#,
        #"update City set size = 2; update City set name = "Rom""#,
        #"update Person where name == "Ann" set name = "Eve"; update City set size = 3"#, "delete City",
      ], classes: classes)
    let all = seen.joined(separator: "\n")
    #expect(seen.count == 5, "\(all)")
    for part in [
      #"{"op":"update","class":"Person","key":0,"primary_key":1,"old":{"streets.city.name":["Ulm"]},"new":{"streets.city.name":["Rom"]}}"#,
      #"{"op":"update","class":"Person","key":0,"primary_key":1,"old":{"name":"Ann","twin.twin.name":"Ann"},"new":{"name":"Eve","twin.twin.name":"Eve"}}"#,
      #""new":{"streets.city.name":[]}"#,
    ] {
      #expect(all.contains(part), "\(part)\n\(all)")
    }
    #expect(!all.contains("size"), "\(all)")
  }

  @Test(
    "paths that cannot be watched are refused",
    arguments: ["@key", "name + 'x'", "nothing", "home.nothing", "@links.Dog.mother.name"])
  func refusedPaths(path: String) throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "pets.realm"])
    try scene.run(["-w", "pets.realm", Self.classes + "; alter class Dog add mother: Dog?"])
    let result = try scene.shell("$R watch pets.realm Dog --for 0 --properties \"\(path)\"")
    #expect([2, 7].contains(result.status) && !result.errorText.isEmpty, "\(path): \(result)")
  }
}
