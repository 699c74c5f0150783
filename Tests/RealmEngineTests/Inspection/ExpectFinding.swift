// What all tests of findings have in common.

import RealmEngine
import Testing

/// Damages a sound realm and expects a finding of `kind`, with its severity and a place.
@discardableResult
func expectFinding(
  _ kind: FindingKind, _ severity: Severity? = nil, in fixture: String = "zoo.realm",
  prepare: (RealmSurgeon) throws -> Void = { _ in }, place: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, damage: (RealmSurgeon) throws -> Void
) throws -> InspectionReport {
  let realm = try RealmSurgeon(fixture)
  try prepare(realm)
  let before = try realm.inspect()
  #expect(
    before.findings.filter { $0.kind != .lostSpace }.isEmpty, "sound before: \(before.findings)",
    sourceLocation: sourceLocation)
  try damage(realm)
  let report = try realm.inspect()
  let found = report.findings.filter { $0.kind == kind }
  #expect(!found.isEmpty, "\(kind) among \(report.findings)", sourceLocation: sourceLocation)
  for finding in found {
    #expect(finding.severity == severity ?? kind.severity, sourceLocation: sourceLocation)
    #expect(!finding.place.isEmpty || kind == .lostSpace, sourceLocation: sourceLocation)
    #expect(!finding.expected.isEmpty && !finding.found.isEmpty, sourceLocation: sourceLocation)
  }
  if let place {
    #expect(
      found.contains { $0.place == place }, "\(place) among \(found.map(\.place))",
      sourceLocation: sourceLocation)
  }
  let isDamage = (severity ?? kind.severity) == .damage
  if isDamage { #expect(!report.isSound, sourceLocation: sourceLocation) }
  return report
}
