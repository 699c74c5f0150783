// Collects findings: the first few of each kind in full, of the rest how many there are.
// Layer: RealmInspection. Invariant: however damaged a file is, the log stays small and recording stays cheap.

import RealmFiles

/// The findings of one inspection.
package final class FindingLog {
  /// Findings of one kind that are kept in full.
  let perKindMax: Int
  /// After so many findings the rest of the file tells nothing new.
  private static let totalMax = 50_000

  package private(set) var findings: [Finding] = []
  package private(set) var countsByKind: [FindingKind: Int] = [:]
  package private(set) var countsBySeverity: [Severity: Int] = [:]
  private var total = 0

  package init(perKindMax: Int) { self.perKindMax = perKindMax }

  /// What kept the file from being read: the findings say nothing then.
  private(set) var failure: EngineError?

  /// Whether there was nothing to be said so far.
  var isEmpty: Bool { total == 0 && failure == nil }

  /// Whether walking on is pointless.
  var isFull: Bool { total >= Self.totalMax || failure != nil }

  func fail(_ error: EngineError) { failure = failure ?? error }

  /// Records a finding; its words are made only where they will be kept.
  func record(_ kind: FindingKind, _ severity: Severity, _ make: () -> Finding) {
    if isFull { return }
    total += 1
    countsBySeverity[severity, default: 0] += 1
    let count = countsByKind[kind, default: 0] + 1
    countsByKind[kind] = count
    if count <= perKindMax { findings.append(make()) }
  }
}
