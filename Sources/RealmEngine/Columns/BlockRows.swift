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

  init(_ owner: BlockOwner) { self.owner = owner }

  /// How many blocks there are.
  package var blockCount: Int { entries.count }

  /// The numbers of rows of block number `index`.
  package func rows(_ index: Int) -> ArraySlice<Int32> {
    entries[index].range.map { chosen[$0] } ?? all[..<entries[index].place.count]
  }

  package func block(_ index: Int) -> RowBlock { RowBlock(entries[index].place, of: owner) }

  // MARK: Adding blocks

  /// Adds rows of the block at `place`, if there are any.
  mutating func append(_ place: BlockPlace, _ rows: RowMask) {
    let population = rows.population
    if population == 0 { return }
    guard population < place.count else { return appendAll(place) }
    chosen.append(addingCapacity: population) { chosen in rows.forEachRow { chosen.append(Int32($0)) } }
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
    var rest = kept[...]
    var start = 0
    for index in entries.indices {
      let rows = rows(index)
      let here = rest.prefix { Int($0) < start + rows.count }
      result.append(entries[index].place, here.map { rows[rows.startIndex + Int($0) - start] })
      rest = rest.dropFirst(here.count)
      start += rows.count
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

  /// Calls `body` with the leaf of a property in each block and the rows that are meant. Leaves are asked for ahead.
  @inline(__always)
  func forEachLeaf(
    of property: Property, _ body: (Leaf, ArraySlice<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    try forEachLeaf(of: property, in: entries.indices, body)
  }

  /// The same for some of the blocks, which should follow those that were asked for before.
  @inline(__always)
  package func forEachLeaf(
    of property: Property, in blocks: Range<Int>,
    _ body: (Leaf, ArraySlice<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let read = ColumnRead(property)
    let (key, layout) = (property.columnKey, property.layout)
    if blocks.lowerBound == 0 {
      for index in -BlockReader.leafAhead..<0 { prefetch(read, ahead: index) }
    }
    for index in blocks {
      prefetch(read, ahead: index)
      try body(try owner.leaf(key, layout, at: entries[index].place), rows(index))
    }
  }

  /// Asks for what will be read of blocks that come some way behind number `index`.
  @inline(__always)
  private func prefetch(_ read: ColumnRead, ahead index: Int) {
    let snapshot = owner.snapshot
    if index + BlockReader.leafAhead < entries.count {
      let entry = entries[index + BlockReader.leafAhead]
      if let ref = entry.place.clusterRef {
        let size = entry.isSparse ? min(read.leafSize, BlockReader.leafHeadSize) : read.leafSize
        snapshot.prefetchLeaf(read.leafIndex, ofClusterAt: ref, size: size)
      }
    }
    let next = index + BlockReader.partAhead
    guard next >= 0, next < entries.count, let ref = entries[next].place.clusterRef else { return }
    if read.partSize > 0 {
      snapshot.prefetchPart(read.leafIndex, ofClusterAt: ref, size: read.partSize)
    } else if entries[next].isSparse {
      for row in rows(next) { snapshot.prefetchElement(Int(row), read.leafIndex, ofClusterAt: ref) }
    }
  }

  @inline(__always)
  package func forEachKey(in blocks: Range<Int>, _ body: (ObjectKey) -> Void) {
    for index in blocks {
      let place = entries[index].place
      for row in rows(index) { body(place.key(Int(row))) }
    }
  }

  @inline(__always)
  func forEachKey(_ body: (ObjectKey) -> Void) { forEachKey(in: entries.indices, body) }
}

extension BlockRows.Entry {
  /// Whether so few rows are wanted that they are asked for one by one.
  fileprivate var isSparse: Bool { range.map { $0.count <= 4 } ?? false }
}
