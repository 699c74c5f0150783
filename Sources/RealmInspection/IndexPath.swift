// Under which chunks a value is filed in a search index (F-73, F-74). Layer: RealmInspection.

import RealmFiles

/// The bytes that an index orders a value by.
struct IndexPath {
  private enum Content {
    case null
    case number(low: UInt64, high: UInt64, count: Int)
    case bytes(RawBytes)
  }

  private let content: Content
  private static let listWord = ByteString("__List__")
  private static let dictionaryWord = ByteString("__Dictionary__")
  private static let endMark: UInt8 = 0x58
  static let chunkSize = 4
  /// What agrees in so many bytes shares one list.
  static let offsetMax = 200
  /// The chunk that a word whose bytes are used up has where a longer one goes on.
  static let endChunk: Int32 = 0x5800_0000

  init(_ value: RawValue) {
    switch value {
    case .null: content = .null
    case .int(let number): content = Self.number(number)
    case .bool(let flag): content = Self.number(flag ? 1 : 0)
    case .text(let bytes), .data(let bytes), .objectID(let bytes), .uuid(let bytes): content = .bytes(bytes)
    case .date(let seconds, let nanoseconds):
      let low = UInt64(bitPattern: seconds)
      content = .number(low: low, high: UInt64(UInt32(truncatingIfNeeded: nanoseconds)), count: 12)
    case .float(let number):
      content =
        Int32(exactly: number).map { Self.number(Int64($0)) }
        ?? .number(low: UInt64(number.bitPattern), high: 0, count: 4)
    case .double(let number):
      content =
        Int32(exactly: number).map { Self.number(Int64($0)) }
        ?? .number(low: number.bitPattern, high: 0, count: 8)
    case .decimal(let number):
      // The engine cuts the fraction off: 1.5 is filed under 1.
      content =
        number.truncatedInt64.map(Self.number) ?? .number(low: number.low, high: number.high, count: 16)
    case .link(let key): content = Self.number(key)
    case .typedLink(let table, let key):
      let bits = UInt64(bitPattern: key)
      content = .number(
        low: UInt64(UInt32(truncatingIfNeeded: table)) | bits << 32, high: bits >> 32, count: 12)
    case .list: content = .bytes(Self.listWord.bytes)
    case .dictionary: content = .bytes(Self.dictionaryWord.bytes)
    }
  }

  private static func number(_ value: Int64) -> Content {
    .number(low: UInt64(bitPattern: value), high: 0, count: 8)
  }

  var count: Int {
    switch content {
    case .null: 0
    case .number(_, _, let count): count
    case .bytes(let bytes): bytes.count
    }
  }

  private func byte(_ index: Int) -> UInt8 {
    switch content {
    case .null: return 0
    case .number(let low, let high, _):
      return UInt8(truncatingIfNeeded: index < 8 ? low >> UInt64(8 * index) : high >> UInt64(8 * (index - 8)))
    case .bytes(let bytes): return bytes[index]
    }
  }

  var isNull: Bool { if case .null = content { true } else { false } }

  /// Four bytes, the first one highest; behind the end stand a mark and zeros.
  func chunk(_ level: Int) -> Int32 {
    let start = level * Self.chunkSize
    if isNull || start > count { return 0 }
    switch content {
    case .number(let low, let high, let count) where start + Self.chunkSize <= count:
      let word = start < 8 ? low >> UInt64(8 * start) : high >> UInt64(8 * (start - 8))
      return Int32(bitPattern: UInt32(truncatingIfNeeded: word).byteSwapped)
    case .bytes(let bytes) where start + Self.chunkSize <= bytes.count:
      return Int32(bitPattern: bytes.load(UInt32.self, at: start).byteSwapped)
    default: return lastChunk(from: start)
    }
  }

  /// A chunk that the data does not fill.
  private func lastChunk(from start: Int) -> Int32 {
    var chunk: UInt32 = 0
    for index in start..<start + Self.chunkSize {
      let byte = index < count ? byte(index) : index == count ? Self.endMark : 0
      chunk = chunk << 8 | UInt32(byte)
    }
    return Int32(bitPattern: chunk)
  }

  func hasSameBytes(as other: IndexPath) -> Bool {
    count == other.count && isNull == other.isNull && (0..<count).allSatisfy { byte($0) == other.byte($0) }
  }

  // MARK: Hashes

  /// A number that equal values share; different kinds of value have different ones.
  static func hash(of value: RawValue) -> UInt64 {
    let path = IndexPath(value)
    var kind: UInt64 = path.isNull ? 1 : 2
    if case .data = value { kind = 3 }
    return PairSum.mix(path.wordHash ^ kind << 56)
  }

  /// A number for the chunks of a whole word.
  var wordHash: UInt64 {
    var hash: UInt64 = isNull ? 0x6E75_6C6C : 0
    let levels = max(1, (count + Self.chunkSize - 1) / Self.chunkSize)
    for level in 0..<levels { hash = Self.extend(hash, chunk(level)) }
    return hash
  }

  /// The same number for a word that is not in the data.
  static func wordHash(of word: [UInt8]) -> UInt64 {
    let text = ByteString(copying: word)
    return withExtendedLifetime(text) { IndexPath(.text($0.bytes)).wordHash }
  }

  /// The same number from the chunks that lead to a word in an index.
  static func wordHash(chunks: [Int32]) -> UInt64 {
    // A null and a text of zeros have the same chunk; an index of texts without zeros means null by it.
    var hash: UInt64 = chunks == [0] ? 0x6E75_6C6C : 0
    let isLonger = chunks.count > 1 && chunks.last == endChunk
    for chunk in isLonger ? chunks.dropLast() : chunks[...] { hash = extend(hash, chunk) }
    return hash
  }

  static func extend(_ hash: UInt64, _ chunk: Int32) -> UInt64 {
    PairSum.mix(hash &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(UInt32(bitPattern: chunk)) &+ 1)
  }
}
