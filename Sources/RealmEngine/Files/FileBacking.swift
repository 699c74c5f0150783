// Where a realm's bytes are written: the seam between commits and the disk. Layer: Files.
// Invariant: nothing written counts as durable before `sync` returns; until then any part of it may be lost.

/// A file as a writer sees it: bytes on disk, encrypted or not.
package protocol FileBacking: AnyObject {
  /// Bytes on disk.
  var size: Int { get }
  /// Writes bytes inside the file.
  func write(_ bytes: RawBytes, at offset: Int) throws(EngineError)
  /// Grows the file with zeros, whose space is then there, or cuts it off.
  func setSize(_ size: Int) throws(EngineError)
  /// Makes all that was written durable.
  func sync() throws(EngineError)
  /// The bytes as they are now. Later writes may or may not show in them.
  func content() throws(EngineError) -> MemoryImage
}

/// A file in memory: for scratch realms.
package final class MemoryBacking: FileBacking {
  private var bytes: [UInt8] = []

  package init() {}

  package var size: Int { bytes.count }

  package func write(_ source: RawBytes, at offset: Int) throws(EngineError) {
    precondition(offset >= 0 && offset <= bytes.count - source.count)
    bytes.replaceSubrange(offset..<offset + source.count, with: source.array())
  }

  package func setSize(_ size: Int) throws(EngineError) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }

  package func sync() throws(EngineError) {}

  package func content() throws(EngineError) -> MemoryImage {
    guard let image = MemoryImage.reserving(size: bytes.count) else {
      throw EngineError(.other, "no memory for \(bytes.count) bytes")
    }
    bytes.withRawBytes { image.mutableBytes(0, bytes.count).copy($0, at: 0) }
    return image
  }
}
