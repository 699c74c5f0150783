// Rows of one class that become one cluster. Layer: Objects.
// Invariants: a row is whole before the next is begun; one thread at a time uses a block, so that several can be filled at
// once; leaves made of a block are those that any other thread would have made.

/// The objects of a cluster, as they arrive.
package final class BulkBlock: Sendable {
  /// A column's values.
  final class Column: Sendable {
    /// Nil for a column of collections.
    let buffer: LeafBuffer?
    let mayLink: Bool
    let leafIndex: Int
    /// Nil for a column of single values: of a class with very many columns each word of them counts.
    let roots: IntegerBuffer?

    init(_ property: Property) {
      buffer = property.collection == nil ? LeafBuffer(property.layout) : nil
      mayLink = GroupEditor.mayLink(property)
      leafIndex = property.columnKey.leafIndex
      roots = property.collection == nil ? nil : IntegerBuffer()
    }

    var count: Int { buffer?.count ?? roots?.count ?? 0 }

    /// Gives the rows before `row` that have no value the default. Whether that one has none yet.
    @inline(__always)
    func isNext(_ row: Int) throws(EngineError) -> Bool {
      if count < row { try fill(to: row) }
      return count == row
    }

    @inline(never)
    func fill(to rowCount: Int) throws(EngineError) {
      let value = buffer?.layout.defaultValue
      while count < rowCount {
        if let value { try buffer?.append(value) } else { roots?.append(0) }
      }
    }
  }

  let columns: [Column]
  let lentColumns: LentObjects<Column>
  /// Keys of the rows, one that was only begun among them.
  let keys = IntegerBuffer()
  /// By leaf index, of a block whose leaves were made ahead.
  private let leaves = IntegerBuffer()
  private let snapshot: Snapshot
  private let hiddenLeafIndexes: [Int]
  private let leafSlotCount: Int

  package static let rowsMax = ClusterTreeEditor.rowsMax

  init(_ table: TableEditor) {
    columns = table.schema.properties.map(Column.init)
    lentColumns = LentObjects(columns)
    snapshot = table.store.snapshot
    hiddenLeafIndexes = table.backlinkKeys.map(\.leafIndex)
    leafSlotCount = 1 + (table.rows.columns.map(\.leafIndex).max() ?? -1)
  }

  package var isFull: Bool { keys.count == Self.rowsMax }

  // MARK: Rows of plain values

  /// Adds an object of single values that are neither mixed nor links: `body` puts each of them in its column. When it
  /// says false, or a value does not fit, nothing was added. Keys rise. Rows that follow one another have values in the same
  /// columns; the others are filled up after the last of them.
  package func addRow(_ key: Int64, _ body: () throws(EngineError) -> Bool) -> Bool {
    let count = keys.count
    keys.append(key)
    do throws(EngineError) {
      if try body() { return true }
    } catch {
      // Whoever reads the row once more, value by value, meets the error at its place.
    }
    truncate(to: count)
    return false
  }

  package func put(_ property: Int, int number: Int64) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.append(int: number) }
  }

  package func put(_ property: Int, double number: Double) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.append(double: number) }
  }

  package func put(_ property: Int, bool flag: Bool) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.append(bool: flag) }
  }

  package func put(_ property: Int, text: Span<UInt8>) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.append(text: text) }
  }

  package func put(_ property: Int, _ value: Value) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.append(value) }
  }

  package func putNull(_ property: Int) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in try column.buffer?.appendNull() }
  }

  /// Gives all rows that have no value in a column its default.
  func fillUp() throws(EngineError) {
    for column in columns { try column.fill(to: keys.count) }
  }

  private func truncate(to count: Int) {
    keys.truncate(to: count)
    for column in columns {
      column.buffer?.truncate(to: min(count, column.count))
      column.roots?.truncate(to: min(count, column.count))
    }
  }

  /// Forgets all rows.
  package func removeAll() {
    truncate(to: 0)
    leaves.removeAll()
  }

  // MARK: Leaves

  /// Makes the leaves on the calling thread, where others make nodes for the same transaction. When they cannot be made
  /// there are none, and the reason shows again when the rows are added one by one.
  package func makeLeavesAhead() {
    guard let store = NodeStore(besideOthers: snapshot), let made = try? newLeaves(in: store) else { return }
    for leaf in made { leaves.append(leaf) }
  }

  /// Whether leaves were made ahead.
  package var hasLeaves: Bool { leaves.count > 0 }

  /// The leaves by leaf index, 0 for none.
  func takeLeaves(in store: NodeStore) throws(EngineError) -> [Int64] {
    hasLeaves ? leaves.array : try newLeaves(in: store)
  }

  private func newLeaves(in store: NodeStore) throws(EngineError) -> [Int64] {
    try fillUp()
    var leaves = [Int64](repeating: 0, count: leafSlotCount)
    for column in columns {
      if let leaf = try column.buffer?.makeLeaf(in: store) { leaves[column.leafIndex] = Int64(leaf.offset) }
      if let roots = column.roots {
        leaves[column.leafIndex] = Int64(try store.makeSlots(roots.array).offset)
        roots.removeAll()
      }
    }
    for index in hiddenLeafIndexes {
      leaves[index] = Int64(try store.makeSlots([Int64](repeating: 0, count: keys.count)).offset)
    }
    return leaves
  }
}
