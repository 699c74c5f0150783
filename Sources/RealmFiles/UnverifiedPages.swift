// Pages of an encrypted file that fail their checks and are decrypted all the same, for `recover --unverified`. Layer: RealmFiles.
// Invariant: whatever is handed out of such a page is noted, so that a reader can ask whether what it made rests on one.
// In CBC a wrong byte costs its block of 16 bytes and a byte of the next block; a wrong counter costs four bytes of the first.

/// Which pages these are, and whether one was read.
struct UnverifiedPages {
  var numbers: Set<Int> = []
  /// Bytes of one were handed out.
  var isUsed = false

  func holds(_ offset: Int, _ count: Int) -> Bool {
    guard !numbers.isEmpty else { return false }
    let size = PageGeometry.pageSize
    return (offset / size...(offset + max(1, count) - 1) / size).contains(where: numbers.contains)
  }

  mutating func takeUse() -> Bool {
    defer { isUsed = false }
    return isUsed
  }
}

extension EncryptedPages {
  /// Decrypts the pages that are absent, whatever their checks say. A page of zeros holds nothing.
  func fillUnverified() throws(EngineError) {
    for page in 0..<decrypted.size / PageGeometry.pageSize where !present.isSet(page) {
      try Interruption.check()
      let output = decrypted.mutableBytes(page * PageGeometry.pageSize, PageGeometry.pageSize)
      let isTaken = try readers[0].reader.withLock { reader throws(EngineError) in
        try reader.readUnverified(page, of: encrypted, into: output)
      }
      guard isTaken else { continue }
      present.set(page)
      unverified.withLock { _ = $0.numbers.insert(page) }
    }
  }

  func noteUse(_ offset: Int, _ count: Int) {
    unverified.withLock { if !$0.isUsed { $0.isUsed = $0.holds(offset, count) } }
  }
}

extension PageReader {
  /// Decrypts a page with the counter that its entry names, or one that is as good: it decides only about the first four bytes.
  /// False: the page holds nothing but zeros.
  fileprivate func readUnverified(
    _ page: Int, of content: EncryptedContent, into output: MutableRawBytes
  ) throws(EngineError) -> Bool {
    guard let memory = MemoryImage.reserving(size: PageGeometry.entrySize + PageGeometry.pageSize) else {
      throw EngineError(.other, "no memory for a page")
    }
    let entry = memory.mutableBytes(0, PageGeometry.entrySize)
    let found = memory.mutableBytes(PageGeometry.entrySize, PageGeometry.pageSize)
    try content.read(into: entry, at: PageGeometry.entryPosition(ofPage: page))
    try content.read(into: found, at: PageGeometry.filePosition(ofPage: page))
    guard !found.readable.isAllZero else { return false }
    let counters = [0, 32].map { entry.readable.load(UInt32.self, at: $0) }
    cipher.decrypt(
      found.readable, into: output, iv: counters.first { $0 != 0 } ?? 1,
      dataPosition: page * PageGeometry.pageSize)
    return true
  }
}
