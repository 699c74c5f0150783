// load and create.

import Foundation
import Testing

@Suite("Loading and creating")
struct LoadTests {
  @Test("the dump of what was loaded is the dump", arguments: WholeFileScene.realms)
  func roundTrip(realm: (name: String, key: [String])) throws {
    let scene = try WholeFileScene()
    let dump = try scene.run(["dump", realm.name] + realm.key).outputText
    try Data(dump.utf8).write(to: scene.url("data.jsonl"))
    try scene.run(["load", "loaded.realm", "data.jsonl"])
    // What is loaded has the current format, whatever the original had.
    let lines = try scene.dump("loaded.realm", []).split(separator: "\n").dropFirst()
    let isCurrent = dump.hasPrefix("{\"realm\":{\"file_format\":24")
    if isCurrent { #expect(Array(lines) == Array(dump.split(separator: "\n").dropFirst())) }
    #expect(try scene.hash("loaded.realm", []) == scene.hash(realm.name, realm.key))
    // And is written on by the next command.
    try scene.run(["load", "--force", "loaded.realm", "data.jsonl", "--key-file", "key.hex"])
    #expect(try scene.hash("loaded.realm", ["--key-file", "key.hex"]) == scene.hash(realm.name, realm.key))
  }

  @Test("a dump comes through a pipe")
  func pipe() throws {
    let scene = try WholeFileScene()
    let result = try scene.shell("\"$R\" dump zoo.realm | \"$R\" load new.realm -")
    #expect(result.status == 0, "\(result)")
    #expect(try scene.dump("new.realm", []) == scene.dump("zoo.realm", []))
  }

  @Test("the same dump gives the same bytes each time")
  func sameBytes() throws {
    let scene = try WholeFileScene()
    let dump = try scene.dump("zoo.realm", [])
    try Data(dump.utf8).write(to: scene.url("data.jsonl"))
    // The order of a dictionary changes from run to run.
    for name in ["1.realm", "2.realm", "3.realm"] { try scene.run(["load", name, "data.jsonl"]) }
    #expect(try scene.bytes("1.realm") == scene.bytes("2.realm"))
    #expect(try scene.bytes("1.realm") == scene.bytes("3.realm"))
  }

  private static let head = """
    {"realm":{"file_format":24,"schema_version":null}}
    {"class":"Dog","kind":"object","primary_key":"_id","properties":[{"name":"_id","type":"int"},\
    {"name":"name","type":"string"},{"name":"any","type":"mixed","optional":true},\
    {"name":"next","type":"object","optional":true,"target":"Dog"}],"count":2}

    """

  private static func dog(_ key: Int, _ values: String) -> String {
    head + "{\"object\":\"Dog\",\"key\":\(key),\"values\":{\(values)}}\n"
  }

  private static func dogs(_ key: Int, _ values: String) -> String {
    let line = "{\"object\":\"Dog\",\"key\":\(key),\"values\":{\(values)}}\n"
    return dog(key == 3 ? 3 : 0, "\"_id\":1") + line
  }

  private static let broken: [(String, String)] = [
    ("", "not a dump"),
    ("[]", "not a dump"),
    (head, "counts 2 objects of Dog, but holds 0"),
    (head + "{\"object\":\"Cat\",\"key\":0}", "line 3, column 11 – there is no class Cat"),
    (dog(0, "\"age\":1"), "no property age"),
    (dog(0, "\"_id\":\"x\""), "Dog._id is int, not \"x\""),
    (dog(0, "\"name\":null"), "holds no null: it is string"),
    (dog(0, "\"_id\":1,\"_id\":2"), "two values"),
    (dog(0, "\"any\":{\"$date\":\"now\"}"), "$date"),
    (dogs(3, "\"_id\":2"), "comes after 3"),
    (dogs(1, "\"_id\":1"), "this primary key"),
    (dogs(1, "\"_id\":2,\"next\":{\"$link\":{\"class\":\"Dog\",\"key\":9}}"), "not there"),
    (head + "{\"object\":\"Dog\",\"key\":0,\"values\":{\"name\":\"x", "ends inside a string"),
  ]

  @Test("what is no whole dump leaves nothing behind", arguments: broken)
  func refusals(_ dump: String, _ part: String) throws {
    let scene = try WholeFileScene()
    try Data(dump.utf8).write(to: scene.url("data.jsonl"))
    let names = scene.names
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(result.errorText.contains(part), "\(result.errorText)")
    #expect(scene.names == names)
  }

  @Test("plain values are read as well as a dump's")
  func plainValues() throws {
    let scene = try WholeFileScene()
    let dump = """
      {"realm":{"schema_version":7}}
      {"class":"All","kind":"object","primary_key":null,"properties":[{"name":"o","type":"objectId"},\
      {"name":"u","type":"uuid"},{"name":"d","type":"date"},{"name":"n","type":"decimal128"},\
      {"name":"b","type":"data"},{"name":"f","type":"float"},{"name":"x","type":"double"},\
      {"name":"s","type":"int","collection":"set"},{"name":"m","type":"mixed","optional":true},\
      {"name":"e","type":"object","optional":true,"target":"In"}],"count":1}
      {"class":"In","kind":"embedded","primary_key":null,"properties":[{"name":"i","type":"int"}],"count":1}
      {"object":"All","values":{"o":"0123456789abcdef01234567","u":"01234567-89ab-cdef-0123-456789abcdef",\
      "d":"2020-01-01T00:00:00Z","n":12.50,"b":"AAEC","f":1.5,"x":"NaN","s":[2,1,2],\
      "m":{"a":[1,2.5,"t",null,true]},"e":{"i":3}}}

      """
    try Data(dump.utf8).write(to: scene.url("data.jsonl"))
    try scene.run(["load", "new.realm", "data.jsonl"])
    let last = try #require(try scene.dump("new.realm", []).split(separator: "\n").last)
    #expect(
      last == """
        {"object":"All","key":0,"values":{"o":{"$oid":"0123456789abcdef01234567"},\
        "u":{"$uuid":"01234567-89ab-cdef-0123-456789abcdef"},"d":{"$date":"2020-01-01T00:00:00Z"},\
        "n":{"$decimal":"12.50"},"b":{"$binary":"AAEC"},"f":{"$float":1.5},"x":{"$double":"NaN"},\
        "s":{"$set":[1,2]},"m":{"$dict":{"a":[1,2.5,"t",null,true]}},"e":{"$embedded":{"i":3}}}}
        """)
  }

  private static let plainHead = """
    {"realm":{"file_format":24,"schema_version":null}}
    {"class":"Plain","kind":"object","primary_key":null,"properties":[{"name":"i","type":"int"},\
    {"name":"n","type":"int","optional":true},{"name":"b","type":"bool"},{"name":"d","type":"double"},\
    {"name":"t","type":"string","optional":true},{"name":"at","type":"date","optional":true},\
    {"name":"f","type":"float","optional":true},{"name":"dec","type":"decimal128"},{"name":"raw","type":"data"},\
    {"name":"oid","type":"objectId","optional":true},{"name":"uuid","type":"uuid"}],"count":COUNT}

    """

  /// Each list has a length of its own, so that all kinds of values meet.
  private static let plainValues: [(name: String, values: [String])] = [
    ("i", ["0", "-1", "-0", "9223372036854775807", "-9223372036854775808", "123456789012345678", "42"]),
    ("n", ["null", "7", "-900000000000000000", "null", "1"]),
    ("b", ["true", "false", "true"]),
    (
      "d",
      [
        "0", "-0", "1.5", "-2.25e-3", "1E300", "0.1234567890123456", "{\"$double\":\"NaN\"}", "10",
        "123456789012345678901234567890",
      ]
    ),
    (
      "t",
      [
        "\"\"", "null", "\"plain\"", "\"\\\"quoted\\\" \\n \\u00e9\"", "\"è, 中, 😀\"", "\"null\"", "\"}}\"",
        "\"\(String(repeating: "long ", count: 6_000))\"", "\"a text of twenty bytes\"",
        "{\"$string\":\"//4=\"}", "\"x\"",
      ]
    ),
    (
      "at",
      [
        "null", "{\"$date\":\"1970-01-01T00:00:00Z\"}", "{\"$date\":[-5,-6]}",
        "{\"$date\":\"1901-02-03T04:05:06.000000007Z\"}", "\"2020-01-01T00:00:00Z\"",
        "{\"$date\":\"2020-02-29T23:59:59.5Z\"}",
      ]
    ),
    ("f", ["{\"$float\":1.5}", "null", "{\"$float\":-2e10}", "7", "{\"$float\":\"Infinity\"}"]),
    ("dec", ["{\"$decimal\":\"12.50\"}", "{\"$decimal\":\"-1E-6143\"}", "3", "{\"$decimal\":\"NaN\"}"]),
    ("raw", ["{\"$binary\":\"\"}", "{\"$binary\":\"AAECAwQ=\"}", "\"AAEC\""]),
    ("oid", ["{\"$oid\":\"0123456789abcdef01234567\"}", "null", "\"0123456789abcdef01234567\""]),
    ("uuid", ["{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}"]),
  ]

  private static func plainLine(_ number: Int, blank: String) -> String {
    let values = plainValues.map { "\"\($0.name)\":\($0.values[number % $0.values.count])" }
    return "{\(blank)\"object\":\"Plain\",\"key\":\(number),\"values\":{\(values.joined(separator: ","))}}\n"
  }

  @Test("lines as dump writes them and lines with blanks in them hold the same objects")
  func linesOfAnyForm() throws {
    let scene = try WholeFileScene()
    let count = 1300
    let head = Self.plainHead.replacingOccurrences(of: "COUNT", with: "\(count)")
    var plain = head
    var mixed = head
    var blank = head
    for number in 0..<count {
      plain += Self.plainLine(number, blank: "")
      mixed += Self.plainLine(number, blank: number % 3 == 0 ? " " : "")
      blank += Self.plainLine(number, blank: " ")
    }
    // The last line need not end, and others may end as on other systems.
    mixed.removeLast()
    mixed = mixed.replacingOccurrences(of: "\"x\",\"at\":null}}\n", with: "\"x\",\"at\":null}}\r\n")
    var files: Set<[UInt8]> = []
    for (name, text) in [("plain", plain), ("mixed", mixed), ("blank", blank)] {
      try Data(text.utf8).write(to: scene.url("\(name).jsonl"))
      try scene.run(["load", "\(name).realm", "\(name).jsonl"])
      files.insert([UInt8](try scene.bytes("\(name).realm")))
    }
    #expect(files.count == 1)
    // Through a pipe the lines come in pieces.
    let result = try scene.shell("\"$R\" load piped.realm - < plain.jsonl")
    #expect(result.status == 0, "\(result)")
    let piped = try scene.shell("cat mixed.jsonl | \"$R\" load --force piped.realm -")
    #expect(piped.status == 0, "\(piped)")
    #expect(files == [[UInt8](try scene.bytes("piped.realm"))])
    let dumped = try scene.dump("plain.realm", []).split(separator: "\n")
    #expect(dumped.count == count + 2)
    #expect(
      dumped[2 + 60] == """
        {"object":"Plain","key":60,"values":{"i":-9223372036854775808,"n":null,"b":true,\
        "d":{"$double":"NaN"},"t":"null","at":null,"f":{"$float":1.5},"dec":{"$decimal":"12.50"},\
        "raw":{"$binary":""},"oid":{"$oid":"0123456789abcdef01234567"},\
        "uuid":{"$uuid":"01234567-89ab-cdef-0123-456789abcdef"}}}
        """)
  }

  private static let pairHead = """
    {"realm":{"file_format":24,"schema_version":null}}
    {"class":"A","kind":"object","primary_key":"i","properties":[{"name":"i","type":"int"},\
    {"name":"t","type":"string","indexed":true}],"count":COUNT}
    {"class":"B","kind":"object","primary_key":null,"properties":[{"name":"i","type":"int"},\
    {"name":"t","type":"string","optional":true}],"count":COUNT}

    """

  private static func pairLine(_ name: String, _ key: Int, _ text: String) -> String {
    "{\"object\":\"\(name)\",\"key\":\(key),\"values\":{\"i\":\(key),\"t\":\(text)}}\n"
  }

  /// As many plain lines of two classes as fill several clusters, with `odd` lines in place of some or behind them.
  private static func pair(count: Int, _ odd: (String, Int) -> String?) -> String {
    var text = pairHead.replacingOccurrences(of: "COUNT", with: "\(count)")
    for name in ["A", "B"] {
      for key in 0..<count { text += odd(name, key) ?? pairLine(name, key, "\"text \(key % 40)\"") }
    }
    return text
  }

  @Test("lines of another form among plain ones change nothing but how they are read")
  func oddLines() throws {
    let scene = try WholeFileScene()
    let count = 2000
    let texts: [(String, String)] = [
      ("plain", Self.pair(count: count) { _, _ in nil }),
      (
        "tokens",
        Self.pair(count: count) { name, key in
          " " + Self.pairLine(name, key, "\"text \(key % 40)\"")
        }
      ),
      (
        "escapes",
        Self.pair(count: count) { name, key in
          key % 600 > 200 ? nil : Self.pairLine(name, key, "\"te\\u0078t \(key % 40)\"")
        }
      ),
      (
        "odd",
        Self.pair(count: count) { name, key in
          // Blank lines move all that follow to other pieces.
          let line = Self.pairLine(name, key, "\"text \(key % 40)\"")
          return key % 700 == 690 ? "\n\n" + line : key % 300 == 7 ? " " + line : nil
        }
      ),
    ]
    var files: Set<[UInt8]> = []
    for (name, text) in texts {
      try Data(text.utf8).write(to: scene.url("\(name).jsonl"))
      try scene.run(["load", "\(name).realm", "\(name).jsonl"])
      files.insert([UInt8](try scene.bytes("\(name).realm")))
    }
    #expect(files.count == 1)
    let dumped = try scene.dump("plain.realm", [])
    #expect(dumped.hasSuffix("{\"object\":\"B\",\"key\":1999,\"values\":{\"i\":1999,\"t\":\"text 39\"}}\n"))
    #expect(dumped.split(separator: "\n").count == 2 * count + 3)
  }

  @Test(
    "a mistake far behind the first lines is told of by its place",
    arguments: [
      ("\"key\":1700,\"values\":{\"i\":\"x\"}}", "line 1704, column 40 – A.i is int, not \"x\""),
      (
        "\"key\":1199,\"values\":{\"i\":1}}", "line 1704, column 26 – A: the object key 1199 comes after 1699"
      ),
      ("\"key\":-1,\"values\":{\"i\":1}}", "line 1704, column 24 – -1 cannot be an object's key"),
      ("\"key\":1700,\"values\":{\"i\":1}}x", "line 1704, column 43 – expected the end of the line"),
    ])
  func lateMistake(_ line: String, _ part: String) throws {
    let scene = try WholeFileScene()
    let text = Self.pair(count: 2000) { name, key in
      name == "A" && key == 1700 ? "{\"object\":\"A\",\(line)\n" : nil
    }
    try Data(text.utf8).write(to: scene.url("data.jsonl"))
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(result.errorText.contains(part), "\(result.errorText)")
    #expect(!scene.names.contains("new.realm"))
  }

  private static let badLines: [(String, String)] = [
    ("\"key\":5,\"values\":{\"i\":5}", "line 6, column 27 – Plain: the object key 5 comes after 5"),
    ("\"key\":9,\"values\":{\"i\":05}", "line 6, column 41 – a number must not begin with a superfluous 0"),
    (
      "\"key\":9,\"values\":{\"i\":5,\"n\":1,\"b\":true,\"d\":1.,\"t\":null}", "a digit must follow the point"
    ),
    ("\"key\":9,\"values\":{\"i\":null}", "holds no null: it is int"),
    ("\"key\":9,\"values\":{\"i\":5,\"n\":1.5}", "Plain.n is int?, not 1.5"),
    ("\"key\":9,\"values\":{\"i\":5}}}", "found '}'"),
  ]

  @Test("a mistake in a line after good ones is told of by its place", arguments: badLines)
  func badLine(_ line: String, _ part: String) throws {
    let scene = try WholeFileScene()
    let text =
      Self.plainHead.replacingOccurrences(of: "COUNT", with: "4") + Self.plainLine(3, blank: "")
      + Self.plainLine(4, blank: "") + Self.plainLine(5, blank: "") + "{\"object\":\"Plain\",\(line)}\n"
    try Data(text.utf8).write(to: scene.url("data.jsonl"))
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(result.errorText.contains(part), "\(result.errorText)")
  }

  @Test("an existing file stays unless it may be replaced, and a busy one in any case")
  func existing() throws {
    let scene = try WholeFileScene()
    let before = try scene.bytes("place.realm")
    try scene.run(["load", "place.realm", "zoo.realm.jsonl"], status: 10)
    try scene.run(["create", "place.realm"], status: 10)
    try scene.run(["load", "missing/place.realm", "zoo.realm.jsonl"], status: 10)
    try scene.run(["load", "new.realm", "missing.jsonl"], status: 10)
    #expect(try scene.bytes("place.realm") == before)
    let said = try scene.run(["load", "--dry-run", "--force", "place.realm", "zoo.realm.jsonl"])
    #expect(said.outputText.contains("would be created with"))
    #expect(try scene.bytes("place.realm") == before)
    try scene.run(["load", "--force", "place.realm", "zoo.realm.jsonl"])
    #expect(try scene.dump("place.realm", []) == scene.dump("zoo.realm", []))
  }

  @Test("a created realm has the schema that was printed", arguments: ["text", "yaml", "json"])
  func create(format: String) throws {
    let scene = try WholeFileScene()
    for name in ["alltypes.realm", "bare.realm", "evolved.realm", "empty.realm", "zoo.realm"] {
      let document = try scene.run(["schema", "--format=\(format)", name]).outputText
      try Data(document.utf8).write(to: scene.url("schema"))
      try scene.run(["create", "--force", "new.realm", "--schema", "schema"])
      #expect(try scene.run(["schema", "--format=\(format)", "new.realm"]).outputText == document)
      try scene.run(["diff", "--schema", "--exit-code", "schema", name])
    }
    let document = try scene.run(["schema", "--format=\(format)", "zoo.realm"]).outputText
    try Data(document.utf8).write(to: scene.url("schema"))
    try scene.run(["create", "secret.realm", "--schema", "schema", "--key-file", "key.hex"])
    #expect(
      try scene.run(["schema", "--format=\(format)", "secret.realm", "--key-file", "key.hex"]).outputText
        == document)
    try scene.run(["create", "empty.out"])
    #expect(try scene.dump("empty.out", []) == "{\"realm\":{\"file_format\":24,\"schema_version\":null}}\n")
  }

  @Test("a mistake in a schema document is shown where it stands")
  func mistake() throws {
    let scene = try WholeFileScene()
    try Data("realm_schema: 1\nclasses:\n  A:\n    properties: { a: strng }\n".utf8).write(
      to: scene.url("schema.yaml"))
    let names = scene.names
    let result = try scene.run(["create", "new.realm", "--schema", "schema.yaml"], status: 8)
    #expect(result.errorText.contains("line 4, column 22"))
    #expect(result.errorText.contains("did you mean 'string'?"))
    #expect(result.errorText.contains("                     ^"))
    #expect(scene.names == names)
  }

  @Test(
    "a mistake in statements that make a schema is shown where it stands",
    arguments: [
      ("create class A {\n  b: Bar\n}", "line 2, column 6 – 'Bar' is neither a type nor a class"),
      ("-- A\ncreate class A { ä: int,\n ä: int }", "line 3, column 2 – 'ä' is declared twice"),
      ("create class A {}\ncreate class A {}", "line 2, column 14 – 'A' is declared twice"),
      ("create class A {}\n\ndelete A", "line 3, column 1 – a schema has no statements but 'create class'"),
      ("create class A {", "line 1, column 17 – expected"),
      ("create class A embedded { a: int primary key }", "column 30 – the embedded class A cannot"),
      ("create class A { a: double indexed }", "column 21 – A.a is a double and cannot have an index"),
    ])
  func mistakeInStatements(text: String, message: String) throws {
    let scene = try WholeFileScene()
    try Data(text.utf8).write(to: scene.url("schema"))
    let names = scene.names
    let result = try scene.run(["create", "new.realm", "--schema", "schema"], status: 8)
    #expect(result.errorText.contains(message))
    #expect(scene.names == names)
  }
}
