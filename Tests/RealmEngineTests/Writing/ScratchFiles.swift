import Foundation
import RealmEngine
import TestSupport

/// Files that a test writes: in a directory of its own, removed afterwards; in `REALM_KEEP_FILES` they stay, so that another
/// engine can open them.
final class ScratchFiles {
  let directory: URL
  private let isKept: Bool

  init(_ name: String) throws {
    if let kept = ProcessInfo.processInfo.environment["REALM_KEEP_FILES"] {
      directory = URL(fileURLWithPath: kept)
      isKept = true
    } else {
      directory = FileManager.default.temporaryDirectory.appendingPathComponent(
        "\(name)-\(UUID().uuidString)")
      isKept = false
    }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(at: directory) } }

  /// A path where nothing is yet.
  func path(_ name: String) -> FilePath {
    let url = directory.appendingPathComponent(name)
    try? FileManager.default.removeItem(at: url)
    return FilePath(url.path)
  }
}

extension FilePath {
  var url: URL { URL(fileURLWithPath: String(decoding: bytes, as: UTF8.self)) }

  /// Makes the file anew in its place, without a key.
  func rewrite(key: EncryptionKey? = nil, isUpgrade: Bool, salvages: Bool = false) throws {
    _ = try WholeFileJob(
      source: self, key: key, newKey: nil, target: .inPlace(backupLabel: nil), history: .keep,
      isUpgrade: isUpgrade, lockTimeoutMilliseconds: lockPatience, salvages: salvages
    ).run()
  }
}

extension EngineError: CustomStringConvertible {
  package var description: String { "\(kind): \(message) \(place ?? "")" }
}
