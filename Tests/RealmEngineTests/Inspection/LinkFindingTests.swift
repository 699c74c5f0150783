// Links, incoming links and owners: each rule broken once.

import RealmEngine
import Testing

@Suite("Findings about links")
struct LinkFindingTests {
  /// The path of the leaf of the incoming links that a property's links are recorded by.
  private func incoming(_ realm: RealmSurgeon, _ table: String, _ property: String, target: String) -> [Int] {
    let leaf = realm.leafIndex(table, property)
    let column = realm.get(realm.node(at: realm.table(table) + [8]), leaf)
    return realm.cluster(target) + [1 + Int(column & 0xFFFF)]
  }

  /// A dog with an owner: its row and the owner's key.
  private func owned(_ realm: RealmSurgeon) -> (row: Int, owner: Int64) {
    let owners = realm.elements(realm.node(at: realm.leaf("Dog", "owner")))
    let row = owners.firstIndex { $0 > 0 } ?? 0
    return (row, owners[row] - 1)
  }

  @Test("F-66: a link leads to an object that exists")
  func linkTarget() throws {
    let row = owned(try RealmSurgeon("zoo.realm")).row
    try expectFinding(.linkTarget, place: "class Dog, property owner, object \(row)") { realm in
      realm.replace(realm.leaf("Dog", "owner")) { $0[row] = 100_000 }
    }
  }

  @Test("F-67: incoming links are listed when there is more than one")
  func incomingLinks() throws {
    try expectFinding(.incomingLinks) {
      let leaf = $0.node(at: incoming($0, "Dog", "owner", target: "Person"))
      $0.setFlags(leaf, leaf.flags & ~RealmSurgeon.refs)
    }
    try expectFinding(.incomingLinks, .repairable) { realm in
      let path = incoming(realm, "Dog", "owner", target: "Person")
      let origins = realm.elements(realm.node(at: path))
      let row = origins.firstIndex { $0 & 1 == 1 } ?? 0
      realm.put(Int64(realm.append([origins[row] >> 1])), at: path + [row])
    }
  }

  @Test("F-68: every link is recorded where it leads")
  func incomingMissing() throws {
    let row = owned(try RealmSurgeon("zoo.realm")).row
    // Who deletes the owner would leave the link behind.
    try expectFinding(.incomingMissing, place: "class Dog, property owner, object \(row)") { realm in
      let owner = owned(realm).owner
      realm.replace(incoming(realm, "Dog", "owner", target: "Person")) { $0[Int(owner)] = 0 }
    }
  }

  @Test("F-69: every record of a link has its link")
  func incomingStale() throws {
    let report = try expectFinding(.incomingStale) { realm in
      let path = incoming(realm, "Dog", "owner", target: "Person")
      let row = realm.elements(realm.node(at: path)).firstIndex(of: 0) ?? 0
      realm.replace(path) { $0[row] = 3 << 1 | 1 }
    }
    #expect(report.counts[.incomingMissing] == nil)
  }

  @Test("F-70: an embedded object has one owner")
  func owner() throws {
    let path = { (realm: RealmSurgeon) in realm.leaf("Person", "address") }
    /// Takes the address from the first person that has one, on both sides.
    func orphan(_ realm: RealmSurgeon) {
      let row = realm.elements(realm.node(at: path(realm))).firstIndex { $0 > 0 } ?? 0
      let address = Int(realm.get(realm.node(at: path(realm)), row)) - 1
      realm.replace(path(realm)) { $0[row] = 0 }
      realm.replace(incoming(realm, "Person", "address", target: "Address")) { $0[address] = 0 }
    }
    try expectFinding(.owner) { orphan($0) }
    // What counts are links, whatever their records say.
    try expectFinding(.owner) { realm in
      let rows = realm.elements(realm.node(at: path(realm))).enumerated().filter { $0.element > 0 }
      realm.replace(path(realm)) { $0[rows[0].offset] = rows[1].element }
    }
  }
}
