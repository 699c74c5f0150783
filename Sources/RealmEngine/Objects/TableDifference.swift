// Which objects of a class differ between two versions, and in which properties they may. Layer: Objects.
// Rows are met in key order; a column is opened only where the versions do not share its leaf.

/// An object that was made, deleted, or may have been changed.
package struct ObjectChange {
  package let key: ObjectKey
  /// Nil for one that was made.
  package let old: ObjectPosition?
  /// Nil for one that was deleted.
  package let new: ObjectPosition?
  /// Of an object that both versions have: the properties whose stored values are not the same bytes for certain.
  package let properties: [PropertyPair]
}

/// A property as two versions of a schema have it.
package struct PropertyPair: Sendable {
  package let old: Property
  package let new: Property

  package init(old: Property, new: Property) {
    self.old = old
    self.new = new
  }
}

/// Compares two versions of a class.
package struct TableDifference {
  private let pairs: [PropertyPair]
  private let isSharing: Bool
  private var old: Rows
  private var new: Rows

  /// `isSharing`: the older version's nodes were left alone while the newer was made, so that what stands at the same
  /// place is the same.
  package init(from old: Table, to new: Table, isSharing: Bool) throws(EngineError) {
    self.isSharing = isSharing
    pairs = new.schema.properties.compactMap { property in
      old.schema.properties.first { $0.columnKey == property.columnKey }
        .map { PropertyPair(old: $0, new: property) }
    }
    let (oldBlocks, newBlocks) = try Table.differingBlocks(old, new, isSharing: isSharing)
    self.old = Rows(oldBlocks)
    self.new = Rows(newBlocks)
  }

  /// The next change in key order; nil at the end.
  package mutating func next() throws(EngineError) -> ObjectChange? {
    while true {
      switch (old.current, new.current) {
      case (nil, nil): return nil
      case (let position?, nil): return deletion(position)
      case (nil, let position?): return insertion(position)
      case (let before?, let after?):
        let (oldKey, newKey) = (UInt64(bitPattern: before.key.value), UInt64(bitPattern: after.key.value))
        if oldKey < newKey { return deletion(before) }
        if newKey < oldKey { return insertion(after) }
        old.advance()
        new.advance()
        let properties = try differing(before, after)
        if !properties.isEmpty {
          return ObjectChange(key: after.key, old: before, new: after, properties: properties)
        }
      }
    }
  }

  private mutating func deletion(_ position: ObjectPosition) -> ObjectChange {
    old.advance()
    return ObjectChange(key: position.key, old: position, new: nil, properties: [])
  }

  private mutating func insertion(_ position: ObjectPosition) -> ObjectChange {
    new.advance()
    return ObjectChange(key: position.key, old: nil, new: position, properties: [])
  }

  private func differing(
    _ before: ObjectPosition, _ after: ObjectPosition
  ) throws(EngineError) -> [PropertyPair] {
    guard isSharing else { return pairs }
    var found: [PropertyPair] = []
    for pair in pairs where try mayDiffer(pair, before, after) { found.append(pair) }
    return found
  }

  private func mayDiffer(
    _ pair: PropertyPair, _ before: ObjectPosition, _ after: ObjectPosition
  ) throws(EngineError) -> Bool {
    guard let ref = try before.block.leafRef(pair.old), ref == (try after.block.leafRef(pair.new)) else {
      // Of collections the leaf has the places only.
      guard pair.new.collection != nil, case .collections(let old) = try before.block.leaf(pair.old),
        case .collections(let new) = try after.block.leaf(pair.new)
      else { return true }
      return try old.root(before.row) != new.root(after.row)
    }
    return before.row != after.row
  }

  /// The rows of some blocks, one after the other.
  private struct Rows {
    private let blocks: [RowBlock]
    private var block = 0
    private var row = 0

    init(_ blocks: [RowBlock]) { self.blocks = blocks }

    var current: ObjectPosition? {
      block < blocks.count ? ObjectPosition(block: blocks[block], row: row) : nil
    }

    mutating func advance() {
      row += 1
      if row == blocks[block].count {
        row = 0
        block += 1
      }
    }
  }
}
