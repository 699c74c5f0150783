// Goes through runs of a table's blocks and asks for their memory ahead of its use. Layer: Columns.
// The leaves of a table lie scattered over the file: a scan that waits for each of them waits most of its time. So
// what leads to a run of blocks is asked for at once, and leaves are asked for some blocks ahead.

/// What a scan reads of each block: a column's leaf.
struct ColumnRead: Sendable {
  let leafIndex: Int
  /// Bytes of a full leaf that are worth asking for ahead of their use: a guess, until a leaf of the column was seen.
  var leafSize: Int
  /// Size of the first part that the leaf's node leads to; 0 where the leaf is one node.
  let partSize: Int

  private static let leafSizes: [ValueType: Int] = [
    .bool: 64, .int: 320, .object: 320, .string: 4096, .objectID: 4096, .uuid: 4096, .decimal128: 4096,
    .double: 2056, .float: 1032, .date: 64,
  ]

  init(_ property: Property) {
    leafIndex = property.columnKey.leafIndex
    leafSize = Self.leafSizes[property.type] ?? 128
    partSize = property.type == .date ? 1032 : 0
  }
}

/// Reads blocks for one thread.
final class BlockReader {
  private let directory: BlockDirectory
  private var reads: [ColumnRead]

  /// Blocks between asking for a leaf and reading it, and for what it leads to.
  static let leafAhead = 6
  static let partAhead = 3
  /// Bytes of a leaf that say where its elements are.
  static let leafHeadSize = 64
  private static let leafSizeMax = 4096

  /// `reads` are the columns that will be read of every block, or nearly every one.
  init(_ directory: BlockDirectory, _ reads: [ColumnRead]) {
    self.directory = directory
    self.reads = reads
  }

  /// Calls `body` with each block of `range` that has rows, in order. Runs should be short: what leads to their blocks
  /// is asked for at once.
  @inline(__always)
  func forEach(
    _ range: Range<Int>, _ body: (BlockPlace) throws(EngineError) -> Void
  ) throws(EngineError) {
    let (directory, snapshot, reads) = (directory, directory.snapshot, reads)
    directory.prefetchPlaces(range)
    for index in range.prefix(Self.leafAhead) {
      for read in reads.indices { directory.prefetchLeaf(reads[read], of: index) }
    }
    var index = range.lowerBound
    while index < range.upperBound {
      for read in reads.indices {
        if index &+ Self.leafAhead < range.upperBound {
          directory.prefetchLeaf(reads[read], of: index &+ Self.leafAhead)
        }
        if index &+ Self.partAhead < range.upperBound {
          directory.prefetchPart(reads[read], of: index &+ Self.partAhead)
        }
      }
      let place = try directory.place(index, in: snapshot)
      if place.count > 0 { try body(place) }
      index &+= 1
    }
    if let first = range.first { measureLeaves(at: try directory.place(first)) }
  }

  /// Notes how long the leaves of a block are: those of its neighbours are mostly as long.
  private func measureLeaves(at place: BlockPlace) {
    for index in reads.indices {
      guard let size = place.leafSize(reads[index].leafIndex, in: directory.snapshot) else { continue }
      reads[index].leafSize = min(size, Self.leafSizeMax)
    }
  }
}
