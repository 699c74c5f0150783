// One column of a row group while its values come: pages are encoded and compressed as soon as they are full.
// Layer: Parquet. Invariants: a page begins with a row; pages that refer to the dictionary come before those that do not.

import ByteText

/// A page that is done.
struct EncodedPage {
  /// Before its header, from the beginning of the column.
  let offset: Int
  /// With its header.
  let size: Int
  /// The rows before it.
  let firstRow: Int
  let range: ValueRange
}

/// Takes the values of one column.
package struct ColumnChunk: ~Copyable {
  private enum Encoding: Int {
    case plain = 0
    case levels = 3
    case dictionary = 8
  }

  let leaf: LeafColumn
  private let compression: ParquetCompression

  // The page that is open.
  private var definitions = LevelBuffer()
  private var repetitions = LevelBuffer()
  private var range = ValueRange()
  /// Places in the dictionary; empty where values are plain.
  private var places: [UInt32] = []
  private var plain = ByteBuffer()
  private var bits: [UInt8] = []

  private var dictionary = ValueDictionary()
  private var usesDictionary: Bool
  /// No page needs the dictionary yet, so that it may still be given up.
  private var isTrying: Bool
  private var hasDictionaryPages = false

  // The chunk.
  private(set) var pages: [EncodedPage] = []
  private(set) var body = ByteBuffer()
  private(set) var rowCount = 0
  private var pageFirstRow = 0
  private(set) var valueCount = 0
  /// Headers and pages before they were compressed.
  private(set) var plainSize = 0
  private(set) var total = ValueRange()

  /// Values of a page at most, unless one row has more.
  private static let pageCountMax = 1 << 16
  /// Bytes of a page at most, unless one row has more.
  private static let pageSizeMax = 1 << 20
  /// After so many values a dictionary must pay.
  private static let trialCount = 1 << 13

  init(_ leaf: LeafColumn, _ compression: ParquetCompression) {
    self.leaf = leaf
    self.compression = compression
    usesDictionary = leaf.type != .bool
    isTrying = usesDictionary
  }

  /// Bytes of numbers; nil for bytes, which bring their length.
  private var valueSize: Int? {
    switch leaf.type {
    case .bool: nil
    case .int64, .double, .timestamp: 8
    case .float: 4
    case .bytes, .text, .json: nil
    }
  }

  /// About what it takes in memory.
  var size: Int { body.count + plain.count + 4 * places.count + bits.count }

  // MARK: Values

  /// Before the first value of each row.
  package mutating func beginRow() {
    let isFull =
      definitions.count >= Self.pageCountMax
      || plain.count + 4 * places.count + bits.count >= Self.pageSizeMax
    if isTrying, definitions.count >= Self.trialCount { judgeDictionary() }
    if usesDictionary, dictionary.isFull {
      endPage()
      usesDictionary = false
    } else if isFull {
      endPage()
    }
    rowCount += 1
  }

  /// Something is null, or a list is empty, at a level above that of values.
  package mutating func appendNull(definition: Int, repetition: Int = 0) {
    level(definition, repetition)
    range.addNull()
  }

  package mutating func append(_ value: Int64, repetition: Int = 0) {
    level(leaf.definitionMax, repetition)
    range.add(value)
    put(UInt64(bitPattern: value))
  }

  package mutating func append(_ value: Double, repetition: Int = 0) {
    level(leaf.definitionMax, repetition)
    range.add(value)
    put(leaf.type == .float ? UInt64(Float(value).bitPattern) : value.bitPattern)
  }

  package mutating func append(_ value: Bool, repetition: Int = 0) {
    level(leaf.definitionMax, repetition)
    range.add(value ? 1 : 0 as Int64)
    bits.append(value ? 1 : 0)
  }

  package mutating func append(_ bytes: borrowing Span<UInt8>, repetition: Int = 0) {
    level(leaf.definitionMax, repetition)
    range.add(bytes)
    if usesDictionary {
      // A text that alone fills the dictionary belongs into a page.
      if bytes.count < Self.pageSizeMax / 8 { return places.append(dictionary.number(of: bytes)) }
      giveDictionaryUp()
    }
    plain.append(littleEndian: UInt64(bytes.count), size: 4)
    plain.append(bytes)
  }

  @inline(__always)
  private mutating func level(_ definition: Int, _ repetition: Int) {
    definitions.append(UInt8(definition))
    if leaf.repetitionMax > 0 { repetitions.append(UInt8(repetition)) }
  }

  @inline(__always)
  private mutating func put(_ word: UInt64) {
    if usesDictionary { return places.append(dictionary.number(of: word)) }
    plain.append(littleEndian: word, size: valueSize ?? 8)
  }

  // MARK: The dictionary

  private mutating func judgeDictionary() {
    isTrying = false
    let plainSize = valueSize.map { $0 * places.count } ?? .max
    let isManifold = 2 * dictionary.count > places.count
    if isManifold || dictionary.plainSize(valueSize: valueSize) > plainSize { giveDictionaryUp() }
  }

  /// The values of the open page become plain ones, and so will those that come.
  private mutating func giveDictionaryUp() {
    isTrying = false
    usesDictionary = false
    for place in places { dictionary.append(Int(place), size: valueSize, to: &plain) }
    places.removeAll(keepingCapacity: true)
    if !hasDictionaryPages { dictionary.removeAll() }
  }

  // MARK: Pages

  private mutating func endPage() {
    guard definitions.count > 0 else { return }
    // What a page refers to is kept.
    isTrying = false
    var page = ByteBuffer(capacity: plain.count + 2 * places.count + 1024)
    repetitions.write(to: &page, max: leaf.repetitionMax)
    definitions.write(to: &page, max: leaf.definitionMax)
    let encoding: Encoding = usesDictionary ? .dictionary : .plain
    if usesDictionary {
      hasDictionaryPages = true
      let bitWidth = max(1, Int.bitWidth - max(0, dictionary.count - 1).leadingZeroBitCount)
      page.append(UInt8(bitWidth))
      page.append(hybrid: places, bitWidth: bitWidth)
    } else if leaf.type == .bool {
      page.append(bits: bits[...], bitWidth: 1, groupCount: (bits.count + 7) / 8)
    } else {
      page.append(plain.span)
    }
    let (count, range, type) = (definitions.count, range, leaf.type)
    let offset = body.count
    Self.write(page, compression, to: &body, plainSize: &plainSize) { thrift in
      thrift.field(5) { thrift in
        thrift.field(1, int32: count)
        thrift.field(2, int32: encoding.rawValue)
        thrift.field(3, int32: Encoding.levels.rawValue)
        thrift.field(4, int32: Encoding.levels.rawValue)
        thrift.field(5) { range.write(type, to: &$0) }
      }
    }
    pages.append(
      EncodedPage(offset: offset, size: body.count - offset, firstRow: pageFirstRow, range: range))
    valueCount += count
    total.add(range)
    pageFirstRow = rowCount
    definitions.removeAll()
    repetitions.removeAll()
    places.removeAll(keepingCapacity: true)
    plain.removeAll()
    bits.removeAll(keepingCapacity: true)
    self.range = ValueRange()
  }

  /// Appends a page with its header.
  private static func write(
    _ page: borrowing ByteBuffer, _ compression: ParquetCompression, to target: inout ByteBuffer,
    plainSize: inout Int, _ header: (inout ThriftWriter) -> Void, kind: Int = 0
  ) {
    var compressed = ByteBuffer()
    if compression == .zstd { Compressor.compress(page, to: &compressed) }
    let size = compression == .zstd ? compressed.count : page.count
    var thrift = ThriftWriter()
    thrift.structure { thrift in
      thrift.field(1, int32: kind)
      thrift.field(2, int32: page.count)
      thrift.field(3, int32: size)
      header(&thrift)
    }
    plainSize += thrift.bytes.count + page.count
    target.append(thrift.bytes.span)
    if compression == .zstd { target.append(compressed.span) } else { target.append(page.span) }
  }

  // MARK: The end

  /// Ends the last page. The page of the dictionary is returned, to stand before all others; empty where there is none.
  mutating func finish() -> ByteBuffer {
    endPage()
    var written = ByteBuffer()
    guard hasDictionaryPages else { return written }
    var page = ByteBuffer(capacity: dictionary.plainSize(valueSize: valueSize) + 1)
    for number in 0..<dictionary.count { dictionary.append(number, size: valueSize, to: &page) }
    let count = dictionary.count
    Self.write(
      page, compression, to: &written, plainSize: &plainSize,
      { thrift in
        thrift.field(7) { thrift in
          thrift.field(1, int32: count)
          thrift.field(2, int32: Encoding.plain.rawValue)
        }
      }, kind: 2)
    return written
  }

  /// The numbers of the encodings that were used.
  var encodings: [Int] {
    [Encoding.levels.rawValue, Encoding.plain.rawValue]
      + (hasDictionaryPages ? [Encoding.dictionary.rawValue] : [])
  }

  /// Makes it ready for the next row group.
  mutating func reset() { self = ColumnChunk(leaf, compression) }
}
