import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Crashes while committing")
struct CrashTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0) })
  private static let randomSubsets = 50

  private static func content(_ realm: ReadTransaction) throws -> [String: [Int64: [String: ModelRealm
    .Content]]]
  {
    let reader = ModelReader(realm: realm)
    var content: [String: [Int64: [String: ModelRealm.Content]]] = [:]
    for table in realm.classes() { content[table.schema.name] = try reader.objects(table) }
    return content
  }

  /// A realm with some data, and a transaction that changes much of it.
  private static func prepared(_ backing: CrashBacking, key: EncryptionKey?) throws -> WritableDatabase {
    let realm = try WritableDatabase(formatting: backing, key: key)
    var run = RandomRealm(seed: 5, realm, hasDeepLinks: false)
    for _ in 0..<3 { try run.run(40, isAllCreation: true, mayRollBack: false) }
    return realm
  }

  private static func change(_ realm: WritableDatabase) throws -> WriteTransaction {
    let write = try realm.begin()
    for table in realm.database.transaction.classes() where table.schema.kind == .object {
      var keys: [ObjectLink] = []
      for block in try table.allBlocks() {
        for row in 0..<block.count {
          keys.append(ObjectLink(table: table.schema.tableKey, key: block.key(row)))
        }
      }
      try write.erase(keys.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    }
    try write.setSchemaVersion(77)
    return write
  }

  @Test("power lost at any moment leaves the old version or the new one", .slow, arguments: [false, true])
  func powerLoss(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let backing = CrashBacking()
    let realm = try Self.prepared(backing, key: key)
    let before = backing.bytes
    let old = try Self.content(realm.database.transaction)
    let write = try Self.change(realm)
    backing.startLog()
    try realm.commit(write)
    let new = try Self.content(realm.database.transaction)
    #expect(old != new)

    var random = SplitMix64(state: 11)
    var seen: Set<Bool> = []
    for count in 0...backing.log.count {
      let (_, unsynced) = CrashBacking.image(after: count, of: backing.log, on: before) { _ in true }
      var choices: [(Int) -> Bool] = [{ _ in true }, { _ in false }]
      for lost in 0..<min(unsynced, 40) { choices.append { $0 != lost } }
      for kept in 0..<min(unsynced, 40) { choices.append { $0 == kept } }
      for _ in 0..<(unsynced > 2 ? Self.randomSubsets : 0) {
        let mask = (0..<unsynced).map { _ in random.oneIn(2) }
        choices.append { mask[$0] }
      }
      for survives in choices {
        let (bytes, _) = CrashBacking.image(after: count, of: backing.log, on: before, survives: survives)
        let opened = try WritableDatabase(CrashBacking(bytes), key: key).database.transaction
        let isNew = opened.schemaVersion == 77
        #expect(
          try Self.content(opened) == (isNew ? new : old), "after \(count) of \(backing.log.count) calls")
        seen.insert(isNew)
        if count == backing.log.count { #expect(isNew) }
      }
    }
    #expect(seen == [true, false])
  }

  /// Runs a commit once for each of its calls, which fails; gives how many there are.
  private static func failAtEveryCall(
    of before: [UInt8], key: EncryptionKey?,
    change: (WritableDatabase) throws -> WriteTransaction,
    failure: (CrashBacking) -> Void, check: (WritableDatabase, CrashBacking, Int) throws -> Void
  ) throws -> Int {
    var call = 1
    while true {
      let backing = CrashBacking(before)
      failure(backing)
      let realm = try WritableDatabase(backing, key: key)
      let write = try change(realm)
      backing.failingCall = call
      do {
        try realm.commit(write)
        return call - 1
      } catch {
        #expect(error.kind == .diskFull)
      }
      try check(realm, backing, call)
      call += 1
    }
  }

  @Test(
    "an error at any call of a commit is reported and leaves every byte as it was", arguments: [false, true])
  func failingCalls(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let intact = CrashBacking()
    _ = try Self.prepared(intact, key: key)
    let before = intact.bytes
    let calls = try Self.failAtEveryCall(of: before, key: key) {
      try Self.change($0)
    } failure: {
      $0.writesHalf = true
    } check: { realm, backing, call in
      #expect(backing.holds(before), "an error at call \(call)")
      // The same realm can go on.
      backing.failingCall = nil
      try realm.commit(try Self.change(realm))
      #expect(realm.database.transaction.schemaVersion == 77)
    }
    #expect(calls > 5)
  }

  @Test("a disk that is full in the midst of free space gets back what was there")
  func fullDiskInFreeSpace() throws {
    let intact = CrashBacking()
    let realm = try WritableDatabase(formatting: intact, key: nil)
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Row", properties: [PropertyDefinition("text", .string)])])
    try realm.commit(write)
    func fill(_ realm: WritableDatabase, _ letter: String) throws -> WriteTransaction {
      let write = try realm.begin()
      let table = try #require(try write.schema(named: "Row")).tableKey
      for number in 0..<1000 {
        let text = String(repeating: letter, count: 1500) + "\(number)"
        _ = try write.create(table, [("text", .single(.string(ByteString(text))))])
      }
      return write
    }
    try realm.commit(try fill(realm, "a"))
    let erasing = try realm.begin()
    let table = try #require(realm.database.transaction.table(named: "Row"))
    var keys: [ObjectLink] = []
    for block in try table.allBlocks() {
      for row in 0..<block.count {
        keys.append(ObjectLink(table: table.schema.tableKey, key: block.key(row)))
      }
    }
    try erasing.erase(keys)
    try realm.commit(erasing)

    let before = intact.bytes
    var restored = 0
    let calls = try Self.failAtEveryCall(of: before, key: nil) {
      try fill($0, "b")
    } failure: {
      $0.writesHalf = true
    } check: { _, backing, call in
      #expect(backing.holds(before), "an error at call \(call)")
      if backing.hasHoles { restored += 1 }
    }
    #expect(calls > 5 && restored > 0)
  }

  @Test("a commit that the disk fails for good leaves the old version", arguments: [false, true])
  func brokenDisk(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let intact = CrashBacking()
    let old = try Self.content(try Self.prepared(intact, key: key).database.transaction)
    var spoilt = 0
    let calls = try Self.failAtEveryCall(of: intact.bytes, key: key) {
      try Self.change($0)
    } failure: {
      $0.staysBroken = true
    } check: { _, backing, call in
      let opened = try WritableDatabase(CrashBacking(backing.bytes), key: key).database.transaction
      if opened.schemaVersion == 77 {
        // Only the last sync was missing.
        spoilt += 1
      } else {
        #expect(try Self.content(opened) == old, "errors from call \(call) on")
      }
    }
    #expect(calls > 5 && spoilt <= 1)
  }

  @Test(
    "an error at any call leaves realms of other engines as they were", arguments: ExistingFileTests.names)
  func failingCallsInExistingFiles(name: String) throws {
    let key = try ExistingFileTests.key(name)
    let url = ExistingFileTests.directory.appendingPathComponent(name)
    let before = Array(try Data(contentsOf: url))
    guard let realm = try? WritableDatabase(CrashBacking(before), key: key),
      (try? realm.begin(upgrading: true)) != nil
    else { return }
    // Bytes behind what counts are cut off by a commit that succeeds, not before.
    let tails = key == nil ? [0, 3 * 4096 + 8] : [0]
    for tail in tails {
      let before = before + [UInt8](repeating: 0xAB, count: tail)
      let calls = try Self.failAtEveryCall(of: before, key: key) {
        let write = try $0.begin(upgrading: true)
        try write.setSchemaVersion(1077)
        return write
      } failure: {
        $0.writesHalf = true
      } check: { _, backing, call in
        #expect(backing.holds(before), "an error at call \(call), \(tail) more bytes")
      }
      #expect(calls > 5)
    }
  }

  @Test("a commit cuts off what stands behind the new version")
  func excess() throws {
    let backing = CrashBacking()
    _ = try Self.prepared(backing, key: nil)
    let size = backing.size
    let long = CrashBacking(backing.bytes + [UInt8](repeating: 0xAB, count: 1 << 20))
    let realm = try WritableDatabase(long, key: nil)
    try realm.commit(try Self.change(realm))
    #expect(long.size < size + 1 << 20)
    #expect(realm.database.transaction.schemaVersion == 77)
  }
}
