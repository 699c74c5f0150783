// Where a realm's bytes are written: the seam between commits and the disk. Layer: RealmFiles.
// Invariant: nothing written counts as durable before `sync` returns; until then any part of it may be lost.

/// A file as a writer sees it: bytes on disk, encrypted or not.
package protocol FileBacking: AnyObject {
  /// Bytes on disk.
  var size: Int { get }
  /// Reads bytes inside the file, as they were written last.
  func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError)
  /// Writes bytes inside the file.
  func write(_ bytes: RawBytes, at offset: Int) throws(EngineError)
  /// Grows the file with zeros, whose space is then there, or cuts it off.
  func setSize(_ size: Int) throws(EngineError)
  /// Makes all that was written durable.
  func sync() throws(EngineError)
  /// The bytes as they are now. Later writes may or may not show in them.
  func content() throws(EngineError) -> MemoryImage
}

/// A file in memory: for scratch realms. Its bytes never move, so that a commit costs what it writes.
package final class MemoryBacking: FileBacking {
  private let memory: MemoryImage
  package private(set) var size = 0

  /// Address space, where there is so much; memory is taken where something is written.
  private static let sizeMax = 1 << 38

  package init() throws(EngineError) {
    guard let memory = MemoryImage.growing(sizeMax: Self.sizeMax) else {
      throw EngineError(.other, "no address space for a realm in memory")
    }
    self.memory = memory
  }

  /// Holds the same as `other`.
  package convenience init(copying other: any FileBacking) throws(EngineError) {
    try self.init()
    try setSize(other.size)
    try other.read(into: memory.mutableBytes(0, size), at: 0)
  }

  package func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) {
    precondition(offset >= 0 && offset <= size - buffer.count)
    buffer.copy(memory.bytes.slice(offset, buffer.count), at: 0)
  }

  package func write(_ source: RawBytes, at offset: Int) throws(EngineError) {
    precondition(offset >= 0 && offset <= size - source.count)
    memory.mutableBytes(offset, source.count).copy(source, at: 0)
  }

  package func setSize(_ newSize: Int) throws(EngineError) {
    guard newSize <= memory.size else {
      throw EngineError(.diskFull, "a realm in memory cannot be larger than \(memory.size) bytes")
    }
    guard memory.grow(to: newSize) else {
      throw EngineError(
        .other, "not enough memory for a realm of \(newSize) bytes", hint: MemoryImage.limitHint)
    }
    if newSize < size { memory.mutableBytes(newSize, size - newSize).zero(0, size - newSize) }
    size = newSize
  }

  package func sync() throws(EngineError) {}

  package func content() throws(EngineError) -> MemoryImage { memory.prefix(size) }
}
