// What comes back of realms of formats 2–9 whose structure is damaged: names, specs, tables, and lists of them.

import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

@Suite("Salvage of old formats")
struct SalvageOldTests {
  private static let name = "legacy9-small.realm"

  /// Expects as many objects as there were, and the values that each had.
  private static func expectObjects(_ realm: SoundRealm, _ bytes: [UInt8], _ what: String) throws {
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes), "\(what)")
    let original = try Salvaging.original(realm)
    #expect(!salvage.isSound, "\(what)")
    #expect(Salvaging.count(original) > 0)
    #expect(salvage.totals.sound + salvage.totals.partial >= Salvaging.count(original), "\(what)")
    #expect(Salvaging.isPart(picture, of: original) == nil, "\(what)")
  }

  @Test("Names of tables that are nothing but zeros, or are read with another width, do not hide classes")
  func lostTableNames() throws {
    let realm = try SoundRealm(Self.name)
    let names = realm.ref(0, of: realm.top)
    var bytes = realm.bytes
    for index in names + 8..<names + realm.size(names) { bytes[index] = 0 }
    try Self.expectObjects(realm, bytes, "zeros")
    bytes = realm.bytes
    bytes[names + 4] -= 1
    try Self.expectObjects(realm, bytes, "width")
  }

  @Test(
    "A table without the names of its columns, or what links and lists need, has its objects",
    arguments: [1, 3])
  func lostSpecPart(_ part: Int) throws {
    let realm = try SoundRealm(Self.name)
    for table in realm.tables {
      let spec = realm.ref(0, of: table)
      guard part < Int(realm.bytes[spec + 7]), realm.ref(part, of: spec) != 0 else { continue }
      let node = realm.ref(part, of: spec)
      try Self.expectObjects(realm, realm.zeroing([node]), "table at \(table)")
    }
  }

  @Test("Links whose own table does not say where they lead to are told by where they come in")
  func lostTargets() throws {
    let realm = try SoundRealm(Self.name)
    func targets(_ bytes: [UInt8]) throws -> [String] {
      let salvage = try #require(try Salvaging.recovered(bytes)).salvage
      return salvage.classes.flatMap { item in
        item.schema.properties.compactMap { property in
          item.targetName(of: property).map { "\(item.name).\(property.name) \($0)" }
        }
      }
    }
    let original = try targets(realm.bytes)
    #expect(!original.isEmpty)
    for table in realm.tables {
      let spec = realm.ref(0, of: table)
      guard Int(realm.bytes[spec + 7]) > 3, realm.ref(3, of: spec) != 0 else { continue }
      // Of a table that links lead to itself, the other side is lost here.
      let found = try targets(realm.zeroing([realm.ref(3, of: spec)]))
      #expect(found == original, "table at \(table)")
    }
  }

  @Test("A table whose own node is lost is put together from its spec and its columns")
  func lostTable() throws {
    let realm = try SoundRealm(Self.name)
    let original = try Salvaging.original(realm)
    for table in realm.tables {
      let (salvage, picture) = try #require(try Salvaging.recovered(realm.zeroing([table])))
      #expect(!salvage.isSound)
      for (name, objects) in original { #expect(picture[name]?.count == objects.count, "\(name), \(table)") }
    }
  }

  @Test("Tables that no list names have the names of the slots that their links tell")
  func lostList() throws {
    let realm = try SoundRealm(Self.name)
    let (salvage, picture) = try #require(
      try Salvaging.recovered(realm.zeroing([realm.ref(1, of: realm.top)])))
    #expect(!salvage.isSound)
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  @Test(
    "A table to which two slots lead, and one that is said to be dropped but has a name, come back",
    arguments: [1, 2])
  func misleadingList(_ kind: Int) throws {
    let realm = try SoundRealm(Self.name)
    let list = realm.ref(1, of: realm.top)
    let tables = realm.tables
    for slot in tables.indices {
      let other = kind == 1 ? tables[(slot + 1) % tables.count] : tables[slot] + 1
      let (salvage, picture) = try #require(
        try Salvaging.recovered(realm.leading(slot, of: list, to: other)))
      let isSame = try picture == Salvaging.original(realm)
      #expect(isSame && !salvage.isSound, "slot \(slot)")
    }
  }

  @Test("Tables are found where neither a top array nor a list of them is left")
  func looseTables() throws {
    let realm = try SoundRealm(Self.name)
    let nodes = [realm.top, realm.otherTop].filter { $0 != 0 }
    try Self.expectObjects(realm, realm.zeroing(nodes + nodes.map { realm.ref(1, of: $0) }), "no list")
  }
}
