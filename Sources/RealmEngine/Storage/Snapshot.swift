// One version of the data: the bytes that nodes are read from. Layer: Storage.
// Invariants: refs below `fileLimit` are in the file image, refs from `slabs.base` on in memory of a running write;
// nothing between. Bytes handed out stay valid while the snapshot lives.

/// The bytes behind refs.
package final class Snapshot: Sendable {
  package let image: FileImage
  /// End of the bytes of the file that nodes may occupy.
  package let fileLimit: Int
  package let format: Int
  /// New nodes of a write transaction; nil while reading.
  let slabs: SlabArena?
  /// The file's bytes below the limit, where they need no decryption.
  let plainBytes: RawBytes?

  package init(image: FileImage, fileLimit: Int, format: Int, slabs: SlabArena? = nil) {
    self.image = image
    plainBytes = image.isEncrypted ? nil : image.plainBytes(0, fileLimit)
    self.fileLimit = fileLimit
    self.format = format
    self.slabs = slabs
  }

  /// `count` bytes at `offset`. Throws `.damaged` where the data has no such bytes.
  @inline(__always)
  package func bytes(_ offset: Int, _ count: Int) throws(EngineError) -> RawBytes {
    guard offset >= 0, count >= 0, offset <= fileLimit &- count else { return try slabBytes(offset, count) }
    if let plainBytes { return plainBytes.slice(offset, count) }
    return try image.bytes(offset, count)
  }

  /// Asks for bytes ahead of their use; any range will do. Encrypted pages are left alone: they are not there yet.
  @inline(__always)
  func prefetch(_ offset: Int, _ count: Int) {
    guard let plainBytes, offset >= 0, offset < fileLimit else { return }
    plainBytes.slice(offset, min(count, fileLimit &- offset)).prefetch()
  }

  @inline(never)
  private func slabBytes(_ offset: Int, _ count: Int) throws(EngineError) -> RawBytes {
    if let bytes = slabs?.bytes(offset, count) { return bytes }
    throw EngineError.damaged(
      at: offset, expected: "\(count) bytes of a node", found: "the data's end at \(fileLimit)")
  }

  /// The same bytes behind an object of its own: threads that count references to one object wait for each other.
  func forOneThread() -> Snapshot {
    Snapshot(image: image.forOneThread(), fileLimit: fileLimit, format: format, slabs: slabs)
  }

  /// The same snapshot for a walk through all of it: see `FileImage.window`.
  func window() throws(EngineError) -> Snapshot {
    Snapshot(image: try image.window(), fileLimit: fileLimit, format: format, slabs: slabs)
  }
}
