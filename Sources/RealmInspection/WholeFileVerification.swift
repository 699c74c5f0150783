// What the write side calls before a copy, and after a commit or a copy when `REALM_VERIFY` is set: the whole file must
// be sound. Layer: RealmInspection.

package import RealmFiles

/// Inspects a file from its header down and throws `.damaged` with the first findings when anything is damaged, or when something
/// redundant is wrong that a writer keeps right; unless what it was made of, a file or a version before, was not sound either: what
/// cannot be known to be wrong is kept. Cost: reads the whole file, and the original where something is wrong.
package func verifyWholeFile(_ file: RealmFile, madeOf original: RealmFile?) throws(EngineError) {
  let wrong = try findWrong(in: file)
  guard let first = wrong.first else { return }
  if let original, try !findWrong(in: original).isEmpty { return }
  let words = wrong.prefix(5).map {
    "\($0.kind.invariant) \($0.place) at \($0.offset): \($0.words)"
  }
  throw EngineError(
    .damaged, "the written file breaks its format: \(words.joined(separator: "; "))",
    at: "offset \(first.offset)")
}

/// What is damaged in a file that is about to be copied: how many places, and the first of them in words; and whether an upgrade
/// was interrupted, so that there is more to look at. Cost: reads the whole file.
package func damage(
  in file: RealmFile, workers: Int
) throws(EngineError) -> (count: Int, places: [String], isUpgradeInterrupted: Bool) {
  let report = try FileInspection.inspect(file, perKindMax: 5, workers: workers)
  let found = report.findings.filter { $0.severity == .damage }
  return (
    report.count(of: .damage),
    found.map { "\($0.place) – \($0.words) – offset \($0.offset)" },
    report.isUpgradeInterrupted
  )
}

private func findWrong(in file: RealmFile) throws(EngineError) -> [Finding] {
  // A load keeps the links to nothing that a dictionary may hold.
  try FileInspection.inspect(file).findings.filter {
    $0.severity == .damage || $0.severity == .repairable && $0.kind != .linkTarget
  }
}
