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
          .single(
            .string(ByteString("The word \(number % 90), number \(number) of many; É\(number % 7) the end")))
        }
      ),
    ]
  }

  private static func realm(indexValuesHeld: Int?) throws -> RealmSurgeon {
    let files = try ScratchFiles("index-in-parts")
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

  @Test("an index made in parts is the one that is made at once", arguments: [1, 20, 700])
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

  @Test("equal primary keys are refused where their list is one of many parts")
  func unique() throws {
    let files = try ScratchFiles("index-in-parts")
    let realm = try WritableDatabase.create(files.path("unique.realm"))
    let write = try realm.begin()
    write.indexValuesHeld = 2
    try write.addClasses([ClassDefinition("Row", properties: [PropertyDefinition("id", .int)])])
    let table = try #require(try write.schema(named: "Row")).tableKey
    for number: Int64 in [1, 2, 3, 4, 4, 4] { _ = try write.create(table, [("id", .single(.int(number)))]) }
    #expect(throws: EngineError.self) { try write.setPrimaryKey("Row", "id") }
  }
}
