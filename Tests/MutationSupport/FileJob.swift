// Jobs on whole files that are broken on purpose: what they leave behind is whole, or the file as it was.

import Foundation
import RealmEngine
import RealmSession
import TestSupport

/// One kind of job on the file of a damaged realm.
struct FileJob: Sendable {
  let name: String
  /// Nil: another key than the realm has.
  let newKey: EncryptionKey??
  let isUpgrade: Bool
  let isCopy: Bool
  let content: @Sendable () -> WholeFileJob.Content

  private init(
    _ name: String, newKey: EncryptionKey?? = .none, isUpgrade: Bool = false, isCopy: Bool = false,
    _ content: @escaping @Sendable () -> WholeFileJob.Content = { .same }
  ) {
    self.name = name
    self.newKey = newKey
    self.isUpgrade = isUpgrade
    self.isCopy = isCopy
    self.content = content
  }

  private static let otherKey = EncryptionKey(Array(1...64))

  static let all: [FileJob] = [
    FileJob("compact"), FileJob("copy", isCopy: true), FileJob("encrypt", newKey: .some(otherKey)),
    FileJob("decrypt", newKey: .some(nil)), FileJob("upgrade", isUpgrade: true),
    FileJob("upgrade", isUpgrade: true),
    FileJob("migrate") {
      .changed { database throws(EngineError) in
        let transaction = try database.beginInMemory()
        try transaction.setSchemaVersion(77)
        return try transaction.finished()
      }
    },
    FileJob("migrate in place") {
      .edited { transaction throws(EngineError) in try transaction.setSchemaVersion(77) }
    },
  ]

  func job(_ source: FilePath, copy: FilePath, key: EncryptionKey?) -> WholeFileJob {
    WholeFileJob(
      source: source, key: key, newKey: newKey ?? key,
      target: isCopy ? .newFile(copy, replacing: false) : .inPlace(backupLabel: isUpgrade ? "old" : nil),
      history: isCopy ? .forCopy : .keep, isUpgrade: isUpgrade, content: content())
  }
}

extension WriteExercise {
  /// Runs a job on a file of its own; says what is wrong afterwards.
  mutating func run(_ job: FileJob) throws -> String? {
    let folder = try ScratchFolder(inMemory: true)
    let source = folder.path("mutant.realm")
    let copy = folder.path("copy.realm")
    try Data(bytes).write(to: source.url)
    let key = key
    let newKey = job.newKey ?? key
    do throws(EngineError) {
      _ = try job.job(source, copy: copy, key: key).run()
      EndSignals.release()
    } catch {
      refuse()
      let names = try folder.names()
      guard names == ["mutant.realm"] else { return "refused, yet left \(names)" }
      guard try Data(contentsOf: source.url) == Data(bytes) else {
        return "refused, yet bytes changed: \(error.message) \(error.place ?? "")"
      }
      return nil
    }
    accept()
    if job.isCopy, try Data(contentsOf: source.url) != Data(bytes) { return "the original changed" }
    let result = job.isCopy ? copy : source
    let after = RealmPicture { () throws(EngineError) in try RealmFile.open(result, key: newKey) }
    return judge(after, ChangePermission())
  }
}

extension ScratchFolder {
  func path(_ name: String) -> FilePath { FilePath(url.appendingPathComponent(name).path) }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
}

extension FilePath {
  var url: URL { URL(fileURLWithPath: displayName) }
}
