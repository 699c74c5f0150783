// The data of a new realm file, written from its beginning to its end, plain or encrypted. Layer: RealmFiles.
// Memory stays flat: a few megabytes wait to be written. Encryption runs on as many threads as are worth having; what needs none
// is written by another thread while the next bytes come.
// Invariants: the first page is kept back until `finish`, because the header is known only then; nothing is being written when
// `finish` returns or throws, or when this object is gone.

import Synchronization

/// Appends data to a new file.
package final class SequentialOutput {
  /// Nil where only the size is wanted.
  private let handle: FileHandle?
  private let key: EncryptionKey?
  private let ciphers: [CipherBox]
  private var buffer: MemoryImage
  /// What is written beside the caller, who fills the other buffer.
  private var writing: BackgroundWrite?
  /// A buffer that was written.
  private var spare: MemoryImage?
  private let encrypted: MemoryImage?
  /// Bytes in `buffer`.
  private var pending = 0
  /// The data position of the buffer's first byte: a multiple of the buffer's size.
  private var bufferStart = 0
  private var firstPage: [UInt8] = []
  /// Bytes on disk, once it is finished.
  package private(set) var fileSize = 0

  /// Whole blocks of 64 pages, so that every flush but the last fills whole blocks of an encrypted file.
  private static let bufferSize = 16 * PageGeometry.pagesPerBlock * PageGeometry.pageSize

  private final class CipherBox: Sendable {
    let cipher: Mutex<PageCipher>
    init(_ key: EncryptionKey) throws(EngineError) { cipher = Mutex(try PageCipher(key: key)) }
  }

  package init(_ handle: FileHandle?, key: EncryptionKey?) throws(EngineError) {
    self.handle = handle
    self.key = key
    buffer = try Self.room(Self.bufferSize)
    var ciphers: [CipherBox] = []
    if let key {
      for _ in 0..<ParallelWork.workerCount { ciphers.append(try CipherBox(key)) }
      encrypted = try Self.room(PageGeometry.fileSize(pageCount: Self.bufferSize / PageGeometry.pageSize))
    } else {
      encrypted = nil
    }
    self.ciphers = ciphers
  }

  deinit { _ = try? endWriting() }

  private static func room(_ size: Int) throws(EngineError) -> MemoryImage {
    if let room = MemoryImage.reserving(size: size) { return room }
    throw EngineError(.other, "no memory for an output buffer")
  }

  /// Bytes of data so far: the position of the next byte.
  package var position: Int { bufferStart + pending }

  package func append(_ bytes: RawBytes) throws(EngineError) {
    var done = 0
    while done < bytes.count {
      let count = min(bytes.count - done, Self.bufferSize - pending)
      buffer.mutableBytes(pending, count).copy(bytes.slice(done, count), at: 0)
      pending += count
      done += count
      if pending == Self.bufferSize { try flush() }
    }
  }

  package func appendZeros(_ count: Int) throws(EngineError) {
    var left = count
    while left > 0 {
      let part = min(left, Self.bufferSize - pending)
      buffer.mutableBytes(pending, part).zero(0, part)
      pending += part
      left -= part
      if pending == Self.bufferSize { try flush() }
    }
  }

  /// Puts the header in its place and writes what is left. Encrypted data end with a whole page.
  package func finish(header: [UInt8]) throws(EngineError) {
    if key != nil {
      try appendZeros((PageGeometry.pageSize - position % PageGeometry.pageSize) % PageGeometry.pageSize)
    }
    let size = position
    fileSize = key == nil ? size : PageGeometry.fileSize(pageCount: size / PageGeometry.pageSize)
    try flush()
    try endWriting()
    guard let handle else { return }
    firstPage.replaceSubrange(0..<header.count, with: header)
    try firstPage.withRawBytes { page throws(EngineError) in
      guard key != nil else { return try handle.write(page, at: 0) }
      try writeEncrypted(page, at: 0, to: handle, isFirstPage: true)
    }
    try handle.truncate(to: fileSize)
  }

  private func flush() throws(EngineError) {
    guard pending > 0 else { return }
    let content = buffer.bytes.slice(0, pending)
    if bufferStart == 0 { firstPage = content.slice(0, min(PageGeometry.pageSize, pending)).array() }
    if let handle {
      if key != nil {
        try writeEncrypted(content, at: bufferStart, to: handle)
      } else if pending < Self.bufferSize {
        try handle.write(content, at: bufferStart)
      } else {
        try endWriting()
        writing = BackgroundWrite(buffer, pending, at: bufferStart, to: handle)
        if let written = spare.take() { buffer = written } else { buffer = try Self.room(Self.bufferSize) }
      }
    }
    bufferStart += pending
    pending = 0
  }

  /// Waits for what is being written; throws what went wrong.
  private func endWriting() throws(EngineError) {
    guard let ended = writing.take() else { return }
    spare = ended.content
    try ended.end()
  }

  /// Encrypts whole pages into a block image of the file and writes it. The first page is left zero: it is
  /// encrypted once, when the header is known.
  private func writeEncrypted(
    _ content: RawBytes, at position: Int, to handle: FileHandle, isFirstPage: Bool = false
  ) throws(EngineError) {
    guard let encrypted else { return }
    let firstPage = position / PageGeometry.pageSize
    let pageCount = content.count / PageGeometry.pageSize
    let fileStart =
      PageGeometry.entryPosition(ofPage: firstPage) / PageGeometry.pageSize * PageGeometry.pageSize
    let job = EncryptionJob(
      content: content, output: encrypted, firstPage: firstPage, pageCount: pageCount, fileStart: fileStart,
      leavesFirstPage: position == 0 && !isFirstPage)
    let ciphers = ciphers
    let workers = pageCount < 64 ? 1 : ciphers.count
    ParallelWork.run(workers: workers) { worker in
      ciphers[worker].cipher.withLock { cipher in
        for page in stride(from: worker, to: job.pageCount, by: workers) {
          job.encrypt(page, with: cipher)
        }
      }
    }
    let fileEnd = PageGeometry.filePosition(ofPage: firstPage + pageCount - 1) + PageGeometry.pageSize
    if pageCount == 1 {
      // A single page is written alone, so that the entries of its neighbours stay.
      let entry = PageGeometry.entryPosition(ofPage: firstPage)
      try handle.write(encrypted.bytes.slice(entry - fileStart, PageGeometry.entrySize), at: entry)
      let place = PageGeometry.filePosition(ofPage: firstPage)
      return try handle.write(encrypted.bytes.slice(place - fileStart, PageGeometry.pageSize), at: place)
    }
    try handle.write(encrypted.bytes.slice(0, fileEnd - fileStart), at: fileStart)
    handle.beginWriting(fileEnd - fileStart, at: fileStart)
  }

  /// A run of pages that threads encrypt in turn; no two touch the same bytes.
  private struct EncryptionJob: Sendable {
    let content: RawBytes
    let output: MemoryImage
    let firstPage: Int
    let pageCount: Int
    let fileStart: Int
    let leavesFirstPage: Bool

    func encrypt(_ index: Int, with cipher: PageCipher) {
      let page = firstPage + index
      let plain = content.slice(index * PageGeometry.pageSize, PageGeometry.pageSize)
      let target = output.mutableBytes(
        PageGeometry.filePosition(ofPage: page) - fileStart, PageGeometry.pageSize)
      let entry = output.mutableBytes(
        PageGeometry.entryPosition(ofPage: page) - fileStart, PageGeometry.entrySize)
      guard page != 0 || !leavesFirstPage else {
        target.zero(0, target.count)
        entry.zero(0, entry.count)
        return
      }
      cipher.encrypt(plain, into: target, iv: 1, dataPosition: page * PageGeometry.pageSize)
      entry.zero(0, PageGeometry.entrySize)
      entry.store(UInt32(1), at: 0)
      cipher.check(of: target.readable).withRawBytes { entry.copy($0, at: 4) }
    }
  }
}

/// One write on a thread of its own.
private final class BackgroundWrite: Sendable {
  let content: MemoryImage
  private let failure = Mutex<EngineError?>(nil)
  private let errand = Mutex<ParallelWork.Errand?>(nil)

  /// Begins to write the first `count` bytes of `content`, which must not change before the `end`, to be called once.
  init(_ content: MemoryImage, _ count: Int, at offset: Int, to handle: FileHandle) {
    self.content = content
    let write: @Sendable () -> Void = { [self] in
      do throws(EngineError) {
        try handle.write(content.bytes.slice(0, count), at: offset)
        handle.beginWriting(count, at: offset)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    let begun = ParallelWork.begin(write)
    if begun == nil { write() }
    errand.withLock { $0 = begun }
  }

  /// Waits, and throws what went wrong.
  func end() throws(EngineError) {
    errand.withLock { errand in
      errand?.wait()
      errand = nil
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
