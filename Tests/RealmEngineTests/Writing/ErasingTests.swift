// Erasing many objects of one class at once, with links in and out, embedded objects and indexes.

import Foundation
import RealmEngine
import RealmQueryLanguage
import TestSupport
import Testing

@Suite("Erasing many objects")
struct ErasingTests {
  private static let rows = 1500

  private static func text(_ text: String) -> NewValue { .single(.string(ByteString(text))) }

  /// Each row links to the one before; lists and mixed values link too, and each owns a part.
  private static func makeRealm(_ path: FilePath) throws -> (WritableDatabase, TableKey) {
    let realm = try WritableDatabase.create(path, key: nil)
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row", primaryKey: "n",
        properties: [
          PropertyDefinition("n", .int), PropertyDefinition("text", .string, index: .general),
          PropertyDefinition("words", .string, isOptional: true, index: .fullText),
          PropertyDefinition("before", .object, target: "Row"),
          PropertyDefinition("both", .object, collection: .list, target: "Row"),
          PropertyDefinition("any", .mixed), PropertyDefinition("part", .object, target: "Part"),
        ]),
      ClassDefinition("Part", kind: .embedded, properties: [PropertyDefinition("n", .int)]),
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    var links: [ObjectLink] = []
    for number in 0..<rows {
      var values: [(property: String, value: NewValue)] = [
        ("n", .single(.int(Int64(number)))), ("text", text("text \(number % 97)")),
        ("words", text("word\(number % 13) and word\(number % 7)")),
        ("part", .embedded([("n", .single(.int(Int64(number))))])),
      ]
      if let last = links.last {
        values.append(("before", .single(.link(last))))
        values.append(
          ("both", .list([.single(.link(links[number / 2])), .single(.link(links[number / 2]))])))
        values.append(("any", number % 3 == 0 ? .list([.single(.link(last))]) : .single(.link(last))))
      }
      links.append(ObjectLink(table: table, key: try write.create(table, values)))
    }
    try realm.commit(write)
    return (realm, table)
  }

  static let kinds = ["every other", "all but a few", "a run", "few", "all", "random"]

  private static func chosen(_ kind: String) -> Set<Int> {
    var random = SplitMix64(state: 20)
    return Set(
      (0..<rows).filter { number in
        switch kind {
        case "every other": number % 2 == 0
        case "all but a few": number % 300 != 7
        case "a run": (100..<900).contains(number)
        case "few": number % 250 == 3
        case "all": true
        default: random.below(3) > 0
        }
      })
  }

  @Test("what stays keeps its values and loses its links to what goes", arguments: kinds)
  func erase(kind: String) throws {
    let files = try ScratchFolder(keepable: "erasing")
    let path = files.path("\(kind).realm")
    let (realm, table) = try Self.makeRealm(path)
    let gone = Self.chosen(kind)
    let write = try realm.begin()
    var links: [ObjectLink] = []
    for number in gone {
      let key = try #require(try write.find(table, primaryKey: .int(Int64(number))))
      links.append(ObjectLink(table: table, key: key))
    }
    try write.erase(links + links.prefix(3))
    try realm.commit(write)
    let left = (0..<Self.rows).filter { !gone.contains($0) }
    for reader in [realm.database.transaction, try Database.open(path).transaction] {
      try Self.compare(reader, left)
    }
    #expect(try FileInspection.inspect(path).findings.isEmpty)
    // The class takes new objects, and their links, as before.
    let again = try realm.begin()
    let number = Int64(Self.rows)
    let first = try again.create(
      table, [("n", .single(.int(number))), ("text", Self.text("new")), ("any", .null)])
    _ = try again.create(
      table,
      [
        ("n", .single(.int(number + 1))), ("text", Self.text("new")),
        ("before", .single(.link(ObjectLink(table: table, key: first)))),
      ])
    try realm.commit(again)
    #expect(try FileInspection.inspect(path).findings.isEmpty)
    #expect(try Self.count("text == 'new' AND before.n == \(number)", realm.database.transaction) == 1)
  }

  @Test(
    "an embedded object is not erased with an owner that is not on record, or one on record that is none",
    arguments: [
      ("embedded-unrecorded", "Place", 55 as Int64), ("embedded-misrecorded", "Place", 29),
      ("embedded-misrecorded", "GeoPoint", 23), ("embedded-misrecorded", "GeoPoint", nil),
      ("embedded-other-column", "GeoPoint", 33), ("embedded-other-column", "GeoPoint", nil),
    ])
  func wrongOwners(file: String, name: String, key: Int64?) throws {
    let files = try ScratchFolder(keepable: "owners")
    let path = files.path("owners.realm")
    try Data(try FixtureFile.bytes("hostile/\(file).realm")).write(to: path.url)
    let realm = try WritableDatabase.open(path, key: nil, lockTimeoutMilliseconds: lockPatience)
    // A large file is not inspected before it is changed.
    realm.inspectsSmallFiles = false
    let write = try realm.begin()
    let table = try #require(try write.schema(named: name)).tableKey
    let keys =
      try key.map { [ObjectKey($0)] }
      ?? Self.keys(try #require(realm.database.transaction.table(named: name)))
    #expect { try write.erase(keys.map { ObjectLink(table: table, key: $0) }) } throws: {
      ($0 as? EngineError)?.kind == .damaged
    }
  }

  private static func keys(_ table: Table) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for block in try table.allBlocks() { keys += (0..<block.count).map(block.key) }
    return keys
  }

  private static func count(_ predicate: String, _ realm: ReadTransaction) throws -> Int {
    let source = Array(predicate.utf8)
    let table = try #require(realm.table(named: "Row"))
    let query = try BoundQuery(try Predicate(parsing: source), source: source, of: table, in: realm)
    return try QueryExecutor(query, in: realm).count()
  }

  private static func compare(_ realm: ReadTransaction, _ left: [Int]) throws {
    let kept = Set(left)
    #expect(realm.table(named: "Row")?.count == left.count)
    #expect(realm.table(named: "Part")?.count == left.count)
    #expect(try count("n >= 0", realm) == left.count)
    #expect(try count("before != null", realm) == left.count { kept.contains($0 - 1) })
    #expect(try count("both.@count == 2", realm) == left.count { $0 > 0 && kept.contains($0 / 2) })
    #expect(
      try count("@links.Row.before.@count == 1", realm) == left.count { kept.contains($0 + 1) })
    #expect(try count("text == 'text 5'", realm) == left.count { $0 % 97 == 5 })
    #expect(try count("words TEXT 'word6'", realm) == left.count { $0 % 13 == 6 || $0 % 7 == 6 })
    for number in left.prefix(20) { #expect(try count("n == \(number) AND part.n == \(number)", realm) == 1) }
  }
}
