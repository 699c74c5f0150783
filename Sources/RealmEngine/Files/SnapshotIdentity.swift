// What tells whether a file is still the one that something was decided on. Layer: Files.

/// One version of the data in one file: equal for two looks between which nobody changed or replaced it.
package struct SnapshotIdentity: Sendable, Equatable {
  private let device: UInt64?
  private let inode: UInt64?
  private let header: FileHeader
  /// The beginning of the top array, which holds the number of the version.
  private let topHead: [UInt8]

  init(_ file: RealmFile, topHead: [UInt8]) {
    device = file.status?.device
    inode = file.status?.inode
    header = file.header
    self.topHead = topHead
  }

  /// Whether the same file still stands there, whatever it holds now.
  func isOfFile(_ status: FileHandle.Status?) -> Bool { status?.device == device && status?.inode == inode }
}
