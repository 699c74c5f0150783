// The groups that one thread has found: a table that stays small, and runs of records that are put together later.
// Layer: Query, Aggregation. Runs go by the hash of the key, so that all records of a group are in runs of the same
// number.

/// Groups of one thread.
final class GroupBuilder: @unchecked Sendable {
  // Used by one thread, then by those that put runs together, each of another number.
  let table: GroupTable
  private let space: GroupSpace
  private(set) var runs: [SpillablePartition] = []
  /// Whatever texts of the records stand in.
  private let texts: KeptTexts?

  static let runCount = 256
  /// Groups that a table may have: more do not stay in the processor's caches.
  private static let groupsMax = 1 << 15

  init(_ layout: GroupLayout, keepsTexts: Bool, _ space: GroupSpace) {
    texts = keepsTexts ? KeptTexts() : nil
    table = GroupTable(layout, keeping: texts)
    self.space = space
  }

  var hasRuns: Bool { !runs.isEmpty }

  /// Hands the groups out to runs when there are too many.
  func dealIfLarge() throws(EngineError) { if table.count >= Self.groupsMax { try deal() } }

  func deal() throws(EngineError) {
    try space.dealBegins()
    if runs.isEmpty { runs = (0..<Self.runCount).map { _ in SpillablePartition() } }
    let size = table.byteCount
    table.deal(to: runs.map(\.run))
    guard space.take(size) else { return }
    for run in runs { try run.spill(to: space) }
  }
}
