// Whether a key belongs to an encrypted file, however damaged the file is. Layer: RealmFiles.
// Invariant: one page that passes its check proves the half of the key that checks pages; a page that fails proves nothing. Where
// the checks themselves are lost, one page that decrypts to something with a pattern proves the other half. Nothing else in the
// engine decides between a wrong key and damage.

/// What the pages of a file say about a key.
package enum KeyProof: Sendable {
  case right
  /// No page passes its check.
  case wrong
  /// Pages pass their checks, but what they decrypt to has no pattern.
  case wrongCipherHalf

  /// Pages that are looked at, spread over the file: 64 MiB.
  fileprivate static let searchedMax = 1 << 14
  /// A page inside a picture has no pattern either. So many without one, or the first page, which has a header, tell.
  fileprivate static let noiseMin = 2
  /// Random bytes leave hardly one of the 256 values out.
  private static let noiseValueCount = 240

  /// The refusal of a key that is wrong; nil for one that is right.
  package var refusal: EngineError? {
    switch self {
    case .right: nil
    case .wrong:
      EngineError(
        .keyWrong, "wrong encryption key, or the file is not encrypted",
        hint: "give the 64-byte key the app uses; a plain realm is opened without a key")
    case .wrongCipherHalf:
      EngineError(
        .keyWrong, "the key passes the page check, but what it decrypts is not a realm",
        hint: "the first half of the key is probably wrong")
    }
  }

  /// Whether a page holds bytes without any pattern, as encrypted ones are. `valueCount`: for less than a page.
  static func isNoise(_ page: RawBytes, valueCount: Int? = nil) -> Bool {
    var isUsed = [Bool](repeating: false, count: 256)
    for index in 0..<page.count { isUsed[Int(page[index])] = true }
    return isUsed.count { $0 } > valueCount ?? noiseValueCount
  }
}

extension PageReader {
  /// Looks for a page that proves the key. Cost: mostly one page, for a wrong key all that are searched.
  func proof(in content: EncryptedContent) throws(EngineError) -> KeyProof {
    let pageCount = PageGeometry.pageCount(fileSize: content.size)
    guard let buffer = MemoryImage.reserving(size: PageGeometry.pageSize) else {
      throw EngineError(.other, "no memory for a page")
    }
    let page = buffer.mutableBytes(0, PageGeometry.pageSize)
    var (proof, noiseCount) = (KeyProof.wrong, 0)
    let step = Self.runMax * max(1, pageCount / KeyProof.searchedMax)
    for first in stride(from: 0, to: pageCount, by: step) where proof != .right {
      try Interruption.check()
      try read(
        Self.run(from: first, to: pageCount), of: content, room: { _ in page },
        receive: { number, outcome in
          guard outcome.provesKey, proof != .right else { return }
          guard KeyProof.isNoise(page.readable) else {
            proof = .right
            return
          }
          noiseCount += number == 0 ? KeyProof.noiseMin : 1
          proof = .wrongCipherHalf
        })
    }
    if proof == .wrong, try provesByPattern(in: content, pageCount) { return .right }
    return proof == .wrongCipherHalf && noiseCount < KeyProof.noiseMin ? .right : proof
  }

  /// Whether pages whose entries are lost decrypt to something with a pattern, and no page whose entry is whole does: that would
  /// be one whose check another key made.
  private func provesByPattern(in content: EncryptedContent, _ pageCount: Int) throws(EngineError) -> Bool {
    guard let memory = MemoryImage.reserving(size: PageGeometry.entrySize + 2 * PageGeometry.pageSize) else {
      throw EngineError(.other, "no memory for a page")
    }
    let entry = memory.mutableBytes(0, PageGeometry.entrySize)
    let found = memory.mutableBytes(PageGeometry.entrySize, PageGeometry.pageSize)
    let output = memory.mutableBytes(PageGeometry.entrySize + PageGeometry.pageSize, PageGeometry.pageSize)
    var isFound = false
    for page in 0..<min(pageCount, PageGeometry.pagesPerBlock) {
      try content.read(into: entry, at: PageGeometry.entryPosition(ofPage: page))
      try content.read(into: found, at: PageGeometry.filePosition(ofPage: page))
      guard KeyProof.isNoise(found.readable) else { continue }
      cipher.decrypt(found.readable, into: output, iv: 1, dataPosition: page * PageGeometry.pageSize)
      guard !KeyProof.isNoise(output.readable) else { continue }
      if PageGeometry.isEntry(entry.readable), !entry.readable.isAllZero { return false }
      isFound = true
    }
    return isFound
  }
}
