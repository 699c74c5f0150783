// Trees of elements, lists, sets and dictionaries: each rule broken once.

import RealmEngine
import Testing

@Suite("Findings about collections")
struct CollectionFindingTests {
  /// Puts two inner levels above a list's only leaf, as a list of a million elements has.
  private func deepen(_ realm: RealmSurgeon) {
    for perChild: Int64 in [1000, 1_000_000] {
      let path = list(realm)
      let root = realm.node(at: path)
      let slots = [perChild << 1 | 1, Int64(root.offset), Int64(count(realm)) << 1 | 1]
      realm.put(
        Int64(realm.append(flags: RealmSurgeon.refs | RealmSurgeon.inner, slots)), at: path)
    }
  }

  private func list(_ realm: RealmSurgeon) -> [Int] { realm.collection("Person", "scores", countMin: 2) }

  private func count(_ realm: RealmSurgeon) -> Int {
    var path = list(realm)
    while realm.node(at: path).flags & RealmSurgeon.inner != 0 { path.append(1) }
    return realm.node(at: path).count
  }

  @Test("F-57: an inner node of a tree has children, at most 8 levels of them")
  func treeNode() throws {
    try expectFinding(.treeNode, prepare: deepen) { $0.setCount($0.node(at: list($0)), 2) }
    try expectFinding(.treeNode) { for _ in 0..<5 { deepen($0) } }
  }

  @Test("F-58: an inner node counts its elements and knows where its children start")
  func treeCount() throws {
    try expectFinding(.treeCount, prepare: deepen) { $0.put(5000 << 1 | 1, at: list($0) + [2]) }
    try expectFinding(.treeCount, prepare: deepen) { $0.put(0 << 1 | 1, at: list($0) + [0]) }
    try expectFinding(.treeCount, prepare: deepen) { $0.put(1 << 1 | 1, at: list($0) + [1, 0]) }
    try expectFinding(.treeCount, prepare: deepen) {
      $0.put(Int64($0.append(width: 8, [1, 2])), at: list($0) + [0])
    }
  }

  @Test("F-59: a leaf of a tree has 1 to 1000 elements")
  func treeLeafSize() throws {
    try expectFinding(.treeLeafSize) {
      $0.put(Int64($0.append(Array(repeating: 1, count: 1001))), at: list($0))
    }
    try expectFinding(.treeLeafSize, prepare: deepen) { $0.put(Int64($0.append([])), at: list($0) + [1, 1]) }
  }

  @Test("F-59: elements that take no bytes are not looked at where there are too many")
  func bytelessElements() throws {
    for (promised, kind) in [(60_000, FindingKind.treeLeafSize), (8_000_000, .nodeHeader)] {
      let realm = try RealmSurgeon("zoo.realm")
      let list = list(realm)
      realm.put(Int64(realm.append(kind: 0, width: 0, count: promised, [])), at: list)
      let report = try realm.inspect()
      #expect(report.counts[kind] == 1)
      #expect(report.statistics.valueCount < promised)
    }
  }

  /// Gives the first set of labels these texts of 3 bytes.
  private func labels(_ realm: RealmSurgeon, _ texts: [String]) {
    let content: [UInt8] = texts.flatMap { Array($0.utf8) + [0] }
    realm.put(
      Int64(realm.append(kind: 1, width: 4, count: texts.count, content)),
      at: realm.collection("Person", "labels"))
  }

  @Test("F-60: the elements of a set rise")
  func setOrder() throws {
    try expectFinding(
      .setOrder, prepare: { labels($0, ["abc", "abd", "éx"]) },
      damage: {
        labels($0, ["abd", "abc", "éx"])
      })
    try expectFinding(
      .setOrder, prepare: { labels($0, ["abc", "éx"]) }, damage: { labels($0, ["éx", "abc"]) })
  }

  @Test("F-60: before format 24 sets of texts have the order of their time")
  func oldSetOrder() throws {
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    let before = try realm.findings()
    labels(realm, ["éx", "abc"])
    #expect(try realm.findings() == before)
  }

  @Test("F-61: a set has each element once, in any order")
  func setElement() throws {
    try expectFinding(
      .setElement, prepare: { labels($0, ["abc", "abd"]) }, damage: { labels($0, ["abc", "abc"]) })
    let realm = try RealmSurgeon("zoo.realm")
    realm.bytes[20 + realm.slot] = 23
    labels(realm, ["xyz", "abc", "xyz"])
    #expect(try realm.findings().contains(.setElement))
  }

  private func dictionary(_ realm: RealmSurgeon) -> [Int] { realm.collection("Person", "attrs", countMin: 2) }

  /// Gives the first dictionary these keys of 3 bytes, all with the value null.
  private func keys(_ realm: RealmSurgeon, _ texts: [String]) {
    let content: [UInt8] = texts.flatMap { Array($0.utf8) + [0] }
    realm.put(
      Int64(realm.append(kind: 1, width: 4, count: texts.count, content)), at: dictionary(realm) + [0])
    let composites = Int64(realm.append([Int64](repeating: 0, count: texts.count)))
    realm.put(Int64(realm.append(flags: 0x40, [composites, 0, 0, 0, 0, 0])), at: dictionary(realm) + [1])
  }

  @Test("F-62: a dictionary has keys and as many values")
  func dictionary() throws {
    try expectFinding(
      .dictionary, prepare: { keys($0, ["abc", "abd"]) },
      damage: {
        $0.put(Int64($0.append([0, 0, 0])), at: dictionary($0) + [1, 0])
      })
    try expectFinding(.dictionary) { $0.setCount($0.node(at: dictionary($0)), 1) }
  }

  @Test("F-63: a dictionary has each key once")
  func dictionaryKey() throws {
    try expectFinding(
      .dictionaryKey, prepare: { keys($0, ["abc", "abd"]) }, damage: { keys($0, ["abc", "abc"]) })
  }

  @Test("F-64: the keys of a dictionary rise; the order of signed bytes can be repaired")
  func dictionaryOrder() throws {
    try expectFinding(
      .dictionaryOrder, .damage, prepare: { keys($0, ["abc", "abd"]) },
      damage: {
        keys($0, ["abd", "abc"])
      })
    try expectFinding(
      .dictionaryOrder, .repairable, prepare: { keys($0, ["abc", "éx"]) },
      damage: {
        keys($0, ["éx", "abc"])
      })
  }

  @Test("F-65: a list of links is marked exactly when a link in it is unresolved")
  func unresolvedMark() throws {
    try expectFinding(.unresolvedMark) {
      let list = $0.node(at: $0.collection("Person", "dogs"))
      $0.setFlags(list, list.flags | RealmSurgeon.context)
    }
  }
}
