// Filling a class with many objects: leaves, clusters and the tree are built from the bottom, behind what is there, indexes and
// incoming links afterwards in one go. Layer: Objects.
// Invariants: objects come in rising key order; a row is whole before the next begins; links may lead to objects that come
// later, so they are checked when all are there.

/// The objects of one class, as they arrive.
package final class BulkTable {
  package let schema: ClassSchema
  /// It holds this one, until it has ended or is given up.
  unowned let load: BulkLoad
  private let group: GroupEditor
  let table: TableEditor
  private let builder: ClusterTreeBuilder
  /// Rows of the cluster that is being filled.
  let block: BulkBlock
  private let lentColumns: LentObjects<BulkBlock.Column>
  /// Where in the cluster the row is that was begun last.
  private var row = 0
  private var lastKey: Int64 = -1
  /// Embedded objects that wait for one with a smaller key, by key.
  private var pendingRows: [Int64: [(index: Int, stored: StoredValue)]] = [:]
  /// The number of the next embedded object.
  private var embeddedSequence: Int64
  /// The number of the next object, before.
  private let oldSequence: Int64
  /// How many objects the class had before.
  let oldCount: Int
  /// The keys of new objects, where there were others before.
  let newKeys = CompressedIntegers()

  /// Values that are kept before they are packed, each of which takes some 40 bytes.
  private static let valuesAtOnceMax = 1 << 21

  /// How many blocks may be filled at once.
  package var blocksAtOnceMax: Int {
    max(2, Self.valuesAtOnceMax / (BulkBlock.rowsMax * max(schema.properties.count, 1)))
  }

  init(_ table: TableEditor, in load: BulkLoad) throws(EngineError) {
    self.table = table
    self.load = load
    group = load.group
    schema = table.schema
    oldSequence = table.sequence
    oldCount = try table.rows.tree().count
    if oldCount > 0, let last = try table.rows.lastKey() {
      lastKey = last
      table.sequence = max(table.sequence, GroupEditor.sequence(above: last, in: table))
    }
    embeddedSequence = table.sequence
    builder = ClusterTreeBuilder(in: table.store, isContinuation: oldCount > 0)
    block = BulkBlock(table)
    lentColumns = block.lentColumns
  }

  var store: NodeStore { table.store }
  var columns: [BulkBlock.Column] { block.columns }

  // MARK: Rows

  /// Begins an object; nil takes the next key.
  package func beginObject(key: ObjectKey? = nil) throws(EngineError) {
    let next =
      if let key { try group.takeKeyForBulk(table, key) } else { try group.takeKeyBehindAll(table) }
    guard next.value > lastKey else {
      throw EngineError(
        .constraint, "\(schema.name): the object key \(next.value) comes after \(lastKey)")
    }
    beginRow(next.value)
  }

  private func beginRow(_ key: Int64) {
    lastKey = key
    row = block.keys.count
    block.keys.append(key)
  }

  /// The key of the last object, those that were there before among them; -1 where there is none.
  package var lastObjectKey: ObjectKey { ObjectKey(lastKey) }

  /// Lends the buffer of a property that has no value in this row.
  @inline(__always)
  private func append(
    to property: Int, _ body: (LeafBuffer) throws(EngineError) -> Void
  ) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in
      guard let buffer = column.buffer, try column.isNext(row) else { throw misplaced(property) }
      try body(buffer)
    }
  }

  func misplaced(_ property: Int) -> EngineError {
    let name = "\(schema.name).\(schema.properties[property].name)"
    return columns[property].count > row
      ? EngineError(.constraint, "\(name) has two values", at: name)
      : EngineError(
        .constraint, "\(name) is a \(schema.properties[property].collection?.name ?? "value")", at: name)
  }

  package func put(_ property: Int, int number: Int64) throws(EngineError) {
    try append(to: property) { buffer throws(EngineError) in try buffer.append(int: number) }
  }

  package func put(_ property: Int, double number: Double) throws(EngineError) {
    try append(to: property) { buffer throws(EngineError) in try buffer.append(double: number) }
  }

  package func put(_ property: Int, bool flag: Bool) throws(EngineError) {
    try append(to: property) { buffer throws(EngineError) in try buffer.append(bool: flag) }
  }

  package func put(_ property: Int, text: Span<UInt8>) throws(EngineError) {
    try append(to: property) { buffer throws(EngineError) in
      guard buffer.layout.type != .mixed else {
        return try put(property, .single(.string(ByteString(copying: text))))
      }
      try buffer.append(text: text)
    }
  }

  /// Any value of the property's type; embedded objects are made.
  package func put(_ property: Int, _ value: NewValue) throws(EngineError) {
    try lentColumns.with(property) { column throws(EngineError) in
      guard try column.isNext(row) else { throw misplaced(property) }
      guard case .single(let single) = value, !column.mayLink, let buffer = column.buffer else {
        return try putAny(column, schema.properties[property], value)
      }
      do throws(EngineError) {
        try buffer.append(single)
      } catch {
        // The check knows better what is wrong with it.
        try group.checkForBulk(value, for: schema.properties[property], in: schema)
        throw error
      }
    }
  }

  private func putAny(
    _ column: BulkBlock.Column, _ definition: Property, _ value: NewValue
  ) throws(EngineError) {
    guard let buffer = column.buffer else { return try putCollection(column, definition, value) }
    let stored = try load.stored(value, definition, owner: table, ObjectKey(lastKey))
    try buffer.append(try group.write(stored))
  }

  private func putCollection(
    _ column: BulkBlock.Column, _ definition: Property, _ value: NewValue
  ) throws(EngineError) {
    switch (definition.collection, value) {
    case (.list, .list), (.set, .set), (.set, .list), (.dictionary, .dictionary): break
    default:
      throw EngineError(
        .constraint, "\(schema.name).\(definition.name) cannot hold \(value.kindName)",
        at: "\(schema.name).\(definition.name)")
    }
    let stored = try load.stored(value, definition, owner: table, ObjectKey(lastKey))
    let root = try group.writeCollection(stored, definition)
    column.roots?.append(Int64(root?.offset ?? 0))
  }

  /// Ends an object: properties without a value get their default, at the latest when its cluster is written.
  package func endObject() throws(EngineError) {
    if block.isFull { try writeCluster(block) }
  }

  /// The keys of the next objects, of which none has begun.
  func takeNextKeys(_ count: Int) throws(EngineError) -> [Int64] {
    precondition(pendingRows.isEmpty, "embedded objects are whole before others come")
    var keys: [Int64] = []
    keys.reserveCapacity(count)
    for _ in 0..<count {
      let key = try group.takeKeyBehindAll(table).value
      guard key > lastKey else {
        throw EngineError(.constraint, "\(schema.name): the object key \(key) comes after \(lastKey)")
      }
      lastKey = key
      keys.append(key)
    }
    embeddedSequence = table.sequence
    return keys
  }

  // MARK: Blocks of rows

  /// A block for objects of the class, to be filled by any thread and added later.
  package func makeBlock() -> BulkBlock { BulkBlock(table) }

  /// Whether no cluster has begun, so that a full block can be added.
  package var isBetweenBlocks: Bool { block.keys.count == 0 }

  /// Adds the rows of a full block, whose leaves were made ahead; false, with nothing added, when their keys are not all
  /// above those before. `numbering`: they get the next keys instead.
  package func add(_ full: BulkBlock, numbering: Bool = false) throws(EngineError) -> Bool {
    precondition(isBetweenBlocks && full.isFull && full.hasLeaves)
    guard numbering || full.keys[0] > lastKey else { return false }
    try takeKeys(of: full, from: 0, numbering: numbering)
    try writeCluster(full)
    return true
  }

  /// Lends the block that is being filled: `body` adds whole rows to it, with keys above the given one. `numbering`: they get
  /// the next keys instead.
  package func fillBlock<Result>(
    numbering: Bool = false, _ body: (BulkBlock, Int64) -> Result
  ) throws(EngineError) -> Result {
    let count = block.keys.count
    try block.fillUp()
    let result = body(block, numbering ? -1 : lastKey)
    try takeKeys(of: block, from: count, numbering: numbering)
    if block.isFull { try writeCluster(block) }
    return result
  }

  private func takeKeys(of block: BulkBlock, from first: Int, numbering: Bool) throws(EngineError) {
    let count = block.keys.count
    guard numbering else {
      for index in first..<count {
        lastKey = try group.takeKeyForBulk(table, ObjectKey(block.keys[index])).value
      }
      return
    }
    block.keys.truncate(to: first)
    for key in try takeNextKeys(count - first) { block.keys.append(key) }
  }

  /// Adds a whole embedded object. What it owns is made before its row begins, in this class too.
  func addEmbedded(
    _ values: [(index: Int, value: NewValue)], _ link: ObjectLink
  ) throws(EngineError) -> ObjectLink {
    var prepared: [(index: Int, stored: StoredValue)] = []
    let key = link.key
    for (index, value) in values {
      prepared.append((index, try load.stored(value, schema.properties[index], owner: table, key)))
    }
    pendingRows[key.value] = prepared
    try writePendingRows()
    return link
  }

  /// Rows of embedded objects come in the order of their keys, though inner objects are whole before outer ones.
  private func writePendingRows() throws(EngineError) {
    while let prepared = pendingRows[nextEmbeddedKey.value] {
      pendingRows[nextEmbeddedKey.value] = nil
      beginRow(nextEmbeddedKey.value)
      for (index, stored) in prepared {
        guard try columns[index].isNext(row) else { throw misplaced(index) }
        if let buffer = columns[index].buffer {
          try buffer.append(try group.write(stored))
        } else {
          let root = try group.writeCollection(stored, schema.properties[index])
          columns[index].roots?.append(Int64(root?.offset ?? 0))
        }
      }
      try endObject()
      embeddedSequence += 1
    }
  }

  private var nextEmbeddedKey: ObjectKey {
    GroupEditor.key(sequence: embeddedSequence, hasPrimaryKey: false)
  }

  func writeCluster(_ block: BulkBlock) throws(EngineError) {
    if oldCount > 0 { newKeys.append(contentsOf: block.keys.array) }
    try builder.append(block.keys.array, leaves: try block.takeLeaves(in: store))
    block.removeAll()
  }

  /// Gives the keys back that were taken.
  func giveUp() { table.sequence = oldSequence }

  /// Puts the rows into the table.
  func finish() throws(EngineError) {
    if !isBetweenBlocks { try writeCluster(block) }
    if !builder.isEmpty {
      if oldCount == 0 {
        try table.rows.replaceEmptyTree(with: try builder.finish())
      } else {
        try table.rows.append(builder)
      }
    }
    table.noteChange()
  }
}
