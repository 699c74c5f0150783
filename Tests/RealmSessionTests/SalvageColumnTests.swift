// Columns of which nothing says any more what they hold, and leaves that reach into pages which hold something else.

import RealmEngine
import RealmRecovery
import RealmSession
import Testing

@Suite("Salvage of columns")
struct SalvageColumnTests {
  /// The nodes that say what the columns of a table are.
  private static func spec(_ realm: SoundRealm, _ table: Int) -> [Int] {
    let spec = realm.ref(0, of: table)
    let parts = (0..<Int(realm.bytes[spec + 7])).map { realm.ref($0, of: spec) }
    return [spec] + parts.filter { $0 != 0 && $0 & 1 == 0 }
  }

  private static func tables(_ realm: SoundRealm) -> [Int] {
    let list = realm.ref(1, of: realm.top)
    return (0..<Int(realm.bytes[list + 7])).map { realm.ref($0, of: list) }.filter { $0 != 0 && $0 & 1 == 0 }
  }

  /// What objects hold, whatever their properties are called.
  private static func values(_ objects: [Int64: [String: String]]) -> [Int64: Set<String>] {
    objects.mapValues { Set($0.values) }
  }

  @Test(
    "What columns hold is told by their leaves where nothing else is left of them", arguments: [true, false])
  func lostSpecs(_ hasNames: Bool) throws {
    let realm = try SoundRealm("zoo.realm")
    let original = try Salvaging.original(realm)
    let lost = Self.tables(realm).dropFirst().flatMap { Self.spec(realm, $0) }
    let (salvage, picture) = try #require(
      try Salvaging.recovered(
        realm.zeroing(hasNames ? lost : lost + [realm.ref(0, of: realm.top), realm.top])))
    #expect(!salvage.isSound)
    for (name, objects) in original where !objects.isEmpty {
      let found = try #require(
        hasNames ? picture[name] : picture.values.first { $0.count == objects.count }, "\(name)")
      let sound = Self.values(objects)
      #expect(found.count == objects.count)
      for (key, values) in Self.values(found) {
        #expect(values.subtracting(["null"]).isSubset(of: sound[key] ?? []), "\(name) \(key)")
      }
      // A number may be told from a link, a date, a text and data from each other.
      let told = found.values.first?.count ?? 0
      if hasNames { #expect(told * 2 >= objects.values.first?.count ?? 0, "\(name) has only \(told)") }
    }
  }

  @Test("Leaves that reach into a page which holds something else have no values that nobody wrote")
  func foreignPages() throws {
    let realm = try SalvageStructureTests.made(columns: 20, rows: 1000)
    let pageSize = 4096
    for page in 1..<realm.bytes.count / pageSize {
      var bytes = realm.bytes
      for index in page * pageSize..<(page + 1) * pageSize { bytes[index] = 0 }
      guard let (_, picture) = try Salvaging.recovered(bytes) else { continue }
      // Every property of an object has the same number.
      for (key, values) in picture["A"] ?? [:] {
        let numbers = Set(values.values).subtracting(["null"])
        #expect(numbers.count <= 1, "page \(page), object \(key): \(numbers)")
      }
    }
  }

  @Test(
    "Of texts that have nodes of their own those are lost that stand in a page which holds something else")
  func bigValuesInForeignPages() throws {
    let (rows, textSize, pageSize) = (100, 200, 4096)
    let realm = try SalvageStructureTests.made(columns: 1, rows: 1) { database, _ in
      let write = try database.begin()
      try write.addClasses([ClassDefinition("B", properties: [PropertyDefinition("text", .string)])])
      let table = try #require(try write.schema(named: "B")).tableKey
      for row in 0..<rows {
        let text = String(repeating: "\(row % 10)", count: textSize)
        _ = try write.create(table, [("text", .single(.string(ByteString(text))))])
      }
      try database.commit(write)
    }
    let texts = realm.nodes.filter { realm.size($0) > textSize }
    let page = try #require(
      (1..<realm.bytes.count / pageSize).first { page in
        let nodes = realm.nodes.filter { $0 / pageSize == page }
        return nodes.count > 2 && nodes.allSatisfy(texts.contains)
      })
    var bytes = realm.bytes
    for index in page * pageSize..<(page + 1) * pageSize { bytes[index] = 0 }
    let (_, picture) = try #require(try Salvaging.recovered(bytes))
    let found = (picture["B"] ?? [:]).values.count { $0["text"] != "null" }
    let lost = texts.count { $0 / pageSize == page || ($0 + realm.size($0) - 1) / pageSize == page }
    #expect(found == rows - lost)
  }

  @Test("A leaf that says it has millions of elements of no width loses itself and nothing else")
  func hugeLeaf() throws {
    let realm = try SoundRealm("zoo.realm")
    let table = try #require(Self.tables(realm).last)
    let cluster = realm.ref(2, of: table)
    for slot in 1...4 {
      let leaf = realm.ref(slot, of: cluster)
      guard leaf != 0, leaf & 1 == 0 else { continue }
      var bytes = realm.bytes
      bytes.replaceSubrange(leaf + 4..<leaf + 8, with: [0xC8, 0xFF, 0xFF, 0xFF])
      let (_, picture) = try #require(try Salvaging.recovered(bytes), "leaf \(slot)")
      // Where it is the one of the primary key, objects come back beside their class.
      let people = ["Person", "Recovered_Person"].map { picture[$0]?.count ?? 0 }
      #expect(picture["Dog"]?.count == 60 && people.max() == 200, "leaf \(slot)")
    }
  }
}
