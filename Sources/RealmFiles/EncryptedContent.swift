// The bytes of an encrypted file as they lie on disk. Layer: RealmFiles.
// Invariant: what is read is a copy of the reader's own. Of a mapping that a writer changes, the entry that was checked,
// the page that was checked and the page that is decrypted may be three different things.

/// A file, or bytes that came as a stream.
package final class EncryptedContent: Sendable {
  package typealias Read = @Sendable (MutableRawBytes, Int) throws(EngineError) -> Void

  private let readBytes: Read
  /// Bytes on disk when it was opened.
  let size: Int

  /// `read` fills a buffer with the bytes at an offset.
  package init(size: Int, read: @escaping Read) {
    self.size = size
    readBytes = read
  }

  package convenience init(_ handle: FileHandle, size: Int) {
    self.init(size: size) { buffer, offset throws(EngineError) in
      guard try handle.read(into: buffer, at: offset) == buffer.count else {
        throw EngineError(
          .changedWhileRead, of: handle.path, "became shorter while it was read",
          hint: "try again, or read a copy of the file")
      }
    }
  }

  package convenience init(_ memory: MemoryImage) {
    self.init(size: memory.size) { buffer, offset in
      buffer.copy(memory.bytes.slice(offset, buffer.count), at: 0)
    }
  }

  /// Fills `buffer` with the bytes at `offset`, which lie inside the file as it was when it was opened.
  func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) {
    precondition(offset >= 0 && offset <= size - buffer.count)
    try readBytes(buffer, offset)
  }
}
