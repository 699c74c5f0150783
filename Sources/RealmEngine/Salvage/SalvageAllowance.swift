// How much may be read of one damaged version. Layer: Salvage.
// Invariants: a pass takes no more than twice the allowance; what a value takes that turns out damaged is not taken from the
// others, as long as there is not too much of that.

/// What one pass over a version's values may take.
final class SalvageAllowance {
  private let snapshot: Snapshot
  private(set) var budget: TraversalBudget
  private var damagedLeft: Int

  private static let walks = 16

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    budget = TraversalBudget(snapshot, walks: Self.walks)
    damagedLeft = budget.remaining
  }

  /// Begins to read all values anew: what one pass gets to read the next one does, too.
  func beginPass() {
    budget = TraversalBudget(snapshot, walks: Self.walks)
    damagedLeft = budget.remaining
  }

  /// Forgives what was read for a damaged value since so much was left: bytes that mean nothing lead anywhere.
  func forgive(since mark: Int) { damagedLeft -= budget.giveBack(since: mark, limit: damagedLeft) }
}
