// Reads pages of an encrypted file beside a writer. Layer: RealmFiles.
// Invariant: a page counts only where its entry was the same before and after the page was read: an entry that is being
// written may name a counter that does not go with its check, and the counter decides what a page decrypts to.

/// What one thread at a time reads pages with: a cipher, and memory for entries and pages as they lie on disk.
struct PageReader: Sendable {
  let cipher: PageCipher
  /// Entries, pages, the same entries again.
  private let scratch: MemoryImage

  /// Pages that are read at once; they never lie in two blocks.
  static let runMax = 16

  private static let entriesSize = runMax * PageGeometry.entrySize
  private static let pagesSize = runMax * PageGeometry.pageSize

  init(key: EncryptionKey) throws(EngineError) {
    cipher = try PageCipher(key: key)
    guard let scratch = MemoryImage.reserving(size: Self.pagesSize + 2 * Self.entriesSize) else {
      throw EngineError(.other, "no memory for encrypted pages")
    }
    self.scratch = scratch
  }

  /// The pages behind `first` that can be read with it, up to `end`.
  static func run(from first: Int, to end: Int) -> Range<Int> {
    first..<min(end, first - first % runMax + runMax)
  }

  /// Reads a run of pages; `receive` gets each one's outcome, and says where its content belongs by `room`, nil for a
  /// page that is not wanted.
  func read(
    _ pages: Range<Int>, of content: EncryptedContent, room: (Int) -> MutableRawBytes?,
    receive: (Int, PageCipher.Outcome) -> Void
  ) throws(EngineError) {
    precondition(pages.count <= Self.runMax)
    let entrySize = PageGeometry.entrySize
    let pageSize = PageGeometry.pageSize
    let entries = scratch.mutableBytes(Self.pagesSize, pages.count * entrySize)
    let entriesAfter = scratch.mutableBytes(Self.pagesSize + Self.entriesSize, pages.count * entrySize)
    let found = scratch.mutableBytes(0, pages.count * pageSize)
    let entryPosition = PageGeometry.entryPosition(ofPage: pages.lowerBound)
    try content.read(into: entries, at: entryPosition)
    try content.read(into: found, at: PageGeometry.filePosition(ofPage: pages.lowerBound))
    try content.read(into: entriesAfter, at: entryPosition)
    for page in pages {
      guard let output = room(page) else { continue }
      let index = page - pages.lowerBound
      let entry = entries.readable.slice(index * entrySize, entrySize)
      guard entry.equals(entriesAfter.readable.slice(index * entrySize, entrySize)) else {
        receive(page, .mismatch)
        continue
      }
      let outcome = cipher.decrypt(
        page: page, entry: entry, found.readable.slice(index * pageSize, pageSize), into: output)
      receive(page, outcome)
    }
  }

  /// What the last page of one was read from: where it stays the same, nobody is writing to it.
  func evidence() -> [UInt8] {
    let entry = scratch.mutableBytes(Self.pagesSize, PageGeometry.entrySize).readable.array()
    let entryAfter = scratch.mutableBytes(Self.pagesSize + Self.entriesSize, PageGeometry.entrySize)
    return entry + entryAfter.readable.array()
      + cipher.check(of: scratch.mutableBytes(0, PageGeometry.pageSize).readable)
  }
}
