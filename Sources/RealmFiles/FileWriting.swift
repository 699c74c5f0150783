// System calls that change files: positioned writes, syncs, links, renames. Layer: RealmFiles.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileHandle {
  /// What is best written at once, at a multiple of it. Linux keeps what is written in blocks of memory as large as the call, and
  /// has those of 2 MiB at hand; a block of 1 MiB takes up to eight times the processor time where memory is in pieces. Whoever
  /// maps the file later pays once for a block: a scan of 10 M rows takes half the time that it takes with pages of 4 KiB.
  package static let blockSize = 1 << 21
  /// Bytes of one call: few, so that a signal does not wait.
  private static let callSizeMax = 4 * blockSize

  /// Writes all bytes at `offset`. Throws `.diskFull` and the like; part of the bytes may have been written.
  package func write(_ bytes: RawBytes, at offset: Int) throws(EngineError) {
    var done = 0
    while done < bytes.count {
      let rest = bytes.slice(done, min(bytes.count - done, Self.callSizeMax))
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

  /// Writes all that this file holds to `target`, from its beginning. `progress` is told the bytes that are done.
  package func copyContent(
    to target: FileHandle, progress: (Int) throws(EngineError) -> Void
  ) throws(EngineError) {
    let chunkSize = 1 << 22
    guard let buffer = MemoryImage.reserving(size: chunkSize) else {
      throw EngineError(.other, "no memory for a copy")
    }
    var position = 0
    while true {
      let count = try read(into: buffer.mutableBytes(0, chunkSize), at: position)
      if count == 0 { break }
      try target.write(buffer.bytes.slice(0, count), at: position)
      position += count
      try progress(position)
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

  /// Has the disk begin with bytes that were written, so that `synchronize` finds less to do. Promises nothing.
  func beginWriting(_ count: Int, at offset: Int) {
    platform_begin_writing(descriptor, Int64(offset), Int64(count))
  }

  package func truncate(to size: Int) throws(EngineError) {
    while ftruncate(descriptor, off_t(size)) != 0 {
      guard errno == EINTR else { throw Self.failure("cannot resize", path) }
    }
  }

  /// Waits until the directory's entries are on the disk.
  package static func synchronizeDirectory(_ path: FilePath) throws(EngineError) {
    let handle = try openDirectory(path)
    while fsync(handle.descriptor) != 0 {
      // Some file systems cannot sync directories and say so; there is nothing more to do then.
      if errno == EINVAL || errno == ENOTSUP { return }
      guard errno == EINTR else { throw failure("cannot sync", path) }
    }
  }

  /// Bytes that an ordinary user may still write to the file system that holds `path`; nil where it does not say.
  package static func freeSpace(at path: FilePath) -> Int? {
    var status = statvfs()
    guard unsafe path.withCString({ unsafe statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int(status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
    return overflow ? nil : bytes
  }
}

// MARK: Removing

extension FileHandle {
  package static func openDirectory(
    _ path: FilePath, followingLinks: Bool = true
  ) throws(EngineError) -> FileHandle {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    guard let handle = open(path, flags) else {
      throw failure("cannot open", path)
    }
    return handle
  }

  /// Removes the file, pipe or link that has a name in this open directory.
  func removeFile(_ name: [UInt8]) throws(EngineError) { try removeEntry(name, flags: 0) }

  /// Removes the directory that has a name in this open one, where nothing is in it.
  func removeDirectory(_ name: [UInt8]) throws(EngineError) { try removeEntry(name, flags: AT_REMOVEDIR) }

  private func removeEntry(_ name: [UInt8], flags: Int32) throws(EngineError) {
    guard unsafe FilePath(name).withCString({ unsafe unlinkat(descriptor, $0, flags) }) == 0 else {
      throw Self.failure("cannot remove", path.child(name))
    }
  }

  /// The names in this open directory.
  package func entryNames() throws(EngineError) -> [[UInt8]] {
    // Reading closes the descriptor that it is given.
    guard let stream = unsafe fdopendir(dup(descriptor)) else { throw Self.failure("cannot read", path) }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    // An error looks like the end, but for this.
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        unsafe Array(buffer.prefix { $0 != 0 })
      }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw Self.failure("cannot read", path) }
    return names
  }
}

// MARK: Unnamed files and locks

extension FileHandle {
  /// A new file in `directory` that has no name yet; nil where the system has no such files. `name`: what messages call it.
  static func openUnnamed(in directory: FilePath, as name: FilePath? = nil, mode: mode_t) -> FileHandle? {
    #if os(Linux)
      open(directory, as: name, O_RDWR | O_CLOEXEC | unnamedFlags, mode: mode)
    #else
      nil
    #endif
  }

  /// What leads to an unnamed file. It is missing where nothing is mounted at /proc.
  private var ownLink: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

  /// Whether an unnamed file can be given a name later.
  var canBeLinked: Bool { (try? ownLink.statusOfLink) != nil }

  /// Names the unnamed file, where nothing may stand yet; false leaves the reason in errno.
  func linkUnnamed(to path: FilePath) -> Bool { ownLink.link(to: path, followingLinks: true) }

  /// Waits for the lock that processes, not threads, exclude each other with. False: see errno.
  func lockExclusively() -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// The same without waiting.
  func tryLockExclusively() -> Bool { tryLock(LOCK_EX) }

  /// Locks the file beside others who do the same, without waiting.
  func tryLockShared() -> Bool { tryLock(LOCK_SH) }

  private func tryLock(_ kind: Int32) -> Bool {
    while flock(descriptor, kind | LOCK_NB) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}

#if os(Linux)
  /// O_TMPFILE, which the C library hides behind a feature macro.
  private let unnamedFlags: Int32 = 0o20_000_000 | O_DIRECTORY
#endif

extension FilePath {
  /// What stands at the path itself, links followed; nil where nothing does. Throws where the system does not tell, for what
  /// cannot be seen may be there.
  package var status: FileHandle.Status? {
    get throws(EngineError) {
      var raw = stat()
      let code = unsafe withCString({ unsafe stat($0, &raw) })
      return try examined(code, raw)
    }
  }

  /// What stands at the path itself, even if that is a link; the same otherwise.
  package var statusOfLink: FileHandle.Status? {
    get throws(EngineError) {
      var raw = stat()
      let code = unsafe withCString({ unsafe lstat($0, &raw) })
      return try examined(code, raw)
    }
  }

  /// When the content of what stands there changed last; nil where that is not known.
  package var modified: Timestamp? {
    var raw = stat()
    guard unsafe withCString({ unsafe stat($0, &raw) }) == 0 else { return nil }
    #if canImport(Darwin)
      let time = raw.st_mtimespec
    #else
      let time = raw.st_mtim
    #endif
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }

  private func examined(_ code: Int32, _ raw: stat) throws(EngineError) -> FileHandle.Status? {
    if code == 0 { return FileHandle.Status(raw) }
    guard errno == ENOENT || errno == ENOTDIR else { throw FileHandle.failure("cannot examine", self) }
    return nil
  }

  /// The path of what a link leads to, the path itself where it is none; nil where nothing stands there.
  package var resolved: FilePath? {
    get throws(EngineError) {
      guard try statusOfLink?.isLink ?? false else { return try status == nil ? nil : self }
      guard let resolved = unsafe withCString({ unsafe realpath($0, nil) }) else {
        guard errno == ENOENT || errno == ENOTDIR else { throw FileHandle.failure("cannot follow", self) }
        return nil
      }
      defer { unsafe free(resolved) }
      return FilePath(unsafe UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)).map { $0 })
    }
  }

  /// Removes the file, which may be gone already.
  package func remove() { _ = unlink() }

  /// Removes the file; false leaves the reason in errno.
  func unlink() -> Bool { unsafe withCString { unsafe systemUnlink($0) } == 0 }

  /// When the file last got a name, another content or other rights, in nanoseconds since 1970.
  package var changeNanoseconds: Int64? {
    var raw = stat()
    guard unsafe withCString({ unsafe lstat($0, &raw) }) == 0 else { return nil }
    #if canImport(Darwin)
      let time = raw.st_ctimespec
    #else
      let time = raw.st_ctim
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Makes the directory unless there is one. False: there was.
  func makeDirectory() throws(EngineError) -> Bool {
    if unsafe withCString({ unsafe mkdir($0, 0o777) }) == 0 { return true }
    guard errno == EEXIST else { throw FileHandle.failure("cannot make the directory", self) }
    return false
  }

  /// Removes the directory if there is nothing in it.
  func removeDirectory() { _ = unsafe withCString { unsafe rmdir($0) } }

  /// Has the file removed if a signal ends the process; see `TemporaryName`.
  func registerTemporary() -> Int32 { unsafe withCString { unsafe platform_register_temporary($0) } }

  func registerDirectory() -> Int32 { unsafe withCString { unsafe platform_register_directory($0) } }

  func registerLockFile(heldBy descriptor: Int32) -> Int32 {
    unsafe withCString { unsafe platform_register_lock_file($0, descriptor) }
  }

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

  /// The names in the directory.
  package var entryNames: [[UInt8]] {
    get throws(EngineError) { try FileHandle.openDirectory(self).entryNames() }
  }
}

/// The C function, whose name the method above hides.
private func systemRename(_ from: UnsafePointer<CChar>, _ to: UnsafePointer<CChar>) -> Int32 {
  unsafe rename(from, to)
}

/// The C function, whose name the method above hides.
private func systemUnlink(_ path: UnsafePointer<CChar>) -> Int32 { unsafe unlink(path) }
