// What a file that is not a readable realm looks like, in words. Layer: Files.

/// The first bytes of a file and what they tell.
struct FileSignature {
  private let head: [UInt8]

  init(_ bytes: RawBytes) { head = bytes.slice(0, min(bytes.count, FileHeader.size)).array() }

  private static let known: [(prefix: [UInt8], name: String)] = [
    (Array("SQLite format 3\0".utf8), "an SQLite database"),
    ([0x1F, 0x8B], "gzip-compressed data (gunzip it first)"),
    (Array("PK\u{3}\u{4}".utf8), "a ZIP archive (unpack it first)"),
    ([0x42, 0x5A, 0x68], "bzip2-compressed data (unpack it first)"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz-compressed data (unpack it first)"),
    (Array("bplist".utf8), "a property list"),
    (Array("<?xml".utf8), "an XML document"),
    (Array("{".utf8), "JSON text"),
  ]

  /// Whole pages of bytes without pattern: what an encrypted realm looks like from outside.
  func looksEncrypted(_ image: FileImage) -> Bool {
    let pageSize = PageGeometry.pageSize
    guard image.size >= 2 * pageSize, image.size % pageSize == 0, knownName == nil,
      let entries = try? image.bytes(0, pageSize), let page = try? image.bytes(pageSize, pageSize)
    else { return false }
    // A check entry begins with a small counter; encrypted data uses all byte values about equally often.
    guard entries.load(UInt32.self, at: 0) != 0 else { return false }
    var isUsed = [Bool](repeating: false, count: 256)
    for index in 0..<pageSize { isUsed[Int(page[index])] = true }
    return isUsed.count { $0 } > 240
  }

  func explanation(_ image: FileImage, _ path: FilePath) -> String {
    let name = path.displayName
    if let knownName { return "\(name) is \(knownName), not a realm file" }
    if image.size < FileHeader.size { return "\(name) is not a realm file: it has only \(image.size) bytes" }
    if head.allSatisfy({ $0 == 0 }) { return "\(name) is not a realm file: it begins with zeros" }
    if looksEncrypted(image) { return "\(name) appears to be encrypted; a key is required" }
    return "\(name) is not a realm file: the magic T-DB is missing"
  }

  private var knownName: String? { Self.known.first { head.starts(with: $0.prefix) }?.name }
}
