// What tells whether a file was written to, before anything of it is understood. Layer: Files.

/// The size of a file and the bytes that every commit changes: the header, or the entry of the page that holds it.
struct ChangeStamp: Equatable {
  let size: Int
  private let head: [UInt8]

  /// No less than a header, and no less than an entry.
  private static let headSize = PageGeometry.entrySize

  /// Cost: two system calls.
  init(_ handle: FileHandle) throws(EngineError) {
    size = try handle.status().size
    head = try handle.head(Self.headSize)
  }
}
