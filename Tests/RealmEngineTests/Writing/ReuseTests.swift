import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Files over many commits")
struct ReuseTests {
  private static let rounds = TestScale.cases(fast: 20, usual: 400, long: 1000)
  private static let rows = 5000 * max(1, rounds / 500)

  /// A realm with one class and `rows` objects in it.
  private static func filledRealm() throws -> (WritableDatabase, TableKey) {
    let realm = try WritableDatabase.inMemory()
    let write = try realm.begin()
    try write.addClasses([
      ClassDefinition(
        "Row",
        properties: [PropertyDefinition("n", .int), PropertyDefinition("text", .string, index: .general)])
    ])
    let table = try #require(try write.schema(named: "Row")).tableKey
    for number in 0..<rows {
      _ = try write.create(
        table,
        [
          ("n", .single(.int(Int64(number)))),
          ("text", .single(.string(ByteString("text number \(number)")))),
        ])
    }
    try realm.commit(write)
    return (realm, table)
  }

  @Test("a file is dense until more is erased than the end of a page")
  func dense() throws {
    let (realm, table) = try Self.filledRealm()
    let filled = try #require(try realm.database.transaction.spaceUse())
    #expect(filled.free > 0 && filled.isDense, "\(filled)")
    let write = try realm.begin()
    try write.erase((0..<Self.rows / 2).map { ObjectLink(table: table, key: ObjectKey(Int64($0))) })
    try realm.commit(write)
    let erased = try #require(try realm.database.transaction.spaceUse())
    #expect(!erased.isDense, "\(erased)")
  }

  @Test("small changes over and over do not let a file grow")
  func freeSpaceIsReused() throws {
    let (realm, table) = try Self.filledRealm()
    let size = realm.database.file.fileSize
    for round in 0..<Self.rounds {
      let write = try realm.begin()
      let key = try #require(try write.view().table(table)?.blocks().firstKey(round * 37 % Self.rows))
      let text = "changed \(round)" + String(repeating: "x", count: round * 7 % 90)
      try write.update(ObjectLink(table: table, key: key), [("text", .single(.string(ByteString(text))))])
      try realm.commit(write)
    }
    // The texts grow, and the objects with them.
    let used = try #require(try realm.database.transaction.spaceUse()).used
    #expect(realm.database.file.fileSize < 2 * max(size, used))
    #expect(try FileInspection.inspect(realm.database.file).findings.isEmpty)
  }

  @Test("a synced realm is refused, and written once it is detached from its server")
  func detaching() throws {
    let backing = CrashBacking()
    let realm = try WritableDatabase(formatting: backing, key: nil)
    var write = try realm.begin()
    try write.addClasses([ClassDefinition("Row", properties: [PropertyDefinition("n", .int)])])
    try realm.commit(write)
    // The history's type is the eighth number of the top array.
    let top = try #require(realm.database.transaction.top?.node)
    let width = top.header.width / 8
    let offset = top.ref.offset + 8 + 7 * width
    var bytes = backing.bytes
    #expect(bytes[offset] == 2 << 1 | 1)
    bytes[offset] = 3 << 1 | 1
    let identity = offset + 3 * width
    bytes[identity] = 9 << 1 | 1

    let synced = try WritableDatabase(CrashBacking(bytes), key: nil)
    #expect(synced.database.transaction.top?.historyType == .syncClient)
    let error = #expect(throws: EngineError.self) { try synced.begin() }
    #expect(error?.kind == .refused)
    write = try synced.begin(detaching: true)
    try synced.commit(write)
    #expect(synced.database.transaction.top?.historyType == .inRealm)
    #expect(synced.database.transaction.top?.syncFileID == 0)
    #expect(synced.database.transaction.classes().map(\.schema.name) == ["Row"])
    _ = try synced.begin()
  }

  @Test("a second writer finds the realm busy, and free when the first is done")
  func locking() throws {
    let files = try ScratchFolder(keepable: "lock")
    let path = files.path("locked.realm")
    let first = try WritableDatabase.create(path)
    let error = #expect(throws: EngineError.self) {
      try WritableDatabase.open(path, lockTimeoutMilliseconds: 30)
    }
    #expect(error?.kind == .busy)
    first.close()
    _ = try WritableDatabase.open(path, lockTimeoutMilliseconds: lockPatience)
  }

  @Test("an older format is refused without an upgrade, and holds the same after one")
  func upgrade() throws {
    let files = try ScratchFolder(keepable: "upgrade")
    let path = files.path("upgraded-encrypted.realm")
    let fixture = SearchIndexTests.fixtures.appendingPathComponent("format11-encrypted.realm")
    let hex = try String(
      contentsOf: SearchIndexTests.fixtures.appendingPathComponent("key.hex"), encoding: .utf8
    )
    .trimmingCharacters(in: .whitespacesAndNewlines)
    let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { offset -> UInt8? in
      let start = hex.index(hex.startIndex, offsetBy: offset)
      return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)
    }
    let key = try #require(EncryptionKey(bytes))
    try FileManager.default.copyItem(
      atPath: fixture.path, toPath: String(decoding: path.bytes, as: UTF8.self))
    let realm = try WritableDatabase.open(path, key: key, lockTimeoutMilliseconds: lockPatience)
    let reader = { () in
      try realm.database.transaction.classes().map {
        try ModelReader(realm: realm.database.transaction).objects($0)
      }
    }
    let before = try reader()
    let error = #expect(throws: EngineError.self) { try realm.begin() }
    #expect(error?.kind == .upgradeNeeded)
    try realm.commit(try realm.begin(upgrading: true))
    #expect(realm.database.file.format == 24)
    #expect(try reader() == before)
    for table in realm.database.transaction.classes() where table.schema.primaryKey != nil {
      #expect(table.schema.primaryKey?.indexRef != nil)
    }
  }
}

extension RowBlockCursor {
  /// The key of the object at a position.
  func firstKey(_ position: Int) throws -> ObjectKey? {
    var cursor = self
    var rest = position
    while let block = try cursor.next() {
      if rest < block.count { return block.key(rest) }
      rest -= block.count
    }
    return nil
  }
}
