// The first bytes of a lock file, in which every engine tells the others how the rest is laid out. Layer: RealmFiles.

/// What a lock file says about itself.
struct LockFileHead {
  private let bytes: [UInt8]
  private let fileSize: Int

  /// Ends behind the number of participants and of the version, where a realm has its magic.
  private static let size = 24
  private static let participantsOffset = 12
  private static let participantsMax = 10_000
  /// Engines reserve about a page, in zeros, and more where many versions were open.
  private static let unwrittenSizeMax = 1 << 16

  /// What each byte may be at most: flag of completeness, sizes of a mutex and of a condition, flag of a commit, file format,
  /// type of history, version of the layout, durability. Older layouts have smaller numbers in other places.
  private static let byteMax: [UInt8] = [1, 128, 128, 1, 64, 8, 64, 0, 8, 0]

  init(_ handle: FileHandle) throws(EngineError) {
    fileSize = try handle.status().size
    guard let image = MemoryImage.reserving(size: Self.unwrittenSizeMax) else {
      throw EngineError(.other, "no memory for a lock file")
    }
    let wanted = min(fileSize, Self.unwrittenSizeMax)
    let count = try handle.read(into: image.mutableBytes(0, wanted), at: 0)
    bytes = image.bytes.slice(0, count).array()
  }

  /// Whether an engine may have written this. An empty file holds nothing to lose; zeros are what an engine leaves that ended
  /// before it wrote more.
  var isOfLockFile: Bool {
    if bytes.allSatisfy({ $0 == 0 }) { return fileSize <= Self.unwrittenSizeMax }
    guard bytes.count >= Self.size, zip(bytes, Self.byteMax).allSatisfy({ $0 <= $1 }) else { return false }
    return bytes.withRawBytes { FileHeader($0) } == nil
  }

  /// How many processes have the realm open; nil where that is not told.
  var participantCount: Int? {
    guard bytes.count >= Self.size, bytes[0] == 1 else { return nil }
    let count = bytes.withRawBytes { $0.load(UInt32.self, at: Self.participantsOffset) }
    return (1...Self.participantsMax).contains(Int(count)) ? Int(count) : nil
  }
}
