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
      var cursor = table.blocks()
      var keys: [ObjectLink] = []
      while let block = try cursor.next() {
        for row in 0..<block.count {
          keys.append(ObjectLink(table: table.schema.tableKey, key: block.key(row)))
        }
      }
      try write.erase(keys.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    }
    try write.setSchemaVersion(77)
    return write
  }

  @Test("power lost at any moment leaves the old version or the new one", arguments: [false, true])
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

  @Test("an error at any call of a commit is reported and leaves the old version", arguments: [false, true])
  func failingCalls(isEncrypted: Bool) throws {
    let key = isEncrypted ? Self.key : nil
    let intact = CrashBacking()
    _ = try Self.prepared(intact, key: key)
    let before = intact.bytes
    var call = 1
    while true {
      let backing = CrashBacking(before)
      let realm = try WritableDatabase(backing, key: key)
      let old = try Self.content(realm.database.transaction)
      let write = try Self.change(realm)
      backing.failingCall = call
      do {
        try realm.commit(write)
        break
      } catch {
        #expect(error.kind == .diskFull)
      }
      let opened = try WritableDatabase(CrashBacking(backing.bytes), key: key).database.transaction
      #expect(try Self.content(opened) == old, "an error at call \(call)")
      // The same realm can go on.
      backing.failingCall = nil
      try realm.commit(try Self.change(realm))
      #expect(realm.database.transaction.schemaVersion == 77)
      call += 1
    }
    #expect(call > 5)
  }
}
