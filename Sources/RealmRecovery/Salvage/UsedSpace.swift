// What of a damaged file is in use in one version, as far as that version says. Layer: RealmRecovery, Salvage.
// Invariant: what was given up is not in use, so that what was deleted does not come back.

import RealmEngine

/// Tells nodes that a version has from those that earlier versions had.
struct UsedSpace {
  private let free: [FreeEntry]
  /// Where what may be in use begins.
  private let first: Int

  /// Nil where nothing tells what is free. `top` is the version's top array. Where that is lost, all that stands behind
  /// `endBefore`, the end of the version that the newest commit replaced, was written by that commit, and is in use. In a file
  /// that was written once, all is.
  init?(top: GroupTop?, endBefore: Int?, in snapshot: Snapshot) {
    if let top {
      guard let list = try? FreeList(of: top, in: snapshot) else { return nil }
      free = list.entries
      first = 0
    } else {
      guard let end = Self.isWrittenOnce(snapshot) ? FileHeader.size : endBefore else { return nil }
      free = []
      first = end
    }
  }

  static func isWrittenOnce(_ snapshot: Snapshot) -> Bool {
    (try? snapshot.bytes(0, FileHeader.size)).flatMap { FileHeader($0) }?.isWrittenOnce ?? false
  }

  /// Whether the node at an offset is in use.
  func contains(_ offset: Int) -> Bool {
    guard offset >= first else { return false }
    let low = (0..<free.count).partitionPoint { free[$0].extent.offset <= offset }
    return low == 0 || offset >= free[low - 1].extent.end
  }
}
