// A realm file opened for reading: its descriptor, its bytes, its header. Layer: RealmFiles.
// Invariant: the header carries the magic, and the selected slot's top ref is aligned and inside the data.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which of the header's two snapshots is read.
package enum SnapshotChoice: Sendable {
  case current
  /// The one before: the header's other slot.
  case previous
}

/// An open realm file and the place of the snapshot that is read from it.
package final class RealmFile: Sendable {
  package let path: FilePath
  package let image: FileImage
  package let header: FileHeader
  /// Bytes on disk.
  package let fileSize: Int
  /// Where the top array stands; nil in a file without any snapshot.
  package let topOffset: Int?
  /// Bytes that nodes may occupy: all data, less the footer of a streaming file.
  package let nodeLimit: Int
  /// The file format that the selected slot states.
  package let format: Int

  /// Kept open so that the path may be replaced while we read; nil for a stream.
  private let handle: FileHandle?
  private let choice: SnapshotChoice

  /// Whether these bytes are in memory and stay what they are.
  package let isCopy: Bool

  private static let openingsMax = 50

  /// What the open file is; nil for a stream.
  package var status: FileHandle.Status? { try? handle?.status() }

  /// `key` nil opens a plain file. One that is written to meanwhile is opened again.
  package static func open(
    _ path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice = .current
  ) throws(EngineError) -> RealmFile {
    try open(path, key: key, snapshot: snapshot, kept: nil)
  }

  /// The version that a session keeps. Throws `.changedWhileRead` where the file does not hold it.
  package static func open(
    _ path: FilePath, key: EncryptionKey?, kept: KeptVersion
  ) throws(EngineError) -> RealmFile {
    try open(path, key: key, snapshot: .current, kept: kept)
  }

  private static func open(
    _ path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice, kept: KeptVersion?
  ) throws(EngineError) -> RealmFile {
    for _ in 1..<openingsMax {
      do throws(EngineError) {
        return try open(try FileHandle.openRealm(path), key: key, snapshot: snapshot, kept: kept)
      } catch {
        guard error.kind == .changedWhileRead else { throw error }
      }
    }
    return try open(try FileHandle.openRealm(path), key: key, snapshot: snapshot, kept: kept)
  }

  /// Reads a file that is open already. A stream is read to its end, into memory.
  package static func open(
    _ handle: FileHandle, key: EncryptionKey?, snapshot: SnapshotChoice = .current
  ) throws(EngineError) -> RealmFile {
    try open(handle, key: key, snapshot: snapshot, kept: nil)
  }

  private static func open(
    _ handle: FileHandle, key: EncryptionKey?, snapshot: SnapshotChoice, kept: KeptVersion?
  ) throws(EngineError) -> RealmFile {
    let path = handle.path
    let status = try handle.status()
    if !status.isRegular {
      let content = try handle.readStream(mustBeRealm: true)
      return try RealmFile(content: content, path: path, key: key, snapshot: snapshot)
    }
    let stamp = try ChangeStamp(handle)
    do throws(EngineError) {
      try refuseEmpty(stamp.size, path)
      let image = try image(of: handle, size: stamp.size, key: key)
      let file = try RealmFile(
        image: image, fileSize: stamp.size, handle: handle, path: path, snapshot: snapshot, kept: kept)
      // The header that was read may name what stands behind the end that the file had before.
      guard try handle.status().size <= stamp.size else {
        throw EngineError(.changedWhileRead, of: path, "grew while it was opened")
      }
      return file
    } catch {
      // Whatever is wrong with a file that somebody writes to may be half of what is written.
      guard try ChangeStamp(handle) != stamp else { throw error }
      throw EngineError(.changedWhileRead, of: path, "changed while it was opened")
    }
  }

  private static func image(
    of handle: FileHandle, size: Int, key: EncryptionKey?
  ) throws(EngineError) -> FileImage {
    if let key {
      try handle.head(FileHeader.size).withRawBytes { head throws(EngineError) in
        try refuseUnencrypted(head)
      }
      return try FileImage(encrypted: EncryptedContent(handle, size: size), key: key)
    }
    guard let content = MemoryImage.mapping(descriptor: handle.descriptor, size: size) else {
      throw FileHandle.failure("cannot map", handle.path)
    }
    return FileImage(plain: content)
  }

  /// A file whose bytes are an array.
  package convenience init(
    stream: [UInt8], path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice = .current
  ) throws(EngineError) {
    guard let content = MemoryImage.holding(stream) else {
      throw EngineError(.other, "no memory for \(stream.count) bytes")
    }
    try self.init(content: content, path: path, key: key, snapshot: snapshot)
  }

  /// A file whose bytes are in memory already.
  package convenience init(
    content: MemoryImage, path: FilePath, key: EncryptionKey?, snapshot: SnapshotChoice = .current
  ) throws(EngineError) {
    try Self.refuseEmpty(content.size, path)
    try self.init(
      image: try Self.image(of: content, key: key), fileSize: content.size, handle: nil, path: path,
      snapshot: snapshot)
  }

  private static func image(of content: MemoryImage, key: EncryptionKey?) throws(EngineError) -> FileImage {
    guard let key else { return FileImage(plain: content) }
    try refuseUnencrypted(content.bytes.slice(0, min(content.size, FileHeader.size)))
    return try FileImage(encrypted: EncryptedContent(content), key: key)
  }

  private init(
    image: FileImage, fileSize: Int, handle: FileHandle?, isCopy: Bool = false, path: FilePath,
    snapshot: SnapshotChoice, kept: KeptVersion? = nil
  ) throws(EngineError) {
    self.path = path
    self.handle = handle
    self.fileSize = fileSize
    self.image = image
    choice = snapshot
    self.isCopy = isCopy
    header = try Self.readHeader(image, path)
    let slot = snapshot == .current ? header.selectedSlot : 1 - header.selectedSlot
    format = header.format(slot: header.form == .streaming ? 0 : slot)
    if let kept {
      (topOffset, nodeLimit) = try Self.keptTop(kept, header, image, path)
    } else if header.form == .streaming {
      guard snapshot == .current else {
        throw EngineError(
          .notFound, "this file holds one snapshot only: it was written as a copy and never changed since")
      }
      (topOffset, nodeLimit) = try Self.streamingTop(image)
    } else {
      nodeLimit = image.size
      topOffset = try Self.slotTop(header, slot: slot, image: image, choice: snapshot)
    }
  }

  package static func refuseEmpty(
    _ size: Int, _ path: FilePath, _ explanation: String = "no realm was written to it"
  ) throws(EngineError) {
    if size == 0 { throw EngineError(.notARealm, of: path, "is empty: \(explanation)") }
  }

  /// An encrypted file has no magic where a plain one has it, so nothing need be decrypted to tell.
  package static func refuseUnencrypted(
    _ head: RawBytes, hint: String = "open it without the key"
  ) throws(EngineError) {
    if FileHeader(head) != nil {
      throw EngineError(.keyWrong, "the file is not encrypted, but a key was given", hint: hint)
    }
  }

  private static func readHeader(
    _ image: FileImage, _ path: FilePath
  ) throws(EngineError) -> FileHeader {
    let bytes = try image.bytes(0, min(image.size, FileHeader.size))
    if let header = FileHeader(bytes) { return header }
    if image.isEncrypted {
      try image.requireKey()
      throw EngineError(damage: "its header is not that of a realm", at: "offset 0")
    }
    let head = FileSignature(try image.bytes(0, min(image.size, FileSignature.size)))
    let isEncrypted = head.looksEncrypted(image)
    throw EngineError(
      isEncrypted ? .keyMissing : .notARealm, of: path, head.explanation(image),
      hint: isEncrypted ? nil : head.hint(path))
  }

  private static func slotTop(
    _ header: FileHeader, slot: Int, image: FileImage, choice: SnapshotChoice
  ) throws(EngineError) -> Int? {
    let ref = header.topRef(slot: slot)
    if ref == 0 {
      guard choice == .current else {
        throw EngineError(.notFound, "the file holds no previous snapshot")
      }
      try refuseLostRef(header, slot: slot, image)
      return nil
    }
    guard ref % 8 == 0, ref >= UInt64(FileHeader.size), ref <= UInt64(max(0, image.size - 8)) else {
      throw EngineError(
        .damaged,
        "the file is damaged or truncated: the header points to offset \(ref), but the file ends at \(image.size)",
        at: "offset \(slot * 8)")
    }
    return Int(ref)
  }

  /// A slot that was never selected states no format. Where the selected one does and has no ref, the ref is lost: what it led
  /// to stands in the file, beginning right behind the header, and the next commit would be written over it.
  private static func refuseLostRef(
    _ header: FileHeader, slot: Int, _ image: FileImage
  ) throws(EngineError) {
    guard header.format(slot: slot) != 0 else { return }
    let head = try image.bytes(0, min(image.size, PageGeometry.pageSize))
    guard !head.slice(FileHeader.size, head.count - FileHeader.size).isAllZero else { return }
    // A first commit that others make writes both, but not at once.
    guard FileHeader(head) == header else {
      throw EngineError(.changedWhileRead, "the header changed while it was read")
    }
    throw EngineError(
      damage: "its header names no version of the data that follows it",
      at: "offset \(slot * 8)")
  }

  /// Its session may be that of another file, which stood at the path before.
  private static func keptTop(
    _ kept: KeptVersion, _ header: FileHeader, _ image: FileImage, _ path: FilePath
  ) throws(EngineError) -> (Int?, Int) {
    // Where the format is just being changed, nothing tells which one a version has.
    let isOfOneFormat =
      header.format(slot: 0) == header.format(slot: 1) || header.topRef(slot: 0) == 0
      || header.topRef(slot: 1) == 0
    guard header.form != .streaming, isOfOneFormat, kept.size <= image.size else {
      throw EngineError(.changedWhileRead, of: path, "does not hold version \(kept.version)")
    }
    return (kept.top, kept.size)
  }

  private static func streamingTop(_ image: FileImage) throws(EngineError) -> (Int?, Int) {
    let limit = image.size - FileHeader.footerSize
    guard limit >= FileHeader.size, image.size % 8 == 0 else {
      throw EngineError(.damaged, "the file is truncated: its footer is missing", at: "offset \(image.size)")
    }
    guard let ref = try image.footerRef else {
      throw EngineError(
        .damaged, "the file is truncated or damaged: its footer is missing", at: "offset \(limit)")
    }
    if ref == 0 { return (nil, limit) }
    guard ref % 8 == 0, ref >= UInt64(FileHeader.size), ref <= UInt64(limit - 8) else {
      throw EngineError.damaged(at: limit, expected: "the ref of the top array", found: "\(ref)")
    }
    return (Int(ref), limit)
  }

  /// The same file as it is now, in memory, whether or not it changes meanwhile.
  package func copied() throws(EngineError) -> RealmFile {
    guard let handle, !isCopy else { return self }
    let copy: FileImage
    if image.isEncrypted {
      copy = try image.decrypted()
    } else {
      guard let memory = MemoryImage.reserving(size: fileSize) else {
        throw EngineError(.other, "no memory for \(fileSize) bytes")
      }
      guard try handle.read(into: memory.mutableBytes(0, fileSize), at: 0) == fileSize else {
        throw EngineError(.changedWhileRead, of: path, "became shorter while it was read")
      }
      copy = FileImage(plain: memory)
    }
    return try RealmFile(
      image: copy, fileSize: fileSize, handle: handle, isCopy: true, path: path, snapshot: choice)
  }

  /// Whether a writer has published or begun anything since the file was opened: the header or the bytes of the
  /// top array's head differ. Cost: two small reads.
  package func hasChanged(topHead: [UInt8]) -> Bool {
    guard let handle, !isCopy else { return false }
    if let status = try? handle.status(), status.size < fileSize { return true }
    guard let bytes = try? image.freshBytes(0, FileHeader.size),
      let now = bytes.withRawBytes({ FileHeader($0) }), now == header
    else { return true }
    guard let topOffset, !topHead.isEmpty else { return false }
    guard let top = try? image.freshBytes(topOffset, topHead.count) else { return true }
    return top != topHead
  }
}

extension FileImage {
  /// What the footer of a file that was written in one go names; nil where there is none.
  package var footerRef: UInt64? {
    get throws(EngineError) {
      let limit = size - FileHeader.footerSize
      guard limit >= FileHeader.size else { return nil }
      let footer = try bytes(limit, FileHeader.footerSize)
      return footer.load(UInt64.self, at: 8) == FileHeader.footerCookie
        ? footer.load(UInt64.self, at: 0) : nil
    }
  }
}

/// The size of a file and the bytes that every commit changes: the header, or the entry of the page that holds it.
package struct ChangeStamp: Equatable {
  package let size: Int
  private let head: [UInt8]

  /// No less than a header, and no less than an entry.
  private static let headSize = PageGeometry.entrySize

  /// Cost: two system calls.
  package init(_ handle: FileHandle) throws(EngineError) {
    size = try handle.status().size
    head = try handle.head(Self.headSize)
  }
}

/// One version of the data in one file: equal for two looks between which nobody changed or replaced it.
package struct SnapshotIdentity: Sendable, Equatable {
  private let device: UInt64?
  private let inode: UInt64?
  private let header: FileHeader
  /// The beginning of the top array, which holds the number of the version.
  private let topHead: [UInt8]

  package init(_ file: RealmFile, topHead: [UInt8]) {
    device = file.status?.device
    inode = file.status?.inode
    header = file.header
    self.topHead = topHead
  }

  /// Whether the same file still stands there, whatever it holds now.
  package func isOfFile(_ status: FileHandle.Status?) -> Bool {
    status?.device == device && status?.inode == inode
  }
}
