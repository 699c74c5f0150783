// Collections inside mixed values that are given to other properties or objects: each is a collection of its own there.

import Foundation
import TestSupport
import Testing

@Suite("Collections that are assigned")
struct CollectionAssignmentTests {
  private static let objects = """
    {"k":1,"a":[1,[2,3],{"x":4}],"b":{"q":[1]},"l":[[1],2],"d":{"z":[9]}}
    {"k":2,"a":5,"b":"t","l":[],"d":{}}
    """

  private static func makeRealm(_ scratch: ScratchFolder, objects: String = objects) throws {
    try run(["create", "a.realm"], scratch)
    try run(
      [
        "-w", "a.realm",
        "create class A { k: int primary key, a: mixed, b: mixed, l: list<mixed>, d: dictionary<mixed> }",
      ], scratch)
    try run(["upsert", "a.realm", "A", "--data", objects], scratch)
  }

  @discardableResult
  private static func run(_ arguments: [String], _ scratch: ScratchFolder) throws -> String {
    let outcome = try RealmProcess.run(arguments, in: scratch.url)
    try #require(outcome.status == 0, "\(arguments): \(outcome)")
    return outcome.outputText
  }

  struct Assignment: Sendable, CustomTestStringConvertible {
    let text: String
    /// The first object afterwards.
    let result: String

    var testDescription: String { text }
  }

  private static let assignments = [
    Assignment(
      text: "update A set a = a", result: #"{"a":[1,[2,3],{"x":4}],"b":{"q":[1]},"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A set a = b", result: #"{"a":{"q":[1]},"b":{"q":[1]},"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A set a = b, b = a",
      result: #"{"a":{"q":[1]},"b":[1,[2,3],{"x":4}],"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A where k == 1 set b = a ?? 1",
      result: #"{"a":[1,[2,3],{"x":4}],"b":[1,[2,3],{"x":4}],"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A set l = l", result: #"{"a":[1,[2,3],{"x":4}],"b":{"q":[1]},"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A set l = d.@values",
      result: #"{"a":[1,[2,3],{"x":4}],"b":{"q":[1]},"l":[[9]],"d":{"z":[9]}}"#),
    Assignment(
      text: "update A set a = first(l), b = d['z']",
      result: #"{"a":[1],"b":[9],"l":[[1],2],"d":{"z":[9]}}"#),
    Assignment(
      text: "begin; update A set a = b; update A set b = first(l), a = b; update A set b = a; commit",
      result: #"{"a":{"q":[1]},"b":{"q":[1]},"l":[[1],2],"d":{"z":[9]}}"#),
  ]

  @Test("a statement copies them", arguments: assignments)
  func statements(assignment: Assignment) throws {
    let scratch = try ScratchFolder()
    try Self.makeRealm(scratch)
    try Self.run(["-w", "a.realm", assignment.text], scratch)
    #expect(
      try Self.run(["--jsonl", "a.realm", "A limit(1) select a, b, l, d"], scratch) == assignment.result
        + "\n")
    try Self.run(["check", "a.realm"], scratch)
    // What is given up now would be what others still need.
    try Self.run(["-w", "-y", "a.realm", "update A set a = 1; delete A where k == 2"], scratch)
    try Self.run(["check", "a.realm"], scratch)
  }

  @Test("a migration of few or many objects copies them", .slow, arguments: [2, 3000])
  func migrations(count: Int) throws {
    let scratch = try ScratchFolder()
    let objects = (0..<count).map {
      #"{"k":\#($0),"a":[\#($0),[2],{"x":4}],"b":null,"l":[[1],{"q":[\#($0)]}],"d":{"z":[9]}}"#
    }
    try objects.joined(separator: "\n").write(
      to: scratch.url.appendingPathComponent("objects.jsonl"), atomically: false, encoding: .utf8)
    try Self.makeRealm(scratch)
    try Self.run(["-w", "-y", "a.realm", "delete A where k > 0"], scratch)
    try Self.run(["import", "a.realm", "A", "objects.jsonl"], scratch)
    try """
    realm_migration: 1
    from: 0
    to: 1
    up:
      - add_property: { class: A, name: c, type: mixed, value: a }
      - add_class: { name: B, properties: { m: mixed, n: "list<mixed>", s: mixed } }
      - create: { class: B, for_each: A, set: { m: a, n: l, s: "d['z']" } }
    """.write(to: scratch.url.appendingPathComponent("v001__c.yaml"), atomically: false, encoding: .utf8)
    try Self.run(["migrate", "apply", "--no-backup", "--in-place", "a.realm", "--dir", "."], scratch)
    try Self.run(["check", "a.realm"], scratch)
    #expect(try Self.run(["--json", "a.realm", "count A where c == a"], scratch).contains("\(count)"))
    let made = try Self.run(["--jsonl", "a.realm", "B limit(2)"], scratch)
    #expect(
      made == """
        {"m":[0,[2],{"x":4}],"n":[[1],{"q":[0]}],"s":[9]}
        {"m":[1,[2],{"x":4}],"n":[[1],{"q":[1]}],"s":[9]}

        """)
  }

  @Test("objects are not told apart by them")
  func distinct() throws {
    let scratch = try ScratchFolder()
    try Self.makeRealm(scratch)
    for end in ["", ", where: \"k < 9\""] {
      try """
      realm_migration: 1
      from: 0
      to: 1
      up:
        - add_class: { name: B, properties: { m: mixed } }
        - insert: { class: B, objects: [ { m: 1 } ] }
        - create: { class: B, for_each: A, set: { m: a }, distinct: true\(end) }
      """.write(to: scratch.url.appendingPathComponent("v001__d.yaml"), atomically: false, encoding: .utf8)
      let outcome = try RealmProcess.run(
        ["migrate", "apply", "--no-backup", "a.realm", "--dir", "."], in: scratch.url)
      #expect(outcome.status != 0 && outcome.errorText.contains("only single values"), "\(outcome)")
    }
  }
}
