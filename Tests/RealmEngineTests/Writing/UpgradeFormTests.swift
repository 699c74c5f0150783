// What upgrades and compact copies make anew, and what they leave as it is.

import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("What upgraded and compacted files are made of")
struct UpgradeFormTests {
  /// The texts of the first collection that order matters to: elements of a set, keys of a dictionary.
  private static func texts(_ realm: RealmSurgeon, _ property: String) throws -> SurgeonNode {
    let leaf = realm.leaf("Person", property)
    let roots = realm.node(at: leaf)
    let nodes = (0..<roots.count).filter { realm.get(roots, $0) != 0 }
      .map { realm.node(at: leaf + [$0] + (property == "attrs" ? [0] : [])) }
    return try #require(nodes.first { $0.count >= 2 })
  }

  @Test("collections out of order are put in order by the upgrade", arguments: ["labels", "attrs"])
  func unsorted(property: String) throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    let texts = try Self.texts(realm, property)
    let before = realm.shortTexts(texts)
    realm.swapShortTexts(texts)
    #expect(realm.shortTexts(texts) == [before[1], before[0]] + before[2...])
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-unsorted-\(property).realm")
    try realm.write(to: path)
    // No engine orders keys like that: it is damage.
    try path.rewrite(isUpgrade: true, salvages: property == "attrs")
    let result = try RealmSurgeon(at: path)
    #expect(try result.shortTexts(Self.texts(result, property)) == before)
    #expect(try result.inspect().findings.isEmpty)
  }

  @Test(
    "asymmetric classes of format 22 become empty, as the engine empties them", arguments: [22, 23],
    [true, false])
  func asymmetric(format: UInt8, isInPlace: Bool) throws {
    let realm = try RealmSurgeon("alltypes.realm")
    realm.bytes[20 + realm.slot] = format
    let (tableFlags, asymmetric) = (12, Int64(2))
    realm.put(asymmetric << 1 | 1, at: realm.table("Indexed") + [tableFlags])
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-asymmetric-\(format)-\(isInPlace).realm")
    try realm.write(to: path)
    let before = try Database.open(path).transaction
    #expect(before.table(named: "Indexed")?.schema.kind == .asymmetric)
    #expect(before.table(named: "Indexed")?.count == 24)
    if isInPlace {
      let database = try WritableDatabase.open(path, key: nil, lockTimeoutMilliseconds: lockPatience)
      try database.commit(try database.begin(upgrading: true))
    } else {
      try path.rewrite(isUpgrade: true)
    }
    let after = try Database.open(path)
    #expect(after.file.format == FileFormat.newest)
    #expect(after.transaction.table(named: "Indexed")?.count == (format == 22 ? 0 : 24))
    #expect(after.transaction.table(named: "AllTypes")?.count == 24)
    #expect(try RealmSurgeon(at: path).inspect().isSound)
  }

  @Test(
    "an upgrade in place leaves out nothing that stands in a collection twice",
    arguments: ["labels", "attrs"])
  func repeated(property: String) throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    let texts = try Self.texts(realm, property)
    for index in 0..<texts.width {
      realm.bytes[texts.offset + 8 + texts.width + index] = realm.bytes[texts.offset + 8 + index]
    }
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-repeated-\(property).realm")
    try realm.write(to: path)
    do {
      let database = try WritableDatabase.open(path, key: nil, lockTimeoutMilliseconds: lockPatience)
      // As a large file is opened.
      database.inspectsSmallFiles = false
      let error = #expect(throws: EngineError.self) { try database.begin(upgrading: true) }
      #expect(error?.kind == .damaged && error?.message.contains("Person.\(property)") == true, "\(error)")
    }
    #expect(try RealmSurgeon(at: path).bytes == realm.bytes)
    try path.rewrite(isUpgrade: true, salvages: true)
    #expect(try RealmSurgeon(at: path).inspect().isSound)
  }

  @Test(
    "a local copy of a file without history has the history that engines of its format know",
    arguments: [20, 23, 24])
  func newHistory(format: UInt8) throws {
    let realm = try RealmSurgeon("bare.realm")
    realm.bytes[20 + realm.slot] = format
    realm.setCount(realm.node(at: []), 7)
    let files = try ScratchFolder(keepable: "forms")
    let (path, copy) = (files.path("forms-bare-\(format).realm"), files.path("forms-local-\(format).realm"))
    try realm.write(to: path)
    #expect(try Database.open(path).transaction.top?.historyType == HistoryType.none)
    _ = try WholeFileJob(
      source: path, key: nil, newKey: nil, target: .newFile(copy, replacing: false), history: .drop
    ).run()
    let top = try #require(try Database.open(copy).transaction.top)
    #expect(top.historyType == .inRealm)
    #expect(top.historySchemaVersion == (format < 24 ? 0 : 1))
  }

  /// The mixed values of dictionaries that hold no collections, by row.
  private static func plainValues(_ realm: RealmSurgeon) -> [Int: SurgeonNode] {
    let leaf = realm.leaf("Person", "attrs")
    let roots = realm.node(at: leaf)
    var values: [Int: SurgeonNode] = [:]
    for row in 0..<roots.count where realm.get(roots, row) != 0 {
      let node = realm.node(at: leaf + [row, 1])
      if node.count == 4 || realm.get(node, 4) == 0 { values[row] = node }
    }
    return values
  }

  @Test("dictionaries in order are left as an older engine wrote them")
  func sorted() throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    let values = Self.plainValues(realm)
    #expect(!values.isEmpty)
    for node in values.values { realm.setCount(node, 4) }
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-sorted.realm")
    try realm.write(to: path)
    try path.rewrite(isUpgrade: true)
    let result = try RealmSurgeon(at: path)
    #expect(Self.plainValues(result).mapValues(\.count) == values.mapValues { _ in 4 })
    #expect(try result.inspect().findings.isEmpty)
  }

  @Test("tables of 12 slots stay so when they are upgraded and changed")
  func oldTable() throws {
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-format11.realm")
    try Data(FixtureFile.bytes("format11-encrypted.realm")).write(to: path.url)
    try path.rewrite(key: FixtureFile.key(), isUpgrade: true)
    let realm = try RealmSurgeon(at: path)
    #expect(realm.node(at: realm.table("Person")).count == 12)
    let database = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    let transaction = try database.begin()
    let table = try #require(try transaction.schema(named: "Person")).tableKey
    let count = try transaction.count(table)
    let first = try #require(try database.database.transaction.table(table)?.blocks().firstKey(0))
    try transaction.erase([ObjectLink(table: table, key: first)])
    try database.commit(transaction)
    let changed = try RealmSurgeon(at: path)
    #expect(changed.node(at: changed.table("Person")).count == 12)
    #expect(database.database.transaction.table(table)?.count == count - 1)
    #expect(try changed.inspect().findings.allSatisfy { $0.kind == .lostSpace })
  }

  @Test("a compacted file has no local history, in its format", arguments: [22, 23, 24])
  func history(format: UInt8) throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = format
    #expect(realm.get(realm.node(at: []), 8) != 0)
    let files = try ScratchFolder(keepable: "forms")
    let path = files.path("forms-history-\(format).realm")
    try realm.write(to: path)
    // Its dictionaries are not those of format 22, which does not matter here.
    try path.rewrite(isUpgrade: false, salvages: format == 22)
    let copy = try RealmSurgeon(at: path)
    #expect(copy.bytes[20 + copy.slot] == format)
    let (before, after) = (realm.node(at: []), copy.node(at: []))
    for slot in [6, 7, 9, 10] { #expect(realm.get(before, slot) == copy.get(after, slot)) }
    #expect(copy.get(after, 8) == 0)
  }
}
