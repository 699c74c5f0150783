// Which objects of a class are known to have been there and did not come back: others name their keys. Layer: RealmRecovery, Salvage.
// Invariant: a key counts where the newest version has lost whether an object had it; what a version says is not there is not lost.

import RealmEngine

/// The keys of lost objects, as far as anything names them.
struct LostObjects {
  /// Keys of which the newest version does not tell whether objects had them, in order; nothing where it tells how many there were.
  private let ranges: [Range<Int64>]
  private(set) var keys: Set<Int64> = []
  /// Whether there are more than are remembered.
  private(set) var isCut = false

  private static let keysMax = 1 << 20

  init(_ ranges: [Range<Int64>] = []) { self.ranges = ranges }

  /// Whether it is worth asking who names them.
  var isWanted: Bool { !ranges.isEmpty }

  /// Notes that something names an object that is not there.
  mutating func note(_ key: Int64) {
    let low = (0..<ranges.count).partitionPoint { ranges[$0].upperBound <= key }
    guard low < ranges.count, ranges[low].contains(key) else { return }
    guard keys.count < Self.keysMax || keys.contains(key) else {
      isCut = true
      return
    }
    keys.insert(key)
  }
}

/// Asks the indexes of a class, and the objects of others that it links to, for keys of objects that are lost. Who links to it is
/// asked while values are read.
struct LostObjectSearch {
  let classes: [SalvagedClass]

  func run() throws(EngineError) {
    for item in classes where item.lost.isWanted {
      try askIndexes(item)
      for other in classes { try ask(other, whoLinksIn: item) }
    }
  }

  private func askIndexes(_ item: SalvagedClass) throws(EngineError) {
    let source = item.sources[0]
    for property in source.table.schema.properties where property.index == .general {
      guard let root = property.indexRef else { continue }
      try quietly { () throws(EngineError) in
        try SearchIndex(root, in: source.version.snapshot).forEachKey { key in item.noteMissing(key.value) }
      }
    }
  }

  /// Objects record who links to them.
  private func ask(_ other: SalvagedClass, whoLinksIn item: SalvagedClass) throws(EngineError) {
    let (version, own) = (other.sources[0].version, item.sources[0].table.schema.tableKey)
    guard version === item.sources[0].version else { return }
    for column in other.schema.backlinks where column.originTable == own {
      for block in other.placed where block.source == 0 {
        try Interruption.check()
        guard case .cluster(let cluster) = block.block.place,
          case .backlinks(let leaf)? = version.leaf(
            cluster, column.columnKey, .backlinks)
        else { continue }
        for row in block.block.rows {
          try quietly { () throws(EngineError) in
            try version.snapshot.forEachOrigin(try leaf[row], budget: version.budget) { key in
              item.noteMissing(key.value)
              return true
            }
          }
        }
      }
    }
  }

  /// What cannot be read names nothing; its damage is told where it is read for itself.
  private func quietly(_ body: () throws(EngineError) -> Void) throws(EngineError) {
    do throws(EngineError) { try body() } catch { if !error.isLoss { throw error } }
  }
}
