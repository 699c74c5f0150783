// Indexes that are made part by part, as those of more values than memory should hold.

import RealmEngine
import TestSupport
import Testing

@Suite("Indexes made in parts")
struct IndexInPartsTests {
  private static let rows: Int64 = 3000

  /// A property's name, definition and value in each object.
  private static var columns: [(property: PropertyDefinition, value: (Int64) -> NewValue)] {
    [
      (PropertyDefinition("few", .int), { .single(.int($0 % 3 - 1)) }),
      (PropertyDefinition("wide", .int), { .single(.int($0 % 7 << 40 | $0 &* 0x9E37_79B9 % 500)) }),
      (PropertyDefinition("flag", .bool), { .single(.bool($0 % 5 == 0)) }),
      (PropertyDefinition("maybe", .int, isOptional: true), { $0 % 4 == 0 ? .null : .single(.int($0 / 9)) }),
      (PropertyDefinition("same", .string), { _ in .single(.string(ByteString("always"))) }),
      (
        PropertyDefinition("path", .string, isOptional: true),
        { number in
          let text = String(repeating: "/a", count: Int(number % 3) * 55) + "\(number / 2)"
          return number % 11 == 0 ? .null : .single(.string(ByteString(text)))
        }
      ),
      (
        // Longer than a block of values that are set aside.
        PropertyDefinition("long", .string),
        { number in
          let text = number % 900 == 0 ? String(repeating: "x", count: 70_000) : ""
          return .single(.string(ByteString("\(text)\(number % 50)")))
        }
      ),
      (
        PropertyDefinition("any", .mixed, isOptional: true),
        { $0 % 3 == 0 ? .single(.double(Double($0 % 5))) : .single(.int($0 % 6)) }
      ),
      (
        PropertyDefinition("at", .date),
        { .single(.date(Timestamp(seconds: $0 % 40 << 31, nanoseconds: Int32($0 % 900)))) }
      ),
      (
        PropertyDefinition("tags", .string, collection: .list),
        { number in
          .list((0..<number % 4).map { .single(.string(ByteString("tag \($0 * number % 60)"))) })
        }
      ),
      (
        PropertyDefinition("words", .string),
        { number in
          let many = (0..<number % 40).map { "many\($0) more\($0 / 2)" }.joined(separator: " ")
          let text = "The word \(number % 90), number \(number) of many; É\(number % 7) the end \(many)"
          return .single(.string(ByteString(text)))
        }
      ),
    ]
  }

  private static func realm(indexValuesHeld: Int?, indexCountShared: Int? = nil) throws -> RealmSurgeon {
    let files = try ScratchFolder(keepable: "index-in-parts")
    let path = files.path("parts.realm")
    let realm = try WritableDatabase.create(path)
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Row", properties: columns.map(\.property))])
    let table = try #require(try write.schema(named: "Row")).tableKey
    var erased: [ObjectLink] = []
    for number in 0..<rows {
      let key = try write.create(table, columns.map { ($0.property.name, $0.value(number)) })
      if number % 101 == 5 { erased.append(ObjectLink(table: table, key: key)) }
    }
    try write.erase(erased)
    try realm.commit(write)
    let indexing = try realm.begin()
    if let indexValuesHeld { indexing.indexValuesHeld = indexValuesHeld }
    if let indexCountShared { indexing.indexCountShared = indexCountShared }
    for (property, _) in columns {
      try indexing.setIndex("Row", property.name, property.name == "words" ? .fullText : .general)
    }
    try realm.commit(indexing)
    return try RealmSurgeon(at: path)
  }

  /// All nodes of an index, without where they stand.
  private static func nodes(_ realm: RealmSurgeon, _ property: String) -> [String] {
    var pending = [realm.node(at: realm.table("Row") + [4, realm.leafIndex("Row", property)])]
    var nodes: [String] = []
    while let node = pending.popLast() {
      let elements = realm.elements(node)
      guard node.flags & RealmSurgeon.refs != 0 else {
        nodes.append("\(node.flags) \(elements)")
        continue
      }
      let children = elements.filter { $0 != 0 && $0 & 1 == 0 }
      nodes.append("\(node.flags & ~7) \(elements.map { $0 & 1 == 1 ? $0 : $0 == 0 ? 0 : 2 })")
      pending += children.map { realm.node(Int($0)) }
    }
    return nodes
  }

  @Test("an index made in parts is the one that is made at once", .slow, arguments: [1, 20, 700])
  func parts(held: Int) throws {
    let whole = try Self.realm(indexValuesHeld: nil)
    let parts = try Self.realm(indexValuesHeld: held)
    #expect(try whole.findings().isEmpty && parts.findings().isEmpty)
    for (property, _) in Self.columns {
      #expect(
        Self.nodes(whole, property.name) == Self.nodes(parts, property.name),
        "\(property.name), \(held) in memory")
    }
  }

  @Test("an index that several threads make is the one that one makes", arguments: [3, 200])
  func threads(shared: Int) throws {
    let alone = try Self.realm(indexValuesHeld: nil)
    let together = try Self.realm(indexValuesHeld: nil, indexCountShared: shared)
    #expect(try together.findings().isEmpty)
    for (property, _) in Self.columns {
      #expect(Self.nodes(alone, property.name) == Self.nodes(together, property.name), "\(property.name)")
    }
  }

  @Test("primary keys that more objects share than are held in memory are refused")
  func unique() throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    write.indexValuesHeld = 2
    try write.addClasses([
      ClassDefinition("Row", primaryKey: "id", properties: [PropertyDefinition("id", .int)])
    ])
    let load = try write.beginLoad()
    let rows = try load.table(try #require(try write.schema(named: "Row")).tableKey)
    for number: Int64 in [1, 2, 3, 4, 4, 4] {
      try rows.beginObject()
      try rows.put(0, int: number)
      try rows.endObject()
    }
    let error = #expect(throws: EngineError.self) { try load.finish() }
    #expect(error?.kind == .constraint)
  }

  @Test("values that repeat are found, however few are looked at together", arguments: [1, 200, 5000])
  func repeated(held: Int) throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("Row", properties: [PropertyDefinition("n", .int), PropertyDefinition("t", .string)])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    var groups: [Int64: [ObjectKey]] = [:]
    for number: Int64 in 0..<2000 {
      let value = number % 10 == 0 ? number % 300 : -number
      let text = NewValue.single(.string(ByteString("text \(value)")))
      groups[value, default: []].append(
        try write.create(table, [("n", .single(.int(value))), ("t", text)]))
    }
    try realm.commit(write)
    let rows = try #require(realm.database.transaction.table(named: "Row"))
    let wanted = groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    for property in rows.schema.properties {
      #expect(try rows.keysWithRepeatedValues(of: property, wordsHeldMin: held) == wanted)
    }
  }
}
