// What a file that is not a readable realm looks like, in words. Layer: Files.

/// The first bytes of a file and what they show.
package struct FileSignature {
  private let head: [UInt8]

  init(_ bytes: RawBytes) { head = bytes.slice(0, min(bytes.count, FileHeader.size)).array() }

  package init(head: [UInt8]) { self.head = head }

  /// A kind of file that others write.
  package struct Kind: Sendable {
    package let name: String
    /// What to do first; nil where nothing helps.
    package let remedy: String?
    fileprivate let prefix: [UInt8]
    /// Whether it is text, which may be imported.
    package let isText: Bool

    fileprivate init(_ name: String, _ prefix: [UInt8], isText: Bool = false, _ remedy: String? = nil) {
      self.name = name
      self.prefix = prefix
      self.isText = isText
      self.remedy = remedy
    }
  }

  private static let known = [
    Kind(
      "an SQLite database", Array("SQLite format 3\0".utf8), "export a table as CSV: sqlite3 -header -csv"),
    Kind("gzip-compressed data", [0x1F, 0x8B], "gunzip it first"),
    Kind(
      "a ZIP archive or an Excel workbook", Array("PK\u{3}\u{4}".utf8), "unpack it, or save the sheet as CSV"),
    Kind("bzip2-compressed data", [0x42, 0x5A, 0x68], "bunzip2 it first"),
    Kind("xz-compressed data", [0xFD, 0x37, 0x7A, 0x58, 0x5A], "unxz it first"),
    Kind("zstd-compressed data", [0x28, 0xB5, 0x2F, 0xFD], "unzstd it first"),
    Kind("a Parquet file", Array("PAR1".utf8), "convert it to CSV first, with DuckDB for example"),
    Kind("an Excel workbook of the old format", [0xD0, 0xCF, 0x11, 0xE0], "save the sheet as CSV"),
    Kind("a PDF document", Array("%PDF".utf8)),
    Kind("a property list", Array("bplist".utf8)),
    Kind("an XML document", Array("<?xml".utf8), isText: true),
    Kind("JSON text", Array("{".utf8), isText: true),
  ]

  /// Whole pages of bytes without pattern: what an encrypted realm looks like from outside.
  func looksEncrypted(_ image: FileImage) -> Bool {
    let pageSize = PageGeometry.pageSize
    guard image.size >= 2 * pageSize, image.size % pageSize == 0, kind == nil,
      let entries = try? image.bytes(0, pageSize), let page = try? image.bytes(pageSize, pageSize)
    else { return false }
    // A check entry begins with a small counter; encrypted data uses all byte values about equally often.
    return entries.load(UInt32.self, at: 0) != 0 && KeyProof.isNoise(page)
  }

  func explanation(_ image: FileImage, _ path: FilePath) -> String {
    let name = path.displayName
    if let kind {
      return "\(name) is \(kind.name), not a realm file"
        + (kind.isText ? "" : kind.remedy.map { " (\($0))" } ?? "")
    }
    if image.size < FileHeader.size { return "\(name) is not a realm file: it has only \(image.size) bytes" }
    if head.allSatisfy({ $0 == 0 }) { return "\(name) is not a realm file: it begins with zeros" }
    if looksEncrypted(image) { return "\(name) appears to be encrypted; a key is required" }
    return "\(name) is not a realm file: the magic T-DB is missing"
  }

  package var kind: Kind? { Self.known.first { head.starts(with: $0.prefix) } }
}
