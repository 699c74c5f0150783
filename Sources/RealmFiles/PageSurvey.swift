// Which pages of an encrypted file pass their checks under a key. Layer: RealmFiles.

/// The outcome of a look at the pages of a whole file, or of its beginning.
package struct PageSurvey: Sendable {
  package let proof: KeyProof
  /// Pages that were looked at and had been written.
  package private(set) var checkedCount = 0
  package private(set) var failing: [Int] = []

  /// 64 MiB.
  package static let pageMaxQuick = 1 << 14

  package init(_ handle: FileHandle, key: EncryptionKey, pageMax: Int) throws(EngineError) {
    try self.init(EncryptedContent(handle, size: try handle.status().size), key, pageMax)
  }

  package init(_ content: MemoryImage, key: EncryptionKey, pageMax: Int) throws(EngineError) {
    try self.init(EncryptedContent(content), key, pageMax)
  }

  private init(_ content: EncryptedContent, _ key: EncryptionKey, _ pageMax: Int) throws(EngineError) {
    let reader = try PageReader(key: key)
    proof = try reader.proof(in: content)
    guard proof == .right, let buffer = MemoryImage.reserving(size: PageGeometry.pageSize) else { return }
    let page = buffer.mutableBytes(0, PageGeometry.pageSize)
    let pageCount = min(pageMax, PageGeometry.pageCount(fileSize: content.size))
    var (checkedCount, failing) = (0, [Int]())
    for first in stride(from: 0, to: pageCount, by: PageReader.runMax) {
      try Interruption.check()
      let run = PageReader.run(from: first, to: pageCount)
      try reader.read(
        run, of: content, room: { _ in page },
        receive: { number, outcome in
          if outcome == .unwritten, number > 0 { return }
          checkedCount += 1
          if !outcome.isReadable { failing.append(number) }
        })
    }
    (self.checkedCount, self.failing) = (checkedCount, failing)
  }
}
