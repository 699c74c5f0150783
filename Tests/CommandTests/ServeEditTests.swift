// What the page asks before it changes something, and how it reads its line.

import Foundation
import Testing

private let api = "/api/v1"

@Suite("Editing in the page")
struct ServeEditTests {
  @Test("changes are made, undone and done again, and refused ones change nothing")
  func changes() throws {
    let server = try ServedRealm(try WholeFileScene(), ["-w", "zoo.realm"])
    func change(_ text: String) throws -> ServedRealm.Answer {
      try server.post("\(api)/realms/0/changes", #"{"changes":[\#(text)]}"#)
    }
    func name() throws -> String { try server.get("\(api)/realms/0/objects/Dog/0?property=name").text }
    let former = try name()
    #expect(
      try change(#"{"op":"set","class":"Dog","key":"0","path":["name"],"value":"Laika"}"#).status == 200)
    #expect(try name().contains("Laika"))
    #expect(try change(#"{"op":"undo"}"#).status == 200)
    #expect(
      try name().replacing(/"version":[0-9]+/, with: "") == former.replacing(/"version":[0-9]+/, with: ""))
    #expect(try change(#"{"op":"redo"}"#).status == 200)
    #expect(try name().contains("Laika"))
    for wrong in [
      #"{"op":"set","class":"Dog","key":"0","path":["name"],"value":7}"#,
      #"{"op":"set","class":"Dog","key":"0","path":["nmae"],"value":"x"}"#,
      #"{"op":"set","class":"Dog","key":"99999","path":["name"],"value":"x"}"#,
      #"{"op":"remove","class":"Dog","key":"0","path":["name"]}"#, #"{"op":"fly"}"#, "7",
      #"{"op":"undo"},{"op":"undo"}"#,
    ] {
      let answer = try change(wrong)
      #expect([400, 404, 409].contains(answer.status), "\(wrong): \(answer.status) \(answer.text)")
    }
    #expect(try name().contains("Laika"))
    #expect(try change(#"{"op":"delete","class":"Dog","key":"0"}"#).status == 200)
    #expect(try server.get("\(api)/realms/0/objects/Dog/0").status == 404)
    try server.scene.run(["check", "zoo.realm"])
  }

  @Test("what has changed since it was read is not overwritten")
  func states() throws {
    let server = try ServedRealm(try WholeFileScene(), ["-w", "zoo.realm"])
    let dog = "\(api)/realms/0/objects/Dog/0"
    func state() throws -> String {
      let text = try server.get("\(dog)?property=name&count=9").text
      return String(try #require(text.firstMatch(of: /"states":{"name":"([^"]+)"}/)).1)
    }
    func set(_ name: String, _ state: String) throws -> ServedRealm.Answer {
      let change =
        #"{"op":"set","class":"Dog","key":"0","path":["name"],"value":"\#(name)","state":"\#(state)"}"#
      return try server.post("\(api)/realms/0/changes", #"{"changes":[\#(change)]}"#)
    }
    let first = try state()
    #expect(try server.get(dog).text.contains(#""name":"\#(first)""#))
    // What others have changed beside it is no reason to refuse.
    try server.scene.run(["-w", "--yes", "zoo.realm", "update Dog set age = 3"])
    #expect(try set("Laika", first).status == 200)
    let refused = try set("Belka", first)
    #expect(refused.status == 409 && refused.text.contains(#""kind":"changed""#), "\(refused.text)")
    #expect(try server.get(dog).text.contains("Laika"))
    #expect(try set("Belka", try state()).status == 200)
  }

  @Test("a value inside of an embedded object is set there, and the object stays the one that it is")
  func embedded() throws {
    let server = try ServedRealm(try WholeFileScene(), ["-w", "zoo.realm"])
    func set(_ path: String, _ value: String) throws -> ServedRealm.Answer {
      try server.post(
        "\(api)/realms/0/changes",
        #"{"changes":[{"op":"set","class":"Person","key":"0","path":\#(path),"value":\#(value)}]}"#)
    }
    let answer = try set(#"["address","city"]"#, #""Elsewhere""#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(try server.get("\(api)/realms/0/objects/Address/0").text.contains("Elsewhere"))
    #expect(try set(#"["address"]"#, "null").status == 200)
    let missing = try set(#"["address","city"]"#, #""x""#)
    #expect(missing.status == 400 && missing.text.contains("Person.address is null"), "\(missing.text)")
    // A text of more than a megabyte is a value as others are.
    #expect(try set(#"["nick"]"#, "\"\(String(repeating: "x", count: 3 << 20))\"").status == 200)
  }

  @Test("a text is told to be a condition or a statement as the prompt would read it")
  func lines() throws {
    let server = try ServedRealm(try WholeFileScene(), ["zoo.realm"])
    for (text, kind) in [
      ("age > 3", "condition"), ("nmae", "condition"), ("name", "condition"), ("age >", "condition"),
      ("Person", "statement"), ("Person 7", "statement"), ("Dog @11", "statement"),
      ("Person sort(age desc) limit(3)", "statement"), ("percentile 90 age of Person", "statement"),
      ("values (1),(2)", "statement"), ("count Person wher", "statement"),
    ] {
      let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let answer = try server.get("\(api)/realms/0/line?class=Person&text=\(query)").text
      #expect(answer.contains(#""kind":"\#(kind)""#), "\(text): \(answer)")
    }
    let name = try server.get("\(api)/realms/0/rows?class=Person&where=nmae").text
    #expect(name.contains("unknown property") && name.contains("did you mean"), "\(name)")
  }

  @Test("what is not there is told as commands tell it")
  func unknownNames() throws {
    let server = try ServedRealm(try WholeFileScene(), ["zoo.realm"])
    for (path, hint) in [
      ("rows?class=Dgo", "did you mean 'Dog'?"), ("objects/Dog/0?property=nmae", "did you mean 'name'?"),
      ("summary?class=Dog&property=nmae", "did you mean 'name'?"),
    ] {
      let answer = try server.get("\(api)/realms/0/\(path)")
      #expect(answer.status == 404)
      let document = try JSONSerialization.jsonObject(with: answer.body) as? [String: [String: Any]]
      let error = try #require(document?["error"])
      #expect(Set(error.keys) == ["kind", "message", "file", "line", "column", "hint", "exit"])
      #expect(error["hint"] as? String == hint)
    }
    let stranger = "GET \(api)/realms HTTP/1.1\r\nHost: localhost\r\n\r\n"
    #expect(try server.send(stranger).text.contains(#""kind":"token""#))
  }

  @Test("what a statement or condition probably does not mean is told with its result")
  func warnings() throws {
    let server = try ServedRealm(try WholeFileScene(), ["zoo.realm"])
    for (path, warning) in [
      ("query?text=select name from Dog where breed = null", "comparison with null"),
      ("query?text=select 1", nil), ("query?text=Dog where name like '%25a'", "*"),
      ("rows?class=Dog&where=name like '%25a'", "*"), ("rows?class=Dog&where=age > 3", nil),
    ] {
      let answer = try server.get(
        "\(api)/realms/0/\(path.replacingOccurrences(of: " ", with: "%20"))")
      let document = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
      let warnings = try #require(document?["warnings"] as? [String], "\(path): \(answer.text)")
      #expect(warnings.count == (warning == nil ? 0 : 1), "\(path): \(warnings)")
      if let warning { #expect(warnings[0].contains(warning), "\(path): \(warnings)") }
    }
  }
}
