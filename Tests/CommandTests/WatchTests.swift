import Foundation
import Testing

/// What commits change, told to whoever watches.
@Suite("Watching")
struct WatchTests {
  private static let classes = """
    create class Place embedded { town: string }; \
    create class Dog { name: string, age: int, home: Place? }; create class Cat { name: string }
    """

  private static let commits = [
    #"insert Dog {"name": "Rex", "age": 1, "home": {"town": "Ulm"}}"#, #"insert Cat {"name": "Tom"}"#,
    "update Dog set age = 2", "update Dog set name = 'Rex'", "delete Cat",
  ]

  /// Runs `watch` with `options` while commits are made, one after the other, as soon as it watches.
  private func changes(_ options: String) throws -> [String] {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "pets.realm"])
    try scene.run(["-w", "pets.realm", Self.classes])
    let commits = Self.commits.map {
      "$R -w --yes pets.realm '\($0.replacing("'", with: "'\\''"))' 2>>commits.log"
    }
    let script = """
      $R watch pets.realm \(options) --for 60s >seen & watch=$!
      while [ ! -s seen ]; do sleep 0.02; done
      \(commits.joined(separator: "; sleep 0.4; "))
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
    let seen = try changes("--jsonl --count 4")
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
    let seen = try changes("Dog 'age > 1' --count 1")
    #expect(
      seen == [
        "version N – TIME – Dog: 0 objects", "version N – TIME",
        #"  + Dog 0 {"name":"Rex","age":2,"home":{"town":"Ulm"}}"#, "  1 inserted, 0 deleted, 0 modified",
      ])
  }

  @Test("a program is given each change set")
  func program() throws {
    let seen = try changes("Cat --count 1 --exec 'cat >&2; cat >/dev/null' 2>told; cat told >>seen; true")
    #expect(seen.contains { $0.contains(#"{"op":"insert","class":"Cat","key":0"#) }, "\(seen)")
  }
}
