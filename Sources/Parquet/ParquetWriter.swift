// A Parquet file, written from its beginning to its end. Layer: Parquet.
// Whoever has rows gives each column its values, in any order and on any thread, and says then how many rows that were; memory
// is bounded by a row group, compressed.

package import ByteText
import Synchronization

/// A column that values are given to.
package final class ParquetColumn: Sendable {
  private let state: Mutex<ColumnChunk>

  fileprivate init(_ leaf: LeafColumn, _ compression: ParquetCompression) {
    state = Mutex(ColumnChunk(leaf, compression))
  }

  /// Lends the column to one thread.
  package func write<Failure: Error>(
    _ body: (inout ColumnChunk) throws(Failure) -> Void
  ) throws(Failure) {
    try state.withLock { chunk throws(Failure) in try body(&chunk) }
  }

  fileprivate var size: Int { state.withLock { $0.size } }
}

/// Writes one file.
package struct ParquetWriter {
  package let columns: [ParquetColumn]
  private let tree: SchemaTree
  private let compression: ParquetCompression
  private var offset = 0
  private var rowCount = 0
  private var pendingCount = 0
  private var groups: [RowGroup] = []

  /// Rows of a group.
  private static let groupCountMax = 1 << 20
  /// Bytes of a group that wait in memory.
  private static let groupSizeMax = 64 << 20
  private static let mark = Array("PAR1".utf8)
  private static let creator = "realm-cli"

  /// What the end of the file says of rows before it.
  private struct RowGroup {
    var chunks: [WrittenChunk] = []
    let rowCount: Int
  }

  private struct WrittenChunk {
    let leaf: LeafColumn
    let offset: Int
    let dictionarySize: Int
    let size: Int
    let plainSize: Int
    let valueCount: Int
    let encodings: [Int]
    let range: ValueRange
    let pages: [EncodedPage]
    var offsetIndex: (offset: Int, size: Int)?
    var columnIndex: (offset: Int, size: Int)?

    var dataOffset: Int { offset + dictionarySize }
  }

  package init(_ fields: [ParquetField], _ compression: ParquetCompression) {
    precondition(!fields.isEmpty, "a file has columns")
    tree = SchemaTree(fields)
    columns = tree.leaves.map { ParquetColumn($0, compression) }
    self.compression = compression
  }

  /// Each column has got the values of so many more rows; `sink` gets the bytes of the file, in their order.
  package mutating func endRows<Failure: Error>(
    _ count: Int, to sink: Sink<Failure>
  ) throws(Failure) {
    pendingCount += count
    if pendingCount >= Self.groupCountMax || columns.reduce(0, { $0 + $1.size }) >= Self.groupSizeMax {
      try endGroup(sink)
    }
  }

  package typealias Sink<Failure: Error> = (borrowing ByteBuffer) throws(Failure) -> Void

  private mutating func begin<Failure: Error>(_ sink: Sink<Failure>) throws(Failure) {
    guard offset == 0 else { return }
    var bytes = ByteBuffer()
    bytes.append(Self.mark)
    try write(bytes, sink)
  }

  private mutating func write<Failure: Error>(
    _ bytes: borrowing ByteBuffer, _ sink: Sink<Failure>
  ) throws(Failure) {
    try sink(bytes)
    offset += bytes.count
  }

  private mutating func endGroup<Failure: Error>(_ sink: Sink<Failure>) throws(Failure) {
    try begin(sink)
    guard pendingCount > 0 else { return }
    var group = RowGroup(rowCount: pendingCount)
    for (column, leaf) in zip(columns, tree.leaves) {
      let start = offset
      try column.write { chunk throws(Failure) in
        precondition(chunk.rowCount == pendingCount, "columns have the same number of rows")
        let dictionary = chunk.finish()
        if !dictionary.isEmpty { try write(dictionary, sink) }
        try write(chunk.body, sink)
        group.chunks.append(
          WrittenChunk(
            leaf: leaf, offset: start, dictionarySize: dictionary.count, size: offset - start,
            plainSize: chunk.plainSize, valueCount: chunk.valueCount, encodings: chunk.encodings,
            range: chunk.total, pages: chunk.pages))
        chunk.reset()
      }
    }
    rowCount += pendingCount
    pendingCount = 0
    groups.append(group)
  }

  // MARK: The end

  /// Writes what is left, and what readers begin with.
  package mutating func finish<Failure: Error>(to sink: Sink<Failure>) throws(Failure) {
    try endGroup(sink)
    try writeIndexes(sink)
    var thrift = ThriftWriter()
    let (tree, groups, rowCount, compression) = (tree, groups, rowCount, compression)
    thrift.structure { thrift in
      thrift.field(1, int32: 2)
      thrift.field(2, structs: tree.elements) { $1.write(to: &$0) }
      thrift.field(3, int64: rowCount)
      thrift.field(4, structs: groups) { thrift, group in
        thrift.field(1, structs: group.chunks) { Self.write($1, compression, to: &$0) }
        thrift.field(2, int64: group.chunks.reduce(0) { $0 + $1.plainSize })
        thrift.field(3, int64: group.rowCount)
        thrift.field(5, int64: group.chunks.first?.offset ?? 0)
        thrift.field(6, int64: group.chunks.reduce(0) { $0 + $1.size })
      }
      thrift.field(6, Self.creator)
      // Values are ordered as their types say.
      thrift.field(7, structs: tree.leaves) { thrift, _ in thrift.field(1) { _ in } }
    }
    var end = ByteBuffer()
    end.append(littleEndian: UInt64(thrift.bytes.count), size: 4)
    end.append(Self.mark)
    try write(thrift.bytes, sink)
    try write(end, sink)
  }

  private static func write(
    _ chunk: WrittenChunk, _ compression: ParquetCompression, to thrift: inout ThriftWriter
  ) {
    thrift.field(2, int64: chunk.offset)
    thrift.field(3) { thrift in
      thrift.field(1, int32: chunk.leaf.type.physicalCode)
      thrift.field(2, int32s: chunk.encodings)
      thrift.field(3, binaries: chunk.leaf.path.map { Array($0.utf8) })
      thrift.field(4, int32: compression.rawValue)
      thrift.field(5, int64: chunk.valueCount)
      thrift.field(6, int64: chunk.plainSize)
      thrift.field(7, int64: chunk.size)
      thrift.field(9, int64: chunk.dataOffset)
      if chunk.dictionarySize > 0 { thrift.field(11, int64: chunk.offset) }
      thrift.field(12) { chunk.range.write(chunk.leaf.type, to: &$0) }
    }
    if let index = chunk.offsetIndex {
      thrift.field(4, int64: index.offset)
      thrift.field(5, int32: index.size)
    }
    if let index = chunk.columnIndex {
      thrift.field(6, int64: index.offset)
      thrift.field(7, int32: index.size)
    }
  }

  /// Where pages are, and what is in them.
  private mutating func writeIndexes<Failure: Error>(_ sink: Sink<Failure>) throws(Failure) {
    for group in groups.indices {
      for number in groups[group].chunks.indices {
        let chunk = groups[group].chunks[number]
        guard let ends = Self.ends(of: chunk) else { continue }
        var thrift = ThriftWriter()
        thrift.structure { thrift in
          thrift.field(1, bools: chunk.pages.map { $0.range.valueCount == 0 })
          thrift.field(2, binaries: ends.map(\.least))
          thrift.field(3, binaries: ends.map(\.greatest))
          // In no order.
          thrift.field(4, int32: 0)
          thrift.field(5, int64s: chunk.pages.map(\.range.nullCount))
        }
        groups[group].chunks[number].columnIndex = (offset, thrift.bytes.count)
        try write(thrift.bytes, sink)
      }
    }
    for group in groups.indices {
      for number in groups[group].chunks.indices {
        let chunk = groups[group].chunks[number]
        var thrift = ThriftWriter()
        thrift.structure { thrift in
          thrift.field(1, structs: chunk.pages) { thrift, page in
            thrift.field(1, int64: chunk.dataOffset + page.offset)
            thrift.field(2, int32: page.size)
            thrift.field(3, int64: page.firstRow)
          }
        }
        groups[group].chunks[number].offsetIndex = (offset, thrift.bytes.count)
        try write(thrift.bytes, sink)
      }
    }
  }

  /// Of all pages; nil where some page has values and no ends are known of them.
  private static func ends(of chunk: WrittenChunk) -> [(least: [UInt8], greatest: [UInt8])]? {
    var ends: [(least: [UInt8], greatest: [UInt8])] = []
    for page in chunk.pages {
      if page.range.valueCount == 0 {
        ends.append(([], []))
      } else if let known = page.range.ends(of: chunk.leaf.type) {
        ends.append(known)
      } else {
        return nil
      }
    }
    return ends
  }
}
