// What commits beside apps say of themselves: the instructions of each kind of change, taken apart again.

import RealmEngine
import Testing

@Suite("Changesets")
struct ChangesetTests {
  private static let classes = [
    ClassDefinition(
      "Person", primaryKey: "id",
      properties: [
        PropertyDefinition("id", .int), PropertyDefinition("name", .string),
        PropertyDefinition("any", .mixed),
        PropertyDefinition("scores", .int, collection: .list),
        PropertyDefinition("tags", .int, collection: .set),
        PropertyDefinition("counts", .int, collection: .dictionary),
        PropertyDefinition("home", .object, target: "Home"),
      ]),
    ClassDefinition("Dog", properties: [PropertyDefinition("name", .string)]),
    ClassDefinition("Home", kind: .embedded, properties: [PropertyDefinition("street", .string)]),
  ]

  private static func numbers(_ values: Int64...) -> [NewValue] { values.map { .single(.int($0)) } }

  private static func counts(_ values: [(String, Int64)]) -> NewValue {
    .dictionary(values.map { (ByteString($0.0), .single(.int($0.1))) })
  }

  /// A realm with a person and a dog.
  private final class Scene {
    let realm: WritableDatabase
    let person: ObjectLink
    let dog: ObjectLink

    init() throws {
      realm = try WritableDatabase.inMemory()
      let write = try realm.begin()
      try write.addClasses(ChangesetTests.classes)
      let people = try #require(try write.schema(named: "Person")).tableKey
      let dogs = try #require(try write.schema(named: "Dog")).tableKey
      let key = try write.create(
        people,
        [
          ("id", WriteTests.int(1)), ("name", WriteTests.text("Ann")), ("scores", .list(numbers(1, 2, 3))),
          ("tags", .set(numbers(10, 20))), ("counts", counts([("a", 1), ("b", 2)])),
          ("home", .embedded([("street", WriteTests.text("old"))])),
        ])
      person = ObjectLink(table: people, key: key)
      dog = ObjectLink(table: dogs, key: try write.create(dogs, [("name", WriteTests.text("Rex"))]))
      try realm.commit(write)
    }

    func column(_ name: String) throws -> Int64 {
      try #require(
        realm.database.transaction.table(person.table)?.schema.property(named: name)
      ).columnKey.value
    }

    /// The instructions of a change that is not made.
    func instructions(_ change: (WriteTransaction) throws -> Void) throws -> [[Int64]] {
      let write = try realm.begin()
      try change(write)
      let bytes = try Changeset.bytes(
        from: realm.database.transaction, to: try write.view(), path: FilePath("apps.realm"))
      return Self.instructions(bytes)
    }

    /// What an app reads: an instruction and its numbers each.
    private static func instructions(_ bytes: [UInt8]) -> [[Int64]] {
      let counts: [UInt8: Int] = [
        1: 1, 10: 2, 11: 1, 12: 1, 13: 2, 20: 1, 30: 2, 31: 1, 32: 1, 35: 1, 36: 1, 43: 2, 45: 3,
      ]
      var rest = bytes[...]
      var result: [[Int64]] = []
      while let kind = rest.popFirst() {
        var words = [Int64(kind)]
        for _ in 0..<(counts[kind] ?? 0) { words.append(number(&rest)) }
        if kind == 45 { for _ in 0..<words[3] { words.append(number(&rest)) } }
        result.append(words)
      }
      return result
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int64 {
      var (value, shift): (Int64, Int64) = (0, 0)
      while let byte = bytes.popFirst() {
        if byte & 0x80 == 0 {
          value |= Int64(byte & 0x3f) << shift
          return byte & 0x40 == 0 ? value : ~value
        }
        value |= Int64(byte & 0x7f) << shift
        shift += 7
      }
      return value
    }
  }

  @Test("values, objects and elements are told one by one, and an embedded object by its own value")
  func objects() throws {
    let scene = try Scene()
    let (table, key) = (Int64(scene.person.table.value), scene.person.key.value)
    func update(_ name: String, _ value: NewValue) throws -> [[Int64]] {
      try scene.instructions { try $0.update(scene.person, [(name, value)]) }
    }
    let (name, any) = (try scene.column("name"), try scene.column("any"))
    #expect(try update("name", WriteTests.text("Bob")) == [[10, 0, table], [13, name, key]])
    #expect(try update("name", WriteTests.text("Ann")).isEmpty)
    #expect(try update("any", WriteTests.int(5)) == [[10, 0, table], [13, any, key]])
    let scores: [[Int64]] = [[10, 0, table], [30, try scene.column("scores"), key]]
    #expect(try update("scores", .list(Self.numbers(1, 9, 2, 3))) == scores + [[31, 1]])
    #expect(try update("scores", .list(Self.numbers(2, 3))) == scores + [[35, 0]])
    #expect(try update("scores", .list(Self.numbers(1, 7, 3))) == scores + [[32, 1]])
    #expect(try update("scores", .list([])) == scores + [[36, 3]])
    let tags: [[Int64]] = [[10, 0, table], [30, try scene.column("tags"), key]]
    #expect(try update("tags", .set(Self.numbers(20, 30))) == tags + [[35, 0], [31, 1]])
    let dictionary: [[Int64]] = [[10, 0, table], [30, try scene.column("counts"), key]]
    #expect(
      try update("counts", Self.counts([("a", 1), ("b", 3), ("c", 4)])) == dictionary + [[31, 2], [32, 1]])
    let made = try scene.instructions { _ = try $0.create(scene.person.table, [("id", WriteTests.int(2))]) }
    #expect(made.count == 2 && made.last?.first == 11)
    #expect(try scene.instructions { try $0.erase([scene.dog]) }.map { $0[0] } == [10, 12])
  }

  @Test(
    "new classes, properties and links in mixed values are told; indexes and the schema version need no more")
  func schemas() throws {
    let scene = try Scene()
    let (table, key) = (Int64(scene.person.table.value), scene.person.key.value)
    let any = try scene.column("any")
    #expect(
      try scene.instructions { try $0.update(scene.person, [("any", .single(.link(scene.dog)))]) }
        == [[10, 0, table], [43, any, Int64(scene.dog.table.value)], [13, any, key]])
    let added = try scene.instructions { try $0.addProperty("Dog", PropertyDefinition("age", .int)) }
    #expect(added.map { $0[0] } == [10, 20])
    let made = try scene.instructions {
      try $0.addClasses([ClassDefinition("Cat", properties: [PropertyDefinition("name", .string)])])
    }
    #expect(made.map { $0[0] } == [1, 10, 20])
    #expect(try scene.instructions { try $0.setIndex("Dog", "name", .general) }.isEmpty)
    _ = try scene.instructions { try $0.setSchemaVersion(4) }
  }

  @Test("collections inside mixed values are told of by themselves, under names that they keep")
  func innerCollections() throws {
    let scene = try Scene()
    let (table, key) = (Int64(scene.person.table.value), scene.person.key.value)
    let any = try scene.column("any")
    func value(_ inner: [NewValue], _ last: [(String, NewValue)], _ first: Int64 = 1) -> NewValue {
      .list([
        .single(.int(first)), .list(inner), .list([]),
        .dictionary(last.map { (ByteString($0.0), $0.1) }),
      ])
    }
    func update(_ value: NewValue, keeping: Bool = false) throws -> [[Int64]] {
      let change: (WriteTransaction) throws -> Void = { try $0.update(scene.person, [("any", value)]) }
      let instructions = try scene.instructions(change)
      if keeping {
        let write = try scene.realm.begin()
        try change(write)
        try scene.realm.commit(write)
      }
      return instructions
    }
    let letters: [(String, NewValue)] = [("b", .list(Self.numbers(5)))]
    #expect(
      try update(value(Self.numbers(10, 20), letters), keeping: true)
        == [[10, 0, table], [13, any, key]])
    #expect(try update(value(Self.numbers(10, 20), letters)).isEmpty)
    let inner = try update(value(Self.numbers(10, 15, 20), letters), keeping: true)
    let name = try #require(inner.dropFirst().first?.last)
    #expect(inner == [[10, 0, table], [45, any, key, 1, name], [31, 1]] && name != 0)
    // What comes before it changes its place, but not its name.
    let list: [[Int64]] = [[10, 0, table], [30, any, key]]
    let moved = NewValue.list([
      .single(.int(0)), .single(.int(1)), .list(Self.numbers(10, 15, 20)), .list([]),
      .dictionary(letters.map { (ByteString($0.0), $0.1) }),
    ])
    #expect(try update(moved) == list + [[31, 0]])
    #expect(
      try update(value(Self.numbers(15, 20), letters))
        == [[10, 0, table], [45, any, key, 1, name], [35, 0]])
    #expect(try update(value([], letters, 7)) == list + [[32, 0], [45, any, key, 1, name], [36, 3]])
    let deep = try update(value(Self.numbers(10, 15, 20), [("b", .list(Self.numbers(5, 6)))]))
    #expect(deep.map { $0[0] } == [10, 45, 31] && deep[1].count == 6 && deep[1][3] == 2, "\(deep)")
    // Another kind in its place is another value.
    let replaced = try update(
      .list([.single(.int(1)), .dictionary([]), .list([]), .dictionary([(ByteString("b"), .list([]))])]))
    #expect(replaced.map { $0[0] } == [10, 30, 32, 45, 36], "\(replaced)")
    #expect(try update(Self.counts([("a", 1)])) == [[10, 0, table], [13, any, key]])
    #expect(try update(.list([])) == list + [[36, 4]])
  }

  @Test("what apps cannot follow is refused")
  func refused() throws {
    let scene = try Scene()
    let changes: [(WriteTransaction) throws -> Void] = [
      { try $0.removeClass("Dog") }, { try $0.renameProperty("Dog", "name", to: "title") },
      { try $0.removeProperty("Dog", "name") }, { try $0.renameClass("Dog", to: "Hound") },
    ]
    for change in changes {
      let error = #expect(throws: EngineError.self) { try scene.instructions(change) }
      #expect(error?.kind == .busy)
    }
  }
}
