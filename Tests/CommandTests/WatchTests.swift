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
  private func changes(_ options: String, _ commits: [String]) throws -> [String] {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "pets.realm"])
    try scene.run(["-w", "pets.realm", Self.classes])
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
      let timeless = String(line).replacing(/"time":"[^"]*"/, with: "")
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

  @Test("objects count from when they meet a condition")
  func condition() throws {
    let seen = try changes(
      "Dog 'age > 1' --count 1", [#"insert Dog {"name": "Rex", "age": 2, "home": {"town": "Ulm"}}"#])
    #expect(
      seen == [
        "version N – TIME – Dog: 0 objects", "version N – TIME",
        #"  + Dog 0 {"name":"Rex","age":2,"home":{"town":"Ulm"}}"#, "  1 inserted, 0 deleted, 0 modified",
      ])
  }

  @Test("a program is given each change set")
  func program() throws {
    let seen = try changes("Cat --count 1 --quiet --exec 'cat >&1'", [#"insert Cat {"name": "Tom"}"#])
    #expect(seen.contains { $0.contains(#"{"op":"insert","class":"Cat","key":0"#) }, "\(seen)")
  }
}
