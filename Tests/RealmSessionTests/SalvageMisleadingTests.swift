// What comes back where damaged nodes lead to nodes of others, or say what those do that are not damaged: nothing of what is
// somebody else's, and all that is told elsewhere.

import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

@Suite("Salvage of misleading nodes")
struct SalvageMisleadingTests {
  private static let names =
    TestScale.current == .fast ? ["zoo.realm"] : ["zoo.realm", "alltypes.realm", "place.realm"]

  /// Expects all that stood in a realm from its damaged bytes.
  private static func expectAll(_ realm: SoundRealm, _ bytes: [UInt8], _ what: String) throws {
    let (_, picture) = try #require(try Salvaging.recovered(bytes), "\(what)")
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame, "\(what)")
  }

  // MARK: Columns

  @Test(
    "A spec that leads to another array for its types or keys is completed by its other parts",
    arguments: names)
  func wrongSpecPart(_ name: String) throws {
    let realm = try SoundRealm(name)
    for table in realm.tables {
      let spec = realm.ref(0, of: table)
      for (part, other) in [
        (0, realm.ref(8, of: table)), (5, realm.ref(0, of: spec)), (5, realm.ref(8, of: table)),
      ] {
        try Self.expectAll(
          realm, realm.leading(part, of: spec, to: other), "table at \(table), part \(part), \(other)")
      }
    }
  }

  @Test("Keys of columns to which a spec no longer leads go before those of the version before")
  func lostKeysOfChangedColumns() throws {
    let realm = try SoundRealm("evolved.realm")
    let spec = realm.ref(0, of: realm.tables[1])
    for other in [realm.ref(0, of: spec), realm.ref(8, of: realm.tables[3])] {
      try Self.expectAll(realm, realm.leading(5, of: spec, to: other), "\(other)")
    }
  }

  @Test("Types that are read with another width do not go before keys that are whole", arguments: names)
  func wideTypes(_ name: String) throws {
    let realm = try SoundRealm(name)
    for table in realm.tables {
      var bytes = realm.bytes
      bytes[realm.ref(0, of: realm.ref(0, of: table)) + 4] ^= 4
      try Self.expectAll(realm, bytes, "table at \(table)")
    }
  }

  @Test("Tables that say of columns without links that 0 is their other side have their keys by their order")
  func keysOfUpgradedTables() throws {
    let realm = try SoundRealm("alltypes.realm")
    for table in realm.tables {
      let keys = realm.ref(5, of: realm.ref(0, of: table))
      var bytes = realm.zeroing([keys])
      for array in [realm.ref(7, of: table), realm.ref(8, of: table)] {
        for index in array + 8..<array + realm.size(array) { bytes[index] = 0 }
      }
      let (_, picture) = try #require(try Salvaging.recovered(bytes))
      let isSame = try picture == Salvaging.original(realm)
      #expect(isSame, "table at \(table)")
    }
  }

  @Test(
    "Neither of two properties has the leaf that both lead to", arguments: ["alltypes.realm", "zoo.realm"])
  func sharedLeaf(_ name: String) throws {
    let realm = try SoundRealm(name)
    let original = try Salvaging.original(realm)
    for table in realm.tables.dropFirst() {
      let cluster = realm.ref(2, of: table)
      guard realm.bytes[cluster + 4] & 0x80 == 0 else { continue }
      for slot in stride(from: 1, to: Int(realm.bytes[cluster + 7]) - 1, by: 4) {
        let bytes = realm.leading(slot, of: cluster, to: realm.ref(slot + 1, of: cluster))
        let (_, picture) = try #require(try Salvaging.recovered(bytes))
        #expect(Salvaging.isPart(picture, of: original) == nil, "table at \(table), slot \(slot)")
      }
    }
  }

  // MARK: Names

  @Test("Without names of tables the version of the schema is no class", arguments: names, [false, true])
  func lostNames(_ name: String, _ hasHeader: Bool) throws {
    let realm = try SoundRealm(name)
    let (sound, _) = try #require(try Salvaging.recovered(realm.bytes))
    var bytes = realm.zeroing([realm.ref(0, of: realm.top)])
    if !hasHeader { for index in 0..<24 { bytes[index] = 0 } }
    let (salvage, _) = try #require(try Salvaging.recovered(bytes))
    #expect(salvage.schemaVersion == sound.schemaVersion)
    #expect(salvage.classes.count == sound.classes.count)
    #expect(salvage.versions.first?.number == sound.versions.first?.number)
    #expect(salvage.totals.sound == sound.totals.sound)
  }

  @Test("Names of tables are no refs, whatever their header says", arguments: names)
  func namesOfRefs(_ name: String) throws {
    let realm = try SoundRealm(name)
    var bytes = realm.bytes
    bytes[realm.ref(0, of: realm.top) + 4] ^= 0x40
    try Self.expectAll(realm, bytes, "names")
  }

  // MARK: Rows

  @Test("A leaf in the place of a cluster does not hide the cluster")
  func leafAmongClusters() throws {
    let realm = try SalvageStructureTests.made(columns: 2, rows: 600, isIndexed: true)
    let root = realm.ref(2, of: try #require(realm.tables.last))
    let offsets = realm.ref(0, of: root)
    for child in 3..<Int(realm.bytes[root + 7]) {
      for other in [offsets, realm.ref(4, of: try #require(realm.tables.last))] {
        try Self.expectAll(realm, realm.leading(child, of: root, to: other), "child \(child), \(other)")
      }
    }
  }

  @Test("Objects whose keys are lost do not come a second time out of the version before")
  func lostKeysOfChangedRows() throws {
    let realm = try SalvageStructureTests.made(columns: 3, rows: 200) { database, object in
      for number in 1...2 {
        let write = try database.begin()
        try write.update(object, [("n0", .single(.int(Int64(number) << 20)))])
        if number == 1 { try write.erase([object.next]) }
        try database.commit(write)
      }
    }
    let cluster = realm.ref(2, of: try #require(realm.tables.last))
    let bytes = realm.leading(0, of: cluster, to: realm.ref(1, of: cluster))
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound && picture["A"]?.count == 199)
  }
}

extension ObjectLink {
  /// The object that was made behind this one.
  fileprivate var next: ObjectLink { ObjectLink(table: table, key: ObjectKey(key.value + 1)) }
}
