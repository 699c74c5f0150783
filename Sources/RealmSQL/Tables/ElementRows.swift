// The elements of lists, sets and dictionaries as rows. Layer: RealmSQL, Tables.

import RealmEngine

/// Reads the elements of the objects of a batch, all columns at once.
final class ElementRows {
  private let property: Property
  private let owners: Table
  /// Of the owner, the place or key, and the element.
  let buffers: [CellBuffer]
  private var places: [(owner: ObjectKey, number: Int)] = []

  init(_ property: Property, _ owners: Table, buffers: [CellBuffer]) {
    self.property = property
    self.owners = owners
    self.buffers = buffers
  }

  /// How many elements the objects of the batch have.
  func read(_ batch: ObjectBatch, _ reader: inout ColumnReader) throws(EngineError) -> Int {
    places.removeAll(keepingCapacity: true)
    var elements: [(key: Value, value: Value)] = []
    var names: [(name: SQLValue, count: Int)] = []
    let realm = reader.realm
    try batch.forEachBlock { block, rows, _ throws(EngineError) in
      guard case .collections(let roots) = try block.leaf(property) else { return }
      for row in rows {
        guard let root = try roots.root(Int(row)) else { continue }
        try Interruption.check()
        let first = elements.count
        if property.collection == .dictionary {
          for entry in try realm.snapshot.entries(of: property, at: root) {
            elements.append((entry.key, entry.value))
          }
        } else {
          try realm.snapshot.forEachElement(of: property, at: root) {
            elements.append((.int(Int64(elements.count - first)), $0))
            return true
          }
        }
        let key = block.key(Int(row))
        for number in 0..<elements.count - first { places.append((key, number)) }
        if elements.count > first {
          let link = ObjectLink(table: owners.schema.tableKey, key: key)
          names.append((try reader.name(of: link), elements.count - first))
        }
      }
    }
    for buffer in buffers { buffer.reset(count: elements.count) }
    var row = 0
    for (name, count) in names {
      for _ in 0..<count {
        buffers[0].set(row, name)
        row += 1
      }
    }
    for (row, element) in elements.enumerated() {
      buffers[1].set(row, SQLValue(key: element.key))
      try reader.set(buffers[2], row, element.value)
    }
    return elements.count
  }

  /// A number that an element has in every plan; places of small numbers never meet.
  func rowNumber(_ row: Int) -> Int64 {
    let (owner, number) = places[row]
    if owner.value >= 0, owner.value < 1 << 31, number < 1 << 32 { return owner.value << 32 | Int64(number) }
    var hasher = Hasher()
    hasher.combine(owner)
    hasher.combine(number)
    return Int64(hasher.finalize())
  }
}
