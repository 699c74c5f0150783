// Some rows of several blocks, in key order. Layer: Columns.
// Blocks are told by their places: nothing is owned for each of them, since counting references to what threads share
// takes longer than reading a leaf.

/// Rows of consecutive blocks.
struct BlockRows: Sendable {
  private struct Entry {
    let place: BlockPlace
    /// In `chosen`; nil where all rows of the block are meant.
    let range: Range<Int>?
  }

  private let owner: BlockOwner
  private var entries: [Entry] = []
  private var chosen: [Int32] = []
  /// As many numbers from 0 on as the longest block has rows that is here with all of them.
  private var all: [Int32] = []
  private(set) var count = 0

  init(_ owner: BlockOwner) { self.owner = owner }

  /// How many blocks there are.
  var blockCount: Int { entries.count }

  /// The numbers of rows of block number `index`.
  func rows(_ index: Int) -> ArraySlice<Int32> {
    entries[index].range.map { chosen[$0] } ?? all[..<entries[index].place.count]
  }

  func block(_ index: Int) -> RowBlock { RowBlock(entries[index].place, of: owner) }

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

  /// Calls `body` with the leaf of a property in each block and the rows that are meant. Leaves are asked for ahead.
  @inline(__always)
  func forEachLeaf(
    of property: Property, _ body: (Leaf, ArraySlice<Int32>) throws(EngineError) -> Void
  ) throws(EngineError) {
    let read = ColumnRead(property)
    let (key, layout) = (property.columnKey, property.layout)
    let snapshot = owner.snapshot
    for entry in entries.prefix(BlockReader.leafAhead) { entry.place.prefetchLeaf(read, in: snapshot) }
    for index in entries.indices {
      if index + BlockReader.leafAhead < entries.count {
        entries[index + BlockReader.leafAhead].place.prefetchLeaf(read, in: snapshot)
      }
      if read.partSize > 0, index + BlockReader.partAhead < entries.count {
        entries[index + BlockReader.partAhead].place.prefetchPart(read, in: snapshot)
      }
      try body(try owner.leaf(key, layout, at: entries[index].place), rows(index))
    }
  }

  @inline(__always)
  func forEachKey(_ body: (ObjectKey) -> Void) {
    for index in entries.indices {
      let place = entries[index].place
      for row in rows(index) { body(place.key(Int(row))) }
    }
  }
}

extension BlockPlace {
  @inline(__always)
  fileprivate func prefetchLeaf(_ read: ColumnRead, in snapshot: Snapshot) {
    guard let ref = clusterRef else { return }
    snapshot.prefetchLeaf(read.leafIndex, ofClusterAt: ref, size: read.leafSize)
  }

  @inline(__always)
  fileprivate func prefetchPart(_ read: ColumnRead, in snapshot: Snapshot) {
    guard let ref = clusterRef else { return }
    snapshot.prefetchPart(read.leafIndex, ofClusterAt: ref, size: read.partSize)
  }
}
