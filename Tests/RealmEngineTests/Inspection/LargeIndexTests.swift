// Indexes of many objects, which are compared with their columns in another way than small ones: nothing may escape that.

import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Inspection of large indexes", .slow)
struct LargeIndexTests {
  private static let rows = 21_000
  /// One object in so many is erased, so that keys do not just count up.
  private static let erasedEvery: Int64 = 701

  private static func any(_ number: Int64) -> NewValue {
    switch number % 5 {
    case 0: .null
    case 1: .single(.int(number % 50))
    case 2: .single(.double(Double(number % 50) + 0.5))
    case 3: .single(.string(ByteString("word \(number % 900)")))
    default: .single(.date(Timestamp(seconds: number % 77, nanoseconds: 7)))
    }
  }

  private static func text(_ number: Int64) -> NewValue {
    switch number % 4 {
    case 0: .null
    case 1: .single(.string(ByteString("city \(number % 300)")))
    case 2: .single(.string(ByteString("a long way that many share, number \(number)")))
    default: .single(.string(ByteString(String(repeating: "x", count: Int(number % 9)))))
    }
  }

  /// Made once: most of a test is to make it.
  private static let bytes = Result { () throws -> [UInt8] in
    let files = try ScratchFolder(keepable: "large-index")
    let path = files.path("large.realm")
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("age", .int),
          PropertyDefinition("text", .string, isOptional: true),
          PropertyDefinition("any", .mixed, isOptional: true),
        ])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    var erased: [ObjectLink] = []
    for number in 0..<Int64(rows) {
      let key = try write.create(
        table,
        [
          ("id", .single(.int(number &* 0x1_0000_01))), ("age", .single(.int(number % 97))),
          ("text", text(number)), ("any", any(number)),
        ])
      if number % erasedEvery == 5 { erased.append(ObjectLink(table: table, key: key)) }
    }
    try write.erase(erased)
    // Sooner made of whole columns than object by object.
    for property in ["age", "text", "any"] { try write.setIndex("Row", property, .general) }
    try realm.commit(write)
    return try RealmSurgeon(at: path).bytes
  }

  private func realm() throws -> RealmSurgeon {
    let realm = try RealmSurgeon("bare.realm")
    realm.bytes = try Self.bytes.get()
    return realm
  }

  @Test("an index that holds what the column does is sound, and everything is met once")
  func sound() throws {
    let report = try realm().inspect()
    #expect(report.findings.isEmpty)
    let met = report.statistics
    #expect(met.objectCount > 20_000 && met.valueCount == 4 * met.objectCount)
    #expect(met.indexCount == 4 && met.indexEntryCount == 4 * met.objectCount)
    #expect(met.nodeBytes + met.freeBytes == report.logicalSize - 24)
  }

  @Test("damage among many objects is found, a node that two of their clusters name as well")
  func objects() throws {
    var realm = try realm()
    let shared = realm.node(at: leaf(realm, "age", cluster: 3))
    realm.put(Int64(shared.offset), at: leaf(realm, "age", cluster: 70))
    #expect(try realm.findings().contains(.nodeUsedTwice))
    realm = try self.realm()
    realm.setCount(realm.node(at: leaf(realm, "age", cluster: 41)), 7)
    #expect(try realm.findings().contains(.leafCount))
  }

  /// The path of a leaf in the middle of the table.
  private func leaf(_ realm: RealmSurgeon, _ property: String, cluster: Int) -> [Int] {
    let path = realm.table("Row") + [2, 3 + cluster]
    precondition(realm.node(at: path).flags & RealmSurgeon.inner == 0)
    return path + [1 + realm.leafIndex("Row", property)]
  }

  @Test("each wrong value is found", arguments: [0, 41, 80])
  func values(cluster: Int) throws {
    for (property, change) in [("id", 1), ("age", 1), ("age", -1)] {
      let realm = try realm()
      realm.replace(leaf(realm, property, cluster: cluster)) { $0[$0.count / 2] += Int64(change) }
      let found = try realm.findings()
      #expect(!found.isDisjoint(with: [.indexPlace, .indexList]), "\(property) \(change): \(found)")
    }
  }

  /// The paths of nodes of an index that hold keys of single objects, and of lists.
  private func parts(_ realm: RealmSurgeon, _ property: String) -> (single: [[Int]], lists: [[Int]]) {
    var pending = [realm.table("Row") + [4, realm.leafIndex("Row", property)]]
    var (single, lists): ([[Int]], [[Int]]) = ([], [])
    while let path = pending.popLast(), lists.count < 500, single.count < 500 {
      let node = realm.node(at: path)
      let slots = realm.elements(node)
      if node.flags & RealmSurgeon.inner == 0, slots.dropFirst().count(where: { $0 & 1 == 1 }) > 1 {
        single.append(path)
      }
      for slot in 1..<node.count where slots[slot] & 1 == 0 {
        let child = realm.node(Int(slots[slot]))
        if child.flags & RealmSurgeon.context != 0 {
          pending.append(path + [slot])
        } else if child.flags & RealmSurgeon.inner == 0, child.count > 1 {
          lists.append(path + [slot])
        }
      }
    }
    return (single, lists)
  }

  @Test("each wrong key among single ones is found", arguments: ["id", "text"])
  func singleKeys(property: String) throws {
    let changes: [(inout [Int64]) -> Void] = [
      { slots in
        let keys = slots.indices.dropFirst().filter { slots[$0] & 1 == 1 }
        slots.swapAt(keys[0], keys[1])
      },
      { slots in
        let keys = slots.indices.dropFirst().filter { slots[$0] & 1 == 1 }
        slots[keys[0]] = slots[keys[1]]
      },
      { slots in
        let key = slots.indices.dropFirst().first { slots[$0] & 1 == 1 } ?? 1
        slots[key] = Int64(Self.rows + 5) << 1 | 1
      },
    ]
    for change in changes {
      let realm = try realm()
      let path = try #require(parts(realm, property).single.last)
      realm.replace(path, change)
      #expect(try !realm.findings().isDisjoint(with: [.indexPlace, .indexExtra]))
    }
  }

  @Test("each wrong key in lists is found", arguments: ["age", "text", "any"])
  func listedKeys(property: String) throws {
    let changes: [(inout [Int64]) -> Void] = [
      { $0.swapAt(0, 1) }, { $0[1] = $0[0] }, { $0.removeLast() }, { $0[0] += 1 },
    ]
    for change in changes {
      let realm = try realm()
      let path = try #require(parts(realm, property).lists.last)
      realm.replace(path, change)
      let kinds: Set<FindingKind> = [.indexList, .indexExtra, .indexMissing, .indexPlace]
      #expect(try !realm.findings().isDisjoint(with: kinds))
    }
  }
}
