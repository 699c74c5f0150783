// System calls on an open file, with their errors in words. Layer: RealmFiles; the bridge to the C library for files.

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// An open file descriptor that closes itself.
package final class FileHandle: Sendable {
  package let descriptor: Int32
  package let path: FilePath

  package init(adopting descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens for reading without touching the access time where the system allows that.
  /// `refusal`: how an error begins.
  package static func openForReading(
    _ path: FilePath, _ flags: Int32 = 0, orSay refusal: String = "cannot open"
  ) throws(EngineError) -> FileHandle {
    let flags = O_RDONLY | O_CLOEXEC | flags
    #if os(Linux)
      if let handle = open(path, flags | openWithoutAccessTime) { return handle }
      guard errno == EPERM else { throw failure(refusal, path) }
    #endif
    guard let handle = open(path, flags) else { throw failure(refusal, path) }
    return handle
  }

  /// Opens with the given flags; nil leaves the reason in errno.
  package static func open(
    _ path: FilePath, as name: FilePath? = nil, _ flags: Int32, mode: mode_t = 0
  ) -> FileHandle? {
    let descriptor = unsafe path.withCString { unsafe platformOpen($0, flags, mode) }
    return descriptor < 0 ? nil : FileHandle(adopting: descriptor, path: name ?? path)
  }

  package struct Status: Sendable, Equatable {
    package let size: Int
    package let isRegular: Bool
    package let isDirectory: Bool
    /// Only where the link itself was examined.
    package let isLink: Bool
    package let isPipe: Bool
    /// A terminal, `/dev/null` and the like.
    package let isCharacterDevice: Bool
    /// How many names the file has.
    package let linkCount: Int
    package let mode: mode_t
    package let owner: uid_t
    package let group: gid_t
    package let device: UInt64
    package let inode: UInt64

    /// Whether both are of one file, under whichever name.
    package func isSameFile(as other: Status?) -> Bool {
      other.map { device == $0.device && inode == $0.inode } ?? false
    }
  }

  package func refuseDirectory() throws(EngineError) {
    if try status().isDirectory { throw Self.failure("cannot read", path, code: EISDIR) }
  }

  package func status() throws(EngineError) -> Status {
    guard let status = Self.status(of: descriptor) else { throw Self.failure("cannot examine", path) }
    return status
  }

  /// Nil leaves the reason in errno.
  package static func status(of descriptor: Int32) -> Status? {
    var raw = stat()
    return unsafe fstat(descriptor, &raw) == 0 ? Status(raw) : nil
  }

  /// Reads up to `buffer.count` bytes at `offset`; fewer only at the end of the file.
  package func read(into buffer: MutableRawBytes, at offset: Int) throws(EngineError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = buffer.slice(done, buffer.count - done)
      let count = unsafe rest.withBuffer {
        unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("cannot read", path)
      }
      done += count
    }
    return done
  }

  /// Reads what comes next of a stream: fewer bytes than there is room for where no more have come; 0 at the end.
  func readNext(into room: MutableRawBytes) throws(EngineError) -> Int {
    while true {
      let count = unsafe room.withBuffer { unsafe systemRead(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      if errno != EINTR { throw Self.failure("cannot read", path) }
      try Interruption.check()
    }
  }

  /// The first `count` bytes, or fewer where there are no more.
  package func head(_ count: Int) throws(EngineError) -> [UInt8] {
    guard let buffer = MemoryImage.reserving(size: count) else {
      throw EngineError(.other, "no memory for \(count) bytes")
    }
    let found = try read(into: buffer.mutableBytes(0, count), at: 0)
    return buffer.bytes.slice(0, found).array()
  }

  /// More than any script or document has: what does not end by itself, as a device does not.
  private static let textSizeMax = 1 << 28

  /// Reads what somebody wrote. Throws `.refused` where there is no end in sight.
  package func readText() throws(EngineError) -> [UInt8] {
    let text = try readToEnd(sizeMax: Self.textSizeMax)
    return text.starts(with: Self.byteOrderMark) ? Array(text.dropFirst(Self.byteOrderMark.count)) : text
  }

  /// What editors of Windows begin a text with.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a stream to its end into memory that grows with what arrives.
  package func readToEnd(sizeMax: Int = .max) throws(EngineError) -> [UInt8] {
    // What most streams hold takes no more than a few pages.
    let chunkSize = { (count: Int) in min(max(1 << 14, count), 1 << 20) }
    var content: [UInt8] = []
    if let status = Self.status(of: descriptor), status.isRegular {
      let size = min(status.size, sizeMax)
      content.reserveCapacity(size + chunkSize(size))
    }
    while true {
      guard content.count <= sizeMax else {
        throw EngineError(.refused, of: path, "has more than \(sizeMax) bytes, or no end at all")
      }
      let before = content.count
      let chunkSize = chunkSize(before)
      content.append(contentsOf: repeatElement(0, count: chunkSize))
      let count = unsafe content.withUnsafeMutableBytes {
        unsafe systemRead(descriptor, $0.baseAddress?.advanced(by: before), chunkSize)
      }
      content.removeLast(chunkSize - max(0, count))
      if count == 0 { return content }
      if count < 0 && errno != EINTR { throw Self.failure("cannot read", path) }
    }
  }

  /// The error for errno as the last call left it.
  package static func failure(_ what: String, _ path: FilePath, code: Int32 = errno) -> EngineError {
    let kind: EngineError.Kind =
      switch code {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, EROFS: .permission
      case EEXIST: .alreadyExists
      case EADDRINUSE: .busy
      case ENOSPC, EDQUOT, EFBIG: .diskFull
      case EISDIR, ELOOP, ENAMETOOLONG: .notFound
      default: .other
      }
    let reason = unsafe String(cString: strerror(code))
    return EngineError(kind, "\(what) \(path.displayName) – \(reason)", naming: path.displayName)
  }
}

extension FileHandle.Status {
  init(_ raw: stat) {
    size = Int(raw.st_size)
    isRegular = raw.st_mode & S_IFMT == S_IFREG
    isDirectory = raw.st_mode & S_IFMT == S_IFDIR
    isLink = raw.st_mode & S_IFMT == S_IFLNK
    isPipe = raw.st_mode & S_IFMT == S_IFIFO
    isCharacterDevice = raw.st_mode & S_IFMT == S_IFCHR
    linkCount = Int(clamping: raw.st_nlink)
    mode = raw.st_mode & 0o7777
    owner = raw.st_uid
    group = raw.st_gid
    device = UInt64(truncatingIfNeeded: raw.st_dev)
    inode = UInt64(raw.st_ino)
  }
}

extension FilePath {
  /// Whether this process may write to what stands here.
  package var isWritable: Bool { unsafe withCString { unsafe access($0, W_OK) } == 0 }

  /// Whether this process may run the file, or go through the folder to what it holds.
  package var isExecutable: Bool { unsafe withCString { unsafe access($0, X_OK) } == 0 }

  /// Whether this user may change the mode of what stands here: it belongs to the user, on a disk that takes changes.
  package var canChangeMode: Bool {
    guard let owner = ((try? status) ?? nil)?.owner, [owner, 0].contains(geteuid()) else { return false }
    return isWritable || errno != EROFS
  }

  /// When the file was written last, in seconds since 1970.
  package var modificationTime: Int64? {
    var raw = stat()
    guard unsafe withCString({ unsafe lstat($0, &raw) }) == 0 else { return nil }
    #if os(Linux)
      return Int64(raw.st_mtim.tv_sec)
    #else
      return Int64(raw.st_mtimespec.tv_sec)
    #endif
  }

  /// Lends the path to a C call, zero-terminated.
  package func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe terminated.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("a terminated path is never empty") }
      return unsafe body(base)
    }
  }
}

private func platformOpen(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  while true {
    let descriptor = unsafe open(path, flags, mode)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}

#if os(Linux)
  /// O_NOATIME, which the C library hides behind a feature macro; refused unless the file is ours.
  private let openWithoutAccessTime: Int32 = 0o1_000_000
#endif

/// The C function, whose name methods hide.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, buffer, count)
}
