// What a cluster of a class looks like, by which one is known when nothing else tells whose it is. Layer: RealmRecovery, Salvage.

import RealmEngine

/// The leaves that a class's clusters have.
struct ClusterShape {
  private let layouts: [Int: LeafLayout]

  /// Columns of which one may be damaged in a cluster that is otherwise sound.
  private static let columnsPerMiss = 4

  init(_ properties: [Property], _ backlinks: [BacklinkColumn]) {
    var layouts: [Int: LeafLayout] = [:]
    for property in properties { layouts[property.columnKey.leafIndex] = property.layout }
    for column in backlinks {
      layouts[column.columnKey.leafIndex] = .backlinks
    }
    self.layouts = layouts
  }

  /// Whether a cluster has a leaf for each column, and no other; `isExact` false: but for a few damaged ones.
  func fits(_ cluster: Cluster, in snapshot: Snapshot, isExact: Bool = false) -> Bool {
    guard cluster.node.count >= (layouts.keys.max() ?? -1) + 2 else { return false }
    var misses = 0
    for index in 0..<cluster.node.count - 1 {
      guard let layout = layouts[index] else {
        if (try? cluster.node.slot(index + 1)) != 0 { return false }
        continue
      }
      guard let ref = (try? cluster.leafRef(index)) ?? nil,
        (try? snapshot.leaf(ref, layout, rowCount: cluster.count)) != nil
      else {
        misses += 1
        continue
      }
    }
    return isExact ? misses == 0 : misses * Self.columnsPerMiss <= layouts.count
  }
}
