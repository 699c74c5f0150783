// Eight processes that start the same job on one file: it is done once. What is decided by a look at the file is decided
// again when the lock is held. All eight have looked, or are about to, while somebody else keeps them out.

import Foundation
import TestSupport
import Testing

@Suite("Eight at once")
struct EightAtOnceTests {
  /// A job, and what becomes of it in the one process that does it and in the seven others.
  struct Job: CustomTestStringConvertible, Sendable {
    let line: String
    let realm: String
    let done: String
    /// What the others say, each of them one of these.
    let others: [String]
    let othersStatus: Int32

    init(
      _ line: String, on realm: String = "zoo.realm", done: String, others: String..., status: Int32 = 0
    ) {
      (self.line, self.realm, self.done, self.others) = (line, realm, done, others)
      othersStatus = status
    }

    var testDescription: String { line }
  }

  private static let key = "--key-file key.hex"

  static let jobs = [
    Job("migrate apply zoo.realm", done: "migrated from", others: "nothing to do"),
    Job("migrate apply --no-backup zoo.realm", done: "migrated from", others: "nothing to do"),
    Job("migrate apply --in-place zoo.realm", done: "migrated from", others: "nothing to do"),
    Job(
      "migrate apply zoo-encrypted.realm \(key)", on: "zoo-encrypted.realm", done: "migrated from",
      others: "nothing to do"),
    Job(
      "upgrade --yes legacy9-small.realm", on: "legacy9-small.realm", done: "upgraded from",
      others: "already has file format 24"),
    Job(
      "upgrade --yes format11-encrypted.realm \(key)", on: "format11-encrypted.realm", done: "upgraded from",
      others: "already has file format 24"),
    Job(
      "insert legacy9-small.realm Tag --data '{\"name\": \"new\"}' --upgrade", on: "legacy9-small.realm",
      done: "upgraded from", others: "already has an object", status: 8),
    Job("encrypt zoo.realm --new-key-file key.hex", done: ": encrypted,", others: "already encrypted"),
    Job(
      "encrypt zoo.realm --new-key-file $i.key", done: ": encrypted,", others: "another key", status: 4),
    Job(
      "decrypt zoo-encrypted.realm \(key)", on: "zoo-encrypted.realm", done: ": decrypted,",
      others: "not encrypted"),
    Job(
      "rekey zoo-encrypted.realm \(key) --new-key-file 1.key", on: "zoo-encrypted.realm",
      done: "with the new key", others: "already encrypted"),
    Job("compact zoo.realm --if 'size >= 131072'", done: ": compacted from", others: "does not hold"),
    Job("compact zoo.realm", done: ": compacted from", others: "already compact"),
    Job(
      "upsert keyed.realm Tag --data '{\"_id\": 4711, \"name\": \"a\"}'", on: "keyed.realm",
      done: "created 1 object", others: "updated 1 object"),
    Job(
      "insert keyed.realm Tag --data '{\"_id\": 4711, \"name\": \"a\"}'", on: "keyed.realm",
      done: "created 1 object", others: "4711", status: 8),
    Job(
      "migrate baseline zoo.realm", done: "marked as schema version", others: "already at schema version"),
    Job("rm --yes zoo.realm", done: "removed", others: "No such file", status: 10),
    Job("copy zoo.realm new.out", on: "new.out", done: "copied to", others: "exist", status: 10),
    Job("copy --force zoo.realm new.out", on: "new.out", done: "copied to", others: "exist", status: 10),
    Job("load new.out zoo.realm.jsonl", on: "new.out", done: "created with", others: "exist", status: 10),
    Job(
      "load --force new.out zoo.realm.jsonl", on: "new.out", done: "created with", others: "exist", status: 10
    ),
    Job("create new.out", on: "new.out", done: "created with", others: "exist", status: 10),
  ]

  private static let step = """
    realm_migration: 1
    from: 3
    to: 4
    up: [ { update: { class: Person, set: { age: "age + 1" } } } ]
    """

  private func scene() throws -> WholeFileScene {
    let scene = try WholeFileScene()
    try FileManager.default.createDirectory(
      at: scene.url("migrations"), withIntermediateDirectories: false)
    try Self.step.write(to: scene.url("migrations/v004.yaml"), atomically: true, encoding: .utf8)
    for number in 1...8 { try scene.run(["keygen", "\(number).key"]) }
    try scene.run(["create", "keyed.realm"])
    try scene.run(["-w", "keyed.realm", "create class Tag { _id: int primary key, name: string }"])
    return scene
  }

  /// Runs a line of the shell eight times at once, `$i` being the number, behind the lock of `realm`.
  private func runEight(
    _ line: String, behind realm: String, in scene: WholeFileScene
  ) throws -> [(status: Int32, text: String)] {
    // The lock is shared, as an app would have it, and nobody inherits it. It is let go when each of the eight has ended or
    // has slept so often that it waits for the lock, which it tries again and again, or after a minute: on a busy machine the
    // last of them starts long after the first. Nobody locks a place where nothing stands, so that those who make a file are
    // not held back.
    let script = """
      flock -s -o \(realm).lock sh -c 'touch held; until [ -e go ]; do sleep 0.05; done' >/dev/null 2>&1 &
      until [ -e held ]; do sleep 0.05; done
      for i in 1 2 3 4 5 6 7 8; do
        { $R \(line) --lock-timeout 300 >out.$i 2>&1 & echo $! >pid.$i; wait $!; echo $? >status.$i; } &
      done
      waits() {
        [ -s pid.$1 ] && awk '/^voluntary/ { exit $2 < 30 }' /proc/$(cat pid.$1)/status 2>/dev/null || [ -s status.$1 ]
      }
      tries=$(if [ -e \(realm) ]; then echo 0; else echo 600; fi)
      for i in 1 2 3 4 5 6 7 8; do
        until waits $i || [ $tries -ge 600 ]; do tries=$((tries + 1)); sleep 0.1; done
      done
      touch go; wait; rm -f go held pid.*
      """
    _ = try scene.shell(script)
    let results = try (1...8).map { number in
      let status = try String(contentsOf: scene.url("status.\(number)"), encoding: .utf8)
      return (
        Int32(status.dropLast()) ?? -1, try String(contentsOf: scene.url("out.\(number)"), encoding: .utf8)
      )
    }
    for number in 1...8 {
      for name in ["out", "status"] {
        try FileManager.default.removeItem(at: scene.url("\(name).\(number)"))
      }
    }
    return results
  }

  /// Who starts when another is ready already, and was told to replace what he finds, does so.
  @Test("a job is done once, and the others say so or refuse", .slow, arguments: jobs)
  func once(job: Job) throws {
    let scene = try scene()
    let names = scene.names
    let original = try? scene.bytes(job.realm)
    let results = try runEight(job.line, behind: job.realm, in: scene)
    let done = results.count { $0.text.contains(job.done) }
    #expect(done == 1 || done > 1 && job.line.contains(" --force "), "\(results)")
    let others = results.filter { !$0.text.contains(job.done) }
    for other in others {
      #expect(other.status == job.othersStatus, "\(other)")
      #expect(job.others.contains { other.text.contains($0) }, "\(other)")
    }
    // One backup at most, and it is the file as it was.
    let backups = scene.names.subtracting(names).filter { $0.contains(".backup.") }
    #expect(backups.count <= 1)
    for backup in backups { #expect(try scene.bytes(backup) == original) }
    // Nobody locks a place where nothing stands, so what flock made there stays.
    let expected = names.union(backups).union(job.realm == "new.out" ? ["new.out", "new.out.lock"] : [])
    let left = scene.names.subtracting(expected)
    #expect(left.isEmpty, "\(left)")
  }

  @Test("what a migration adds is added once", .slow, arguments: ["", "--in-place", "--no-backup"])
  func sum(option: String) throws {
    let scene = try scene()
    func sum() throws -> Int {
      try #require(Int(try scene.run(["zoo.realm", "sum age of Person"]).outputText.filter(\.isNumber)))
    }
    let (before, count) = (try sum(), 200)
    let results = try runEight("migrate apply zoo.realm \(option)", behind: "zoo.realm", in: scene)
    #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
    #expect(try sum() == before + count)
  }

  @Test("of eight that put a backup back one does it, and the others leave it at that")
  func restoring() throws {
    let scene = try scene()
    try scene.run(["migrate", "apply", "zoo.realm"])
    let results = try runEight("migrate restore zoo.realm", behind: "zoo.realm", in: scene)
    #expect(results.count { $0.status == 0 } == 1, "\(results)")
    #expect(
      results.count { $0.status == 6 && $0.text.contains("changed by another process") } == 7, "\(results)")
    #expect(try scene.run(["info", "zoo.realm"]).outputText.contains("schema version  3"))
  }

  @Test("changes of eight processes all count")
  func changes() throws {
    let scene = try scene()
    let results = try runEight(
      "-w zoo.realm 'update Person where _id == 1 set age = age + 1'", behind: "zoo.realm", in: scene)
    #expect(results.allSatisfy { $0.status == 0 }, "\(results)")
  }

  @Test("a file that is newer than the last step is refused, and told as such by status")
  func newerThanSteps() throws {
    let scene = try scene()
    try scene.run(["migrate", "apply", "zoo.realm"])
    let chain = Self.step.replacingOccurrences(of: "3", with: "2").replacingOccurrences(of: "4", with: "3")
    try chain.write(to: scene.url("migrations/v004.yaml"), atomically: true, encoding: .utf8)
    let before = try scene.bytes("zoo.realm")
    for words in [["apply"], ["apply", "--in-place"], ["plan"]] {
      let result = try scene.run(["migrate"] + words + ["zoo.realm"], status: 8)
      #expect(result.errorText.contains("newer than all steps"), "\(result)")
    }
    #expect(try scene.bytes("zoo.realm") == before)
    #expect(try scene.run(["migrate", "status", "zoo.realm"]).outputText.contains("newer than all steps"))
    try scene.run(["migrate", "status", "--exit-code", "zoo.realm"], status: 9)
  }
}
