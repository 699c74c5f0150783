// A realm file on disk, open for writing. Layer: RealmFiles.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes a file by positioned writes and syncs.
package final class DiskBacking: FileBacking {
  private let handle: FileHandle
  package private(set) var size: Int

  package init(_ handle: FileHandle) throws(EngineError) {
    self.handle = handle
    size = try handle.status().size
  }

  /// Opens an existing file for reading and writing.
  package static func open(_ path: FilePath) throws(EngineError) -> DiskBacking {
    try path.requireFile()
    guard let handle = FileHandle.open(path, O_RDWR | O_CLOEXEC | O_NOCTTY) else {
      throw FileHandle.failure("cannot open for writing", path)
    }
    guard try handle.status().isRegular else {
      throw EngineError(.refused, of: path, "is not a regular file: it cannot be written in place")
    }
    return try DiskBacking(handle)
  }

  /// Makes a file that must not exist yet.
  package static func create(_ path: FilePath) throws(EngineError) -> DiskBacking {
    guard let handle = FileHandle.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o644) else {
      throw FileHandle.failure("cannot create", path)
    }
    return try DiskBacking(handle)
  }

  package func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) {
    guard try handle.read(into: buffer, at: offset) == buffer.count else {
      throw EngineError(.changedWhileRead, of: handle.path, "became shorter while it was written")
    }
  }

  package func write(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    try handle.write(bytes, at: offset)
  }

  package func setSize(_ newSize: Int) throws(EngineError) {
    if newSize > size {
      #if os(Linux)
        // Space that is not there shows now, not when a page of it is written.
        var code: Int32
        repeat {
          code = posix_fallocate(handle.descriptor, off_t(size), off_t(newSize - size))
        } while code == EINTR
        guard code == 0 || code == EOPNOTSUPP || code == EINVAL else {
          throw FileHandle.failure("cannot enlarge", handle.path, code: code)
        }
      #endif
    }
    try handle.truncate(to: newSize)
    size = newSize
  }

  package func sync() throws(EngineError) { try handle.synchronize() }

  package func content() throws(EngineError) -> MemoryImage {
    guard let image = MemoryImage.mapping(descriptor: handle.descriptor, size: size) else {
      throw FileHandle.failure("cannot map", handle.path)
    }
    return image
  }
}
