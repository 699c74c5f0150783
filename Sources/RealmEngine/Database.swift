// The face of the engine: a realm file and the snapshot that is read from it. Layer: beside all folders.

/// A realm, open for reading. Nothing about the file changes: neither its bytes, nor its times, nor its directory.
package final class Database: Sendable {
  package let file: RealmFile
  package let transaction: ReadTransaction
  private let topHead: [UInt8]

  /// Bytes of the top array that tell one version from the next.
  private static let topHeadSize = 8 + 12 * 8

  package init(_ file: RealmFile) throws(EngineError) {
    self.file = file
    try Self.checkFormat(file)
    topHead = try Self.topHead(of: file)
    let snapshot = Snapshot(image: file.image, fileLimit: file.nodeLimit, format: file.format)
    transaction = try ReadTransaction(snapshot: snapshot, topOffset: file.topOffset)
  }

  package static func open(
    _ path: FilePath, key: EncryptionKey? = nil, snapshot: SnapshotChoice = .current
  ) throws(EngineError) -> Database {
    try Database(try RealmFile.open(path, key: key, snapshot: snapshot))
  }

  /// The beginning of the top array as it is now, which tells one version from the next; empty without a snapshot.
  package static func topHead(of file: RealmFile) throws(EngineError) -> [UInt8] {
    guard let topOffset = file.topOffset else { return [] }
    // No byte behind the top array: an encrypted page there may never have been written.
    let word = try file.image.bytes(topOffset, NodeHeader.size).load(UInt64.self, at: 0)
    let size = min(topHeadSize, NodeHeader(word: word)?.byteSize ?? 0, file.nodeLimit - topOffset)
    return try file.image.bytes(topOffset, size).array()
  }

  private static func checkFormat(_ file: RealmFile) throws(EngineError) {
    guard file.format <= FileFormat.newest else {
      throw EngineError(
        .formatTooNew, "file format \(file.format) is newer than this program knows (\(FileFormat.newest))",
        hint: "a newer realm-cli may read it")
    }
    guard file.topOffset == nil || FileFormat.isReleased(file.format) else {
      throw EngineError(.notARealm, "no engine ever wrote file format \(file.format)", at: "offset 20")
    }
  }

  /// Which version of which file this is.
  package var version: FileVersion { FileVersion(file, topHead: topHead) }

  /// Whether a writer was at the file since it was opened, so that what was read may be torn.
  package var hasChanged: Bool { file.hasChanged(topHead: topHead) }
}
