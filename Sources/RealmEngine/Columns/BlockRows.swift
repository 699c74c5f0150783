// Some rows of several blocks, in key order. Layer: Columns.
// Blocks are told by their places: nothing is owned for each of them, since counting references to what threads share
// takes longer than reading a leaf.

/// Rows of consecutive blocks.
package struct BlockRows: Sendable {
  fileprivate struct Entry {
    let place: BlockPlace
    /// In `chosen`; nil where all rows of the block are meant.
    let range: Range<Int>?
  }

  private let owner: BlockOwner
  private var entries: [Entry] = []
  private var chosen: [Int32] = []
  /// As many numbers from 0 on as the longest block has rows that is here with all of them.
  private var all: [Int32] = []
  package private(set) var count = 0

  /// Rows of a block that are few enough to be asked for one by one.
  fileprivate static let fewRows = 4

  /// None yet, with room for some rows of each of `blockCount` blocks.
  init(_ owner: BlockOwner, blockCount: Int = 0) {
    self.owner = owner
    entries.reserveCapacity(blockCount)
    chosen.reserveCapacity(Self.fewRows * blockCount)
  }

  /// How many blocks there are.
  package var blockCount: Int { entries.count }

  /// The numbers of rows of block number `index`.
  package func rows(_ index: Int) -> [Int32] { withRows(index) { rows in rows.indices.map { rows[$0] } } }

  @inline(__always)
  private func withRows<Result, E: Error>(
    _ index: Int, _ body: (Span<Int32>) throws(E) -> Result
  ) throws(E) -> Result {
    if let range = entries[index].range { return try body(chosen.span.extracting(range)) }
    return try body(all.span.extracting(first: entries[index].place.count))
  }

  package func block(_ index: Int) -> RowBlock { RowBlock(entries[index].place, of: owner) }

  // MARK: Adding blocks

  /// Adds rows of the block at `place`, if there are any.
  mutating func append(_ place: BlockPlace, _ rows: SelectionMask) {
    let population = rows.population
    if population == 0 { return }
    guard population < place.count else { return appendAll(place) }
    rows.append(to: &chosen)
    add(place, chosen.count - population..<chosen.count)
  }

  mutating func append(_ place: BlockPlace, _ rows: some Collection<Int32>) {
    guard !rows.isEmpty else { return }
    chosen += rows
    add(place, chosen.count - rows.count..<chosen.count)
  }

  private mutating func appendAll(_ place: BlockPlace) {
    while all.count < place.count { all.append(Int32(all.count)) }
    count += place.count
    entries.append(Entry(place: place, range: nil))
  }

  private mutating func add(_ place: BlockPlace, _ range: Range<Int>) {
    count += range.count
    entries.append(Entry(place: place, range: range))
  }

  /// The rows with the numbers `kept`, which ascend, among those here.
  func keeping(_ kept: [Int32]) -> BlockRows {
    if kept.count == count { return self }
    var result = BlockRows(owner)
    if kept.isEmpty { return result }
    var rest = kept[...]
    var start = 0
    for index in entries.indices {
      withRows(index) { rows in
        let here = rest.prefix { Int($0) < start + rows.count }
        result.append(entries[index].place, here.map { rows[Int($0) - start] })
        rest = rest.dropFirst(here.count)
        start += rows.count
      }
    }
    return result
  }

  // MARK: Reading

  /// As many blocks from number `first` on, at least one, as have no more than `rowsMax` rows.
  package func batch(from first: Int, rowsMax: Int) -> Range<Int> {
    var end = first
    var rowCount = 0
    while end < entries.count {
      rowCount += entries[end].range?.count ?? entries[end].place.count
      if rowCount > rowsMax, end > first { break }
      end += 1
    }
    return first..<end
  }

  /// How many rows some of the blocks have.
  package func rowCount(_ blocks: Range<Int>) -> Int {
    entries[blocks].reduce(0) { $0 + ($1.range?.count ?? $1.place.count) }
  }

  /// Calls `body` with each block and the rows that are meant. Leaves of the properties that will be read are asked for
  /// ahead.
  func forEachBlock(
    reading properties: [Property], _ body: (RowBlock, Span<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (reads, snapshot) = (properties.map(ColumnRead.init), owner.snapshot)
    for read in reads {
      for index in -BlockReader.leafAhead..<0 { prefetch(read, ahead: index, in: snapshot) }
    }
    for index in entries.indices {
      for read in reads { prefetch(read, ahead: index, in: snapshot) }
      let block = RowBlock(entries[index].place, of: owner)
      try withRows(index) { rows throws(EngineError) in try body(block, rows) }
    }
  }

  /// Calls `body` with the leaf of a property in each block and the rows that are meant. Leaves are asked for ahead.
  func forEachLeaf(
    of property: Property, _ body: (Leaf, Span<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    try forEachLeaf(of: property, in: entries.indices, body)
  }

  /// Visits some of the blocks, which should follow those that were asked for before.
  package func forEachLeaf(
    of property: Property, in blocks: Range<Int>,
    _ body: (Leaf, Span<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (key, layout, owner) = (property.columnKey, property.layout, owner)
    try forEachPlace(in: blocks, reading: property) { place, rows throws(EngineError) in
      try body(try owner.leaf(key, layout, at: place), rows)
    }
  }

  /// Visits a property of integers or booleans, as they are stored.
  @inline(__always)
  func forEachStoredNumbers(
    of property: Property, _ body: (IntegerLeaf, Span<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (key, layout, owner, snapshot) = (property.columnKey, property.layout, owner, owner.snapshot)
    try forEachPlace(in: entries.indices, reading: property) { place, rows throws(EngineError) in
      try body(try owner.storedNumbers(key, layout, at: place, in: snapshot), rows)
    }
  }

  /// Calls `body` with the place of each block and the rows that are meant; leaves of `property` are asked for ahead.
  @inline(__always)
  private func forEachPlace(
    in blocks: Range<Int>, reading property: Property,
    _ body: (BlockPlace, Span<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (read, snapshot) = (ColumnRead(property), owner.snapshot)
    if blocks.lowerBound == 0 {
      for index in -BlockReader.leafAhead..<0 { prefetch(read, ahead: index, in: snapshot) }
    }
    for index in blocks {
      prefetch(read, ahead: index, in: snapshot)
      let place = entries[index].place
      try withRows(index) { rows throws(EngineError) in try body(place, rows) }
    }
  }

  /// Asks for what will be read of blocks that come some way behind number `index`.
  @inline(__always)
  private func prefetch(_ read: ColumnRead, ahead index: Int, in snapshot: Snapshot) {
    let far = index &+ BlockReader.leafAhead
    if far < entries.count, case .cluster(let cluster) = entries[far].place {
      let size = entries[far].isSparse ? min(read.leafSize, BlockReader.leafHeadSize) : read.leafSize
      snapshot.prefetchLeaf(read.leafIndex, of: cluster, size: size)
    }
    let near = index &+ BlockReader.partAhead
    guard near >= 0, near < entries.count else { return }
    if read.partSize > 0 {
      guard case .cluster(let cluster) = entries[near].place else { return }
      snapshot.prefetchPart(read.leafIndex, of: cluster, size: read.partSize)
    } else if read.leafSize > BlockReader.leafHeadSize, entries[near].isSparse,
      let range = entries[near].range, case .cluster(let cluster) = entries[near].place
    {
      snapshot.prefetchElements(chosen.span.extracting(range), read.leafIndex, of: cluster)
    }
  }

  /// The keys of block number `index` where all of its rows are meant and the keys follow one another; else nil.
  func keyRun(_ index: Int) -> Range<Int64>? {
    entries[index].range == nil ? entries[index].place.keyRun : nil
  }

  /// The keys of all rows.
  func keyPart() -> IntegerShare {
    guard let first = entries.first?.place, let last = entries.last?.place else {
      return IntegerShare(from: 0, through: 0, count: 0)
    }
    var part = IntegerShare(from: first.key(0).value, through: last.key(last.count - 1).value, count: count)
    forEachKey(in: entries.indices) { part.append($0.value) }
    return part
  }

  @inline(__always)
  package func forEachKey(in blocks: Range<Int>, _ body: (ObjectKey) -> Void) {
    for index in blocks {
      let place = entries[index].place
      withRows(index) { rows in
        rows.forEachRow { body(place.key($0)) }
      }
    }
  }
}

extension BlockRows.Entry {
  /// Whether so few rows are wanted that they are asked for one by one.
  fileprivate var isSparse: Bool { range.map { $0.count <= BlockRows.fewRows } ?? false }
}
