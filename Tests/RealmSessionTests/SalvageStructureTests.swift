// What comes back where the structure of a damaged realm is told by something else than the nodes that should tell it: lists of
// tables, tables and their columns, trees of rows.

import Foundation
import RealmEngine
import RealmRecovery
import RealmSession
import TestSupport
import Testing

@Suite("Salvage without structure")
struct SalvageStructureTests {
  private static let names =
    TestScale.current == .fast ? ["zoo.realm"] : ["zoo.realm", "alltypes.realm", "place.realm"]

  private static func tables(_ realm: SoundRealm) -> [Int] {
    let list = realm.ref(1, of: realm.top)
    return (0..<Int(realm.bytes[list + 7])).map { realm.ref($0, of: list) }.filter { $0 != 0 && $0 & 1 == 0 }
  }

  /// Expects all that stood in a realm from its damaged bytes.
  private static func expectAll(_ realm: SoundRealm, _ bytes: [UInt8], _ what: String) throws {
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound, "\(what)")
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame, "\(what)")
  }

  @Test("A list of tables with a damaged header is not taken for one of no tables", arguments: names)
  func damagedList(_ name: String) throws {
    let realm = try SoundRealm(name)
    let list = realm.ref(1, of: realm.top)
    for bit in 0..<3 {
      var bytes = realm.bytes
      bytes[list + 7] ^= 1 << UInt8(bit)
      if bytes[list + 7] < realm.bytes[list + 7] { try Self.expectAll(realm, bytes, "count, bit \(bit)") }
      bytes = realm.bytes
      bytes[list + 4] ^= 1 << UInt8(bit)
      try Self.expectAll(realm, bytes, "width, bit \(bit)")
    }
  }

  @Test("A top array with another width does not make the version before it the newer one", arguments: names)
  func narrowTop(_ name: String) throws {
    let realm = try SoundRealm(name)
    for bit in 0..<2 {
      var bytes = realm.bytes
      bytes[realm.top + 4] ^= 1 << UInt8(bit)
      try Self.expectAll(realm, bytes, "width, bit \(bit)")
    }
  }

  @Test("Columns of a table that never lost one have their keys by their order", arguments: names)
  func lostColumnKeys(_ name: String) throws {
    let realm = try SoundRealm(name)
    for table in Self.tables(realm) {
      let keys = realm.ref(5, of: realm.ref(0, of: table))
      try Self.expectAll(realm, realm.zeroing([keys]), "table at \(table)")
    }
  }

  @Test("A table that leads elsewhere for its columns gets its own, not those of the version before")
  func lostSpecRef() throws {
    let realm = try SoundRealm("evolved.realm")
    for table in Self.tables(realm).dropFirst() {
      var bytes = realm.bytes
      let size = realm.elementSize(table) / 8
      for index in 0..<size { bytes[table + 8 + index] = realm.bytes[table + 8 + 7 * size + index] }
      try Self.expectAll(realm, bytes, "table at \(table)")
    }
  }

  @Test("A table of which its columns and its rows are left comes back", arguments: names, [false, true])
  func lostTable(_ name: String, _ hasList: Bool) throws {
    let realm = try SoundRealm(name)
    let list = realm.ref(1, of: realm.top)
    // What the first table says is the version of the schema, which is no object.
    for table in Self.tables(realm).dropFirst() {
      let (_, picture) = try #require(
        try Salvaging.recovered(realm.zeroing(hasList ? [table] : [table, list])))
      let original = try Salvaging.original(realm)
      #expect(Salvaging.count(picture) >= Salvaging.count(original), "table at \(table)")
      #expect(Salvaging.isPart(picture, of: original) == nil)
    }
  }

  @Test("Where one of four tables is cut off the others come back as the newest list has them")
  func mostTables() throws {
    let realm = try SoundRealm("evolved.realm")
    let original = try Salvaging.original(realm)
    let cut = try #require(Self.tables(realm).last)
    let (_, picture) = try #require(try Salvaging.recovered(Array(realm.bytes.prefix(cut))))
    for name in ["A", "B"] { #expect(picture[name] == original[name]) }
  }

  @Test("A class is one with a damaged bit in the prefix of its table's name", arguments: names)
  func damagedPrefix(_ name: String) throws {
    let realm = try SoundRealm(name)
    let names = realm.ref(0, of: realm.top)
    let width = realm.elementSize(names)
    for slot in 1..<Int(realm.bytes[names + 7]) {
      var bytes = realm.bytes
      bytes[names + 8 + slot * width + slot % 6] ^= 1 << UInt8(slot % 5)
      try Self.expectAll(realm, bytes, "name \(slot)")
    }
  }

  @Test("A class whose name has lost its end comes back under another one", arguments: names)
  func cutName(_ name: String) throws {
    let realm = try SoundRealm(name)
    let names = realm.ref(0, of: realm.top)
    let width = realm.elementSize(names)
    var bytes = realm.bytes
    // What fills a name up is counted in its last byte.
    bytes[names + 8 + 2 * width - 1] += 2
    let (salvage, _) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    #expect(salvage.totals.sound + salvage.totals.partial >= (try Salvaging.count(Salvaging.original(realm))))
  }

  @Test("Names of tables that are read with another width do not hide classes", arguments: names, [1, -1])
  func otherNames(_ name: String, _ step: Int) throws {
    let realm = try SoundRealm(name)
    let names = realm.ref(0, of: realm.top)
    var bytes = realm.bytes
    bytes[names + 4] = UInt8(Int(bytes[names + 4]) + step)
    let (salvage, _) = try #require(try Salvaging.recovered(bytes))
    let original = try Salvaging.original(realm)
    #expect(!salvage.isSound)
    #expect(salvage.totals.sound + salvage.totals.partial >= Salvaging.count(original))
  }

  @Test("A header without any top array is not taken for one of an empty realm", arguments: names)
  func clearedHeader(_ name: String) throws {
    let realm = try SoundRealm(name)
    var bytes = realm.bytes
    for index in 0..<16 { bytes[index] = 0 }
    try Self.expectAll(realm, bytes, "header")
  }

  @Test("Links whose table does not say where they lead to are told by where they come in", arguments: names)
  func lostTargets(_ name: String) throws {
    let realm = try SoundRealm(name)
    for table in Self.tables(realm) {
      let bytes = realm.zeroing([realm.ref(7, of: table)])
      let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
      let isSame = try picture == Salvaging.original(realm)
      #expect(isSame, "table at \(table)")
      for item in salvage.classes {
        for property in item.schema.properties where property.type == .object {
          #expect(item.targetName(of: property) != nil, "\(item.name).\(property.name)")
        }
      }
    }
  }

  @Test(
    "A header that names another node of refs does not keep the top array from being found", arguments: names)
  func wrongTop(_ name: String) throws {
    let realm = try SoundRealm(name)
    for node in Self.tables(realm).dropFirst().map({ realm.ref(4, of: $0) }) {
      var bytes = realm.bytes
      for slot in 0..<2 {
        for index in 0..<8 { bytes[8 * slot + index] = UInt8(truncatingIfNeeded: node >> (8 * index)) }
      }
      try Self.expectAll(realm, bytes, "node at \(node)")
    }
  }

  @Test("A header without any top array, and no top array, is not taken for an empty realm", arguments: names)
  func clearedHeaderAndTops(_ name: String) throws {
    let realm = try SoundRealm(name)
    var bytes = realm.zeroing([realm.top, realm.otherTop])
    for index in 0..<16 { bytes[index] = 0 }
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    let original = try Salvaging.original(realm)
    #expect(!salvage.isSound)
    #expect(Salvaging.count(picture) >= Salvaging.count(original))
  }

  /// By class and property.
  private static func targets(_ bytes: [UInt8]) throws -> (targets: [String: String?], isSound: Bool) {
    let (salvage, _) = try #require(try Salvaging.recovered(bytes))
    var targets: [String: String?] = [:]
    for item in salvage.classes {
      for property in item.schema.properties where property.type == .object {
        targets["\(item.name).\(property.name)"] = item.targetName(of: property)
      }
    }
    return (targets, salvage.isSound)
  }

  @Test("A table that has another key than the one by which all others know it is known by theirs")
  func otherKey() throws {
    let realm = try SoundRealm("zoo.realm")
    let original = try Self.targets(realm.bytes).targets
    #expect(original.count > 1)
    for table in Self.tables(realm).dropFirst() where realm.elementSize(table) == 64 {
      var bytes = realm.bytes
      // The slot stays as it is.
      bytes[table + 8 + 3 * 8 + 2] ^= 0x10
      let (targets, isSound) = try Self.targets(bytes)
      #expect(targets == original && !isSound, "table at \(table)")
    }
  }

  @Test(
    "Links whose table says of them what no other agrees with are told by where they come in",
    arguments: names)
  func wrongTargets(_ name: String) throws {
    let realm = try SoundRealm(name)
    let original = try Self.targets(realm.bytes).targets
    for table in Self.tables(realm) {
      // The numbers of the columns' types in place of the targets.
      var bytes = realm.bytes
      let (size, other) = (realm.elementSize(table) / 8, realm.ref(0, of: realm.ref(0, of: table)))
      for index in 0..<size {
        bytes[table + 8 + 7 * size + index] = UInt8(truncatingIfNeeded: other >> (8 * index))
      }
      #expect(try Self.targets(bytes).targets == original, "table at \(table)")
    }
  }

  @Test("Rows of another class, and what is empty without leaves, are no class's own")
  func foreignRows() throws {
    let realm = try SoundRealm("evolved.realm")
    let tables = Self.tables(realm)
    let rows = tables.map { realm.ref(2, of: $0) }
    // The incoming links of B begin with the number 0, as clusters without rows do.
    for (table, other) in [(1, rows[2]), (1, rows[3]), (2, realm.ref(1, of: rows[2]))] {
      var bytes = realm.bytes
      let size = realm.elementSize(tables[table]) / 8
      for index in 0..<size {
        bytes[tables[table] + 8 + 2 * size + index] = UInt8(truncatingIfNeeded: other >> (8 * index))
      }
      let (salvage, _) = try #require(try Salvaging.recovered(bytes))
      #expect(!salvage.isSound)
      #expect(salvage.classes.map(\.counts.sound) == [30, 30, 1], "table \(table), rows at \(other)")
    }
  }

  /// A class A with `columns` numbers and one object for each of `rows`; then each commit of `body`.
  static func made(
    columns: Int, rows: Int, isIndexed: Bool = false,
    _ body: (WritableDatabase, ObjectLink) throws -> Void = { _, _ in }
  ) throws -> SoundRealm {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "realm-salvage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("made.realm")
    let database = try WritableDatabase.create(FilePath(file.path))
    let write = try database.begin()
    let names = (0..<columns).map { "n\($0)" }
    try write.addClasses([
      ClassDefinition(
        "A", properties: names.map { PropertyDefinition($0, .int, index: isIndexed ? .general : .none) })
    ])
    let table = try #require(try write.schema(named: "A")).tableKey
    var first: ObjectKey?
    for row in 0..<rows {
      let key = try write.create(table, names.map { ($0, .single(.int(Int64(row)))) })
      first = first ?? key
    }
    try database.commit(write)
    try body(database, ObjectLink(table: table, key: try #require(first)))
    database.close()
    return SoundRealm("made.realm", [UInt8](try Data(contentsOf: file)))
  }

  @Test("Arrays that look like lists of tables do not hide the newest one")
  func manyLists() throws {
    let realm = try Self.made(columns: 2, rows: 100) { database, object in
      let write = try database.begin()
      try write.update(object, [("n0", .single(.int(7)))])
      try database.commit(write)
    }
    let arrays = (0..<1 << 17).flatMap { _ in [0x41, 0x41, 0x41, 0x41, 0x44, 0, 0xff, 0xff] as [UInt8] }
    var bytes = realm.bytes + arrays
    for index in 0..<16 { bytes[index] = 0 }
    let number = try #require(try Salvaging.recovered(realm.bytes)).salvage.versions[0].number
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(salvage.versions.map(\.number).first == number)
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  @Test("A list of tables that is newer than an older top array which nobody names is taken")
  func olderTop() throws {
    let realm = try Self.made(columns: 1, rows: 1) { database, object in
      for number in 1...6 {
        let write = try database.begin()
        try write.update(object, [("n0", .single(.int(Int64(number))))])
        try database.commit(write)
      }
    }
    var bytes = realm.zeroing([realm.top, realm.otherTop])
    for index in 0..<8 { bytes[8 * Int(bytes[23] & 1) + index] = 0 }
    try Self.expectAll(realm, bytes, "tops at \(realm.top), \(realm.otherTop)")
  }

  @Test(
    "Where the free list is lost a node before free space is not taken for a damaged one", arguments: names)
  func lostFreeList(_ name: String) throws {
    var realm = try SoundRealm(name)
    // Of twice the width the top array would end where something like a node begins, in free space.
    var bytes = realm.bytes
    let (end, otherEnd) = (realm.top + realm.size(realm.top), realm.top + 8 + 2 * 4 * 11)
    for index in end..<otherEnd { bytes[index] = 1 }
    for (index, byte) in [0x41, 0x41, 0x41, 0x41, 4, 0, 0, 8].enumerated() {
      bytes[otherEnd + index] = UInt8(byte)
    }
    realm = SoundRealm(name, bytes)
    for slot in 3...5 {
      let (_, picture) = try #require(
        try Salvaging.recovered(realm.zeroing([realm.ref(slot, of: realm.top)])), "slot \(slot)")
      let isSame = try picture == Salvaging.original(realm)
      #expect(isSame, "slot \(slot)")
    }
  }

  @Test("A class with more columns than its rows have clusters is whole")
  func manyColumns() throws {
    let realm = try Self.made(columns: 8, rows: 600)
    let (salvage, picture) = try #require(try Salvaging.recovered(realm.bytes))
    #expect(salvage.isSound)
    let isSame = try picture == Salvaging.original(realm)
    #expect(isSame)
  }

  // MARK: Made files

  /// A class A of 5 objects in two clusters, with keys 0, 1, 2, 300 and 301; gives where its table stands.
  private static func realmOfTwoClusters() -> (bytes: [UInt8], table: Int) {
    var realm = RealmBytes()
    func leaf(_ values: [Int64]) -> Int { realm.integers(values) }
    let first = realm.cluster(rowCount: 3, leaves: [leaf([11, 12, 13])])
    let second = realm.cluster(rowCount: 2, leaves: [leaf([14, 15])])
    let offsets = realm.integers([0, 300])
    let tree = realm.refs(
      [Int64(offsets), RealmBytes.tagged(1), RealmBytes.tagged(5), Int64(first), Int64(second)], inner: true)
    let column = RealmBytes.Column("n", key: RealmBytes.columnKey(0, type: 0), leaf: 0)
    let table = realm.table(slot: 0, columns: [column], clusters: tree)
    return (realm.realm(["class_A"], tables: [table]), table)
  }

  @Test("A tree of clusters that nothing leads to gives its objects their keys")
  func lostRoot() throws {
    var (bytes, table) = Self.realmOfTwoClusters()
    let sound = try #require(try Salvaging.recovered(bytes)).picture
    #expect(sound["A"]?.keys.sorted() == [0, 1, 2, 300, 301])
    for index in 4..<8 { bytes[table + index] = 0 }
    let (salvage, picture) = try #require(try Salvaging.recovered(bytes))
    #expect(!salvage.isSound)
    #expect(picture == sound)
  }

  /// A class of lists that all lead to one that is damaged at its end, and a class with a primary key behind it.
  private static func realmOfDamagedLists(_ count: Int) -> [UInt8] {
    var realm = RealmBytes()
    let leaf = (0..<1000).map { Int64($0) << 40 }
    var children = (0..<10).map { _ in realm.integers(leaf, width: 64) }
    children.append(realm.shortTexts(["no number"], width: 16))
    let list = realm.refs(
      [RealmBytes.tagged(1000)] + children.map(Int64.init) + [RealmBytes.tagged(11000)], inner: true)
    let lists = realm.refs(to: Array(repeating: list, count: count))
    let numbers = realm.integers([1, 2, 3])
    let owners = realm.cluster(rowCount: count, leaves: [lists])
    let others = realm.cluster(rowCount: 3, leaves: [numbers])
    let key = RealmBytes.columnKey(0, type: 0)
    let listKey = RealmBytes.columnKey(0, type: 0, attributes: 32)
    let first = realm.table(
      slot: 0, columns: [.init("l", key: listKey, leaf: lists)], clusters: owners)
    let second = realm.table(
      slot: 1, columns: [.init("id", key: key, leaf: numbers)], clusters: others, primaryKey: key)
    return realm.realm(["class_A", "class_B"], tables: [first, second])
  }

  @Test("What damaged values lead to does not use up what others need")
  func damagedValues() throws {
    let (salvage, picture) = try #require(try Salvaging.recovered(Self.realmOfDamagedLists(24)))
    #expect(salvage.classes.map(\.counts.sound) == [0, 3])
    #expect(picture["B"]?.keys.sorted() == [0, 1, 2])
  }

  @Test("Where more is damaged than may be read objects without a primary key stand beside their class")
  func damagedBeyondReading() throws {
    let (salvage, picture) = try #require(try Salvaging.recovered(Self.realmOfDamagedLists(90)))
    let counts = try #require(salvage.classes.last?.counts)
    #expect(counts.sound + counts.setAside == 3)
    #expect((picture["B"]?.count ?? 0) + (picture["Recovered_B"]?.count ?? 0) == 3)
  }
}
