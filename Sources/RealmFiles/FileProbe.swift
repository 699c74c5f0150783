// What can be told about a file from outside, whether or not it can be opened. Layer: RealmFiles.

/// The facts that the bytes and the size of a file give away, each found out when it is asked for.
package struct FileProbe: Sendable {
  /// Bytes on disk.
  package let fileSize: Int
  /// Nil where the magic is missing.
  package let header: FileHeader?
  /// Whether it looks like an encrypted realm.
  package let looksEncrypted: Bool
  private let image: FileImage

  private static let textSize = 4096
  /// So many bytes are searched.
  private static let searchedSizeMax = 1 << 20
  private static let zerosSizeMax = 1 << 26

  /// Whether it is a plain realm, or may be an encrypted one.
  var isRealm: Bool { header != nil || looksEncrypted }

  /// Cost: one or two pages. Throws where there is no file to look at.
  package init(_ path: FilePath) throws(EngineError) {
    try self.init(try FileHandle.openRealm(path))
  }

  /// Probes a file that is open.
  package init(_ handle: FileHandle) throws(EngineError) {
    let (path, status) = (handle.path, try handle.status())
    guard status.isRegular else { throw path.notAFile(status) }
    guard let content = MemoryImage.mapping(descriptor: handle.descriptor, size: status.size) else {
      throw FileHandle.failure("cannot map", path)
    }
    self.init(content)
  }

  /// Probes bytes that are in memory.
  package init(_ content: MemoryImage) {
    fileSize = content.size
    image = FileImage(plain: content)
    let head = content.bytes.slice(0, min(fileSize, FileSignature.size))
    header = FileHeader(head)
    looksEncrypted = header == nil && FileSignature(head).looksEncrypted(image)
  }

  /// Whether a file is a realm, or may be an encrypted one; not where it cannot be read.
  package static func findsRealm(_ path: FilePath) -> Bool { (try? FileProbe(path))?.isRealm ?? false }

  private func head(_ size: Int) -> RawBytes { image.plainBytes(0, min(fileSize, size)) }

  /// What another program wrote.
  package var kind: FileSignature.Kind? {
    if let kind = FileSignature(head(FileSignature.size)).kind { return kind }
    return FileSignature.ends(image, as: FileSignature.levelDBTable) ? FileSignature.levelDBTable : nil
  }

  /// Whether it is the beginning of a realm that is shorter than a header.
  package var isBeginningOfRealm: Bool {
    let head = head(FileHeader.size).array()
    guard head.count < FileHeader.size else { return false }
    guard head.count > FileHeader.magicOffset else { return head.count >= 8 && head.contains { $0 < 0x20 } }
    return FileHeader.magicBytes.starts(with: head[FileHeader.magicOffset...].prefix(4))
  }

  /// Whether there is nothing but zeros, as far as that is looked at.
  package var isAllZero: Bool { head(Self.zerosSizeMax).isAllZero }

  /// Whether it begins with text.
  package var isText: Bool { Self.isText(head(Self.textSize)) }

  /// Whether it ends with text: a header may have been written over with some.
  package var endsAsText: Bool {
    let size = min(fileSize, Self.textSize)
    let end = image.plainBytes(fileSize - size, size)
    // A character at the beginning may be cut.
    var cut = 0
    while cut < min(3, size), end[cut] & 0xC0 == 0x80 { cut += 1 }
    return Self.isText(end.slice(cut, size - cut))
  }

  private static func isText(_ bytes: RawBytes) -> Bool {
    let text = bytes.array()
    let isPrintable = text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
    // A character at the end may be cut.
    return isPrintable && (0..<4).contains { String(validating: text.dropLast($0), as: UTF8.self) != nil }
  }

  /// Whether nodes of a realm are in it.
  package var holdsNodes: Bool {
    let bytes = head(Self.searchedSizeMax)
    var count = 0
    for offset in stride(from: FileHeader.size, to: bytes.count - 8, by: 8)
    where bytes.load(UInt32.self, at: offset) == Self.nodeMark {
      // Two bits of the next byte say what kind of node it is; the fourth kind does not exist.
      if bytes[offset + 4] & 0x18 != 0x18 { count += 1 }
      if count == Self.nodesMin { return true }
    }
    return false
  }

  private static let nodeMark: UInt32 = 0x4141_4141
  private static let nodesMin = 3

  /// Whether it begins as an encrypted realm does, and is cut off somewhere: entries with small counters and, behind them, bytes
  /// without pattern.
  package var looksCutEncrypted: Bool {
    let pageSize = PageGeometry.pageSize
    guard header == nil, kind == nil, fileSize >= pageSize + pageSize / 4 else { return false }
    let pageCount = min(PageGeometry.pagesPerBlock, (fileSize - 1) / pageSize)
    for page in 0..<pageCount {
      let entry = image.plainBytes(PageGeometry.entryPosition(ofPage: page), PageGeometry.entrySize)
      guard PageGeometry.isEntry(entry), page > 0 || !entry.isAllZero else { return false }
    }
    // Some of the first pages may be damaged.
    return (1...min(Self.noiseSearchMax, (fileSize - 1) / pageSize)).contains { page in
      let size = min(pageSize, fileSize - page * pageSize)
      return KeyProof.isNoise(
        image.plainBytes(page * pageSize, size), valueCount: size == pageSize ? nil : Self.partValueCount)
    }
  }

  private static let noiseSearchMax = 16
  /// Byte values that a quarter of a page without pattern holds at least.
  private static let partValueCount = 225

  /// Whether an engine wrote it beside a realm, as its name says.
  package static func isLockFile(_ handle: FileHandle) -> Bool {
    let suffix = Array(LiveSession.suffix.utf8)
    guard handle.path.bytes.suffix(suffix.count) == suffix[...] else { return false }
    return (try? LockFileHead(handle))?.isOfLockFile ?? false
  }
}
