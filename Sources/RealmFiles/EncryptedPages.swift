// Decrypts the pages of an encrypted file when somebody first asks for them. Layer: RealmFiles.
// Invariants: a page's flag is set only after its content passed the check; content never changes afterwards, and
// nothing is evicted while the image lives, so spans into it stay valid. A window is the exception: see there.
// A check that fails is damage only where it goes on failing on the same bytes: a writer may be at the page.

import ByteText
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fills a reserved image with checked, decrypted pages on demand.
final class EncryptedPages: Sendable {
  /// The file as it is on disk.
  let encrypted: EncryptedContent
  /// The data, page by page, as far as it was asked for.
  let decrypted: MemoryImage
  let present: PageFlags
  /// A page is always filled under the same of these, so that no page is filled twice and threads seldom meet.
  let readers: [ReaderSlot]
  /// Set for a window.
  let window: WindowState?
  /// Nothing is read from the file any more: what is absent cannot be had.
  private let seal = Atomic(false)
  /// Pauses that are left for pages which go on failing: many damaged pages are not waited for as one is.
  private let pausesLeft = Atomic(EncryptedPages.pausesMax)
  private let proof = Mutex<KeyProof?>(nil)
  /// Pages that were decrypted although their checks fail.
  let unverified = Mutex<UnverifiedPages>(UnverifiedPages())

  private static let pausesMax = 40
  /// How often the same bytes must fail, and the pauses between.
  private static let failuresMin = 12
  private static let pauseMicroseconds: UInt32 = 500
  /// A page that is written again and again, a few seconds long.
  private static let attemptsMax = 10_000
  private static let readerCount = 8

  final class ReaderSlot: Sendable {
    let reader: Mutex<PageReader>
    init(key: EncryptionKey) throws(EngineError) { reader = Mutex(try PageReader(key: key)) }
  }

  convenience init(encrypted: EncryptedContent, key: EncryptionKey) throws(EngineError) {
    let readers = try (0..<Self.readerCount).map { _ throws(EngineError) in try ReaderSlot(key: key) }
    try self.init(encrypted: encrypted, readers: readers, isWindow: false)
  }

  /// The same file through a window.
  convenience init(windowOf other: EncryptedPages) throws(EngineError) {
    try self.init(encrypted: other.encrypted, readers: other.readers, isWindow: true)
  }

  /// The same file with all pages that can be read now. `acceptingUnverified`: also those that fail their checks.
  convenience init(sealing other: EncryptedPages, acceptingUnverified: Bool) throws(EngineError) {
    try self.init(encrypted: other.encrypted, readers: other.readers, isWindow: false)
    fill(0..<decrypted.size / PageGeometry.pageSize)
    if acceptingUnverified { try fillUnverified() }
    seal.store(true, ordering: .releasing)
  }

  var isSealed: Bool { seal.load(ordering: .acquiring) }

  private init(encrypted: EncryptedContent, readers: [ReaderSlot], isWindow: Bool) throws(EngineError) {
    let pageCount = PageGeometry.pageCount(fileSize: encrypted.size)
    guard pageCount > 0 else {
      throw EngineError(
        .notARealm,
        "the file is too small to be an encrypted realm: it has only \(counted(encrypted.size, "byte"))",
        hint: "it may be cut off; a plain realm is opened without a key")
    }
    guard let decrypted = MemoryImage.reserving(size: pageCount * PageGeometry.pageSize) else {
      throw EngineError(.other, "no address space for \(pageCount) pages")
    }
    self.encrypted = encrypted
    self.decrypted = decrypted
    present = PageFlags(count: pageCount)
    self.readers = readers
    window = isWindow ? WindowState() : nil
  }

  /// Makes the bytes `offset ..< offset + count`, which lie inside the image, readable.
  func makePresent(_ offset: Int, _ count: Int) throws(EngineError) {
    guard count > 0 else { return }
    let pages = offset / PageGeometry.pageSize...(offset + count - 1) / PageGeometry.pageSize
    for page in pages where !present.isSet(page) {
      readAhead(page)
      if !present.isSet(page) { try fill(page) }
    }
    if isSealed { noteUse(offset, count) }
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
    var evidence: [UInt8] = []
    var failureCount = 0
    // What could not be read may have been in the middle of a write.
    guard !isSealed else { throw Self.changed(page) }
    for _ in 0..<Self.attemptsMax {
      let (outcome, found) = try readers[page % Self.readerCount].reader.withLock {
        reader throws(EngineError) in
        try Self.attempt(page, of: encrypted, reader, into: output, unless: isDone, whenDone: whenDone)
      }
      if outcome.isReadable { return }
      failureCount = found == evidence ? failureCount + 1 : 1
      evidence = found
      if failureCount > Self.failuresMin, !takePause() { throw try failure(outcome, page) }
      usleep(Self.pauseMicroseconds)
    }
    throw Self.changed(page)
  }

  private static func changed(_ page: Int) -> EngineError {
    EngineError(
      .changedWhileRead, "another program keeps writing the encrypted page \(page)",
      hint: "try again, or read a copy of the file")
  }

  /// One attempt, and what a failure rests on.
  private static func attempt(
    _ page: Int, of content: EncryptedContent, _ reader: PageReader, into output: MutableRawBytes,
    unless isDone: () -> Bool, whenDone: () -> Void
  ) throws(EngineError) -> (PageCipher.Outcome, evidence: [UInt8]) {
    if isDone() { return (.current, []) }
    var outcome = PageCipher.Outcome.mismatch
    try reader.read(page..<page + 1, of: content, room: { _ in output }, receive: { outcome = $1 })
    guard outcome.isReadable else { return (outcome, reader.evidence()) }
    whenDone()
    return (outcome, [])
  }

  /// Whether there is patience left for one more look at bytes that failed.
  private func takePause() -> Bool {
    pausesLeft.wrappingSubtract(1, ordering: .relaxed).newValue >= 0
  }

  /// Why a page cannot be read: its damage, or the key, where no page proves that.
  private func failure(_ outcome: PageCipher.Outcome, _ page: Int) throws(EngineError) -> EngineError {
    if let refusal = try keyRefusal() { return refusal }
    let place = "offset \(page * PageGeometry.pageSize)"
    return outcome == .unwritten
      ? EngineError(.damaged, "the encrypted page \(page) was never written", at: place)
      : EngineError(damage: "the check of encrypted page \(page) fails", at: place)
  }

  /// Why the key is refused: it is wrong, or the file is of another kind.
  func keyRefusal() throws(EngineError) -> EngineError? {
    guard let refusal = try keyProof().refusal else { return nil }
    guard let memory = MemoryImage.reserving(size: PageGeometry.pageSize) else { return refusal }
    let head = memory.mutableBytes(0, FileHeader.size)
    try encrypted.read(into: head, at: 0)
    guard let kind = FileSignature(head.readable).kind, !kind.isText else { return refusal }
    return EngineError(.notARealm, "the file is \(kind.name), not a realm file", hint: kind.remedy)
  }

  /// Whether the key belongs to the file. Found out once.
  func keyProof() throws(EngineError) -> KeyProof {
    if let known = proof.withLock({ $0 }) { return known }
    let found = try readers[0].reader.withLock { reader throws(EngineError) in
      try reader.proof(in: encrypted)
    }
    proof.withLock { $0 = found }
    return found
  }
}
