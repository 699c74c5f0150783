// A realm that comes through a pipe: its first bytes are judged before the rest is waited for, and what comes is in memory
// once. Layer: RealmFiles.

extension FileHandle {
  /// What a stream may hold where nobody says otherwise: a stream has no size that could be looked at before.
  package static let streamSizeMax = 4 << 30

  /// Bytes that tell whether a realm follows: the first two pages.
  private static let judgedSize = 2 * PageGeometry.pageSize
  private static let pieceSize = 1 << 18
  private static let addressableMax = 1 << 46

  /// Reads a stream to its end. Throws where it has more than `sizeMax` bytes; with `mustBeRealm`, also as soon as its first
  /// bytes are those of no realm, encrypted or not.
  package func readStream(
    sizeMax: Int = streamSizeMax, mustBeRealm: Bool
  ) throws(EngineError) -> MemoryImage {
    let sizeMax = min(sizeMax, Self.addressableMax)
    // One byte more shows that there is more.
    guard let content = MemoryImage.growing(sizeMax: sizeMax + 1) else { throw Self.noMemory(sizeMax) }
    var (size, isJudged) = (0, !mustBeRealm)
    while true {
      try Interruption.check()
      let wanted = min(isJudged ? Self.pieceSize : Self.judgedSize - size, sizeMax + 1 - size)
      guard content.grow(to: size + wanted) else { throw Self.noMemory(size + wanted) }
      let count = try readNext(into: content.mutableBytes(size, wanted))
      size += count
      guard size <= sizeMax else {
        throw EngineError(
          .refused, of: path, "has more than \(sizeMax) bytes, which is the limit for a stream",
          hint: "--max-input sets another limit; a file of any size is read where it is")
      }
      if count == 0 { return content.prefix(size) }
      if !isJudged, size == Self.judgedSize {
        try FileSignature.refuseStranger(content.prefix(size), path)
        isJudged = true
      }
    }
  }

  private static func noMemory(_ size: Int) -> EngineError {
    EngineError(.other, "no memory for \(size) bytes", hint: MemoryImage.limitHint)
  }
}

extension FileSignature {
  /// Throws where a file that begins with the pages in `head` is no realm, whatever follows.
  fileprivate static func refuseStranger(_ head: MemoryImage, _ path: FilePath) throws(EngineError) {
    guard FileHeader(head.bytes) == nil else { return }
    let image = FileImage(plain: head)
    let signature = FileSignature(head.bytes)
    guard !signature.looksEncrypted(image) else { return }
    throw EngineError(.notARealm, of: path, signature.explanation(image))
  }
}
