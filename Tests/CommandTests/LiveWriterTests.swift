import Foundation
import RealmEngine
import Synchronization
import TestSupport
import Testing

/// Reading a realm while somebody else commits to it: each answer is that of one version, or there is none.
@Suite("Beside a writer")
struct LiveWriterTests {
  private static let rounds = TestScale.cases(fast: 10, usual: 40, long: 200)

  /// Version `number` of the realm: so many objects, all with the same values.
  private struct Version: Equatable {
    let number: Int64
    var objectCount: Int { 800 + Int(number % 50) * 7 }
    var text: String { String(repeating: "version \(number) ", count: 1 + Int(number % 9)) }
  }

  /// Commits one version after the other until it is told to stop.
  private final class Writer: Sendable {
    private let path: FilePath
    private let key: EncryptionKey?
    private let isStopped = Atomic(false)
    /// Now and then there is time for a reader. It is for the slowness of the machine: less than he needs would leave him none.
    private let pauseMicroseconds = Atomic<UInt32>(20_000)
    private let end = DispatchSemaphore(value: 0)
    private let outcome = Mutex<(commitCount: Int64, failure: String?)>((0, nil))

    init(_ path: String, key: EncryptionKey?) {
      self.path = FilePath(path)
      self.key = key
    }

    func start() throws {
      let realm = try WritableDatabase.create(path, key: key)
      let write = try realm.begin()
      try write.addClasses([
        ClassDefinition(
          "Item",
          properties: [
            PropertyDefinition("number", .int), PropertyDefinition("text", .string),
          ])
      ])
      try realm.commit(write)
      try Self.commit(Version(number: 0), to: realm)
      realm.close()
      Thread { self.run() }.start()
    }

    /// A reader came to no answer.
    func giveMoreTime() {
      let pause = pauseMicroseconds.load(ordering: .relaxed)
      pauseMicroseconds.store(min(pause + pause / 4, 2_000_000), ordering: .relaxed)
    }

    /// Ends the writer; gives the number of versions that it made.
    func stop() throws -> Int64 {
      isStopped.store(true, ordering: .relaxed)
      end.wait()
      let (commitCount, failure) = outcome.withLock { $0 }
      if let failure { throw CocoaError(.fileWriteUnknown, userInfo: ["writer": failure]) }
      return commitCount
    }

    private func run() {
      defer { end.signal() }
      do {
        let realm = try WritableDatabase.open(path, key: key, lockTimeoutMilliseconds: lockPatience)
        var number: Int64 = 0
        while !isStopped.load(ordering: .relaxed) {
          number += 1
          try Self.commit(Version(number: number), to: realm)
          outcome.withLock { $0.commitCount = number }
          usleep(number % 4 == 0 ? pauseMicroseconds.load(ordering: .relaxed) : 500)
        }
      } catch {
        outcome.withLock { $0.failure = "\(error)" }
      }
    }

    private static func commit(_ version: Version, to realm: WritableDatabase) throws {
      let write = try realm.begin()
      guard let key = try write.schema(named: "Item")?.tableKey else { return }
      let values: [(String, NewValue)] = [
        ("number", .single(.int(version.number))), ("text", .single(.string(ByteString(version.text)))),
      ]
      let table = try #require(realm.database.transaction.table(key))
      var keys: [ObjectKey] = []
      for block in try table.allBlocks() { keys += (0..<block.count).map { block.key($0) } }
      let surplus = keys.dropFirst(version.objectCount)
      try write.erase(surplus.map { ObjectLink(table: key, key: $0) })
      for object in keys.prefix(version.objectCount) {
        try write.update(ObjectLink(table: key, key: object), values)
      }
      for _ in keys.count..<max(keys.count, version.objectCount) { _ = try write.create(key, values) }
      try realm.commit(write)
    }
  }

  /// The version that lines of objects show; nil where they don't show one and the same.
  private static func version(of lines: [[String: Any]]) -> Version? {
    guard let number = lines.first?["number"] as? Int64 else { return nil }
    let version = Version(number: number)
    let isWhole = lines.allSatisfy {
      $0["number"] as? Int64 == number && $0["text"] as? String == version.text
    }
    return isWhole && lines.count == version.objectCount ? version : nil
  }

  private static func objects(_ output: Data) throws -> [[String: Any]] {
    try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
    }
  }

  private static let commands = [
    ["dump", "live.realm"], ["query", "live.realm", "Item", "text CONTAINS 'version'", "--jsonl"],
    ["check", "live.realm"], ["copy", "live.realm", "copy.realm", "--force"], ["hash", "live.realm"],
    ["migrate", "plan", "live.realm"], ["compact", "-n", "live.realm"], ["migrate", "status", "live.realm"],
    ["export", "live.realm", "Item", "--jsonl"],
  ]

  private static let step = """
    realm_migration: 1
    from: 0
    to: 1
    up:
      - add_property: { class: Item, name: extra, type: int, value: "number" }
    """

  @Test(
    "every answer is one that some version had, or the reader gives up with status 6",
    arguments: [false, true])
  func consistency(isEncrypted: Bool) throws {
    let scratch = try ScratchFolder()
    let keyBytes = (0..<EncryptionKey.size).map { UInt8($0) }
    let keyPath = scratch.url.appendingPathComponent("key").path
    #expect(
      FileManager.default.createFile(
        atPath: keyPath, contents: Data(keyBytes), attributes: [.posixPermissions: 0o600]))
    let steps = scratch.url.appendingPathComponent("migrations")
    try FileManager.default.createDirectory(at: steps, withIntermediateDirectories: false)
    try Data(Self.step.utf8).write(to: steps.appendingPathComponent("v001__extra.yaml"))
    let writer = Writer(
      scratch.url.appendingPathComponent("live.realm").path, key: isEncrypted ? EncryptionKey(keyBytes) : nil)
    try writer.start()
    let keyWords = isEncrypted ? ["--key-file", keyPath] : []
    var versions: Set<Int64> = []
    var counts = (answers: 0, busy: 0)
    let end = Date(timeIntervalSinceNow: 120)
    var round = 0
    // Long enough for some versions, however slow the machine is.
    while round < Self.rounds || versions.count < 3 && Date() < end {
      defer { round += 1 }
      let words = Self.commands[round % Self.commands.count]
      var result = try RealmProcess.run(words + keyWords, in: scratch.url)
      if result.status == 6 {
        counts.busy += 1
        writer.giveMoreTime()
        continue
      }
      #expect(result.status == 0, "\(words): status \(result.status), \(result.errorText)")
      counts.answers += 1
      guard ["dump", "query", "copy", "export"].contains(words[0]) else { continue }
      if words[0] == "copy" {
        result = try RealmProcess.run(["dump", "copy.realm"] + keyWords, in: scratch.url)
      }
      var lines = try Self.objects(result.output)
      if ["dump", "copy"].contains(words[0]) { lines = lines.compactMap { $0["values"] as? [String: Any] } }
      let version = Self.version(of: lines)
      #expect(version != nil, "\(words): \(lines.count) objects of more than one version")
      if let version { versions.insert(version.number) }
    }
    let commitCount = try writer.stop()
    print("\(counts.answers) answers, \(counts.busy) busy, \(versions.count) of \(commitCount) versions seen")
    #expect(counts.answers > 0 && versions.count > 2)
  }
}
