// Values that an index is to file, as they come. Layer: Trees.
// Invariant: every reading of a source gives the same values in the same order, keys ascending.

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

  /// Calls `body` with the place of each value and the bytes at `offset` that a level sorts it by.
  @inline(__always)
  func forEachSortingChunk<E: Error>(
    at offset: Int, _ body: (Int, UInt32) throws(E) -> Void
  ) throws(E) {
    switch values {
    case .integers(let values):
      for index in 0..<count { try body(index, IndexData.sortingChunk(of: values[index], at: offset)) }
    case .texts(let texts):
      for index in 0..<count { try body(index, IndexData.sortingChunk(of: texts[index]?.bytes, at: offset)) }
    case .data(let data):
      for index in 0..<count { try body(index, data[index].sortingChunk(at: offset)) }
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
