// How many values of a large index have which chunk, so that it can be built in parts that are not too large. Layer: Trees.

/// A look at all values of a source at one level.
struct IndexHistogram: IndexSink {
  private static let halfBits: UInt32 = 16
  private static let halfMask: UInt32 = 1 << halfBits - 1

  private let offset: Int
  /// Bits of a chunk below those that it is counted by.
  private let shift: UInt32
  private var counts = [Int](repeating: 0, count: 1 << halfBits)
  private(set) var count = 0
  private var lowest = UInt32.max
  private var highest = UInt32.min
  /// Of those that come first.
  private(set) var firstKeys: [Int64] = []
  private(set) var first = IndexData.null
  /// Whether all are filed under the same bytes.
  private(set) var areSame = true

  /// Counts by the upper half of chunks, or the lower one where all share the upper one.
  init(of source: some IndexSource, at offset: Int) throws(EngineError) {
    self.init(at: offset, shift: Self.halfBits)
    try source.send(to: &self)
    guard lowest != highest, lowest >> Self.halfBits == highest >> Self.halfBits else { return }
    self = IndexHistogram(at: offset, shift: 0)
    try source.send(to: &self)
  }

  private init(at offset: Int, shift: UInt32) {
    self.offset = offset
    self.shift = shift
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    batch.forEachSortingChunk(at: offset) { _, chunk in
      counts[Int(chunk >> shift & Self.halfMask)] += 1
      lowest = min(lowest, chunk)
      highest = max(highest, chunk)
    }
    firstKeys += batch.keys.prefix(2 - firstKeys.count)
    if count == 0, batch.count > 0 { first = batch.data(0).owned() }
    if areSame { areSame = (0..<batch.count).allSatisfy { batch.data($0).isSame(as: first) } }
    count += batch.count
    return true
  }

  /// The chunk that all share, as it is sorted by.
  var sharedChunk: UInt32? { lowest == highest ? lowest : nil }

  /// Runs of chunks that have no more values than wanted, or cannot be told apart closer; chunks rise.
  struct Division {
    fileprivate let offset: Int
    fileprivate let shift: UInt32
    /// By the half of chunks that was counted.
    fileprivate var runs: [UInt16]
    fileprivate(set) var runCount: Int

    /// Calls `body` with the place of each value and the run it belongs to.
    @inline(__always)
    func forEachRun<E: Error>(
      of batch: IndexBatch, _ body: (Int, Int) throws(E) -> Void
    ) throws(E) {
      try batch.forEachSortingChunk(at: offset) { index, chunk throws(E) in
        try body(index, Int(runs[Int(chunk >> shift & IndexHistogram.halfMask)]))
      }
    }
  }

  func division(_ countMax: Int) -> Division {
    var division = Division(
      offset: offset, shift: shift, runs: [UInt16](repeating: 0, count: counts.count), runCount: 1)
    var taken = 0
    for (half, count) in counts.enumerated() where count > 0 {
      if taken > 0, taken + count > countMax {
        division.runCount += 1
        taken = 0
      }
      taken += count
      division.runs[half] = UInt16(division.runCount - 1)
    }
    return division
  }
}
