import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Writing realms")
struct WriteTests {
  static func text(_ text: String) -> NewValue { .single(.string(ByteString(text))) }
  static func int(_ number: Int64) -> NewValue { .single(.int(number)) }

  static let classes = [
    ClassDefinition(
      "Person", primaryKey: "_id",
      properties: [
        PropertyDefinition("_id", .int),
        PropertyDefinition("name", .string, index: .general),
        PropertyDefinition("nick", .string, isOptional: true),
        PropertyDefinition("age", .int, isOptional: true),
        PropertyDefinition("score", .double),
        PropertyDefinition("friend", .object, target: "Person"),
        PropertyDefinition("dogs", .object, collection: .list, target: "Dog"),
        PropertyDefinition("home", .object, target: "Address"),
        PropertyDefinition("any", .mixed),
        PropertyDefinition("tags", .string, collection: .set),
        PropertyDefinition("extra", .mixed, collection: .dictionary),
        PropertyDefinition("bio", .string, index: .fullText),
      ]),
    ClassDefinition(
      "Dog", properties: [PropertyDefinition("name", .string), PropertyDefinition("born", .date)]),
    ClassDefinition("Address", kind: .embedded, properties: [PropertyDefinition("street", .string)]),
  ]

  @Test("a realm made from nothing holds what was put in")
  func fromNothing() throws {
    let files = try ScratchFolder(keepable: "write")
    let path = files.path("from-nothing.realm")
    let realm = try WritableDatabase.create(path)
    var write = try realm.begin()
    try write.addClasses(Self.classes)
    try write.setSchemaVersion(3)
    let person = try #require(try write.schema(named: "Person")).tableKey
    let dog = try #require(try write.schema(named: "Dog")).tableKey
    var dogs: [ObjectLink] = []
    for number in 0..<300 {
      let key = try write.create(
        dog,
        [
          ("name", Self.text("dog \(number)")),
          ("born", .single(.date(Timestamp(seconds: Int64(number), nanoseconds: 5)))),
        ])
      dogs.append(ObjectLink(table: dog, key: key))
    }
    for number in 0..<1000 {
      _ = try write.create(
        person,
        [
          ("_id", Self.int(Int64(number))), ("name", Self.text("name \(number % 37)")),
          ("nick", number % 3 == 0 ? .null : Self.text(String(repeating: "n", count: number % 80))),
          ("age", number % 5 == 0 ? .null : Self.int(Int64(number * number))),
          ("dogs", .list([.single(.link(dogs[number % 300])), .single(.link(dogs[number % 7]))])),
          ("home", number % 2 == 0 ? .null : .embedded([("street", Self.text("street \(number)"))])),
          (
            "any",
            number % 4 == 0
              ? .single(.link(dogs[number % 300]))
              : .list([Self.int(1), .dictionary([(ByteString("k"), .single(.link(dogs[3])))])])
          ),
          ("tags", .set([Self.text("b"), Self.text("a"), Self.text("b")])),
          ("extra", .dictionary([(ByteString("x"), Self.int(5)), (ByteString("a"), .list([]))])),
          ("bio", Self.text("the quick brown fox \(number)")),
        ])
    }
    try realm.commit(write)
    let people = try #require(realm.database.transaction.table(person))
    #expect(people.count == 1000)
    #expect(realm.database.transaction.schemaVersion == 3)

    write = try realm.begin()
    try write.erase((0..<50).map { dogs[$0 * 3] })
    for number in stride(from: 0, to: 1000, by: 7) {
      let key = try #require(try write.find(person, primaryKey: .int(Int64(number))))
      if number % 2 == 0 {
        try write.erase([ObjectLink(table: person, key: key)])
      } else {
        try write.update(
          ObjectLink(table: person, key: key),
          [("name", Self.text("renamed")), ("home", .null), ("bio", Self.text("lazy dog"))])
      }
    }
    try realm.commit(write)
    #expect(try Database.open(path).transaction.table(dog)?.count == 250)
  }

  @Test("a class is not made where columns would lead to it that name a table which is not there")
  func namedBefore() throws {
    let damaged = try RealmSurgeon("zoo.realm")
    let next = damaged.node(at: [1]).count
    damaged.put(Int64(next), at: damaged.table("Dog") + [7, damaged.leafIndex("Dog", "owner")])
    let files = try ScratchFolder(keepable: "write")
    let path = files.path("named-before.realm")
    try damaged.write(to: path)
    let realm = try WritableDatabase.open(path, key: nil, lockTimeoutMilliseconds: lockPatience)
    // As a large file is opened.
    realm.inspectsSmallFiles = false
    let write = try realm.begin()
    let error = #expect(throws: EngineError.self) {
      try write.addClasses([ClassDefinition("New", properties: [])])
    }
    #expect(error?.kind == .damaged && error?.message.contains("Dog") == true, "\(error?.message ?? "")")
    #expect(try RealmSurgeon(at: path).bytes == damaged.bytes)
  }
}
