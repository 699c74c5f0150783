// What `export` writes, `import` reads: every bundled realm, and realms made by chance, in every format.

import Foundation
import TestSupport
import Testing

@Suite("Export and import")
struct ExportImportTests {
  private static let formats = ["csv", "tsv", "json", "jsonl"]

  /// Exports all classes; gives the texts in the order of their classes.
  private static func export(
    _ name: String, _ key: [String], as format: String, to output: String, _ scene: WholeFileScene,
    _ options: [String] = []
  ) throws -> [String] {
    let target = format == "json" ? output : output + "/"
    try scene.run(["export", name, "--force", "--format", format, "-o", target] + options + key)
    guard format != "json" else { return [String(decoding: try scene.bytes(output), as: UTF8.self)] }
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.url(output).path).sorted()
    return try names.map { $0 + "\n" + String(decoding: try scene.bytes("\(output)/\($0)"), as: UTF8.self) }
  }

  /// Imports what was exported into an empty realm of the same schema.
  private static func twin(
    of name: String, _ key: [String], from output: String, called twin: String, _ scene: WholeFileScene
  ) throws {
    let schema = try scene.run(["schema", name, "--format=yaml"] + key).output
    try schema.write(to: scene.url("schema.yaml"))
    try scene.run(["create", twin, "--force", "--schema", "schema.yaml"])
    try scene.run(["import", twin, output])
    try scene.run(["check", twin])
  }

  /// The twin's export is the original's, and the twin of the twin has the same hash: its mixed values have types that the
  /// format keeps.
  private static func checkTwins(
    of name: String, _ key: [String], as format: String, _ scene: WholeFileScene, _ note: Comment
  ) throws {
    let ending = format == "json" ? ".json" : ""
    let original = try export(name, key, as: format, to: "original-\(format)\(ending)", scene)
    try twin(of: name, key, from: "original-\(format)\(ending)", called: "twin.realm", scene)
    let exported = try export("twin.realm", [], as: format, to: "twin-\(format)\(ending)", scene)
    // Mixed values of other types have other places in a set.
    let hasMixedSet = try scene.run(["schema", name] + key).outputText.contains("set<mixed")
    #expect(hasMixedSet || exported == original, note)
    try twin(of: "twin.realm", [], from: "twin-\(format)\(ending)", called: "second.realm", scene)
    #expect(try scene.hash("second.realm", []) == scene.hash("twin.realm", []), note)
  }

  @Test("a realm is the same after every format", .slow, arguments: WholeFileScene.realms)
  func bundled(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    // What has no classes has nothing to export.
    guard try scene.run(["info", realm.name, "--json"] + realm.key).outputText.contains("\"objects\"") else {
      return
    }
    for format in Self.formats {
      try Self.checkTwins(of: realm.name, realm.key, as: format, scene, "\(format)")
    }
  }

  @Test(
    "a realm is the same after a dump, and after a format with columns for embedded objects", .slow,
    arguments: WholeFileScene.realms)
  func dumpedOrFlattened(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    guard try scene.run(["info", realm.name, "--json"] + realm.key).outputText.contains("\"objects\"") else {
      return
    }
    try scene.run(["dump", realm.name] + realm.key).output.write(to: scene.url("dump.jsonl"))
    try Self.twin(of: realm.name, realm.key, from: "dump.jsonl", called: "twin.realm", scene)
    #expect(try scene.hash("twin.realm", []) == scene.hash(realm.name, realm.key), "dump")
    for format in Self.formats {
      let (plain, flat) =
        format == "json" ? ("plain.json", "flat.json") : ("plain-\(format)", "flat-\(format)")
      _ = try Self.export(realm.name, realm.key, as: format, to: plain, scene)
      _ = try Self.export(realm.name, realm.key, as: format, to: flat, scene, ["--flatten"])
      try Self.twin(of: realm.name, realm.key, from: plain, called: "twin.realm", scene)
      try Self.twin(of: realm.name, realm.key, from: flat, called: "flat.realm", scene)
      #expect(try scene.hash("flat.realm", []) == scene.hash("twin.realm", []), "\(format)")
    }
  }

  @Test(
    "what the formats keep whole has the same hash",
    arguments: ["place.realm", "evolved.realm", "bare.realm", "legacy9-small.realm"])
  func hashes(name: String) throws {
    let scene = try WholeFileScene()
    for format in Self.formats {
      let output = format == "json" ? "all.json" : "all-\(format)"
      _ = try Self.export(name, [], as: format, to: output, scene)
      try Self.twin(of: name, [], from: output, called: "twin.realm", scene)
      #expect(try scene.hash("twin.realm", []) == scene.hash(name, []), "\(format)")
    }
  }

  @Test("realms made by chance are the same after every format", .slow)
  func random() throws {
    let first = testSeed()
    for seed in first..<first + 6 {
      let scene = try WholeFileScene(isEmpty: true)
      var random = RandomRealm(seed: seed)
      try Data(random.beginning().utf8).write(to: scene.url("make.sql"))
      let made = try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.sql")
      #expect(made.status == 0, "seed \(seed): \(made.errorText)")
      for format in Self.formats {
        try Self.checkTwins(of: "a.realm", [], as: format, scene, "seed \(seed), \(format)")
      }
    }
  }

  @Test("unnesting writes each element with the cells of its object")
  func unnested() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let statements = """
      create class Tag embedded { word: string, n: int? }
      create class P { id: int primary key, name: string?, ns: list<int?>, map: dictionary<string>, tags: list<Tag>, \
      friends: list<P> }
      insert P [{ "id": 1, "name": "a,b", "ns": [3, null, 3], "map": {"y": "2", "x": ""}, \
      "tags": [{"word": "w", "n": 1}, {"word": ""}], "friends": [2, 1] }, { "id": 2 }]
      """
    try Data(statements.utf8).write(to: scene.url("make.sql"))
    #expect(try scene.shell("\"$R\" create a.realm && \"$R\" -w a.realm <make.sql").status == 0)
    func export(_ words: String...) throws -> String {
      try scene.run(["export", "a.realm", "P"] + words).outputText
    }
    #expect(
      try export("--select", "id, ns, name", "--unnest", "ns")
        == "id,ns,name\n1,3,\"a,b\"\n1,,\"a,b\"\n1,3,\"a,b\"\n2,,\n")
    #expect(
      try export("--select", "id, map", "--unnest", "map", "--format", "tsv")
        == "id\tmap.key\tmap.value\n1\tx\t\n1\ty\t2\n2\t\\N\t\\N\n")
    #expect(
      try export("--select", "id, tags", "--unnest", "tags", "--flatten", "--jsonl")
        == """
        {"id":1,"tags.word":"w","tags.n":1}
        {"id":1,"tags.word":"","tags.n":null}
        {"id":2,"tags.word":null,"tags.n":null}

        """)
    #expect(
      try export("--select", "id, tags", "--unnest", "tags", "--json", "--limit", "1")
        == "[\n{\"id\":1,\"tags\":{\"word\":\"w\",\"n\":1}},\n{\"id\":1,\"tags\":{\"word\":\"\",\"n\":null}}\n]\n"
    )
    #expect(
      try export("--select", "id, friends", "--unnest", "friends", "id == 1") == "id,friends\n1,2\n1,1\n")
    for (name, part) in [("name", "is not a list"), ("nss", "did you mean 'ns'?"), ("id", "one of: ns, map")]
    {
      let result = try RealmProcess.run(
        ["export", "a.realm", "P", "--unnest", name], in: scene.folder.url)
      #expect(result.status == 2 && result.errorText.contains(part), "\(result)")
    }
  }

  @Test("rejected rows that find no room keep everything from being imported")
  func fullRejects() throws {
    let scene = try WholeFileScene()
    try Data("name,age\nRex,3\nBad,x\n".utf8).write(to: scene.url("dogs.csv"))
    let before = try scene.bytes("zoo.realm")
    let result = try scene.run(
      ["import", "zoo.realm", "Dog", "dogs.csv", "--rejects", "/dev/full"], status: 10)
    #expect(result.errorText.contains("No space left"), "\(result)")
    #expect(try scene.bytes("zoo.realm") == before)
  }

  @Test("what comes from a pipe keeps nobody out until all of it is there")
  func slowPipe() throws {
    let scene = try WholeFileScene()
    let result = try scene.shell(
      """
      # More than a pipe holds has gone when somebody reads.
      { echo 'name,age,vaccinated'; yes 'Rex,3,true' | head -n 19999; touch begun
        until [ -e go ]; do sleep 0.05; done; echo 'Rex,3,true'; } \
        | "$R" import zoo.realm Dog - --format csv >out 2>&1 &
      until [ -e begun ]; do sleep 0.05; done
      "$R" -w zoo.realm 'update Person set age = 1'; status=$?
      touch go; wait; cat out; exit $status
      """)
    #expect(result.status == 0 && result.outputText.contains("created 20000 objects"), "\(result)")
  }

  @Test(
    "links to objects whose keys need escapes come back to the same objects",
    arguments: ["csv", "tsv", "json", "jsonl"])
  func escapedKeys(format: String) throws {
    let scene = try WholeFileScene(isEmpty: true)
    let keys = ["C:\\\\x", "C:\\\\\\\\x", "a\\\"b", "two\\nlines", "\\u0001", "\\u0085", "tab\\t", "plain"]
    try scene.run(["create", "a.realm"])
    try scene.run([
      "-w", "a.realm", "create class Dir { path: string primary key }",
      "create class File { id: int primary key, dir: Dir? }",
    ])
    for (number, key) in keys.enumerated() {
      try scene.run([
        "-w", "a.realm", "insert Dir {\"path\": \"\(key)\"}",
        "insert File {\"id\": \(number), \"dir\": \"\(key)\"}",
      ])
    }
    try scene.run(["export", "a.realm", "--format", format, "-o", "ex/"])
    #expect(try scene.shell("\"$R\" schema --format=yaml a.realm >s.yaml").status == 0)
    try scene.run(["create", "--schema", "s.yaml", "b.realm"])
    try scene.run(["import", "b.realm", "ex"])
    let question = "File sort(id asc) select id, dir.path"
    #expect(
      try scene.run(["b.realm", "--json", question]).outputText
        == scene.run(["a.realm", "--json", question]).outputText)
  }

  @Test(
    "objects without a primary key come with their object keys, whatever properties and classes are called",
    arguments: ["csv", "tsv", "json", "jsonl"])
  func objectKeys(format: String) throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "a.realm"])
    try scene.run([
      "-w", "a.realm", "create class _key { id: int primary key }", "create class P { key: string, n: int }",
      "create class D { id: int primary key, to: P? }", "insert P {\"key\": \"k\", \"n\": 1}",
      "insert D {\"id\": 1, \"to\": {\"$link\": {\"class\": \"P\", \"key\": 0}}}",
    ])
    try scene.run(["export", "a.realm", "--format", format, "-o", "ex/"])
    #expect(try scene.shell("\"$R\" schema --format=yaml a.realm >s.yaml").status == 0)
    try scene.run(["create", "--schema", "s.yaml", "b.realm"])
    try scene.run(["import", "b.realm", "ex"])
    #expect(try scene.run(["b.realm", "D select to.key", "--csv"]).outputText.contains("k"))
  }

  @Test("a link that leads nowhere is told of with the source that it stands in")
  func sourceOfLink() throws {
    let scene = try WholeFileScene(isEmpty: true)
    try scene.run(["create", "a.realm"])
    try scene.run([
      "-w", "a.realm", "create class B { id: int primary key }",
      "create class A { id: int primary key, b: B? }",
    ])
    try Data("id,b\n1,9\n".utf8).write(to: scene.url("A.csv"))
    try Data("id\n1\n".utf8).write(to: scene.url("B.csv"))
    let names = ["A.csv", "B.csv"]
    try FileManager.default.createDirectory(at: scene.url("w"), withIntermediateDirectories: false)
    for name in names { try FileManager.default.moveItem(at: scene.url(name), to: scene.url("w/\(name)")) }
    #expect(try scene.run(["import", "a.realm", "w"], status: 8).errorText.contains("w/A.csv:2"))
  }
}
