// Values that an index is to file, read as often as it takes: a large index is built part by part, so that memory does not
// grow with it. Layer: Trees. Invariant: every reading gives the same values in the same order, keys ascending.

/// Some values and the objects that have them.
struct IndexBatch {
  enum Values {
    /// Of no optional property.
    case integers(PackedIntegers)
    /// Nil for null.
    case texts([ByteString?])
    case data([IndexData])
  }

  let values: Values
  /// One for each value.
  let keys: [Int64]
  /// Whether borrowed texts stay where they are until the index is built; else only until the next batch.
  var isLasting = true

  var count: Int { keys.count }

  /// What a value is filed under.
  func data(_ index: Int) -> IndexData {
    switch values {
    case .integers(let values): IndexData(values[index])
    case .texts(let texts): texts[index].map(IndexData.init(word:)) ?? .null
    case .data(let data): data[index]
    }
  }

  /// The bytes at `offset` that a level sorts it by.
  @inline(__always)
  func sortingChunk(_ index: Int, at offset: Int) -> UInt32 {
    switch values {
    case .integers(let values): IndexData.sortingChunk(of: values[index], at: offset)
    case .texts(let texts): IndexData.sortingChunk(of: texts[index]?.bytes, at: offset)
    case .data(let data): data[index].sortingChunk(at: offset)
    }
  }
}

extension IndexData {
  /// The chunk at `offset` with its sign turned, so that negative ones come first.
  func sortingChunk(at offset: Int) -> UInt32 { UInt32(bitPattern: chunk(at: offset)) ^ 0x8000_0000 }

  @inline(__always)
  static func sortingChunk(of value: Int64, at offset: Int) -> UInt32 {
    guard offset < 8 else { return IndexData(value).sortingChunk(at: offset) }
    return UInt32(truncatingIfNeeded: value >> Int64(8 * offset)).byteSwapped ^ 0x8000_0000
  }

  @inline(__always)
  static func sortingChunk(of text: RawBytes?, at offset: Int) -> UInt32 {
    guard let text, offset + chunkSize <= text.count else {
      return (text.map { IndexData(word: ByteString(borrowing: $0)) } ?? .null).sortingChunk(at: offset)
    }
    return text.load(UInt32.self, at: offset).byteSwapped ^ 0x8000_0000
  }
}

/// Takes the values of a source as they come.
protocol IndexSink {
  /// False: enough has been seen.
  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool
}

/// Where the values of an index come from.
protocol IndexSource {
  /// How many objects there seem to be.
  var objectCount: Int { get }
  /// For values of the kind that comes, without any.
  var noItems: IndexItems { get }
  func send(to sink: inout some IndexSink) throws(EngineError)
}

/// Those values of a source that agree in their first chunks, and then lie between two.
struct IndexedPart {
  /// Chunks, as they are sorted by, of the levels above.
  private(set) var path: [UInt32] = []
  private(set) var chunks = UInt32.min...UInt32.max

  /// Where their paths part.
  var offset: Int { path.count * IndexData.chunkSize }

  /// Those that have one chunk more in common.
  func below(_ chunk: UInt32) -> IndexedPart { IndexedPart(path: path + [chunk]) }

  func between(_ chunks: ClosedRange<UInt32>) -> IndexedPart { IndexedPart(path: path, chunks: chunks) }

  func contains(_ batch: IndexBatch, _ index: Int) -> Bool {
    for level in path.indices
    where batch.sortingChunk(index, at: level * IndexData.chunkSize) != path[level] { return false }
    return chunks.contains(batch.sortingChunk(index, at: offset))
  }
}
