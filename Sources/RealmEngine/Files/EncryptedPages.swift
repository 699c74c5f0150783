// Decrypts the pages of an encrypted file when somebody first asks for them. Layer: Files.
// Invariants: a page's flag is set only after its content passed the check; content never changes afterwards, and
// nothing is evicted while the image lives, so spans into it stay valid. A window is the exception: see there.

import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fills a reserved image with checked, decrypted pages on demand.
final class EncryptedPages: Sendable {
  /// The file as it is on disk.
  let encrypted: MemoryImage
  /// The data, page by page, as far as it was asked for.
  let decrypted: MemoryImage
  let present: PageFlags
  /// A page is always filled under the same of these, so that no page is filled twice and threads seldom meet.
  let ciphers: [CipherSlot]
  /// Set for a window.
  let window: WindowState?

  /// How often a page that fails its check is read again: a writer may be in the middle of it.
  private static let attemptsMax = 20
  private static let retryPauseMicroseconds: UInt32 = 200
  private static let cipherCount = 8

  final class CipherSlot: Sendable {
    let cipher: Mutex<PageCipher>
    init(key: EncryptionKey) throws(EngineError) { cipher = Mutex(try PageCipher(key: key)) }
  }

  convenience init(encrypted: MemoryImage, key: EncryptionKey) throws(EngineError) {
    var ciphers: [CipherSlot] = []
    for _ in 0..<Self.cipherCount { ciphers.append(try CipherSlot(key: key)) }
    try self.init(encrypted: encrypted, ciphers: ciphers, isWindow: false)
  }

  /// The same file through a window.
  convenience init(windowOf other: EncryptedPages) throws(EngineError) {
    try self.init(encrypted: other.encrypted, ciphers: other.ciphers, isWindow: true)
  }

  private init(encrypted: MemoryImage, ciphers: [CipherSlot], isWindow: Bool) throws(EngineError) {
    let pageCount = PageGeometry.pageCount(fileSize: encrypted.size)
    guard pageCount > 0 else {
      throw EngineError(
        .keyWrong, "the file is too small to be encrypted",
        hint: "it may be a plain realm: try without a key")
    }
    guard let decrypted = MemoryImage.reserving(size: pageCount * PageGeometry.pageSize) else {
      throw EngineError(.other, "no address space for \(pageCount) pages")
    }
    self.encrypted = encrypted
    self.decrypted = decrypted
    present = PageFlags(count: pageCount)
    self.ciphers = ciphers
    window = isWindow ? WindowState() : nil
  }

  /// Makes the bytes `offset ..< offset + count`, which lie inside the image, readable.
  func makePresent(_ offset: Int, _ count: Int) throws(EngineError) {
    guard count > 0 else { return }
    for page in offset / PageGeometry.pageSize...(offset + count - 1) / PageGeometry.pageSize
    where !present.isSet(page) {
      readAhead(page)
      if !present.isSet(page) { try fill(page) }
    }
  }

  /// The bytes as the file holds them now, whatever was decrypted before.
  func freshBytes(_ offset: Int, _ count: Int) throws(EngineError) -> [UInt8] {
    guard count > 0, offset >= 0, offset <= decrypted.size - count else { return [] }
    let size = PageGeometry.pageSize
    let pages = offset / size...(offset + count - 1) / size
    guard let buffer = MemoryImage.reserving(size: pages.count * size) else {
      throw EngineError(.other, "no memory for \(pages.count) pages")
    }
    for page in pages {
      try decrypt(page, into: buffer.mutableBytes((page - pages.lowerBound) * size, size))
    }
    return buffer.bytes.slice(offset - pages.lowerBound * size, count).array()
  }

  private func fill(_ page: Int) throws(EngineError) {
    let output = decrypted.mutableBytes(page * PageGeometry.pageSize, PageGeometry.pageSize)
    try decrypt(page, into: output, unless: { present.isSet(page) }, whenDone: { present.set(page) })
  }

  /// Decrypts a page under its lock, unless `isDone` says there that it is not needed any more.
  private func decrypt(
    _ page: Int, into output: MutableRawBytes, unless isDone: () -> Bool = { false },
    whenDone: () -> Void = {}
  ) throws(EngineError) {
    for attempt in 0..<Self.attemptsMax {
      if attempt > 1 { usleep(Self.retryPauseMicroseconds) }
      let outcome = ciphers[page % Self.cipherCount].cipher.withLock { cipher in
        if isDone() { return PageCipher.Outcome.current }
        let outcome = cipher.decrypt(page: page, of: encrypted.bytes, into: output)
        if outcome.isReadable { whenDone() }
        return outcome
      }
      switch outcome {
      case .current, .previous, .zeros: return
      case .unwritten:
        throw EngineError(
          page == 0 ? .keyWrong : .damaged, "the encrypted page \(page) was never written",
          at: "offset \(page * PageGeometry.pageSize)",
          hint: page == 0 ? "the key may be wrong, or the file is not encrypted" : nil)
      case .refused: throw EngineError(.other, "the cipher failed on page \(page)")
      case .mismatch: continue
      }
    }
    if page == 0 {
      throw EngineError(
        .keyWrong, "wrong encryption key, or the file is not encrypted",
        hint: "give the 64-byte key the app uses; a plain realm is opened without a key")
    }
    throw EngineError(
      .damaged, "the file is damaged: the check of encrypted page \(page) fails",
      at: "offset \(page * PageGeometry.pageSize)")
  }
}
