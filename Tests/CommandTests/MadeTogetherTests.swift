// Objects that are made of many others at once, by columns, against the same made a few at a time, one after the other.

import Foundation
import TestSupport
import Testing

@Suite("Objects made together")
struct MadeTogetherTests {
  /// Few enough of the objects that each of them is changed alone.
  private static let lot = 20
  private static let count = 64 * lot

  /// One realm: a step that both ways share, then operations on all objects or on lots of them.
  private static func dump(_ shared: [String], _ operations: [String], inLots: Bool) throws -> String {
    let scratch = try ScratchFolder()
    let steps = scratch.url.appendingPathComponent("steps")
    try FileManager.default.createDirectory(at: steps, withIntermediateDirectories: false)
    try before.write(
      to: scratch.url.appendingPathComponent("before.jsonl"), atomically: false, encoding: .utf8)
    let loading = try RealmProcess.run("load", "a.realm", "before.jsonl", in: scratch.url)
    #expect(loading.status == 0, "\(loading)")
    var up = shared
    for operation in operations {
      guard operation.contains("LOT") else {
        up.append(operation)
        continue
      }
      for start in inLots ? Array(stride(from: 0, to: count, by: lot)) : [0] {
        let end = inLots ? start + lot : count
        up.append(operation.replacingOccurrences(of: "LOT", with: "id >= \(start) AND id < \(end)"))
      }
    }
    let text =
      "realm_migration: 1\nfrom: 0\nto: 1\nname: made\nup:\n"
      + up.map { "  - \($0)\n" }.joined()
    try text.write(to: steps.appendingPathComponent("v001.yaml"), atomically: false, encoding: .utf8)
    let run = try RealmProcess.run(
      ["migrate", "apply", "--no-backup", "a.realm", "--dir", "steps", "--now", "2020-01-01T00:00:00Z"],
      in: scratch.url)
    try #require(run.status == 0, "\(run.errorText.prefix(600))")
    return try RealmProcess.run("dump", "a.realm", in: scratch.url).outputText
  }

  /// Dumps are long: what is shown is the first line that differs.
  private static func expectSame(_ left: String, _ right: String) {
    let (left, right) = (left.split(separator: "\n"), right.split(separator: "\n"))
    #expect(left.count == right.count)
    let pair = zip(left, right).first { $0 != $1 }
    #expect(pair == nil)
  }

  private static let before: String = {
    var lines = [
      #"{"realm":{"file_format":24,"schema_version":null}}"#,
      #"{"class":"City","kind":"object","primary_key":null,"properties":[{"name":"name","type":"string"}],"count":7}"#,
      #"{"class":"Person","kind":"object","primary_key":null,"properties":["#
        + #"{"name":"id","type":"int"},{"name":"name","type":"string"},"#
        + #"{"name":"phone","type":"string","optional":true},{"name":"score","type":"double"},"#
        + #"{"name":"city","type":"object","optional":true,"target":"City"},"#
        + #"{"name":"tags","type":"string","collection":"list"}],"count":\#(count)}"#,
    ]
    for number in 0..<7 {
      lines.append(#"{"object":"City","key":\#(number),"values":{"name":"city \#(number)"}}"#)
    }
    for number in 0..<count {
      let key = number & 0xFF | (number >> 8) << 16
      let phone = number % 3 == 0 ? "null" : "\"\(number * 77)\""
      let city =
        number % 4 == 0 ? "null" : #"{"$link":{"class":"City","key":\#(number % 7)}}"#
      let tags = number % 5 == 0 ? "" : "\"a\(number % 9)\",\"b\""
      let name = String(repeating: "näme ", count: number % 40 == 0 ? 30 : number % 6) + "\(number)"
      lines.append(
        #"{"object":"Person","key":\#(key),"values":{"id":\#(number),"name":"\#(name)","phone":\#(phone),"#
          + #""score":\#(number).5,"city":\#(city),"tags":[\#(tags)]}}"#)
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  /// Properties of every type, with and without nulls.
  private static let types = [
    "at: \"date?\"", "raw: \"data?\"", "price: \"decimal128?\"", "level: \"float?\"", "ok: \"bool?\"",
    "free: mixed", "less: \"int?\"", "name: string", "phone: \"string?\"", "score: \"double?\"",
    "city: \"City?\"", "tags: \"list<string>\"", "uid: \"uuid?\"", "oid: \"objectId?\"",
  ].joined(separator: ", ")

  private static let shared = [
    "add_property: { class: Person, name: at, type: \"date?\", value: \"id > 500 ? date('2020-01-02T03:04:05.678Z') : null\" }",
    "add_property: { class: Person, name: raw, type: \"data?\" }",
    "add_property: { class: Person, name: price, type: \"decimal128?\", value: \"id > 20 ? decimal(score) : null\" }",
    "add_property: { class: Person, name: level, type: \"float?\", value: \"id > 20 ? score : null\" }",
    "add_property: { class: Person, name: ok, type: \"bool?\", value: \"id > 60 ? id > 800 : null\" }",
    "add_property: { class: Person, name: free, type: mixed, value: \"id > 900 ? name : null\" }",
    "add_property: { class: Person, name: less, type: \"int?\", value: \"id > 100 ? id - 100 : null\" }",
    "add_property: { class: Person, name: uid, type: \"uuid?\" }",
    "add_property: { class: Person, name: oid, type: \"objectId?\" }",
    "add_class: { name: Inner, kind: embedded, properties: { n: int, s: \"string?\", words: \"list<string>\" } }",
    "add_class: { name: Held, kind: embedded, properties: { inner: \"Inner?\", all: \"list<Inner>\", map: \"dictionary<Inner?>\", \(types) } }",
    "add_property: { class: Person, name: held, type: \"Held?\" }",
    "add_property: { class: Person, name: other, type: \"Held?\" }",
    "add_property: { class: Person, name: rest, type: \"list<Held>\" }",
    "add_property: { class: Person, name: map, type: \"dictionary<Held?>\" }",
  ]

  private static let names = [
    "at", "raw", "price", "level", "ok", "free", "less", "name", "phone", "score", "city", "tags", "uid",
    "oid",
  ]

  @Test("embedded objects, in and beside each other, instead of others and of nothing")
  func embedded() throws {
    let whole = Self.names.map { "\($0): \($0)" }.joined(separator: ", ")
    let operations = [
      "update: { class: Person, where: LOT, set: { held: { inner: { n: id, s: phone, words: tags }, all: [ { n: less ?? 0 }, { n: id, s: name } ], \(whole) }, name: \"name + '!'\" } }",
      "update: { class: Person, where: LOT, set: { rest: [ { name: name }, { name: phone ?? '', inner: { n: id } } ], map: { a: { name: name }, b: { name: \"upper(name)\", city: city } } } }",
      // What is there goes, and what is computed from it stays.
      "update: { class: Person, where: LOT, set: { held: { name: \"held.name + '?'\", inner: { n: 7 } }, other: { name: name } } }",
      "update: { class: Person, where: \"(LOT) AND id > 300\", set: { rest: [ { name: \"string(rest.@count)\" } ] } }",
      "update: { class: Person, where: \"(LOT) AND id > 900\", set: { held: \"null\" } }",
    ]
    // Fewer of the lots are to be changed alone, not more.
    let (together, alone) = (
      try Self.dump(Self.shared, operations, inLots: false),
      try Self.dump(Self.shared, operations, inLots: true)
    )
    Self.expectSame(together, alone)
  }

  @Test("objects for each, with and without a primary key, with what they own")
  func created() throws {
    let shared =
      Self.shared + [
        "add_class: { name: Note, primary_key: id, properties: { id: int, inner: \"Inner?\", all: \"list<Inner>\", who: \"Person?\", \(Self.types) } }",
        "add_class: { name: Plain, properties: { id: \"int?\", name: { type: string, indexed: true }, who: \"Person?\", free: mixed } }",
        "add_property: { class: Person, name: note, type: \"Note?\" }",
        "add_property: { class: Person, name: notes, type: \"list<Plain>\" }",
        // One at a time is made only where there are others.
        "insert: { class: Note, objects: [ { id: -1, name: '' } ] }",
        "insert: { class: Plain, objects: [ { id: -1, name: '' } ] }",
      ]
    let whole = Self.names.map { "\($0): \($0)" }.joined(separator: ", ")
    let operations = [
      "create: { class: Note, for_each: Person, where: LOT, set: { id: id, inner: { n: id, s: name }, all: [ { n: 1 }, { n: less ?? 2 } ], who: SELF, \(whole) }, link: note }",
      "create: { class: Plain, for_each: Person, where: LOT, set: { id: id, name: name, who: SELF, free: { name: name, n: { id: id } } }, link: notes }",
      // Of numbers that are taken the objects stay, others come once.
      "create: { class: Note, for_each: Person, where: LOT, set: { id: \"id % 7 + 1276\", name: name }, existing: keep, link: note }",
      "copy_objects: { from: Note, to: Plain, where: LOT }",
    ]
    let (together, alone) = (
      try Self.dump(shared, operations, inLots: false), try Self.dump(shared, operations, inLots: true)
    )
    Self.expectSame(together, alone)
  }

  @Test("a different value is made once, whatever its type")
  func distinct() throws {
    let shared =
      Self.shared + [
        "add_class: { name: Kind, properties: { name: \"string?\", price: \"decimal128?\", level: \"float?\", free: mixed, less: \"int?\" } }",
        "add_property: { class: Person, name: kind, type: \"Kind?\" }",
        // So many that the objects below come behind others.
        "insert: { class: Kind, objects: [ { name: '' } ] }",
      ]
    let set =
      "name: \"id % 3 == 0 ? null : string(id % 5)\", price: \"id % 2 == 0 ? decimal('1.0') : decimal('1.00')\", level: \"id % 4\", free: \"id % 3 == 0 ? name : null\", less: \"id % 3 == 0 ? null : 2\""
    let create = "create: { class: Kind, for_each: Person, set: { \(set) }, distinct: true, link: kind }"
    let text = try Self.dump(shared, [create], inLots: false)
    // Names repeat nowhere where they are part of what is compared; elsewhere 5 names and 4 levels stand together.
    let kinds = text.split(separator: "\n").filter { $0.hasPrefix(#"{"object":"Kind""#) }
    let numbers = (0..<Self.count)
    let keys = Set(
      numbers.map { number in
        number % 3 == 0 ? "n \(number)" : "s \(number % 5) \(number % 4)"
      })
    #expect(kinds.count == keys.count + 1)
    let links = text.split(separator: "\n").filter { $0.contains(#""kind":{"$link""#) }
    #expect(links.count == Self.count)
  }

  @Test(
    "a primary key that two of many get, or one that is there has, is refused",
    arguments: [
      "id % 1000", "id + 1",
    ])
  func taken(value: String) throws {
    let scratch = try ScratchFolder()
    let steps = scratch.url.appendingPathComponent("steps")
    try FileManager.default.createDirectory(at: steps, withIntermediateDirectories: false)
    try Self.before.write(
      to: scratch.url.appendingPathComponent("before.jsonl"), atomically: false, encoding: .utf8)
    _ = try RealmProcess.run("load", "a.realm", "before.jsonl", in: scratch.url)
    let text = """
      realm_migration: 1
      from: 0
      to: 1
      name: taken
      up:
        - add_class: { name: Note, primary_key: id, properties: { id: int } }
        - insert: { class: Note, objects: [ { id: 1280 } ] }
        - create: { class: Note, for_each: Person, set: { id: "\(value)" } }

      """
    try text.write(to: steps.appendingPathComponent("v001.yaml"), atomically: false, encoding: .utf8)
    let run = try RealmProcess.run(["migrate", "apply", "a.realm", "--dir", "steps"], in: scratch.url)
    #expect(run.status != 0)
    #expect(run.errorText.contains("Note already has an object with this primary key – Note.id"), "\(run)")
    #expect(run.errorText.contains("existing: keep"), "\(run)")
  }
}
