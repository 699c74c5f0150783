// Where an encrypted file keeps what: data pages of 4096 bytes in blocks of 64, each block behind a page with the
// 64 check entries of its pages. Layer: RealmFiles. Positions of data are what refs mean; file positions are on disk.

/// Positions in an encrypted file.
package enum PageGeometry {
  package static let pageSize = 4096
  package static let pagesPerBlock = 64
  package static let entrySize = 64

  /// Where data page `page` stands in the file.
  package static func filePosition(ofPage page: Int) -> Int {
    (page + page / pagesPerBlock + 1) * pageSize
  }

  /// Where the check entry of data page `page` stands in the file.
  package static func entryPosition(ofPage page: Int) -> Int {
    (page / pagesPerBlock) * (pagesPerBlock + 1) * pageSize + (page % pagesPerBlock) * entrySize
  }

  /// Pages are not written more often.
  private static let counterMax: UInt32 = 1 << 28

  /// Whether 64 bytes may be the check entry of a page: two small counters, each with a check or with nothing.
  static func isEntry(_ entry: RawBytes) -> Bool {
    let counters = [0, 32].map { entry.load(UInt32.self, at: $0) }
    return counters.allSatisfy { $0 < counterMax } && (counters[0] != 0 || entry.isAllZero)
      && (counters[1] != 0 || entry.slice(32, 32).isAllZero)
  }

  /// How many whole data pages a file of `fileSize` bytes holds.
  package static func pageCount(fileSize: Int) -> Int {
    let filePages = fileSize / pageSize
    let metadataPages = (filePages + pagesPerBlock) / (pagesPerBlock + 1)
    return filePages - metadataPages
  }

  /// The size of a file that holds `pageCount` data pages, as the reference engine sizes it.
  package static func fileSize(pageCount: Int) -> Int {
    pageCount == 0 ? 0 : filePosition(ofPage: pageCount)
  }
}
