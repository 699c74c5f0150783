// What a file that is not a readable realm looks like, in words. Layer: RealmFiles.

import ByteText

/// The first bytes of a file and what they show.
package struct FileSignature {
  private let head: [UInt8]
  private let isTar: Bool

  /// So many bytes show what there is to see.
  package static let size = 512
  /// Behind the name and the rights of its first file.
  private static let tarMark = (offset: 257, bytes: Array("ustar".utf8))

  package init(_ bytes: RawBytes) { self.init(head: bytes.slice(0, min(bytes.count, Self.size)).array()) }

  package init(head: [UInt8]) {
    self.head = Array(head.prefix(FileHeader.size))
    isTar = head.dropFirst(Self.tarMark.offset).starts(with: Self.tarMark.bytes)
  }

  /// What files that others write have in common.
  package enum Group: Sendable, Equatable {
    case database, compressed, document, lockFile
    /// What a server or a program says, mostly in the place of a file.
    case page
    /// It only says where the file itself is.
    case pointer
  }

  /// A kind of file that others write.
  package struct Kind: Sendable {
    package let name: String
    package let group: Group
    /// What to do first; nil where nothing helps.
    package let remedy: String?
    fileprivate let prefix: [UInt8]
    /// Whether it is text, which may be imported.
    package let isText: Bool

    fileprivate init(
      _ name: String, _ prefix: [UInt8], _ group: Group = .document, isText: Bool = false,
      _ remedy: String? = nil
    ) {
      self.name = name
      self.prefix = prefix
      self.group = group
      self.isText = isText
      self.remedy = remedy
    }
  }

  private static let known = [
    Kind(
      "an SQLite database", Array("SQLite format 3\0".utf8), .database,
      "'create --from' makes a realm of it, and 'import' takes its rows"),
    Kind("gzip-compressed data", [0x1F, 0x8B, 0x08], .compressed, "gunzip it first"),
    Kind(
      "a ZIP archive or an Excel workbook", Array("PK\u{3}\u{4}".utf8), .compressed,
      "unpack it, or save the sheet as CSV"),
    Kind("bzip2-compressed data", [0x42, 0x5A, 0x68], .compressed, "bunzip2 it first"),
    Kind("xz-compressed data", [0xFD, 0x37, 0x7A, 0x58, 0x5A], .compressed, "unxz it first"),
    Kind("zstd-compressed data", [0x28, 0xB5, 0x2F, 0xFD], .compressed, "unzstd it first"),
    Kind(
      "a Git LFS pointer", Array("version https://git-lfs".utf8), .pointer,
      "'git lfs pull' downloads the file"),
    Kind("a Parquet file", Array("PAR1".utf8), .database, "convert it to CSV first, with DuckDB for example"),
    Kind(
      "an Excel workbook of the old format", [0xD0, 0xCF, 0x11, 0xE0], .document, "save the sheet as CSV"),
    Kind("a file encrypted by OpenSSL", Array("Salted__".utf8)),
    Kind("an Android backup", Array("ANDROID BACKUP".utf8)),
    Kind("a PDF document", Array("%PDF".utf8)),
    Kind("a PNG picture", [0x89, 0x50, 0x4E, 0x47]),
    Kind("a JPEG picture", [0xFF, 0xD8, 0xFF]),
    Kind("a property list", Array("bplist".utf8)),
    Kind("an HTML page", Array("<!doctype html".utf8), .page, isText: true),
    Kind("an HTML page", Array("<html".utf8), .page, isText: true),
    Kind("an XML document", Array("<?xml".utf8), .page, isText: true),
    Kind("JSON text", Array("{".utf8), .page, isText: true),
    Kind("JSON text", Array("[".utf8), .page, isText: true),
  ]
  private static let tarArchive = Kind(
    "a tar archive", tarMark.bytes, .compressed, "unpack it first, with tar xf")
  /// At the end of each table of LevelDB, which Firestore and others keep their data in.
  static let levelDBTable = Kind(
    "a table of LevelDB", [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB], .database)

  /// Whole pages of bytes without pattern: what an encrypted realm looks like from outside.
  package func looksEncrypted(_ image: FileImage) -> Bool {
    let pageSize = PageGeometry.pageSize
    guard image.size >= 2 * pageSize, image.size % pageSize == 0, kind == nil,
      let entries = try? image.bytes(0, pageSize), let page = try? image.bytes(pageSize, pageSize)
    else { return false }
    // A check entry begins with a small counter; encrypted data uses all byte values about equally often.
    return entries.load(UInt32.self, at: 0) != 0 && KeyProof.isNoise(page)
  }

  /// Text that `kind` has no name for.
  private var isText: Bool {
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }) else {
      return false
    }
    // The last character may be cut.
    return (0..<min(4, head.count)).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  /// What to do with text, which may be objects, and with what no kind is known of, which may have been a realm.
  package func hint(_ path: FilePath) -> String? {
    let isData = kind.map { $0.name == "JSON text" } ?? isText
    let source = path == .standardInput ? "-" : path.shellText
    if isData { return "to import it: realm-cli import FILE.realm CLASS \(source) --create" }
    return kind == nil ? path.doctorHint : nil
  }

  /// Follows the name of the file.
  package func explanation(_ image: FileImage) -> String {
    if let kind {
      return "is \(kind.name), not a realm file"
        + (kind.isText ? "" : kind.remedy.map { " (\($0))" } ?? "")
    }
    if isText { return "is a text file, not a realm file" }
    if image.size < FileHeader.size {
      return "is not a realm file: it has only \(counted(image.size, "byte"))"
    }
    if head.allSatisfy({ $0 == 0 }) { return "is not a realm file: it begins with zeros" }
    if looksEncrypted(image) { return "appears to be encrypted; a key is required" }
    return "is not a realm file: the magic T-DB is missing"
  }

  /// Text may begin with blanks, and HTML is written in letters of either case.
  package var kind: Kind? {
    let text = head.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }.map { byte in
      (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    if isTar { return Self.tarArchive }
    return Self.known.first {
      guard $0.isText else { return head.starts(with: $0.prefix) }
      // Encrypted realms begin with a counter, which may be any one character.
      return text.starts(with: $0.prefix) && ($0.prefix.count > 1 || isText)
    }
  }

  /// Whether the end of a file is that of `kind`.
  static func ends(_ image: FileImage, as kind: Kind) -> Bool {
    let size = kind.prefix.count
    guard image.size > size, let end = try? image.bytes(image.size - size, size) else { return false }
    return end.array() == kind.prefix
  }
}
