// The byte strings that search indexes are ordered by, four bytes a level. Layer: Trees.
// Invariant: equal values give equal bytes; unequal values of a mixed property may share them, so whoever finds a
// key by its bytes compares the object's value too.

/// What a value is filed under in a search index.
package struct IndexData: Sendable {
  private enum Content {
    case null
    /// Up to 16 bytes, the first one lowest.
    case inline(low: UInt64, high: UInt64, count: Int)
    case bytes(ByteString)
  }

  private let content: Content

  /// Bytes that one level of the index tells apart.
  package static let chunkSize = 4
  /// Levels end here: what agrees so far shares one list.
  package static let offsetMax = 200
  private static let endMark: UInt8 = 0x58

  private init(_ content: Content) { self.content = content }

  package static let null = IndexData(Content.null)

  /// A word of a full-text index or an element of an indexed list, whose bytes are all spelled out.
  package init(word: ByteString) { content = .bytes(word) }

  package init(_ value: Int64) {
    content = .inline(low: UInt64(bitPattern: value), high: 0, count: 8)
  }

  package init(_ value: Value) {
    switch value {
    case .null: self.init(Content.null)
    case .int(let number): self.init(number)
    case .bool(let flag): self.init(flag ? 1 : 0)
    case .string(let text), .data(let text): self.init(Content.bytes(text))
    case .date(let date):
      self.init(
        Content.inline(
          low: UInt64(bitPattern: date.seconds), high: UInt64(UInt32(bitPattern: date.nanoseconds)), count: 12
        ))
    case .objectID(let id):
      self.init(Content.inline(low: id.high.byteSwapped, high: UInt64(id.low.byteSwapped), count: 12))
    case .uuid(let id):
      self.init(Content.inline(low: id.high.byteSwapped, high: id.low.byteSwapped, count: 16))
    case .float(let number):
      if let whole = Int32(exactly: number) {
        self.init(Int64(whole))
      } else {
        self.init(Content.inline(low: UInt64(number.bitPattern), high: 0, count: 4))
      }
    case .double(let number):
      if let whole = Int32(exactly: number) {
        self.init(Int64(whole))
      } else {
        self.init(Content.inline(low: number.bitPattern, high: 0, count: 8))
      }
    case .decimal(let number):
      if let whole = number.truncatedInt64 {
        self.init(whole)
      } else {
        self.init(Content.inline(low: number.low, high: number.high, count: 16))
      }
    case .link(let link):
      // The table's four bytes, then the key's eight.
      let key = UInt64(bitPattern: link.key.value)
      self.init(Content.inline(low: UInt64(link.table.value) | key << 32, high: key >> 32, count: 12))
    case .list: self.init(Content.bytes(ByteString("__List__")))
    case .dictionary: self.init(Content.bytes(ByteString("__Dictionary__")))
    }
  }

  /// The same in memory of its own.
  func owned() -> IndexData {
    if case .bytes(let bytes) = content { IndexData(word: bytes.owned()) } else { self }
  }

  /// Writes the bytes, for which there is room.
  func copy(to room: MutableRawBytes, at start: Int) {
    switch content {
    case .null: break
    case .inline:
      // Four, eight, twelve or sixteen of them.
      for offset in stride(from: 0, to: count, by: Self.chunkSize) {
        room.store(chunk(at: offset).byteSwapped, at: start + offset)
      }
    case .bytes(let bytes): room.copy(bytes.bytes, at: start)
    }
  }

  package var isNull: Bool { if case .null = content { true } else { false } }

  package var count: Int {
    switch content {
    case .null: 0
    case .inline(_, _, let count): count
    case .bytes(let bytes): bytes.count
    }
  }

  private func byte(_ index: Int) -> UInt8 {
    switch content {
    case .null: 0
    case .inline(let low, let high, _):
      UInt8(truncatingIfNeeded: index < 8 ? low >> UInt64(8 * index) : high >> UInt64(8 * (index - 8)))
    case .bytes(let bytes): bytes.bytes[index]
    }
  }

  /// The four bytes at `offset`, most significant first; the end shows as a mark and zeros.
  package func chunk(at offset: Int) -> Int32 {
    if isNull || offset > count { return 0 }
    if case .inline(let low, let high, _) = content, offset + Self.chunkSize <= count,
      offset % Self.chunkSize == 0
    {
      let word = offset < 8 ? low >> UInt64(8 * offset) : high >> UInt64(8 * (offset - 8))
      return Int32(bitPattern: UInt32(truncatingIfNeeded: word).byteSwapped)
    }
    if case .bytes(let bytes) = content, offset + Self.chunkSize <= count {
      return Int32(bitPattern: bytes.bytes.load(UInt32.self, at: offset).byteSwapped)
    }
    let rest = min(count - offset, Self.chunkSize)
    var chunk: UInt32 = 0
    for index in 0..<Self.chunkSize {
      let byte = index < rest ? byte(offset + index) : index == rest ? Self.endMark : 0
      chunk = chunk << 8 | UInt32(byte)
    }
    return Int32(bitPattern: chunk)
  }

  /// The word that an entry of an index of words means when it ends the path of this one's chunks at `offset`: the
  /// last end mark in the chunk is where it ends, as the reference engine reads it.
  func wordEnding(at offset: Int) -> IndexData {
    let chunk = UInt32(bitPattern: chunk(at: offset))
    if chunk == 0 { return .null }
    var rest = Self.chunkSize
    for index in 0..<Self.chunkSize
    where UInt8(truncatingIfNeeded: chunk >> UInt32(8 * (Self.chunkSize - 1 - index))) == Self.endMark {
      rest = index
    }
    return IndexData(word: ByteString(copying: (0..<min(count, offset + rest)).map { byte($0) }))
  }

  /// Whether both are filed under exactly the same bytes.
  package func isSame(as other: IndexData) -> Bool {
    if case .bytes(let bytes) = content, case .bytes(let others) = other.content { return bytes == others }
    guard isNull == other.isNull, count == other.count else { return false }
    for index in 0..<count where byte(index) != other.byte(index) { return false }
    return true
  }
}
