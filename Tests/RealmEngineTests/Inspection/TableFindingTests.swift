// Tables and clusters: each rule broken once.

import RealmEngine
import Testing

@Suite("Findings about tables")
struct TableFindingTests {
  @Test("F-24: a table has 12 to 14 slots")
  func tableTop() throws {
    try expectFinding(.tableTop) { $0.setCount($0.node(at: $0.table("Dog")), 11) }
  }

  @Test("F-25: the low half of a table's key is its slot")
  func tableKey() throws {
    try expectFinding(.tableKey) { $0.put(77 << 1 | 1, at: $0.table("Dog") + [3]) }
  }

  @Test("F-26: a spec has 6 slots and arrays of one length")
  func spec() throws {
    try expectFinding(.spec) { $0.setCount($0.node(at: $0.table("Dog") + [0]), 5) }
    try expectFinding(.spec) {
      let types = $0.table("Dog") + [0, 0]
      $0.setCount($0.node(at: types), $0.node(at: types).count - 1)
    }
  }

  @Test("F-27: a column's key says what the spec says, and has a leaf of its own")
  func columnKey() throws {
    try expectFinding(.columnKey) {
      let index = $0.specIndex("Dog", "name")
      $0.replace($0.table("Dog") + [0, 5]) { $0[index] |= 63 << 16 }
    }
    try expectFinding(.columnKey) { $0.replace($0.table("Dog") + [0, 5]) { $0[1] = $0[0] } }
    try expectFinding(.columnKey) {
      let index = $0.specIndex("Dog", "age")
      $0.replace($0.table("Dog") + [0, 2]) { $0[index] ^= 16 }
    }
  }

  @Test("F-28: a property has a name of its own")
  func propertyName() throws {
    try expectFinding(.propertyName) {
      let names = $0.node(at: $0.table("Dog") + [0, 1])
      $0.bytes[names.offset + 8 + names.width - 1] = UInt8(names.width - 1)
    }
  }

  @Test("F-29: indexes and opposites are listed for every leaf")
  func columnArrays() throws {
    try expectFinding(.columnArrays) {
      let tables = $0.node(at: $0.table("Dog") + [7])
      $0.setCount(tables, tables.count - 1)
    }
  }

  @Test("F-30: links and incoming links name each other")
  func opposite() throws {
    try expectFinding(.opposite, place: "class Dog, property owner, the table's structure") {
      let index = $0.leafIndex("Dog", "owner")
      $0.replace($0.table("Dog") + [7]) { $0[index] = 0 }
    }
    try expectFinding(.opposite) {
      let index = $0.leafIndex("Dog", "owner")
      $0.replace($0.table("Dog") + [8]) { $0[index] ^= 1 << 16 }
    }
    // A table that is there, and may go.
    try expectFinding(.opposite, place: "class Dog, property age, the table's structure") {
      let (index, link) = ($0.leafIndex("Dog", "age"), $0.leafIndex("Dog", "owner"))
      $0.replace($0.table("Dog") + [7]) { $0[index] = $0[link] }
    }
  }

  @Test("F-31: the primary key is a column that may be one")
  func primaryKey() throws {
    let weight = try RealmSurgeon("zoo.realm").columnKey("Person", "weight")
    try expectFinding(.primaryKey) { $0.put(weight << 1 | 1, at: $0.table("Person") + [11]) }
    try expectFinding(.primaryKey) { $0.put(12345 << 1 | 1, at: $0.table("Person") + [11]) }
    try expectFinding(.slotKind) { $0.put(12346, at: $0.table("Person") + [11]) }
  }

  @Test("F-32: what is marked as indexed and every primary key has an index, and nothing else has")
  func indexPresence() throws {
    try expectFinding(.indexPresence) {
      $0.put(0, at: $0.table("Person") + [4, $0.leafIndex("Person", "_id")])
    }
    try expectFinding(.indexPresence) {
      $0.put(0, at: $0.table("Person") + [4, $0.leafIndex("Person", "name")])
    }
    try expectFinding(.indexPresence) {
      let empty = $0.append(
        flags: 0x60, width: 32, [Int64($0.append(width: 32, []))])
      $0.put(Int64(empty), at: $0.table("Person") + [4, $0.leafIndex("Person", "weight")])
    }
  }

  @Test("F-33: a table is of a known kind")
  func tableFlags() throws {
    try expectFinding(.tableFlags) { $0.put(3 << 1 | 1, at: $0.table("Dog") + [12]) }
  }

  @Test("F-34: a collision map has three arrays of one length")
  func collisionMap() throws {
    func map(_ realm: RealmSurgeon, _ last: [Int64]) {
      let arrays = [[1, 2], [3, 4], last].map { Int64(realm.append($0)) }
      realm.put(Int64(realm.append(flags: RealmSurgeon.refs, arrays)), at: realm.table("Dog") + [10])
    }
    try expectFinding(.collisionMap, prepare: { map($0, [5, 6]) }, damage: { map($0, [5]) })
  }

  private func enumerate(_ realm: RealmSurgeon) { realm.enumerateDogNames() }

  @Test("F-35: distinct texts are texts of a text property")
  func enumeratedTexts() throws {
    try expectFinding(.enumeratedTexts, prepare: enumerate) {
      let spec = $0.table("Dog") + [0, 4]
      let texts = $0.get($0.node(at: spec), $0.specIndex("Dog", "name"))
      $0.put(0, at: spec + [$0.specIndex("Dog", "name")])
      $0.put(texts, at: spec + [$0.specIndex("Dog", "age")])
    }
  }

  @Test("F-56: an enumerated text is a number below the count of distinct texts")
  func enumeratedNumber() throws {
    try expectFinding(.enumeratedNumber, prepare: enumerate) {
      $0.replace($0.leaf("Dog", "name")) { $0[3] = 2 }
    }
  }
}

@Suite("Findings about clusters")
struct ClusterFindingTests {
  /// Puts an inner node above the dogs' only cluster, as a larger table has.
  private func deepen(_ realm: RealmSurgeon) {
    let path = realm.table("Dog") + [2]
    let leaf = Int64(realm.node(at: path).offset)
    let count = Int64(realm.node(at: realm.leaf("Dog", "age")).count)
    let slots: [Int64] = [0, 1 << 1 | 1, count << 1 | 1, leaf]
    let node = realm.append(flags: RealmSurgeon.refs | RealmSurgeon.inner, width: 64, slots)
    realm.put(Int64(node), at: path)
  }

  /// Splits the cluster in two.
  private func split(_ realm: RealmSurgeon) {
    let path = realm.table("Dog") + [2]
    let count = realm.node(at: realm.leaf("Dog", "age")).count
    let empty = realm.append(flags: RealmSurgeon.refs, emptyCluster(realm))
    let leaf = Int64(realm.node(at: path).offset)
    let offsets = Int64(realm.append(width: 16, [0, 1000]))
    let slots: [Int64] = [offsets, 1 << 1 | 1, Int64(count) << 1 | 1, leaf, Int64(empty)]
    let node = realm.append(flags: RealmSurgeon.refs | RealmSurgeon.inner, width: 64, slots)
    realm.put(Int64(node), at: path)
  }

  /// The slots of a cluster without objects.
  private func emptyCluster(_ realm: RealmSurgeon) -> [Int64] {
    let cluster = realm.node(at: realm.cluster("Dog"))
    return (0..<cluster.count).map { slot in
      guard slot > 0 else { return 1 }
      let leaf = realm.node(at: realm.cluster("Dog") + [slot])
      // Dates have two parts, texts and the rest are simple.
      if leaf.flags & 0x40 != 0 && leaf.count == 2 && slot - 1 == realm.leafIndex("Dog", "born") {
        return Int64(realm.append(flags: 0x40, [Int64(realm.append([0])), Int64(realm.append([]))]))
      }
      if leaf.kind == 1 { return Int64(realm.append(kind: 1, width: 0, count: 0, [])) }
      if leaf.flags & 0x40 != 0 && leaf.count == 3 && leaf.flags & 0x20 == 0 {
        let blob = Int64(realm.append(kind: 2, count: 0, []))
        return Int64(
          realm.append(flags: 0x40, [Int64(realm.append([])), blob, Int64(realm.append([]))]))
      }
      return Int64(realm.append(flags: leaf.flags & 0xE0, []))
    }
  }

  @Test("F-36: an inner cluster node states its depth")
  func clusterNode() throws {
    try expectFinding(.clusterNode, prepare: deepen) { $0.put(2 << 1 | 1, at: $0.table("Dog") + [2, 1]) }
    try expectFinding(.clusterNode, prepare: deepen) { $0.put(100 << 1 | 1, at: $0.table("Dog") + [2, 1]) }
    try expectFinding(.clusterNode, prepare: deepen) { $0.setCount($0.node(at: $0.table("Dog") + [2]), 3) }
    // Of a kind that has fewer bytes than that many slots.
    for kind: UInt8 in [0x08, 0x10] {
      try expectFinding(.clusterNode, prepare: deepen) {
        let root = $0.node(at: $0.table("Dog") + [2])
        $0.setFlags(root, root.flags & ~7 | kind)
      }
    }
  }

  @Test("F-37: inner cluster nodes count their objects, and a cluster has at most 256")
  func clusterCount() throws {
    try expectFinding(.clusterCount, prepare: deepen) { $0.put(59 << 1 | 1, at: $0.table("Dog") + [2, 2]) }
    try expectFinding(.clusterCount) { $0.put(1000 << 1 | 1, at: $0.cluster("Dog") + [0]) }
  }

  @Test("F-38: object keys rise through the whole tree and fit the offsets above them")
  func objectKeys() throws {
    try expectFinding(.objectKeys, prepare: split) { $0.replace($0.table("Dog") + [2, 0]) { $0[1] = 20 } }
    try expectFinding(.objectKeys, prepare: split) { $0.replace($0.table("Dog") + [2, 0]) { $0[0] = 1 } }
    let count = try RealmSurgeon("zoo.realm").node(at: RealmSurgeon("zoo.realm").leaf("Dog", "age")).count
    func general(_ realm: RealmSurgeon, _ keys: [Int64], width: Int = 16) {
      realm.put(Int64(realm.append(width: width, keys)), at: realm.cluster("Dog") + [0])
    }
    let keys = (0..<Int64(count)).map { $0 }
    try expectFinding(.objectKeys, prepare: { general($0, keys) }, damage: { general($0, keys.reversed()) })
    try expectFinding(
      .objectKeys, prepare: { general($0, keys) },
      damage: {
        general($0, keys.map { min($0, 1) }, width: 1)
      })
  }

  @Test("F-39: a cluster has a leaf for every column and for nothing else")
  func clusterLeaf() throws {
    try expectFinding(.clusterLeaf, place: "class Dog, property age") { $0.put(0, at: $0.leaf("Dog", "age")) }
    try expectFinding(.clusterLeaf) {
      let cluster = $0.node(at: $0.cluster("Dog"))
      $0.setCount(cluster, cluster.count - 2)
    }
    try expectFinding(.clusterLeaf) { realm in
      let stray = Int64(realm.append([1, 2, 3]))
      realm.replace(realm.cluster("Dog")) { $0.append(stray) }
    }
  }

  @Test("F-40: every leaf of a cluster has an element for every object")
  func leafCount() throws {
    try expectFinding(.leafCount, place: "class Dog, property age") {
      let leaf = $0.node(at: $0.leaf("Dog", "age"))
      $0.setCount(leaf, leaf.count - 1)
    }
    try expectFinding(.leafCount) {
      let nanoseconds = $0.node(at: $0.leaf("Dog", "born") + [1])
      $0.setCount(nanoseconds, nanoseconds.count - 1)
    }
  }

  @Test("F-71: unresolved objects have keys below -1")
  func tombstone() throws {
    func placeholders(_ realm: RealmSurgeon, _ key: Int64) {
      var slots = emptyCluster(realm)
      slots[0] = Int64(realm.append(width: 64, [key]))
      for property in ["name", "breed"] {
        slots[1 + realm.leafIndex("Dog", property)] = Int64(realm.append(kind: 1, width: 1, count: 1, [0]))
      }
      for property in ["age", "owner", "vaccinated"] {
        slots[1 + realm.leafIndex("Dog", property)] = Int64(realm.append([0]))
      }
      let seconds = Int64(realm.append([1, 0]))
      slots[1 + realm.leafIndex("Dog", "born")] = Int64(
        realm.append(flags: 0x40, [seconds, Int64(realm.append([0]))]))
      for key in realm.elements(realm.node(at: realm.table("Dog") + [0, 5])).dropFirst(6) {
        slots[1 + Int(key & 0xFFFF)] = Int64(realm.append(flags: 0x40, [0]))
      }
      realm.put(Int64(realm.append(flags: 0x40, slots)), at: realm.table("Dog") + [13])
    }
    let report = try expectFinding(
      .tombstone, prepare: { placeholders($0, -5) }, damage: { placeholders($0, 5) })
    #expect(report.statistics.unresolvedObjectCount == 1)
  }
}
