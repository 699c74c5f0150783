// What comes back of damaged realms where something else than the damaged node tells what it said: keys of clusters, headers of
// nodes, owners of embedded objects.

import Foundation
import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

@Suite("Salvage by other evidence")
struct SalvageKeyTests {
  /// 600 objects without primary key, in three clusters whose offsets stand in an array.
  private static func realmOfClusters(isIndexed: Bool) throws -> SoundRealm {
    try SalvageStructureTests.made(columns: 1, rows: 600, isIndexed: isIndexed)
  }

  private struct Tree {
    let root: Int
    let offsets: Int

    init(_ realm: SoundRealm) throws {
      let list = realm.ref(1, of: realm.top)
      let tables = (0..<Int(realm.bytes[list + 7])).map { realm.ref($0, of: list) }
      root = realm.ref(2, of: try #require(tables.last))
      offsets = realm.ref(0, of: root)
      #expect(realm.bytes[root + 7] == 6 && offsets & 1 == 0 && realm.elementSize(offsets) == 32)
    }
  }

  @Test("An index tells the keys of clusters whose offset is wrong", arguments: [0, 3, 7, 12, 15, 16, 17])
  func wrongOffset(_ bit: Int) throws {
    let realm = try Self.realmOfClusters(isIndexed: true)
    var bytes = realm.bytes
    bytes[try Tree(realm).offsets + 8 + 4 + bit / 8] ^= 1 << UInt8(bit % 8)
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  @Test("An offset that does not rise among others leaves these where they are")
  func offsetAmongOthers() throws {
    let realm = try Self.realmOfClusters(isIndexed: false)
    let original = try #require(try Salvaging.original(realm)["A"])
    var bytes = realm.bytes
    bytes[try Tree(realm).offsets + 8 + 4 + 2] ^= 2
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    let found = try #require(picture["A"])
    #expect(!salvage.isSound && found.count == 600)
    #expect(Set(found.values.compactMap { $0["n0"] }) == Set(original.values.compactMap { $0["n0"] }))
    // Of two offsets that do not rise nobody knows which is wrong.
    #expect(original.count { found[$0.key] == $0.value } >= 256)
  }

  @Test(
    "A cluster that two slots name has the keys that the index says", arguments: [(1, 2), (2, 1), (0, 2)])
  func namedTwice(_ slots: (Int, Int)) throws {
    let realm = try Self.realmOfClusters(isIndexed: true)
    let tree = try Tree(realm)
    let size = realm.elementSize(tree.root) / 8
    var bytes = realm.bytes
    for index in 0..<size {
      bytes[tree.root + 8 + (3 + slots.0) * size + index] =
        realm.bytes[
          tree.root + 8 + (3 + slots.1) * size + index]
    }
    let (_, picture) = try #require(try Salvaging.recovered(bytes))
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  @Test(
    "Where the root of the rows is lost those that are found stand in their own places, not beside older ones"
  )
  func lostRootAndOlderVersion() throws {
    let realm = try SalvageStructureTests.made(columns: 3, rows: 20) { database, object in
      let write = try database.begin()
      try write.update(object, [("n0", .single(.int(77)))])
      try database.commit(write)
    }
    let list = realm.ref(1, of: realm.top)
    let table = realm.ref(Int(realm.bytes[list + 7]) - 1, of: list)
    var bytes = realm.bytes
    let size = realm.elementSize(table) / 8
    for index in 0..<size { bytes[table + 8 + 2 * size + index] = 0 }
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  @Test(
    "Longest rising series",
    arguments: [
      ([0, 256, 512, 768], [true, true, true, true]),
      ([0, 256, 9000, 768, 1024], [true, true, false, true, true]),
      ([0, 256, 2, 768], [true, false, false, true]), ([0, -5, 512], [true, false, true]), ([], []),
    ] as [([Int64], [Bool])])
  func rising(_ sample: (numbers: [Int64], sure: [Bool])) {
    #expect(RisingNumbers.sure(in: sample.numbers) { $0 >= 0 } == sample.sure)
  }

  @Test(
    "An embedded object to which a damaged link leads, too, stays with the object that its own side names")
  func twoOwners() throws {
    let realm = try SoundRealm("zoo.realm")
    let sound = try #require(try Salvaging.recovered(realm.bytes)).salvage
    let index = try #require(sound.classes.firstIndex { $0.name == "Person" })
    let properties = sound.classes[index].schema.properties
    let address = try #require(properties.firstIndex { $0.name == "address" })
    let list = realm.ref(1, of: realm.top)
    let tables = (0..<Int(realm.bytes[list + 7])).map { realm.ref($0, of: list) }
    let leaf = realm.ref(
      properties[address].columnKey.leafIndex + 1, of: realm.ref(2, of: try #require(tables.last)))
    // Every other object has an address: the first without one gets that of the next.
    #expect(realm.elementSize(leaf) == 8 && realm.bytes[leaf + 9] == 0 && realm.bytes[leaf + 10] == 2)
    var bytes = realm.bytes
    bytes[leaf + 9] = 2
    let salvage = try #require(try Salvaging.recovered(bytes)).salvage
    var owners: [Int64] = []
    try SalvageReader(salvage.classes).forEachObject(of: index) { key, object in
      if case .embedded? = object.values[address], let key { owners.append(key.value) }
    }
    #expect(owners == Array(stride(from: 0, to: 200, by: 2)))
  }

  // MARK: Headers

  @Test(
    "A width that ends a node in the midst of something invents no values",
    arguments: [
      "alltypes.realm", "zoo.realm", "place.realm",
    ])
  func wrongWidths(_ name: String) throws {
    let realm = try SoundRealm(name)
    let sound = try Salvaging.original(realm)
    let step = max(1, realm.nodes.count / TestScale.cases(fast: 4, usual: 16, long: 16))
    for number in stride(from: 0, to: realm.nodes.count, by: step) {
      for bit in 0..<3 {
        var bytes = realm.bytes
        bytes[realm.nodes[number] + 4] ^= 1 << UInt8(bit)
        guard let (_, picture) = try Salvaging.recovered(bytes) else { continue }
        #expect(Salvaging.isPart(picture, of: sound) == nil, "node at \(realm.nodes[number]), bit \(bit)")
      }
    }
  }

  @Test("A leaf with one of its parts in two places says nothing")
  func partTwice() throws {
    let realm = try SoundRealm("zoo.realm")
    let sound = try #require(try Salvaging.recovered(realm.bytes)).salvage
    let person = try #require(sound.classes.first { $0.name == "Person" })
    let list = realm.ref(1, of: realm.top)
    let tables = (0..<Int(realm.bytes[list + 7])).map { realm.ref($0, of: list) }
    let leaves = realm.ref(2, of: try #require(tables.last))
    for (number, property) in person.schema.properties.enumerated()
    where property.collection == nil && (property.type == .mixed || property.type == .date) {
      let leaf = realm.ref(property.columnKey.leafIndex + 1, of: leaves)
      let size = realm.elementSize(leaf) / 8
      var bytes = realm.bytes
      for index in 0..<size { bytes[leaf + 8 + size + index] = realm.bytes[leaf + 8 + index] }
      let salvage = try #require(try Salvaging.recovered(bytes)).salvage
      let counts = try #require(salvage.classes.first { $0.name == "Person" }).counts
      #expect(counts.properties[number].values == 200 && counts.partial == 200, "\(property.name)")
    }
  }

  @Test(
    "A realm of an old format without names, or without its list of tables, gives all objects",
    arguments: [0, 1])
  func oldStructure(_ slot: Int) throws {
    let realm = try SoundRealm("legacy9-small.realm")
    let salvage = try #require(
      try Salvaging.recovered(realm.zeroing([realm.ref(slot, of: realm.top)]))
    ).salvage
    #expect(!salvage.isSound)
    #expect(salvage.totals.sound + salvage.totals.partial >= (try Salvaging.count(Salvaging.original(realm))))
  }

  @Test("Columns that a table's rows do not have are not taken", arguments: ["zoo.realm", "place.realm"])
  func wrongColumnKeys(_ name: String) throws {
    let realm = try SoundRealm(name)
    let list = realm.ref(1, of: realm.top)
    for table in (0..<Int(realm.bytes[list + 7])).map({ realm.ref($0, of: list) }).dropFirst() {
      let keys = realm.ref(5, of: realm.ref(0, of: table))
      var bytes = realm.bytes
      bytes[keys + 8] ^= 0x40
      let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
      #expect(!salvage.isSound, "table at \(table)")
      let isSame = try picture == Salvaging.original(realm)
      #expect(isSame, "table at \(table)")
    }
  }

  @Test(
    "A realm that says an old format and has the tables of a later one is read as they are",
    arguments: [8, 6, 2])
  func oldFormat(_ format: UInt8) throws {
    let realm = try SoundRealm("zoo.realm")
    var bytes = realm.bytes
    bytes[20 + Int(bytes[23] & 1)] = format
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound && salvage.classes.contains { $0.schema.kind == .embedded })
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }
}
