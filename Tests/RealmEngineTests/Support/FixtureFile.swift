// The realms that come with the project, as test data.

import Foundation
import RealmEngine

enum FixtureFile {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("fixtures")

  static func path(_ name: String) -> FilePath { FilePath(folder.appendingPathComponent(name).path) }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// The key of the encrypted ones.
  static func key() throws -> EncryptionKey {
    let text = String(decoding: try bytes("key.hex"), as: UTF8.self)
    let digits = Array(text.filter(\.isHexDigit))
    let key = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    guard let key = EncryptionKey(key) else { preconditionFailure("key.hex holds \(key.count) bytes") }
    return key
  }
}
