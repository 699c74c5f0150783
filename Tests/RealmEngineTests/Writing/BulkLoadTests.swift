import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Loading many objects")
struct BulkLoadTests {
  private static let classes = [
    ClassDefinition(
      "Row", primaryKey: "id",
      properties: [
        PropertyDefinition("id", .int), PropertyDefinition("name", .string),
        PropertyDefinition("city", .string, isOptional: true, index: .general),
        PropertyDefinition("age", .int, isOptional: true), PropertyDefinition("score", .double),
        PropertyDefinition("at", .date), PropertyDefinition("flag", .bool),
        PropertyDefinition("text", .string, index: .fullText),
        PropertyDefinition("any", .mixed, index: .general),
        PropertyDefinition("next", .object, target: "Row"),
        PropertyDefinition("others", .object, collection: .list, target: "Row"),
        PropertyDefinition("home", .object, target: "Home"),
        PropertyDefinition("words", .string, collection: .list, index: .general),
      ]),
    ClassDefinition(
      "Home", kind: .embedded,
      properties: [
        PropertyDefinition("street", .string), PropertyDefinition("inner", .object, target: "Home"),
      ]),
  ]

  private static func values(_ number: Int, _ count: Int, _ table: TableKey) -> [(
    property: String, value: NewValue
  )] {
    func link(_ target: Int) -> NewValue {
      .single(.link(ObjectLink(table: table, key: ObjectKey(Int64(target % count)))))
    }
    return [
      ("id", .single(.int(Int64(number * 7)))), ("name", .single(.string(ByteString("name-\(number)")))),
      ("city", number % 11 == 0 ? .null : .single(.string(ByteString("city-\(number % 50)")))),
      ("age", number % 5 == 0 ? .null : .single(.int(Int64(number % 90)))),
      ("score", .single(.double(Double(number) / 4))),
      ("at", .single(.date(Timestamp(seconds: Int64(number) * 1000, nanoseconds: 7)))),
      ("flag", .single(.bool(number % 2 == 0))),
      ("text", .single(.string(ByteString("the quick fox \(number % 100)")))),
      (
        "any",
        number % 3 == 0 ? .single(.int(Int64(number % 10))) : .single(.string(ByteString("s\(number % 10)")))
      ),
      ("next", link(number + 1)), ("others", .list([link(number * 3), link(5), link(number)])),
      (
        "home",
        number % 4 == 0
          ? .null
          : .embedded([
            ("street", .single(.string(ByteString("s\(number)")))),
            ("inner", .embedded([("street", .single(.string(ByteString("i"))))])),
          ])
      ),
      (
        "words",
        .list([.single(.string(ByteString("w\(number % 20)"))), .single(.string(ByteString("same")))])
      ),
    ]
  }

  @Test("objects that are loaded are those that are created one by one", arguments: [0, 1, 255, 257, 3000])
  func sameAsOneByOne(count: Int) throws {
    let files = try ScratchFiles("bulk")
    let reader = { (realm: WritableDatabase) in
      try realm.database.transaction.classes().map {
        try ModelReader(realm: realm.database.transaction).objects($0)
      }
    }
    let loaded = try WritableDatabase.create(files.path("bulk-\(count).realm"))
    var write = try loaded.begin()
    try write.addClasses(Self.classes)
    let table = try #require(try write.schema(named: "Row")).tableKey
    let load = try write.beginLoad()
    let rows = try load.table(table)
    for number in 0..<count {
      try rows.beginObject()
      for (name, value) in Self.values(number, count, table) {
        let index = try #require(rows.schema.propertyIndex(named: name))
        switch value {
        case .single(.int(let number)) where name == "id": try rows.put(index, int: number)
        case .single(.string(let text)) where name == "name":
          try rows.put(index, text: Array(text.text.utf8).span)
        default: try rows.put(index, value)
        }
      }
      try rows.endObject()
    }
    try load.finish()
    try loaded.commit(write)

    let single = try WritableDatabase.inMemory()
    write = try single.begin()
    try write.addClasses(Self.classes)
    for number in 0..<count {
      let values = Self.values(number, count, table).filter {
        $0.property != "next" && $0.property != "others"
      }
      _ = try write.create(table, values)
    }
    for number in 0..<count {
      let links = Self.values(number, count, table).filter {
        $0.property == "next" || $0.property == "others"
      }
      try write.update(ObjectLink(table: table, key: ObjectKey(Int64(number))), links)
    }
    try single.commit(write)
    #expect(try reader(loaded) == (try reader(single)))

    // What was loaded can be changed: erasing all leaves nothing behind.
    write = try loaded.begin()
    try write.erase((0..<count).map { ObjectLink(table: table, key: ObjectKey(Int64($0))) })
    #expect(try write.view().classes().allSatisfy { $0.count == 0 })
    for name in ["city", "text", "any", "words", "id"] {
      let property = try #require(try write.view().table(table)?.schema.property(named: name))
      let index = SearchIndex(try #require(property.indexRef), in: try write.view().snapshot)
      try index.forEachKey { key in Issue.record("\(name) still has \(key)") }
    }
  }

  @Test("a link to an object that never comes, and a primary key that repeats, are refused")
  func refusals() throws {
    for isLink in [true, false] {
      let realm = try WritableDatabase.inMemory()
      let write = try realm.begin()
      try write.addClasses(Self.classes)
      let table = try #require(try write.schema(named: "Row")).tableKey
      let load = try write.beginLoad()
      let rows = try load.table(table)
      for _ in 0..<2 {
        try rows.beginObject()
        if isLink { try rows.put(9, .single(.link(ObjectLink(table: table, key: ObjectKey(9))))) }
        try rows.endObject()
      }
      let error = #expect(throws: EngineError.self) { try load.finish() }
      #expect(error?.kind == .constraint)
    }
  }

  @Test("a property is rewritten in all objects, index included")
  func rewrite() throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses(Self.classes)
    let table = try #require(try write.schema(named: "Row")).tableKey
    for number in 0..<600 {
      _ = try write.create(table, [("id", .single(.int(Int64(number)))), ("city", .null)])
    }
    try write.rewrite(table, "city") { block, values in
      for row in 0..<block.count where block.key(row).value % 2 == 0 {
        values[row] = .string(ByteString("even"))
      }
      return true
    }
    let error = #expect(throws: EngineError.self) {
      try write.rewrite(table, "name") { block, values in
        // The first block has been written when the second one is refused.
        values[0] = block.key(0).value == 0 ? .string(ByteString("new")) : .int(1)
        return true
      }
    }
    #expect(error?.kind == .constraint)
    #expect(throws: EngineError.self, "a change that failed half done is neither seen nor committed") {
      try write.view()
    }
    #expect(throws: EngineError.self) { try realm.commit(write) }
  }
}
