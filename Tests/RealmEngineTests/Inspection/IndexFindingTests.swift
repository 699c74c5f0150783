// Search indexes: each rule broken once.

import RealmEngine
import Testing

@Suite("Findings about search indexes")
struct IndexFindingTests {
  private func index(_ realm: RealmSurgeon, _ table: String, _ property: String) -> [Int] {
    realm.table(table) + [4, realm.leafIndex(table, property)]
  }

  /// The path of the first leaf of an index with at least `countMin` entries, and a slot in it that holds a key.
  private func entry(_ realm: RealmSurgeon, _ table: String, _ property: String) -> (path: [Int], slot: Int) {
    var pending = [index(realm, table, property)]
    while let path = pending.popLast() {
      let node = realm.node(at: path)
      let slots = realm.elements(node)
      if node.flags & RealmSurgeon.inner == 0, let slot = slots.dropFirst().firstIndex(where: { $0 & 1 == 1 })
      {
        return (path, slot)
      }
      for slot in 1..<node.count where slots[slot] & 1 == 0 {
        if realm.node(Int(slots[slot])).flags & RealmSurgeon.context != 0 { pending.append(path + [slot]) }
      }
    }
    preconditionFailure("no single key in the index of \(property)")
  }

  /// The path of the first list of an index.
  private func list(_ realm: RealmSurgeon, _ table: String, _ property: String) -> [Int] {
    var pending = [index(realm, table, property)]
    while let path = pending.popLast() {
      let node = realm.node(at: path)
      for slot in 1..<node.count where realm.get(node, slot) & 1 == 0 {
        let child = realm.node(at: path + [slot])
        if child.flags & RealmSurgeon.context == 0 { return path + [slot] }
        pending.append(path + [slot])
      }
    }
    preconditionFailure("no list in the index of \(property)")
  }

  @Test("F-72: a node of an index is marked as one")
  func indexNode() throws {
    try expectFinding(.indexNode, place: "class Person, property name, the search index") {
      let root = $0.node(at: index($0, "Person", "name"))
      $0.setFlags(root, root.flags & ~RealmSurgeon.context)
    }
  }

  @Test("F-73: chunks have 32 bits and rise")
  func indexChunks() throws {
    try expectFinding(.indexChunks) { realm in
      let (path, _) = entry(realm, "Person", "name")
      realm.replace(path + [0]) { $0.swapAt(0, 1) }
    }
    try expectFinding(.indexChunks) { realm in
      let path = entry(realm, "Person", "name").path + [0]
      realm.put(Int64(realm.append(width: 64, realm.elements(realm.node(at: path)))), at: path)
    }
  }

  @Test("F-74: an object stands under the chunks of its value")
  func indexPlace() throws {
    try expectFinding(.indexPlace) { realm in
      let (path, slot) = entry(realm, "Person", "name")
      realm.replace(path) { slots in
        let other = slots.indices.dropFirst().first { $0 != slot && slots[$0] & 1 == 1 } ?? slot
        slots.swapAt(slot, other)
      }
    }
  }

  @Test("F-75, F-76: every object stands in the index, and once")
  func indexContents() throws {
    for kind in [FindingKind.indexMissing, .indexExtra] {
      try expectFinding(kind) { realm in
        let (path, slot) = entry(realm, "Person", "_id")
        let key = realm.get(realm.node(at: path), slot) >> 1
        realm.replace(path) { $0[slot] = (key == 0 ? 1 : 0) << 1 | 1 }
      }
    }
    try expectFinding(.indexExtra) { realm in
      let (path, slot) = entry(realm, "Person", "_id")
      realm.replace(path) { $0[slot] = 100_000 << 1 | 1 }
    }
  }

  @Test("F-75, F-76: a full-text index holds exactly the words of the texts")
  func words() throws {
    for kind in [FindingKind.indexMissing, .indexExtra] {
      try expectFinding(kind, in: "place.realm") { realm in
        let path = list(realm, "Place", "blurb")
        let keys = realm.elements(realm.node(at: path))
        let other = (0..<60).first { !keys.contains($0) } ?? 0
        realm.replace(path) { $0[0] = other }
      }
    }
  }

  @Test("F-77: a list holds objects of one value, in the order of their keys")
  func indexList() throws {
    try expectFinding(.indexList) { realm in
      realm.replace(list(realm, "Address", "city")) { $0.swapAt(0, 1) }
    }
    try expectFinding(.indexList) { realm in
      realm.put(Int64(realm.append([])), at: list(realm, "Address", "city"))
    }
    try expectFinding(
      .indexList, prepare: { _ in },
      damage: { realm in
        // Two values that agree in what leads to the list.
        let (path, slot) = entry(realm, "Person", "name")
        let node = realm.node(at: path)
        let other = (1..<node.count).first { $0 != slot && realm.get(node, $0) & 1 == 1 } ?? slot
        let keys = [realm.get(node, slot) >> 1, realm.get(node, other) >> 1].sorted()
        realm.put(Int64(realm.append(keys)), at: path + [slot])
      })
  }

  @Test("F-78: a primary key belongs to one object")
  func primaryKeyValue() throws {
    try expectFinding(.primaryKeyValue) { realm in
      let identifiers = realm.elements(realm.node(at: realm.leaf("Person", "_id")))
      let (path, slot) = entry(realm, "Person", "_id")
      let key = Int(realm.get(realm.node(at: path), slot) >> 1)
      let other = key == 0 ? 1 : 0
      realm.replace(realm.leaf("Person", "_id")) { $0[other] = identifiers[key] }
      realm.put(Int64(realm.append([Int64(other), Int64(key)].sorted())), at: path + [slot])
    }
  }

  @Test("F-78: without an index primary keys are compared all the same")
  func primaryKeyWithoutIndex() throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 20
    realm.put(0, at: index(realm, "Person", "_id"))
    #expect(try !realm.findings().contains(.primaryKeyValue))
    realm.replace(realm.leaf("Person", "_id")) { $0[1] = $0[0] }
    #expect(try realm.findings().contains(.primaryKeyValue))
  }
}

@Suite("Findings about formats before 10")
struct OldFormatFindingTests {
  @Test("F-79: tables of old formats have a spec and columns")
  func oldTable() throws {
    try expectFinding(.oldTable, in: "legacy9-small.realm") { $0.setCount($0.node(at: [1, 2]), 1) }
  }

  @Test("F-16: a table of an old format that has a name was not erased")
  func erased() throws {
    try expectFinding(.tableSlots, in: "legacy9-small.realm") { $0.put(201, at: [1, 2]) }
    try expectFinding(.tableSlots, in: "legacy9-small.realm") { $0.put(0x8000 << 1 | 1, at: [1, 2]) }
  }

  @Test("F-8, F-9: the nodes of old formats do not overlap either")
  func overlap() throws {
    try expectFinding(.nodeUsedTwice, in: "legacy9-small.realm") {
      $0.put(Int64($0.node(at: [1, 1]).offset), at: [1, 2])
    }
    try expectFinding(.ref, in: "legacy9-small.realm") { $0.put(Int64($0.bytes.count), at: [1, 2]) }
  }
}
