// How many values of a large index have which chunk, so that it can be built in parts that are not too large. Layer: Trees.

/// A look at all values of one level.
struct IndexSurvey: IndexSink {
  private static let halfBits = 16

  private let part: IndexedPart
  /// Bits of a chunk below those that it is counted by.
  private let shift: Int
  private var counts = [Int](repeating: 0, count: 1 << Self.halfBits)
  private(set) var count = 0
  /// Of those that come first.
  private(set) var firstKeys: [Int64] = []
  private(set) var first = IndexData.null
  /// Whether all are filed under the same bytes.
  private(set) var areSame = true

  /// Counts by the upper half of chunks.
  init(_ part: IndexedPart, of source: some IndexSource) throws(EngineError) {
    try self.init(part, shift: Self.halfBits, of: source)
  }

  private init(_ part: IndexedPart, shift: Int, of source: some IndexSource) throws(EngineError) {
    self.part = part
    self.shift = shift
    try source.send(to: &self)
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    for index in 0..<batch.count where part.contains(batch, index) {
      let chunk = batch.sortingChunk(index, at: part.offset)
      counts[Int(chunk >> UInt32(shift) & (1 << UInt32(Self.halfBits) - 1))] += 1
      count += 1
      if firstKeys.count < 2 { firstKeys.append(batch.keys[index]) }
      if count == 1 {
        first = batch.data(index).owned()
      } else if areSame {
        areSame = batch.data(index).isSame(as: first)
      }
    }
    return true
  }

  /// A run of chunks with no more values than wanted, or one chunk with more.
  struct Piece {
    let chunks: ClosedRange<UInt32>
    let count: Int
  }

  /// Pieces of at most `countMax` values, but for chunks that more values share; chunks rise.
  func pieces(_ countMax: Int, of source: some IndexSource) throws(EngineError) -> [Piece] {
    var pieces: [Piece] = []
    for (half, count) in counts.enumerated() where count > 0 {
      let start = part.chunks.lowerBound & ~(1 << UInt32(Self.halfBits) - 1)
      let low = (shift > 0 ? 0 : start) | UInt32(half) << UInt32(shift)
      let chunks = low...low | (1 << UInt32(shift) - 1)
      if let last = pieces.last, last.count + count <= countMax {
        let joined = last.chunks.lowerBound...chunks.upperBound
        pieces[pieces.count - 1] = Piece(chunks: joined, count: last.count + count)
      } else if count > countMax, shift > 0 {
        let closer = try IndexSurvey(part.between(chunks), shift: 0, of: source)
        pieces += try closer.pieces(countMax, of: source)
      } else {
        pieces.append(Piece(chunks: chunks, count: count))
      }
    }
    return pieces
  }
}
