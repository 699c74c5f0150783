// The data of a realm file as one span of memory, plain or decrypted on demand. Layer: RealmFiles.
// Invariant: a byte handed out by `bytes(_:_:)` is present and stays valid while the image lives.

/// Where a realm's bytes come from; refs are offsets into it.
package final class FileImage: Sendable {
  private let memory: MemoryImage
  private let pages: EncryptedPages?
  private let all: RawBytes
  /// Bytes of data: the file's size, or less for an encrypted file.
  package let size: Int

  /// `content` is a plain file as it stands on disk.
  package convenience init(plain content: MemoryImage) { self.init(content, nil) }

  /// `content` is an encrypted file as it stands on disk.
  package convenience init(encrypted content: EncryptedContent, key: EncryptionKey) throws(EngineError) {
    let pages = try EncryptedPages(encrypted: content, key: key)
    self.init(pages.decrypted, pages)
  }

  private init(_ memory: MemoryImage, _ pages: EncryptedPages?) {
    self.pages = pages
    self.memory = memory
    all = memory.bytes
    size = memory.size
  }

  /// The same bytes behind an object of its own, on which no other thread counts references.
  package func forOneThread() -> FileImage { FileImage(memory, pages) }

  /// The same file for a walk through all of it, in memory that stays flat. What it hands out is valid only until the
  /// next `releaseIfLarge`. A mapping costs nothing and is its own window.
  package func window() throws(EngineError) -> FileImage {
    guard let pages, !pages.isSealed else { return self }
    let window = try EncryptedPages(windowOf: pages)
    return FileImage(window.decrypted, window)
  }

  /// An encrypted file whose pages are in memory as far as they can be read, and are never read again.
  /// `acceptingUnverified`: also pages that fail their checks.
  package func decrypted(acceptingUnverified: Bool = false) throws(EngineError) -> FileImage {
    guard let pages else { return self }
    let all = try EncryptedPages(sealing: pages, acceptingUnverified: acceptingUnverified)
    return FileImage(all.decrypted, all)
  }

  /// Of an encrypted file that was decrypted as far as it can be: the pages that cannot.
  package func lostPages() throws(EngineError) -> [Int] {
    guard let pages, pages.isSealed else { return [] }
    return try pages.lostPages()
  }

  /// Pages that were decrypted although their checks fail.
  package var unverifiedPages: [Int] { pages?.unverified.withLock(\.numbers).sorted() ?? [] }

  package func isUnverified(_ offset: Int, _ count: Int) -> Bool {
    guard let pages else { return false }
    return pages.unverified.withLock { $0.holds(offset, count) }
  }

  /// Whether bytes of unverified pages were handed out since this was asked last.
  package func takeDoubt() -> Bool { pages?.unverified.withLock { $0.takeUse() } ?? false }

  /// What was taken counts as handed out again, for those who ask later.
  package func giveDoubtBack() { pages?.unverified.withLock { $0.isUsed = true } }

  /// Throws `.keyWrong` where the file is encrypted with another key.
  package func requireKey() throws(EngineError) {
    if let refusal = try pages?.keyRefusal() { throw refusal }
  }

  /// Gives the memory of a window back when it has become large.
  package func releaseIfLarge() { pages?.releaseIfLarge() }

  package var isEncrypted: Bool { pages != nil }

  /// `count` bytes at `offset`, which must lie inside the image; encrypted pages are checked and decrypted first.
  @inline(__always)
  package func bytes(_ offset: Int, _ count: Int) throws(EngineError) -> RawBytes {
    if let pages { try pages.makePresent(offset, count) }
    return all.slice(offset, count)
  }

  /// Changes a byte in memory that may be changed: not that of a mapping that others share.
  package func mend(_ offset: Int, _ byte: UInt8) { memory.mutableBytes(offset, 1).store(byte, at: 0) }

  /// Bytes of a plain image, inside it: for hints to the processor, which never fail.
  @inline(__always)
  package func plainBytes(_ offset: Int, _ count: Int) -> RawBytes { all.slice(offset, count) }

  /// A copy of the bytes as the file holds them at this moment, to see whether a writer was there.
  func freshBytes(_ offset: Int, _ count: Int) throws(EngineError) -> [UInt8] {
    if let pages { return try pages.freshBytes(offset, count) }
    return all.slice(offset, count).array()
  }
}
