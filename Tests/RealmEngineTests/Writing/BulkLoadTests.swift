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

  /// Each row leaves some properties out, in which it has the default.
  private static func values(_ number: Int, _ count: Int, _ table: TableKey) -> [(
    property: String, value: NewValue
  )] {
    let all = allValues(number, count, table)
    return all.indices.filter { $0 == 0 || (number + $0) % 9 != 0 }.map { all[$0] }
  }

  private static func allValues(_ number: Int, _ count: Int, _ table: TableKey) -> [(
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
    let files = try ScratchFolder(keepable: "bulk")
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

  @Test("links are put in order some at a time where they are many", .slow, arguments: [7919, 1 << 40])
  func manyLinks(step: Int) throws {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition("Row", properties: [PropertyDefinition("next", .object, target: "Row")])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    let load = try write.beginLoad()
    let rows = try load.table(table)
    let count = 600_000
    for number in 0..<count {
      try rows.beginObject(key: ObjectKey(Int64(number)))
      let target = ObjectKey(Int64(number * step % (count - 1)))
      try rows.put(0, .single(.link(ObjectLink(table: table, key: target))))
      try rows.endObject()
    }
    try load.finish()
    try realm.commit(write)
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
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

  @Test("indexes of many objects are made together, and a primary key that repeats is refused there too")
  func together() throws {
    let files = try ScratchFolder(keepable: "bulk-together")
    let count: Int64 = 20_100
    for repeats in [false, true] {
      let path = files.path("together-\(repeats).realm")
      let realm = try WritableDatabase.create(path)
      let write = try realm.begin()
      try write.addClasses(Self.classes)
      let load = try write.beginLoad()
      let rows = try load.table(try #require(try write.schema(named: "Row")).tableKey)
      for key in 0..<count {
        try rows.beginObject()
        try rows.put(0, int: repeats && key == count - 1 ? 7 : key)
        if key % 3 != 0 { try rows.put(2, .single(.string(ByteString("city \(key % 70)")))) }
        try rows.endObject()
      }
      if repeats {
        let error = #expect(throws: EngineError.self) { try load.finish() }
        #expect(error?.kind == .constraint)
      } else {
        try load.finish()
        try realm.commit(write)
        let report = try FileInspection.inspect(path)
        #expect(report.findings.isEmpty && report.statistics.indexEntryCount >= 2 * Int(count))
      }
    }
  }

  /// The id, the city, the age and the date of a row; false, as if the row were no good, for the last.
  private static func fill(_ block: BulkBlock, _ keys: Range<Int64>) -> [Bool] {
    keys.map { key in
      block.addRow(key) { () throws(EngineError) in
        try block.put(0, int: key)
        if key % 3 != 0 {
          try block.put(2, .string(ByteString("city \(key % 7)")))
        } else {
          try block.putNull(2)
        }
        if key % 5 != 0 { try block.put(3, int: key % 90) } else { try block.putNull(3) }
        try block.put(5, .date(Timestamp(seconds: key, nanoseconds: 1)))
        // Nothing of a row stays that is refused late.
        return key != keys.upperBound - 1
      }
    }
  }

  @Test("blocks that threads fill are the same clusters as rows that come one by one")
  func blocks() throws {
    let (first, second) = (try WritableDatabase.inMemory(), try WritableDatabase.inMemory())
    let rowsMax = Int64(BulkBlock.rowsMax)
    var bytes: [[UInt8]] = []
    for realm in [first, second] {
      let write = try realm.begin()
      try write.addClasses(Self.classes)
      let load = try write.beginLoad()
      let rows = try load.table(try #require(try write.schema(named: "Row")).tableKey)
      if bytes.isEmpty {
        let blocks = (0..<3).map { _ in rows.makeBlock() }
        ParallelWork.forEach(blocks.count) { index in
          let start = Int64(index) * rowsMax
          _ = Self.fill(blocks[index], start..<start + rowsMax + 1)
          blocks[index].makeLeavesAhead()
        }
        for block in blocks {
          #expect(block.isFull && block.hasLeaves && rows.isBetweenBlocks)
          #expect(try rows.add(block))
          block.removeAll()
          #expect(!block.isFull && !block.hasLeaves)
        }
        // Keys that do not come after those before are not taken.
        _ = Self.fill(blocks[0], 0..<rowsMax + 1)
        blocks[0].makeLeavesAhead()
        #expect(try !rows.add(blocks[0]))
        let added = try rows.fillBlock { block, key in
          #expect(key == 3 * rowsMax - 1)
          return Self.fill(block, key + 1..<key + 12)
        }
        #expect(added.count(where: { $0 }) == 10 && !rows.isBetweenBlocks)
      } else {
        for key in 0..<3 * rowsMax + 10 {
          try rows.beginObject(key: ObjectKey(key))
          try rows.put(0, int: key)
          if key % 3 != 0 { try rows.put(2, .single(.string(ByteString("city \(key % 7)")))) }
          if key % 5 != 0 { try rows.put(3, int: key % 90) }
          try rows.put(5, .single(.date(Timestamp(seconds: key, nanoseconds: 1))))
          try rows.endObject()
        }
      }
      try load.finish()
      try realm.commit(write)
      let image = realm.database.transaction.snapshot
      bytes.append(try image.image.bytes(0, image.fileLimit).array())
    }
    #expect(bytes[0] == bytes[1])
  }
}
