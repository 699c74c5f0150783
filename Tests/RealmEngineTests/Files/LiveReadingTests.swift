import RealmEngine
import TestSupport
import Testing

/// What comes of reading a file to which a commit is made at the worst moment, each time anew.
@Suite("Reading a live file")
struct LiveReadingTests {
  private let files: ScratchFolder
  private let path: FilePath
  private let key: EncryptionKey?

  private init(_ key: EncryptionKey?) throws {
    files = try ScratchFolder(keepable: "live")
    path = files.path("live.realm")
    self.key = key
    let realm = try WritableDatabase.create(path, key: key)
    let write = try realm.begin()
    try write.addClasses([ClassDefinition("Item", properties: [PropertyDefinition("number", .int)])])
    try realm.commit(write)
  }

  init() throws { try self.init(nil) }

  private func commit() throws {
    let realm = try WritableDatabase.open(path, key: key, lockTimeoutMilliseconds: lockPatience)
    let write = try realm.begin()
    let table = try #require(try write.schema(named: "Item")).tableKey
    _ = try write.create(table, [("number", .single(.int(1)))])
    try realm.commit(write)
    realm.close()
  }

  /// Commits as part of a read.
  private func commitWhileReading() throws(EngineError) {
    do { try commit() } catch { throw EngineError(.other, "\(error)") }
  }

  private static func count(_ database: Database) -> Int {
    database.transaction.classes().reduce(0) { $0 + $1.count }
  }

  @Test("an answer from before a commit is not given, and an error from then is not the file's")
  func changedMeanwhile() throws {
    for test in [self, try LiveReadingTests(try FixtureFile.key())] {
      var readings = 0
      let count = try LiveReading.read(test.path, key: test.key) { database throws(EngineError) in
        readings += 1
        let count = Self.count(database)
        if readings == 1 { try test.commitWhileReading() }
        if readings == 2 {
          try test.commitWhileReading()
          throw EngineError(.damaged, "half of what was written")
        }
        return count
      }
      #expect(readings == 3)
      #expect(count == 2)
    }
  }

  @Test("where each reading sees a commit, a copy is read at last")
  func copied() throws {
    for test in [self, try LiveReadingTests(try FixtureFile.key())] {
      var readings = 0
      let count = try LiveReading.read(test.path, key: test.key) { database throws(EngineError) in
        readings += 1
        try test.commitWhileReading()
        return Self.count(database)
      }
      #expect(count == readings - 1)
      #expect(readings == 4)
    }
  }

  @Test("an error that stays is told, and one that no file is to blame for is told at once")
  func errors() throws {
    var readings = 0
    let damage = #expect(throws: EngineError.self) {
      try LiveReading.read(path, key: nil) { _ throws(EngineError) in
        readings += 1
        throw EngineError(.damaged, "for good")
      }
    }
    #expect(damage?.kind == .damaged)
    let cancelled = #expect(throws: EngineError.self) {
      try LiveReading.read(path, key: nil) { _ throws(EngineError) in
        readings += 1
        try commitWhileReading()
        throw EngineError(.cancelled, "the user said so")
      }
    }
    #expect(cancelled?.kind == .cancelled)
    #expect(readings == 2)
  }

  @Test("a copy is written of a file that changes while it is copied")
  func wholeFileJob() throws {
    for test in [self, try LiveReadingTests(try FixtureFile.key())] {
      let target = test.files.path("copy.realm")
      var changes = 0
      _ = try WholeFileJob(
        source: test.path, key: test.key, newKey: test.key, target: .newFile(target, replacing: false),
        history: .keep
      ).run { stage, _, _ throws(EngineError) in
        guard stage == .syncing, changes < 2 else { return }
        changes += 1
        try test.commitWhileReading()
      }
      let copied = try LiveReading.read(target, key: test.key) { Self.count($0) }
      #expect(copied == 2)
    }
  }
}
