// System calls that change files: positioned writes, syncs, links, renames. Layer: Files.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileHandle {
  /// Writes all bytes at `offset`. Throws `.diskFull` and the like; part of the bytes may have been written.
  package func write(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    var done = 0
    while done < bytes.count {
      let rest = bytes.slice(done, bytes.count - done)
      let count = unsafe rest.withBuffer {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("cannot write", path)
      }
      done += count
    }
  }

  /// Waits until the file's content and size are on the disk.
  package func synchronize() throws(EngineError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw Self.failure("cannot sync", path) }
    }
  }

  package func truncate(to size: Int) throws(EngineError) {
    while ftruncate(descriptor, off_t(size)) != 0 {
      guard errno == EINTR else { throw Self.failure("cannot resize", path) }
    }
  }

  /// Waits until the directory's entries are on the disk.
  package static func synchronizeDirectory(_ path: FilePath) throws(EngineError) {
    guard let handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) else {
      throw failure("cannot open", path)
    }
    // Some file systems cannot sync directories and say so; there is nothing more to do then.
    if fsync(handle.descriptor) != 0, errno != EINVAL, errno != ENOTSUP { throw failure("cannot sync", path) }
  }

  /// Bytes that an ordinary user may still write to the file system that holds `path`; nil where it does not say.
  package static func freeSpace(at path: FilePath) -> Int? {
    var status = statvfs()
    guard unsafe path.withCString({ unsafe statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int(status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    return overflow ? nil : bytes
  }
}

extension FilePath {
  /// What stands at the path itself, links followed; nil where nothing does.
  package var status: FileHandle.Status? {
    var raw = stat()
    guard unsafe withCString({ unsafe stat($0, &raw) }) == 0 else { return nil }
    return FileHandle.Status(raw)
  }

  /// The path with all links followed; nil where nothing stands there.
  package var resolved: FilePath? {
    guard let resolved = unsafe withCString({ unsafe realpath($0, nil) }) else { return nil }
    defer { unsafe free(resolved) }
    return FilePath([UInt8](unsafe String(cString: resolved).utf8))
  }

  package func remove() { _ = unsafe withCString { unsafe unlink($0) } }

  /// Gives the file another name, in one step, whatever stood there; false leaves the reason in errno.
  func rename(to target: FilePath) -> Bool {
    unsafe withCString { from in unsafe target.withCString { unsafe systemRename(from, $0) } } == 0
  }

  /// Gives the file a second name, where nothing may stand yet; false leaves the reason in errno.
  func link(to target: FilePath, followingLinks: Bool = false) -> Bool {
    let flags = followingLinks ? AT_SYMLINK_FOLLOW : 0
    return unsafe withCString { from in
      unsafe target.withCString { unsafe linkat(AT_FDCWD, from, AT_FDCWD, $0, flags) }
    } == 0
  }

  /// The names in the directory; none where it cannot be read.
  var entryNames: [[UInt8]] {
    guard let directory = unsafe withCString({ unsafe opendir($0) }) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        unsafe Array(buffer.prefix { $0 != 0 })
      }
      names.append(name)
    }
    return names
  }
}

/// The C function, whose name the method above hides.
private func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  unsafe rename(from, to)
}
