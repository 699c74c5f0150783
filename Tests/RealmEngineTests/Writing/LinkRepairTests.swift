// Records of incoming links that disagree with the links, made anew.

import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Repairing links")
struct LinkRepairTests {
  private typealias Content = [String: [Int64: [String: ModelRealm.Content]]]

  private static func content(_ realm: ReadTransaction) throws -> Content {
    let reader = ModelReader(realm: realm)
    var content: Content = [:]
    for table in realm.classes() { content[table.schema.name] = try reader.objects(table) }
    return content
  }

  /// The path of the leaf of the incoming links that a property's links are recorded by, in the first cluster.
  private static func incoming(
    _ realm: RealmSurgeon, _ table: String, _ property: String, target: String
  ) -> [Int] {
    let leaf = realm.leafIndex(table, property)
    let column = realm.get(realm.node(at: realm.table(table) + [8]), leaf)
    return realm.cluster(target) + [1 + Int(column & 0xFFFF)]
  }

  /// What the damaged realm holds once it is repaired, and the number of objects that were changed.
  private static func repaired(_ damaged: RealmSurgeon) throws -> (content: Content, count: Int) {
    let files = try ScratchFolder(keepable: "repair")
    let path = files.path("a.realm")
    try damaged.write(to: path)
    let realm = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
    realm.inspectsSmallFiles = false
    let write = try realm.begin()
    let count = try write.repairLinks()
    try realm.commit(write)
    realm.close()
    let report = try FileInspection.inspect(path)
    #expect(report.findings.filter { $0.kind != .lostSpace }.isEmpty, "\(report.findings)")
    return (try content(try Database.open(path).transaction), count)
  }

  private static func original() throws -> Content {
    try content(try Database.open(FixtureFile.path("zoo.realm")).transaction)
  }

  private static let links = [
    ("Dog", "owner", "Person"), ("Person", "bestFriend", "Person"), ("Person", "dogs", "Dog"),
    ("Person", "address", "Address"),
  ]

  @Test("records that are lost come back", arguments: links)
  func missing(table: String, property: String, target: String) throws {
    let realm = try RealmSurgeon("zoo.realm")
    let path = Self.incoming(realm, table, property, target: target)
    let recordedCount = realm.elements(realm.node(at: path)).count { $0 != 0 }
    #expect(recordedCount > 1)
    realm.replace(path) { $0 = $0.map { _ in 0 } }
    #expect(try realm.findings() == [.incomingMissing])
    let result = try Self.repaired(realm)
    #expect(result.count == recordedCount)
    #expect(try result.content == Self.original())
  }

  @Test("records without a link, or of one link twice, go", arguments: links.filter { $0.1 != "dogs" })
  func stale(table: String, property: String, target: String) throws {
    let realm = try RealmSurgeon("zoo.realm")
    let path = Self.incoming(realm, table, property, target: target)
    let origins = realm.elements(realm.node(at: path))
    let single = try #require(origins.firstIndex { $0 & 1 == 1 })
    let twice = Int64(realm.append([origins[single] >> 1, origins[single] >> 1]))
    realm.put(twice, at: path + [single])
    var count = 1
    if let none = origins.firstIndex(of: 0) {
      realm.put(3 << 1 | 1, at: path + [none])
      count += 1
    }
    #expect(try realm.findings() == [.incomingStale])
    let result = try Self.repaired(realm)
    #expect(result.count == count)
    #expect(try result.content == Self.original())
  }

  @Test("links to nothing go, and nothing else does")
  func nowhere() throws {
    let realm = try RealmSurgeon("zoo.realm")
    let owners = realm.elements(realm.node(at: realm.leaf("Dog", "owner")))
    let row = try #require(owners.firstIndex { $0 > 0 })
    realm.replace(realm.leaf("Dog", "owner")) { $0[row] = 100_000 }
    let dogs = realm.collection("Person", "dogs", countMin: 2)
    let listed = realm.elements(realm.node(at: dogs))
    realm.replace(dogs) { $0[0] = 99_999 }
    #expect(try realm.findings().isSuperset(of: [.linkTarget, .incomingStale]))
    let (found, count) = try Self.repaired(realm)
    // The dog, its owner that was, the list, and the dog that stood in it.
    #expect(count == 4)
    let original = try Self.original()
    var differences: Set<String> = []
    for (name, objects) in original {
      for (key, object) in objects {
        for (property, value) in object where found[name]?[key]?[property] != value {
          differences.insert("\(name).\(property)")
        }
      }
      #expect(found[name]?.count == objects.count)
    }
    #expect(differences == ["Dog.owner", "Person.dogs"])
    let left = found["Person"]?.values.filter { object in
      object["dogs"]
        == .list(listed.dropFirst().map { .link(table: "Dog", key: $0) })
    }
    #expect(left?.isEmpty == false)
  }

  @Test("a sound realm stays as it is", arguments: ["zoo.realm", "alltypes.realm"])
  func sound(name: String) throws {
    let result = try Self.repaired(try RealmSurgeon(name))
    #expect(result.count == 0)
    #expect(try result.content == Self.content(try Database.open(FixtureFile.path(name)).transaction))
  }

  @Test("records of links in collections and in mixed values come back")
  func collections() throws {
    let files = try ScratchFolder(keepable: "repair")
    let path = files.path("a.realm")
    try Self.makeCollections(path)
    let whole = try Database.open(path).transaction
    let realm = try RealmSurgeon(at: path)
    let target = try #require(whole.table(named: "Target")).schema
    #expect(target.backlinks.count == 4)
    var count = 0
    for backlink in target.backlinks {
      let path = realm.cluster("Target") + [1 + backlink.columnKey.leafIndex]
      count += realm.elements(realm.node(at: path)).count { $0 != 0 }
      realm.replace(path) { $0 = $0.map { _ in 0 } }
    }
    let result = try Self.repaired(realm)
    #expect(result.count == count)
    #expect(try result.content == Self.content(whole))
  }

  /// Five objects, and six that link to them in all ways, some twice.
  private static func makeCollections(_ path: FilePath) throws {
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("Target", properties: [PropertyDefinition("n", .int)]),
      ClassDefinition(
        "Origin",
        properties: [
          PropertyDefinition("list", .object, collection: .list, target: "Target"),
          PropertyDefinition("set", .object, collection: .set, target: "Target"),
          PropertyDefinition("map", .object, collection: .dictionary, target: "Target"),
          PropertyDefinition("any", .mixed),
        ]),
    ])
    let table = try #require(try write.schema(named: "Target")).tableKey
    let origin = try #require(try write.schema(named: "Origin")).tableKey
    let links = try (0..<5).map { number in
      NewValue.single(
        .link(ObjectLink(table: table, key: try write.create(table, [("n", .single(.int(number)))]))))
    }
    for number in 0..<6 {
      let (one, other) = (links[number % 5], links[(number + 1) % 5])
      _ = try write.create(
        origin,
        [
          ("list", .list([one, other, one])), ("set", .set([one, other])),
          ("map", .dictionary([(ByteString("a"), one), (ByteString("b"), one)])),
          ("any", number % 2 == 0 ? one : .list([one, .dictionary([(ByteString("c"), other)]), one])),
        ])
    }
    try realm.commit(write)
  }
}
