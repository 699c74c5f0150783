// Values of a large index that are set aside until it is their turn. Layer: Trees.
// Invariants: a run gives what it took in the same order. Its bytes stay where they are as long as the arena lives.
// A block of integers has all keys, then all values; another one has key, size and bytes of each value, and -1 for null.

/// Some of the values of a source.
struct IndexSpill: IndexSource {
  private static let blockSize = 1 << 16
  private static let keySize = 8
  private static let sizeSize = 4
  private static let integersPerBlock = blockSize / (keySize + 8)

  private struct Block {
    let bytes: MutableRawBytes
    var usedSize = 0
    var count = 0
  }

  private let room: SlabArena
  private var blocks: [Block] = []
  /// For values of the kind that comes, without any.
  let noItems: IndexItems
  private(set) var objectCount = 0

  init(_ noItems: IndexItems, in room: SlabArena) {
    self.noItems = noItems
    self.room = room
  }

  mutating func append(_ key: Int64, _ value: Int64) throws(EngineError) {
    if blocks.isEmpty || blocks[blocks.count - 1].count == Self.integersPerBlock {
      blocks.append(Block(bytes: try room.allocate(Self.blockSize).bytes))
    }
    let last = blocks.count - 1
    let place = blocks[last].count
    blocks[last].bytes.store(key, at: Self.keySize * place)
    blocks[last].bytes.store(value, at: Self.keySize * (Self.integersPerBlock + place))
    blocks[last].count += 1
    objectCount += 1
  }

  /// `size` bytes that `fill` writes at its place; nil for null.
  @inline(__always)
  mutating func append(
    _ key: Int64, _ size: Int?, filledBy fill: (MutableRawBytes, Int) -> Void
  ) throws(EngineError) {
    let needed = Self.keySize + Self.sizeSize + (size ?? 0)
    if blocks.isEmpty || blocks[blocks.count - 1].bytes.count - blocks[blocks.count - 1].usedSize < needed {
      blocks.append(Block(bytes: try room.allocate(max(Self.blockSize, (needed + 7) & ~7)).bytes))
    }
    let last = blocks.count - 1
    let start = blocks[last].usedSize
    blocks[last].bytes.store(key, at: start)
    blocks[last].bytes.store(Int32(size ?? -1), at: start + Self.keySize)
    if size != nil { fill(blocks[last].bytes, start + Self.keySize + Self.sizeSize) }
    blocks[last].usedSize += needed
    blocks[last].count += 1
    objectCount += 1
  }

  func send(to sink: inout some IndexSink) throws(EngineError) {
    for block in blocks {
      try Interruption.check()
      let bytes = block.bytes.readable
      let batch: IndexBatch
      switch noItems.kind {
      case .integers:
        let values = PackedIntegers(
          payload: bytes, width: Int64.bitWidth, start: Self.integersPerBlock, count: block.count)
        batch = IndexBatch(
          values: .integers(values),
          keys: (0..<block.count).map { bytes.load(Int64.self, at: Self.keySize * $0) })
      case .texts:
        let (keys, texts) = Self.texts(of: block) { $0 }
        batch = IndexBatch(values: .texts(texts), keys: keys)
      case .data:
        let (keys, data) = Self.texts(of: block) { $0.map(IndexData.init(word:)) ?? .null }
        batch = IndexBatch(values: .data(data), keys: keys)
      }
      guard try sink.take(batch) else { return }
    }
  }

  private static func texts<Element>(
    of block: Block, _ element: (ByteString?) -> Element
  ) -> ([Int64], [Element]) {
    let bytes = block.bytes.readable
    var keys: [Int64] = []
    var elements: [Element] = []
    keys.reserveCapacity(block.count)
    elements.reserveCapacity(block.count)
    var start = 0
    for _ in 0..<block.count {
      keys.append(bytes.load(Int64.self, at: start))
      let size = Int(bytes.load(Int32.self, at: start + keySize))
      start += keySize + sizeSize
      elements.append(element(size < 0 ? nil : ByteString(borrowing: bytes.slice(start, size))))
      start += max(size, 0)
    }
    return (keys, elements)
  }
}

/// Files the values of a source in runs.
struct IndexDivision: IndexSink {
  private let division: IndexHistogram.Division
  private(set) var runs: [IndexSpill]

  init(
    of source: some IndexSource, _ division: IndexHistogram.Division, in room: SlabArena
  ) throws(EngineError) {
    self.division = division
    runs = Array(repeating: IndexSpill(source.noItems, in: room), count: division.runCount)
    try source.send(to: &self)
  }

  mutating func take(_ batch: IndexBatch) throws(EngineError) -> Bool {
    let division = division
    let keys = batch.keys
    switch batch.values {
    case .integers(let values):
      try division.forEachRun(of: batch) { index, run throws(EngineError) in
        try runs[run].append(keys[index], values[index])
      }
    case .texts(let texts):
      try division.forEachRun(of: batch) { index, run throws(EngineError) in
        let text = texts[index]?.bytes
        try runs[run].append(keys[index], text?.count) { room, start in
          if let text { room.copy(text, at: start) }
        }
      }
    case .data(let data):
      try division.forEachRun(of: batch) { index, run throws(EngineError) in
        let value = data[index]
        try runs[run].append(keys[index], value.isNull ? nil : value.count) { room, start in
          value.copy(to: room, at: start)
        }
      }
    }
    return true
  }
}
