// Encrypted pages for a walk through a whole file: read ahead on all threads, and given back in time; and all of them at
// once. Layer: RealmFiles.
// Invariant: pages are given back only in `releaseIfLarge`, which the walker calls where it holds no bytes.

import Synchronization

extension EncryptedPages {
  /// How a walk goes on.
  struct Window {
    /// Behind the pages that were read last.
    var nextPage = 0
    /// Pages to read at once: many while the walk goes forward, few while it jumps.
    var aheadCount = Window.aheadMin
    /// Pages read since memory was given back.
    var pageCount = 0

    static let aheadMin = 4
    static let aheadMax = 512
    /// A walk that leaves out no more than this goes forward.
    static let gapMax = 64
    /// 24 MiB.
    static let pageCountMax = 6144
    /// Fewer are not worth a second thread.
    static let parallelMin = 64
  }

  final class WindowState: Sendable {
    let value = Mutex(Window())
  }

  /// Decrypts `page` and those behind it. Pages that cannot be read stay absent: nobody may ever want them.
  func readAhead(_ page: Int) {
    guard let window else { return }
    let pages = window.value.withLock { window in
      let isForward = page >= window.nextPage && page - window.nextPage <= Window.gapMax
      window.aheadCount =
        isForward ? min(Window.aheadMax, 2 * window.aheadCount) : max(Window.aheadMin, window.aheadCount / 2)
      let start = isForward ? window.nextPage : page
      let end = min(page + window.aheadCount, decrypted.size / PageGeometry.pageSize)
      window.nextPage = end
      window.pageCount += end - start
      return start..<end
    }
    fill(pages)
  }

  /// Decrypts pages on all threads where they are many.
  func fill(_ pages: Range<Int>) {
    let workers = pages.count < Window.parallelMin ? 1 : min(ParallelWork.workerCount, readers.count)
    let runs = Self.runs(of: pages)
    ParallelWork.run(workers: workers) { worker in
      self.readers[worker].reader.withLock { reader in
        for index in stride(from: worker, to: runs.count, by: workers) { self.fill(runs[index], reader) }
      }
    }
  }

  /// The same pages in the portions that are read at once.
  private static func runs(of pages: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first = pages.lowerBound
    while first < pages.upperBound {
      let run = PageReader.run(from: first, to: pages.upperBound)
      runs.append(run)
      first = run.upperBound
    }
    return runs
  }

  private func fill(_ pages: Range<Int>, _ reader: PageReader) {
    let room = { page in
      self.present.isSet(page)
        ? nil : self.decrypted.mutableBytes(page * PageGeometry.pageSize, PageGeometry.pageSize)
    }
    // Whoever wants a page that is absent reads it alone, and is told why that fails.
    let receive = { (page: Int, outcome: PageCipher.Outcome) in
      if outcome.isReadable { self.present.set(page) }
    }
    try? reader.read(pages, of: encrypted, room: room, receive: receive)
  }

  /// Pages that were written once and are absent, where all that can be read are present.
  func lostPages() throws(EngineError) -> [Int] {
    guard let entry = MemoryImage.reserving(size: PageGeometry.entrySize) else {
      throw EngineError(.other, "no memory for an entry")
    }
    let buffer = entry.mutableBytes(0, PageGeometry.entrySize)
    var lost: [Int] = []
    for page in 0..<decrypted.size / PageGeometry.pageSize where !present.isSet(page) {
      try encrypted.read(into: buffer, at: PageGeometry.entryPosition(ofPage: page))
      if buffer.readable.load(UInt32.self, at: 0) != 0 { lost.append(page) }
    }
    return lost
  }

  /// Forgets all pages when they have become many.
  func releaseIfLarge() {
    guard let window, window.value.withLock({ $0.pageCount > Window.pageCountMax }) else { return }
    present.clear(0..<decrypted.size / PageGeometry.pageSize)
    decrypted.discard(0, decrypted.size)
    window.value.withLock { $0.pageCount = 0 }
  }
}
