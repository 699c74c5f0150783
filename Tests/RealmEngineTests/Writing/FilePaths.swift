import Foundation
import RealmEngine
import TestSupport

extension ScratchFolder {
  /// A path where nothing is yet.
  func path(_ name: String) -> FilePath {
    let url = url.appendingPathComponent(name)
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
