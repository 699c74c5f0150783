// Files that were made to look sound and are not: what `dump`, an upgrade or the reference engine refuses is damaged.

import RealmEngine
import Testing

@Suite("Inspection of hostile files")
struct HostileFileTests {
  @Test(
    "what the reference engine or a dump refuses is not sound",
    arguments: [
      ("embedded-shared", FindingKind.owner), ("embedded-unrecorded", .incomingMissing),
      ("table-slot-zero", .slotKind), ("no-version-20", .schemaVersion), ("no-version-22", .schemaVersion),
      ("no-version-small", .schemaVersion), ("short-leaf", .leafCount), ("wrong-opposite", .opposite),
      ("shared-free-list", .nodeUsedTwice), ("date-range", .date), ("date-nanoseconds", .date),
    ])
  func refused(_ name: String, _ kind: FindingKind) throws {
    let report = try FileInspection.inspect(FixtureFile.path("hostile/\(name).realm"))
    #expect(!report.isSound && report.counts[kind] != nil, "\(report.findings)")
  }

  @Test(
    "a few bytes of a sound file are enough",
    arguments: [
      ("zoo.realm", [66664: 0, 66665: 0, 66666: 0] as [Int: UInt8], FindingKind.slotKind),
      ("zoo.realm", [3175: 2], .clusterLeaf), ("zoo.realm", [73839: 1], .incomingMissing),
      ("zoo.realm", [72513: 0], .incomingMissing), ("place.realm", [428: 253], .opposite),
      ("place.realm", [2864: 8], .owner), ("bare.realm", [127: 4], .leafCount),
      ("empty.realm", [88: 97, 224: 129, 225: 45], .tableSlots),
    ])
  func changed(_ base: String, _ bytes: [Int: UInt8], _ kind: FindingKind) throws {
    let realm = try RealmSurgeon(base)
    for (offset, byte) in bytes { realm.bytes[offset] = byte }
    let report = try realm.inspect()
    #expect(!report.isSound && report.counts[kind] != nil, "\(report.findings)")
  }

  @Test("F-2: a file is not empty where the slot that is not selected names a snapshot")
  func forgotten() throws {
    try expectFinding(.selectedSlot) { realm in
      let slot = realm.slot
      for offset in 0..<8 {
        realm.bytes[8 * (1 - slot) + offset] = realm.bytes[8 * slot + offset]
        realm.bytes[8 * slot + offset] = 0
      }
      realm.bytes[20 + slot] = 0
    }
  }

  @Test("F-2: a slot that states a format had a ref")
  func lostRefs() throws {
    let realm = try RealmSurgeon("zoo.realm")
    for offset in 0..<16 { realm.bytes[offset] = 0 }
    let report = try realm.inspectOnDisk()
    #expect(report.counts[.selectedSlot] == 1, "\(report.findings)")
    #expect(throws: EngineError.self) { try realm.inspect() }
    let formats = realm.bytes[20..<22]
    for offset in 20..<22 { realm.bytes[offset] = 0 }
    #expect(try realm.inspect().isSound, "a first commit that broke off")
    realm.bytes.replaceSubrange(20..<22, with: formats)
    for offset in 24..<realm.bytes.count { realm.bytes[offset] = 0 }
    #expect(try realm.inspect().isSound, "nothing stands behind the header")
  }

  @Test("F-2: a file is not empty where its footer names a snapshot")
  func forgottenFooter() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let top = realm.bytes[8 * realm.slot..<8 * realm.slot + 8]
    realm.bytes += top + [0xC8, 0x26, 0xE5, 0x37, 0x52, 0x12, 0x34, 0x30]
    for offset in 0..<16 { realm.bytes[offset] = offset < 8 ? 0xFF : 0 }
    realm.bytes[21] = 0
    realm.bytes[23] = 0
    #expect(try !realm.findings().contains(.selectedSlot), "written in one go")
    realm.bytes[23] = 1
    #expect(try realm.findings().contains(.selectedSlot), "the flags say that it was not")
    for offset in [0..<8, 20..<21, 23..<24].joined() { realm.bytes[offset] = 0 }
    #expect(try realm.findings().contains(.selectedSlot), "the header says nothing")
  }

  @Test("F-21: a history out of the file belongs to formats before 10")
  func historyType() throws {
    try expectFinding(.historyType) { $0.put(1 << 1 | 1, at: [7]) }
  }

  @Test("F-24: numbers that engines write where they are missing must be there", arguments: [3, 5, 6])
  func tableNumbers(_ slot: Int) throws {
    try expectFinding(.slotKind) { $0.put(0, at: $0.table("Dog") + [slot]) }
  }

  @Test("F-70: objects that own one another belong to nobody")
  func circle() throws {
    // Object 0 owned the list that made object 1; now each owns the other.
    let realm = try RealmSurgeon("hostile/embedded-shared.realm")
    #expect(try realm.findings().contains(.owner))
  }
}

@Suite("Inspection of hostile files of formats before 10")
struct HostileOldFileTests {
  /// The first table that has rows.
  private let table = [1, 2]

  @Test("F-26: the spec of a table has its arrays")
  func spec() throws {
    try expectFinding(.slotKind, in: "legacy9-small.realm") { $0.put(137, at: table + [0, 2]) }
    try expectFinding(.columnKey, in: "legacy9-small.realm") { $0.replace(table + [0, 0]) { $0[0] = 15 } }
    try expectFinding(.spec, in: "legacy9-small.realm") { realm in
      realm.setCount(realm.node(at: table + [0, 2]), realm.node(at: table + [0, 2]).count - 1)
    }
  }

  @Test("F-40: the columns of a table have as many rows")
  func rows() throws {
    try expectFinding(.leafCount, in: "legacy9-small.realm") { realm in
      let leaf = realm.node(at: table + [1, 0])
      realm.setCount(leaf, leaf.count - 1)
    }
  }

  @Test("F-79: a table has a root for each column and each index")
  func roots() throws {
    try expectFinding(.oldTable, in: "legacy9-small.realm") { realm in
      let roots = realm.node(at: table + [1])
      realm.setCount(roots, roots.count - 1)
    }
  }

  @Test("F-79: no upgrade begins with a format before 9")
  func interrupted() throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 3
    realm.setCount(realm.node(at: []), 10)
    #expect(try realm.findings().contains(.oldTable))
  }
}
