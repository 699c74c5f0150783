// Whether the space that a file says is free is free indeed. A wrong entry of the free list would have a commit write
// over what other objects are made of. Layer: Commit.
// Invariants: `isProven` is set only after every node of the version was met once, no two of them and no free block
// sharing a byte; while the file is locked, commits keep it true. Where it is not worth its cost, a commit leaves the free
// list alone and writes behind the end of the file, where nothing can be in use.

import Synchronization

/// What is known of the free space of a file that one process holds locked.
final class SpaceProof {
  private(set) var isProven = false

  /// Data up to this size is proven always: that costs less than a millisecond.
  private static let alwaysSize = 1 << 24
  /// The same where every page must be decrypted for it.
  private static let alwaysSizeEncrypted = 1 << 18
  /// More than this part of a file does not stay unused.
  private static let unusedShare = 8

  /// Whether a commit that writes `newSize` bytes may use the blocks of `list`. Throws `.damaged` where some are in use.
  func allowsReuse(
    of list: FreeList, base: GroupTop?, in snapshot: Snapshot, newSize: Int
  ) throws(EngineError) -> Bool {
    guard let base, !isProven else { return true }
    let always = snapshot.image.isEncrypted ? Self.alwaysSizeEncrypted : Self.alwaysSize
    let unused = list.byteCount + newSize
    guard base.logicalSize <= always || unused > base.logicalSize / Self.unusedShare else { return false }
    try Self.prove(list, base, in: snapshot)
    isProven = true
    return true
  }

  private static func prove(
    _ list: FreeList, _ base: GroupTop, in snapshot: Snapshot
  ) throws(EngineError) {
    let bounded = Snapshot(image: snapshot.image, fileLimit: base.logicalSize, format: snapshot.format)
    let limit = base.logicalSize & ~7
    guard let claims = ClaimMap(size: limit) else {
      throw EngineError(.other, "no memory to see which of \(limit) bytes are in use")
    }
    for entry in list.entries { _ = claims.claim(entry.extent.offset, entry.extent.size) }
    try NodeClaims(bounded, claims).claimAll(below: base.node.ref)
  }
}

/// Claims every node of a version.
private struct NodeClaims {
  private let snapshot: Snapshot
  private let claims: ClaimMap

  /// Data from this size on is worth several threads.
  private static let parallelSize = 1 << 23
  /// So many nodes are found by one thread, to be shared out.
  private static let sharedCount = 1024
  private static let workersMax = 4
  private static let chunkSize = 32

  init(_ snapshot: Snapshot, _ claims: ClaimMap) {
    self.snapshot = snapshot
    self.claims = claims
  }

  func claimAll(below root: Ref) throws(EngineError) {
    var pending = [root]
    guard claims.size >= Self.parallelSize, !snapshot.image.isEncrypted else {
      return try claimAll(&pending, in: try snapshot.window())
    }
    // Level by level, until there is work for all.
    var next = 0
    while next < pending.count, pending.count - next < Self.sharedCount {
      try claim(pending[next], in: snapshot, &pending)
      next += 1
    }
    let shared = Array(pending[next...])
    let chunks = (shared.count + Self.chunkSize - 1) / Self.chunkSize
    let workers = min(ParallelWork.workerCount, Self.workersMax)
    let makeOwn: @Sendable () -> Snapshot = { snapshot.forOneThread() }
    try ParallelWork.forEach(0..<chunks, workers: workers, makeOwn) { chunk, snapshot throws(EngineError) in
      let start = chunk * Self.chunkSize
      var pending = Array(shared[start..<min(start + Self.chunkSize, shared.count)])
      for ref in pending { snapshot.prefetch(ref.offset, NodeHeader.size) }
      try claimAll(&pending, in: snapshot)
    }
  }

  private func claimAll(_ pending: inout [Ref], in snapshot: Snapshot) throws(EngineError) {
    while let ref = pending.popLast() {
      try Interruption.check()
      snapshot.image.releaseIfLarge()
      try claim(ref, in: snapshot, &pending)
    }
  }

  /// Claims one node and adds what it refers to.
  @inline(__always)
  private func claim(_ ref: Ref, in snapshot: Snapshot, _ pending: inout [Ref]) throws(EngineError) {
    let node = try snapshot.node(ref)
    guard ref.offset <= claims.size - node.byteSize, claims.claim(ref.offset, node.byteSize) else {
      throw EngineError.damaged(
        at: ref.offset, expected: "\(node.byteSize) bytes that nothing else uses",
        found: "some that are free, or another node's")
    }
    guard node.hasRefs else { return }
    guard node.header.kind == .bits else {
      throw EngineError.damaged(at: ref.offset, expected: "a node of refs", found: node.description)
    }
    // A node without bytes promises as many slots as it likes, and all of them are empty.
    guard node.header.width > 0 else { return }
    let elements = node.integers
    for index in 0..<elements.count {
      let element = elements[index]
      guard Ref.isRef(element) else { continue }
      let child = try node.requiredRef(index)
      // More nodes than the data has room for: many refs lead to the same ones.
      guard pending.count < claims.size / NodeHeader.size else {
        throw EngineError.damaged(
          at: ref.offset, expected: "each node to be used once", found: "nodes used over and over")
      }
      snapshot.prefetch(child.offset, NodeHeader.size)
      pending.append(child)
    }
  }
}
