// The face of the engine: a realm file and the snapshot that is read from it. Layer: beside all folders.

/// A realm, open for reading. Nothing about the file changes: neither its bytes, nor its times, nor its directory.
package final class Database: Sendable {
  package let transaction: ReadTransaction
  private let live: LiveFile

  package var file: RealmFile { live.file }

  package convenience init(_ file: RealmFile) throws(EngineError) { try self.init(LiveFile(file)) }

  package init(_ live: LiveFile) throws(EngineError) {
    self.live = live
    let file = live.file
    try Self.checkFormat(file)
    let snapshot = Snapshot(image: file.image, fileLimit: file.nodeLimit, format: file.format)
    transaction = try ReadTransaction(snapshot: snapshot, topOffset: file.topOffset)
  }

  /// The same file as whoever changes it sees it before the changes are committed.
  package init(_ committed: Database, seenBy transaction: ReadTransaction) {
    live = committed.live
    self.transaction = transaction
  }

  /// A file that nobody else writes to; others are read by `LiveReading`.
  package static func open(
    _ path: FilePath, key: EncryptionKey? = nil, snapshot: SnapshotChoice = .current
  ) throws(EngineError) -> Database {
    try Database(try RealmFile.open(path, key: key, snapshot: snapshot))
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
  package var version: SnapshotIdentity { live.version }

  /// Whether a writer was at the file since it was opened, so that what was read may be torn.
  package var hasChanged: Bool { live.hasChanged }
}
