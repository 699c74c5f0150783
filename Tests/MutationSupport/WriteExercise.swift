// Changes realms that are broken on purpose, and looks at what became of them: either every byte is as it was, or what
// was asked has changed and nothing else.

import ByteText
package import RealmEngine
import TestSupport

/// What a change of a damaged realm did wrong.
package struct WriteFailure: Sendable {
  package let change: String
  package let message: String
}

/// One change of one realm.
package struct WriteExercise {
  let bytes: [UInt8]
  let key: EncryptionKey?
  var random: SplitMix64
  let before: RealmPicture

  package init(_ bytes: [UInt8], key: EncryptionKey?, seed: UInt64) {
    self.bytes = bytes
    self.key = key
    random = SplitMix64(state: seed ^ 0x5EED)
    before = RealmPicture { () throws(EngineError) in
      try RealmFile(stream: bytes, path: FilePath("mutant"), key: key)
    }
  }

  /// How many changes were made, and how many refused.
  package private(set) var madeCount = 0
  package private(set) var refusedCount = 0

  mutating func refuse() { refusedCount += 1 }
  mutating func accept() { madeCount += 1 }

  mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(max(1, limit))) }

  /// Makes some changes, each of the original.
  package mutating func run() throws -> [WriteFailure] {
    var failures: [WriteFailure] = []
    for _ in 0..<2 {
      let change = RealmChange.all[below(RealmChange.all.count)]
      let inspects = below(2) == 0
      if let message = inPlace(change, inspects: inspects) {
        failures.append(WriteFailure(change: change.name, message: message))
      }
    }
    if below(4) == 0 {
      let job = FileJob.all[below(FileJob.all.count)]
      if let message = try run(job) { failures.append(WriteFailure(change: job.name, message: message)) }
    }
    return failures
  }

  /// Makes every kind of change some times, and runs every job.
  package mutating func runAll() throws -> [WriteFailure] {
    var failures: [WriteFailure] = []
    for number in 0..<Self.timesOfEach * RealmChange.all.count {
      let change = RealmChange.all[number % RealmChange.all.count]
      let inspects = number / RealmChange.all.count == 0
      if let message = inPlace(change, inspects: inspects) {
        failures.append(WriteFailure(change: change.name, message: message))
      }
    }
    for job in FileJob.all {
      if let message = try run(job) { failures.append(WriteFailure(change: job.name, message: message)) }
    }
    return failures
  }

  private static let timesOfEach = 4

  // MARK: In place

  /// Makes a change by a commit; says what is wrong afterwards.
  private mutating func inPlace(_ change: RealmChange, inspects: Bool) -> String? {
    var permission = ChangePermission()
    let file: MemoryBacking
    do throws(EngineError) {
      file = try MemoryBacking()
      try file.setSize(bytes.count)
      try bytes.withRawBytes { bytes throws(EngineError) in try file.write(bytes, at: 0) }
    } catch {
      return "no memory: \(error.message)"
    }
    do throws(EngineError) {
      let realm = try WritableDatabase(file, key: key)
      realm.inspectsSmallFiles = inspects
      let view = realm.database.transaction
      let transaction = try realm.begin(upgrading: true)
      permission = try change.make(transaction, view, &random)
      try realm.commit(transaction)
    } catch {
      refusedCount += 1
      guard let content = try? file.content(), content.size == bytes.count,
        content.bytes.equals(bytes)
      else { return "refused, yet bytes changed: \(error.message) \(error.place ?? "")" }
      return nil
    }
    madeCount += 1
    let key = key
    let after = RealmPicture { () throws(EngineError) in
      try RealmFile(content: try file.content(), path: FilePath("mutant"), key: key)
    }
    return judge(after, permission)
  }

  /// What is wrong with a change that was said to be made.
  func judge(_ after: RealmPicture, _ permission: ChangePermission) -> String? {
    if before.damageCount == 0, let damage = after.damageCount, damage > 0 {
      return "sound before, \(damage) places of damage after"
    }
    guard before.isReadable else { return nil }
    if let refusal = after.refusal {
      return "not readable any more: \(refusal.message) \(refusal.place ?? "")"
    }
    if after.damageCount == nil { return "not to be inspected any more" }
    var permission = permission
    permission.isOrderLost = before.hasOldOrder != after.hasOldOrder
    for name in after.differences(from: before)
    where !permission.allows(name, from: before.objects[name], to: after.objects[name]) {
      return "\(name) \(Self.difference(before.objects[name], after.objects[name]))"
    }
    return nil
  }
}

extension WriteExercise {
  /// Where two lines part.
  private static func difference(_ old: String?, _ new: String?) -> String {
    guard let old else { return "came into being" }
    guard let new else { return "is gone" }
    let shared = zip(old.utf8, new.utf8).prefix { $0 == $1 }.count
    func rest(_ line: String) -> String {
      String(decoding: line.utf8.dropFirst(max(0, shared - 40)).prefix(100), as: UTF8.self)
    }
    return "was \(rest(old)) and is \(rest(new))"
  }
}

extension RawBytes {
  fileprivate func equals(_ other: [UInt8]) -> Bool {
    other.withRawBytes { $0.count == count && equals($0) }
  }
}
