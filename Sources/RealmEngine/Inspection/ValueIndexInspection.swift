// An index of values: every object of the table stands in it once, under the chunks of its value.
// Layer: Inspection. Memory: one bit an object.

struct ValueIndexInspection {
  private let inspection: SnapshotInspection
  private let column: RawColumn
  private let table: RawTable
  private let walk: Walk

  init(_ inspection: SnapshotInspection, _ column: RawColumn, _ table: RawTable) {
    self.inspection = inspection
    self.column = column
    self.table = table
    walk = inspection.walk
  }

  func run(_ root: RawNode) {
    var seen = [UInt64](repeating: 0, count: table.directory.count / 64 + 1)
    var reader = ColumnReader(table.directory, column, walk.peeking())
    walk.walkIndex(root) { path, entry in
      switch entry {
      case .one(let key):
        walk.statistics.indexEntryCount += 1
        _ = check(key, path, &reader, &seen, at: root.offset)
      case .list(let list): checkList(list, path, &reader, &seen)
      }
    }
    reportMissing(seen, at: root.offset)
  }

  /// Checks one key and returns the object's value.
  private func check(
    _ key: Int64, _ path: [Int32], _ reader: inout ColumnReader, _ seen: inout [UInt64], at offset: Int
  ) -> RawValue? {
    guard let (ordinal, value) = reader.value(of: key) else {
      walk.report(
        .indexExtra, at: offset, object: key, expected: "the key of an object", found: "no such object")
      return nil
    }
    let bit: UInt64 = 1 << UInt64(ordinal % 64)
    if seen[ordinal / 64] & bit != 0 {
      walk.report(.indexExtra, at: offset, object: key, expected: "each object once", found: "it again")
    }
    seen[ordinal / 64] |= bit
    guard let value else { return nil }
    let data = IndexPath(value)
    if let level = path.indices.first(where: { data.chunk($0) != path[$0] }) {
      walk.report(
        .indexPlace, at: offset, object: key,
        expected: "the chunk \(data.chunk(level)) of its value at level \(level)", found: "\(path[level])")
    }
    return value
  }

  private func checkList(
    _ list: RawNode, _ path: [Int32], _ reader: inout ColumnReader, _ seen: inout [UInt64]
  ) {
    var first: RawValue?
    var previous: (key: Int64, value: RawValue)?
    let endsHere = path.count * IndexPath.chunkSize > IndexPath.offsetMax
    inspection.walkKeys(list) { key in
      guard let value = check(key, path, &reader, &seen, at: list.offset) else { return }
      if first == nil { first = value }
      if let previous, ValueOrder.compare(previous.value, value) == 0 {
        reportRepeat(list, key)
        if previous.key >= key {
          walk.report(
            .indexList, at: list.offset, object: key, expected: "keys of equal values that rise",
            found: "\(key) behind \(previous.key)")
        }
      } else if let first, previous != nil, !endsHere,
        !IndexPath(first).hasSameBytes(as: IndexPath(value))
      {
        walk.report(
          .indexList, at: list.offset, object: key, expected: "a list of equal values", found: "another value"
        )
      }
      previous = (key, value)
    }
  }

  private func reportRepeat(_ list: RawNode, _ key: Int64) {
    guard table.primaryKey == column.index else { return }
    walk.report(
      .primaryKeyValue, at: list.offset, object: key, expected: "a primary key of its own",
      found: "that of another object")
  }

  private func reportMissing(_ seen: [UInt64], at offset: Int) {
    for (index, word) in seen.enumerated() where word != .max {
      for bit in 0..<64 where word >> UInt64(bit) & 1 == 0 {
        let ordinal = index * 64 + bit
        guard ordinal < table.directory.count else { return }
        walk.report(
          .indexMissing, at: offset, object: table.directory.key(ordinal),
          expected: "every object in the index",
          found: "this one missing")
      }
    }
  }
}

/// Reads single values of a column by object key.
struct ColumnReader {
  private let directory: ObjectDirectory
  private let column: RawColumn
  private let layout: RawLayout
  /// Claims and reports nothing: the leaves were inspected before.
  private let walk: Walk
  /// Leaves that were read lately, each in the place that its cluster's number gives it.
  private var cached: [(cluster: Int, leaf: RawLeaf?)]

  private static let cachedCountMax = 1 << 13

  init(_ directory: ObjectDirectory, _ column: RawColumn, _ walk: Walk) {
    self.directory = directory
    self.column = column
    layout = column.layout
    self.walk = walk
    let count = max(1, min(directory.clusters.count, Self.cachedCountMax))
    cached = Array(repeating: (-1, nil), count: count)
  }

  /// The object's place in key order and its value; the value is nil where it is damaged. Nil: no such object.
  mutating func value(of key: Int64) -> (ordinal: Int, value: RawValue?)? {
    guard let (cluster, row) = directory.find(key) else { return nil }
    let place = cluster % cached.count
    if cached[place].cluster != cluster { cached[place] = (cluster, leaf(cluster)) }
    return (directory.ordinals[cluster] + row, cached[place].leaf?.value(row, walk))
  }

  private func leaf(_ cluster: Int) -> RawLeaf? {
    let cluster = directory.clusters[cluster]
    guard let node = walk.child(cluster.node, 1 + column.key.leafIndex) else { return nil }
    return walk.openLeaf(node, layout, count: cluster.count)
  }
}

extension ObjectDirectory {
  /// The key of the object that stands at `ordinal` in key order.
  func key(_ ordinal: Int) -> Int64 {
    var low = 0
    var high = clusters.count
    while low < high {
      let middle = (low + high) / 2
      if ordinals[middle] <= ordinal { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : clusters[low - 1].key(ordinal - ordinals[low - 1])
  }
}
