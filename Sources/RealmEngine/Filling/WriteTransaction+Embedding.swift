// Embedded objects made of values that are computed, for many owners at once. Layer: Filling.
// The new objects are built while values are computed, from objects as they were: they are not in their class until all
// are there. Then their owners get them, and lose what they had.

/// What properties that own embedded objects get in many objects of a class.
final class EmbeddedFilling {
  private struct Filling {
    let source: ValueSource
    /// As they stand in the property.
    let slots = CompressedIntegers()
  }

  private let table: TableEditor
  private let load: BulkLoad
  private let owners = CompressedIntegers()
  private var parts: [Filling] = []

  init(of table: TableEditor, in group: GroupEditor) {
    self.table = table
    load = BulkLoad(group)
  }

  var isEmpty: Bool { parts.isEmpty }

  /// Takes a property; false where its objects have to be made one after the other.
  func take(_ source: ValueSource) throws(EngineError) -> Bool {
    let property = source.property
    guard source.inner.isEmpty, property.type == .object, property.index == .none,
      let target = property.target, try load.group.table(target).isEmbedded, try load.canFillWithOwned(target)
    else { return false }
    parts.append(Filling(source: source))
    return true
  }

  /// Makes what the objects of some rows get.
  func add(_ block: RowBlock, _ rows: [Int], _ report: inout FillReport) throws(EngineError) {
    owners.append(contentsOf: rows.lazy.map { block.key($0).value })
    for index in parts.indices {
      let source = parts[index].source
      let column = try source.column(block, rows, &report)
      if case .embedded(let columns) = column, let target = source.property.target {
        let keys = try load.table(target).append(columns, count: rows.count)
        parts[index].slots.append(contentsOf: keys.lazy.map { $0 + 1 })
        continue
      }
      for (position, row) in rows.enumerated() {
        let value = try column.newValue(position, in: load.group.store.snapshot)
        parts[index].slots.append(try slot(value, source.property, of: block.key(row), &report))
      }
    }
  }

  private func slot(
    _ value: NewValue, _ property: Property, of owner: ObjectKey, _ report: inout FillReport
  ) throws(EngineError) -> Int64 {
    let stored = try load.prepared(value, property, of: table.schema)
    if property.collection != nil {
      try load.noteLinks(in: stored, from: owner, table, property)
      return Int64(try load.group.writeCollection(stored, property)?.offset ?? 0)
    }
    if case .single(.link(let link)) = stored { return link.key.value + 1 }
    report.nullCount += 1
    return 0
  }

  /// Nothing was made.
  func giveUp() { load.giveUp() }

  /// Gives the owners what was made for them.
  func finish() throws(EngineError) {
    let replacement = LinkReplacement(of: table, in: load)
    for part in parts { try replacement.put(part.slots, in: part.source.property, of: owners) }
    try replacement.finish()
  }
}
