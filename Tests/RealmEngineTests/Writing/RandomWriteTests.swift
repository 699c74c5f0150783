import Foundation
import RealmEngine
import TestSupport
import Testing

@Suite("Random changes")
struct RandomWriteTests {
  /// `REALM_SEED` repeats a single one.
  static let seeds: [Int] = {
    if let seed = ProcessInfo.processInfo.environment["REALM_SEED"].flatMap({ Int($0) }) { return [seed] }
    return Array(0..<TestScale.cases(fast: 6, usual: 24, long: 100))
  }()
  static let key = EncryptionKey((0..<64).map { UInt8($0) })

  @Test("a realm holds what a model holds after random changes, reopened in between", arguments: seeds)
  func sequence(number: Int) throws {
    let seed = UInt64(number)
    let files = try ScratchFolder(keepable: "random")
    let isEncrypted = number % 3 == 2
    let hasDeepLinks = number % 4 == 3
    let name = "random-\(seed)\(isEncrypted ? "-encrypted" : "")\(hasDeepLinks ? "-deep" : "").realm"
    let path = files.path(name)
    let key = isEncrypted ? Self.key : nil
    var run = RandomRealm(seed: seed, try WritableDatabase.create(path, key: key), hasDeepLinks: hasDeepLinks)
    for round in 0..<6 {
      let before = run.model
      let version = run.realm.database.transaction.top?.version
      try run.run(round == 1 ? 400 : 60, isAllCreation: round == 1)
      if run.realm.database.transaction.top?.version == version { run.model = before }
      try run.compare(run.realm.database.transaction)
      if round % 2 == 1 {
        run.realm.close()
        run.realm = try WritableDatabase.open(path, key: key, lockTimeoutMilliseconds: lockPatience)
      }
    }
    try run.compare(try Database.open(path, key: key).transaction)
  }
}
