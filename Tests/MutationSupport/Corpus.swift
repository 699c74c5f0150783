// The realms that mutants are made of: the bundled ones, encrypted ones decrypted first, so that damage reaches
// their nodes.

package import Foundation
import RealmEngine

package enum Corpus {
  private static let plain = [
    "alltypes.realm", "bare.realm", "evolved.realm", "legacy9-small.realm", "place.realm", "zoo.realm",
  ]
  /// Read as files of every format before clusters, which differ in what they make of the same columns.
  private static let legacy = "legacy9-small.realm"
  private static let legacyFormats: ClosedRange<UInt8> = 2...8
  private static let encrypted = ["format11-encrypted.realm", "format22-encrypted.realm"]
  private static let stillEncrypted = "zoo-encrypted.realm"

  /// All specimens, from the folder of fixtures.
  package static func load(from folder: URL) throws -> [Specimen] {
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    let digits = Array(String(decoding: try bytes("key.hex"), as: UTF8.self).filter(\.isHexDigit))
    let key = EncryptionKey(
      stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    var specimens = try plain.map { Specimen($0, try bytes($0)) }
    for format in legacyFormats {
      var older = try bytes(legacy)
      (older[20], older[21]) = (format, format)
      specimens.append(Specimen("\(legacy) as format \(format)", older))
    }
    for name in encrypted {
      let file = try RealmFile(stream: try bytes(name), path: FilePath(name), key: key)
      specimens.append(Specimen(name, decrypted(file)))
    }
    specimens.append(Specimen(stillEncrypted, try bytes(stillEncrypted), key: key))
    return specimens
  }

  /// The data of an encrypted file; pages that were never written stay zeros.
  private static func decrypted(_ file: RealmFile) -> [UInt8] {
    var data: [UInt8] = []
    for offset in stride(from: 0, to: file.image.size, by: PageGeometry.pageSize) {
      let page = try? file.image.bytes(offset, PageGeometry.pageSize).array()
      data += page ?? [UInt8](repeating: 0, count: PageGeometry.pageSize)
    }
    return data
  }
}
