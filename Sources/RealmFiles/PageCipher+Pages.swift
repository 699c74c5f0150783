// Reading a page of an encrypted file with its check entry, and making both for a new content. Layer: RealmFiles.
// Invariant: the entry is written before the page, and it knows the check of the content before: whichever of both is
// lost, one of the entry's checks fits what the page holds.

extension PageCipher {
  /// What a page turned out to hold.
  enum Outcome {
    /// What the entry names first.
    case current
    /// What the entry names second: the last write did not reach the page.
    case previous
    /// Nothing: the file was shrunk and grown again.
    case zeros
    case unwritten, mismatch

    /// Whether the page passed a check that only the right key makes.
    var provesKey: Bool {
      switch self {
      case .current, .previous: true
      case .zeros, .unwritten, .mismatch: false
      }
    }

    var isReadable: Bool { provesKey || self == .zeros }
  }

  /// Decrypts data page `page` of a whole file that nobody writes to.
  func decrypt(page: Int, of file: RawBytes, into output: MutableRawBytes) -> Outcome {
    decrypt(
      page: page, entry: file.slice(PageGeometry.entryPosition(ofPage: page), PageGeometry.entrySize),
      file.slice(PageGeometry.filePosition(ofPage: page), PageGeometry.pageSize), into: output)
  }

  /// Decrypts the `content` of data page `page`, both of which nobody changes meanwhile.
  func decrypt(page: Int, entry: RawBytes, _ content: RawBytes, into output: MutableRawBytes) -> Outcome {
    let position = page * PageGeometry.pageSize
    let iv = entry.load(UInt32.self, at: 0)
    let previousIV = entry.load(UInt32.self, at: 32)
    guard iv != 0 else { return .unwritten }
    let check = check(of: content)
    if Self.isCheck(check, entry.slice(4, Self.checkSize)) {
      decrypt(content, into: output, iv: iv, dataPosition: position)
      return .current
    }
    // The first write of all did not reach the page, or the page is damaged: either way it held nothing before.
    guard previousIV != 0 else { return .mismatch }
    // The entry is written before the page: an interrupted write leaves the previous content behind.
    if Self.isCheck(check, entry.slice(36, Self.checkSize)) {
      decrypt(content, into: output, iv: previousIV, dataPosition: position)
      return .previous
    }
    // Shrunk and grown again: the page counts as zeros.
    if content.isAllZero {
      output.zero(0, output.count)
      return .zeros
    }
    return .mismatch
  }

  /// Encrypts `plain` for `page` and moves the check entry on: its second half becomes what the page holds now.
  func encrypt(
    page: Int, _ plain: RawBytes, into output: MutableRawBytes, entry: inout [UInt8], outcome: Outcome
  ) {
    let firstIV = Self.counter(entry, at: 0)
    let secondIV = Self.counter(entry, at: 32)
    let kept = Array(outcome == .previous ? entry[32..<64] : entry[0..<32])
    var iv = max(firstIV, secondIV)
    while true {
      iv = iv == .max ? 1 : iv + 1
      encrypt(plain, into: output, iv: iv, dataPosition: page * PageGeometry.pageSize)
      let check = check(of: output.readable)
      // Equal checks would not tell the two contents apart.
      if check == Array(kept[4...]) { continue }
      entry = (0..<4).map { UInt8(truncatingIfNeeded: iv >> (8 * UInt32($0))) } + check + kept
      return
    }
  }

  private static func counter(_ entry: [UInt8], at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(entry[offset + $1]) << (8 * UInt32($1)) }
  }
}
