// load of what a realm cannot hold: each thing is refused with its line, and nothing is left behind.

import Foundation
import Testing

@Suite("What load refuses, and what it keeps")
struct LoadLimitTests {
  private static func dump(
    _ type: String, _ values: [String], more: String = "", version: String = "1"
  ) -> String {
    """
    {"realm":{"file_format":24,"schema_version":\(version)}}
    {"class":"A","kind":"object","primary_key":null,"properties":[{"name":"v","type":"\(type)"\(more)}],\
    "count":\(values.count)}

    """
      + values.enumerated().map {
        "{\"object\":\"A\",\"key\":\($0.offset),\"values\":{\"v\":\($0.element)}}\n"
      }
      .joined()
  }

  private static let optional = ",\"optional\":true"

  private static let refused: [(type: String, value: String)] = [
    ("date", "{\"$date\":[1,-1]}"), ("date", "{\"$date\":[-1,1]}"), ("date", "{\"$date\":[0,1000000000]}"),
    ("date", "{\"$date\":[9223372036854775807,-999999999]}"), ("date", "{\"$date\":[1]}"),
    ("date", "{\"$date\":[0,99999999999]}"), ("date", "{\"$date\":\"2020-02-30T00:00:00Z\"}"),
    ("decimal128", "{\"$decimal\":\"1e99999\"}"), ("decimal128", "1e7000"),
    ("decimal128", "{\"$decimal\":\"-9.9999999999999999999999999999999999E6145\"}"),
    ("int", "9223372036854775808"), ("int", "1.5"), ("double", "1e400"), ("float", "{\"$float\":1e39}"),
    ("uuid", "{\"$uuid\":\"3c\"}"), ("uuid", "{\"$uuid\":\"00000000-0000-4000-8000-00000000006g\"}"),
    ("objectId", "{\"$oid\":\"5f000002000000000000009\"}"), ("data", "{\"$binary\":\"AQ=\"}"),
    ("mixed", "{\"$date\":[1,-1]}"), ("mixed", "{\"$decimal\":\"1e99999\"}"),
    ("mixed", "9223372036854775808"),
    ("mixed", "1e400"), ("mixed", "{\"$dict\":{\"a\":1,\"a\":2}}"),
    ("mixed", "{\"$link\":{\"class\":\"A\",\"key\":7}}"),
    ("mixed", "{\"$link\":{\"class\":\"A\",\"key\":-2}}"),
  ]

  @Test("a value that the format cannot hold is refused with its line", arguments: refused)
  func values(_ type: String, _ value: String) throws {
    let scene = try WholeFileScene()
    let good = [
      "date": "{\"$date\":[-1,-1]}", "decimal128": "1", "int": "1", "double": "1", "float": "1",
      "uuid": "{\"$uuid\":\"01234567-89ab-cdef-0123-456789abcdef\"}", "mixed": "null",
      "objectId": "{\"$oid\":\"0123456789abcdef01234567\"}", "data": "{\"$binary\":\"\"}",
    ]
    let isOptional = type == "mixed" ? Self.optional : ""
    let dump = Self.dump(type, [try #require(good[type]), value], more: isOptional)
    try Data(dump.utf8).write(to: scene.url("data.jsonl"))
    let names = scene.names
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(result.errorText.contains("line 4"), "\(result.errorText)")
    #expect(scene.names == names)
  }

  private static let classLine = """
    {"class":"B","kind":"object","primary_key":null,"properties":[{"name":"v","type":"int"}],"count":0}

    """

  private static let brokenLines: [(text: String, line: Int)] = [
    (dump("int", [], version: "\"x\""), 1), (dump("int", [], version: "1.5"), 1),
    (dump("int", [], version: "9223372036854775808"), 1),
    (dump("int", []) + classLine + classLine, 4), (dump("int", [], more: ",\"optional\":1"), 2),
    (dump("int", [], more: ",\"indexed\":\"yes\""), 2), (dump("double", [], more: ",\"indexed\":true"), 2),
    (dump("int", []) + classLine.replacingOccurrences(of: "\"B\"", with: "\"\""), 3),
    (
      dump("int", [])
        + classLine.replacingOccurrences(of: "\"int\"}", with: "\"int\"},{\"name\":\"v\",\"type\":\"int\"}"),
      3
    ),
    (
      dump("int", []) + classLine.replacingOccurrences(of: "\"int\"}", with: "\"object\",\"target\":\"C\"}"),
      3
    ),
    (dump("int", []) + classLine.replacingOccurrences(of: "null,\"p", with: "\"w\",\"p"), 3),
    (dump("int", []) + classLine.replacingOccurrences(of: ":0}", with: ":2}"), 3),
    (
      dump("int", [])
        + classLine.replacingOccurrences(of: "null,\"p", with: "\"v\",\"p")
        .replacingOccurrences(of: ":0}", with: ":3}")
        + [1, 2, 1].enumerated().map {
          "{\"object\":\"B\",\"key\":\($0.offset),\"values\":{\"v\":\($0.element)}}\n"
        }.joined(), 6
    ),
  ]

  @Test("what is wrong with a class, or among objects, is told with a line", arguments: brokenLines)
  func lines(_ text: String, _ line: Int) throws {
    let scene = try WholeFileScene()
    try Data(text.utf8).write(to: scene.url("data.jsonl"))
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(result.errorText.contains("line \(line)"), "\(result.errorText)")
    #expect(!scene.names.contains("new.realm"))
  }

  @Test("a link to nothing inside an embedded object is told with the line of the object that holds it")
  func embeddedLink() throws {
    let scene = try WholeFileScene()
    let text = """
      {"realm":{"schema_version":1}}
      {"class":"E","kind":"embedded","primary_key":null,"properties":[{"name":"to","type":"object","optional":true,\
      "target":"P"}],"count":2}
      {"class":"P","kind":"object","primary_key":null,"properties":[{"name":"e","type":"object","optional":true,\
      "target":"E"}],"count":2}
      {"object":"P","key":3,"values":{"e":{"$embedded":{"to":{"$link":{"class":"P","key":3}}}}}}
      {"object":"P","key":9,"values":{"e":{"$embedded":{"to":{"$link":{"class":"P","key":4}}}}}}

      """
    try Data(text.utf8).write(to: scene.url("data.jsonl"))
    let result = try scene.run(["load", "new.realm", "data.jsonl"], status: 8)
    #expect(
      result.errorText.contains("line 5") && result.errorText.contains("not there"), "\(result.errorText)")
  }

  private static let kept: [String] = [
    dump(
      "double", ["{\"$set\":[1.5,{\"$double\":\"NaN\"},0.5,{\"$double\":\"NaN\"}]}"],
      more: ",\"collection\":\"set\""),
    dump(
      "float", ["{\"$set\":[null,{\"$float\":2.0},{\"$float\":\"NaN\"},{\"$float\":1.0}]}"],
      more: ",\"collection\":\"set\",\"optional\":true"),
    dump(
      "mixed", ["{\"$set\":[null,false,{\"$double\":\"NaN\"},-1,0.5,1,\"a\",{\"$binary\":\"AQ==\"}]}"],
      more: ",\"collection\":\"set\",\"optional\":true"),
    dump("int", ["1"], version: "-5"), dump("int", ["1"], version: "null"),
    dump("int", ["1"], version: "9223372036854775807"),
    dump(
      "object",
      [
        "{\"$dict\":{\"gone\":{\"$link\":{\"class\":\"A\",\"key\":7}},\"here\":{\"$link\":{\"class\":\"A\",\"key\":0}}}}"
      ],
      more: ",\"collection\":\"dictionary\",\"optional\":true,\"target\":\"A\""),
  ]

  @Test("orders, versions and links to nothing that files have are kept", arguments: kept)
  func keeps(_ text: String) throws {
    let scene = try WholeFileScene()
    try Data(text.utf8).write(to: scene.url("data.jsonl"))
    try scene.run(["load", "new.realm", "data.jsonl"])
    #expect(try scene.dump("new.realm", []) == text)
    try scene.run(["check", "new.realm"])
  }

  @Test(
    "a set with a NaN is written so that what stands before it is in order", arguments: ["double", "float"])
  func setsWithNaN(type: String) throws {
    let scene = try WholeFileScene(isEmpty: true)
    let nan = type == "float" ? "{\"$float\":\"NaN\"}" : "{\"$double\":\"NaN\"}"
    try scene.run(["create", "a.realm"])
    try scene.run(["-w", "a.realm", "create class T { s: set<\(type)>, l: list<\(type)> }"])
    for set in ["1.5,0.5,\(nan)", "\(nan),1.5,0.5", "1.5,\(nan),0.5,2.5", "2.5,0.5,\(nan),0.5"] {
      try scene.run(["-w", "a.realm", "insert T {\"s\": [\(set)], \"l\": [\(set)]}"])
    }
    try scene.run(["check", "a.realm"])
    try scene.run(["-w", "a.realm", "update T set s = l"])
    try scene.run(["check", "a.realm"])
    try scene.run(["compact", "a.realm"])
    try scene.run(["dump", "a.realm"]).output.write(to: scene.url("dump.jsonl"))
    try scene.run(["load", "b.realm", "dump.jsonl"])
    #expect(try scene.hash("a.realm", []) == scene.hash("b.realm", []))
  }

  @Test("a dump with more embedded objects than it counts is refused")
  func uncounted() throws {
    let scene = try WholeFileScene(isEmpty: true)
    let dump = """
      {"realm":{"file_format":24,"schema_version":1}}
      {"class":"E","kind":"embedded","primary_key":null,"properties":[{"name":"a","type":"int"}],"count":0}
      {"class":"A","kind":"object","primary_key":null,"properties":[{"name":"e","type":"object","target":"E",\
      "optional":true}],"count":1}
      {"object":"A","key":0,"values":{"e":{"a":1}}}

      """
    try dump.write(to: scene.url("d.jsonl"), atomically: true, encoding: .utf8)
    #expect(
      try scene.run(["load", "a.realm", "d.jsonl"], status: 8).errorText.contains("counts 0 objects of E"))
    #expect(scene.names == ["d.jsonl"])
  }
}
