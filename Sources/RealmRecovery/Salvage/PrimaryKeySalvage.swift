// Which rows of a class have a primary key of their own. Layer: RealmRecovery, Salvage.
// Invariant: memory is eight bytes for each distinct value of a block; values are compared only where their hashes agree.

import RealmEngine

/// Finds rows that cannot stand in a class because their primary key is lost, or somebody else's.
struct PrimaryKeySalvage {
  private let item: SalvagedClass
  private let position: Int

  init?(_ item: SalvagedClass) {
    guard let position = item.schema.primaryKeyIndex else { return nil }
    self.item = item
    self.position = position
  }

  /// Sets those rows aside; of rows with one value the newest stays: keys rise as objects are made.
  func run() throws(EngineError) {
    var hashes: [UInt64] = []
    for number in 0..<item.blockCount {
      var seen: Set<UInt64> = []
      try forEachValue(number) { row, value in
        guard let value else {
          item.setAside[number, default: []].insert(row)
          return
        }
        // Within a block rows are of one age, and few, so that a hash that is met twice is looked at closer below.
        if !seen.insert(Self.hash(value)).inserted { hashes.append(Self.hash(value)) }
      }
      hashes += seen
    }
    hashes.sort()
    var repeated: Set<UInt64> = []
    for index in hashes.indices.dropFirst() where hashes[index] == hashes[index - 1] {
      repeated.insert(hashes[index])
    }
    if !repeated.isEmpty { try setAside(repeated) }
  }

  private func setAside(_ repeated: Set<UInt64>) throws(EngineError) {
    var kept: Set<Value> = []
    // Blocks of newer versions first, what stands in its place before what was found somewhere, and then what was made last.
    let order = (0..<item.blockCount).sorted { rank($0) < rank($1) }
    for number in order {
      var rows: [(row: Int, value: Value)] = []
      try forEachValue(number) { row, value in
        if let value, repeated.contains(Self.hash(value)) { rows.append((row, value.owned())) }
      }
      for (row, value) in rows.reversed() where !kept.insert(value).inserted {
        item.setAside[number, default: []].insert(row)
      }
    }
  }

  private func rank(_ number: Int) -> (Int, Int, Int) {
    let block = item.block(number)
    return (block.source, number < item.placed.count ? 0 : 1, -number)
  }

  private static func hash(_ value: Value) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

  /// Calls `body` with each row of a block and its primary key; nil for one that is lost.
  private func forEachValue(_ number: Int, _ body: (Int, Value?) -> Void) throws(EngineError) {
    let block = item.block(number)
    let source = item.sources[block.source]
    let property = source.properties[position]
    let wanted = item.schema.properties[position]
    let column = try property.map { property throws(EngineError) in
      try source.version.column(property, of: block.block, className: item.name)
    }
    for row in block.block.rows {
      guard let (leaf, index) = column?.place(of: row) else {
        body(row, nil)
        continue
      }
      let value = try source.version.log.reading("\(item.name).\(wanted.name)") { () throws(EngineError) in
        try leaf.salvagedValue(index, in: source.version.snapshot)
      }
      body(row, value == .null && !wanted.isOptional ? nil : value)
    }
  }
}
