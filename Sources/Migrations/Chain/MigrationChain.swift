// The steps in their order, and which of them a file still needs. Layer: Migrations, Chain.
// Invariant: a step starts where the one before ended; none is ever skipped.

package import RealmEngine
package import RealmSession
import TextFormats

/// All steps of a directory.
package struct MigrationChain: Sendable {
  package let steps: [MigrationFile]

  /// Sorts the steps; complaints about gaps and overlaps go to the report of the later file.
  package init(_ files: [(file: MigrationFile, report: ProblemReport)]) {
    let sorted = files.sorted { ($0.file.from, $0.file.to) < ($1.file.from, $1.file.to) }
    for (before, next) in zip(sorted, sorted.dropFirst()) {
      let (earlier, later) = (before.file, next.file)
      let start = TextLocation.start
      if later.from == earlier.from {
        next.report.error(
          "starts at version \(later.from), as \(earlier.source.name) does", at: start)
      } else if later.from < earlier.to {
        next.report.error(
          "starts at version \(later.from), inside \(earlier.source.name), which leads from \(earlier.from) to \(earlier.to)",
          at: start)
      } else if later.from > earlier.to {
        next.report.error(
          "starts at version \(later.from), but \(earlier.source.name) before it ends at \(earlier.to): nothing leads from \(earlier.to) to \(later.from)",
          at: start)
      }
    }
    steps = sorted.map(\.file)
  }

  package var newest: Int64? { steps.last?.to }

  /// The steps that lead from `version` to `target`, or to the newest. Throws `.badDocument` where none do.
  package func pending(from version: Int64, to target: Int64?) throws(EngineError) -> [MigrationFile] {
    guard let newest, let first = steps.first else { return [] }
    let goal = target ?? newest
    if target == nil, version > newest {
      throw EngineError(
        .badDocument, "the file has version \(version), which is newer than all steps: they end at \(newest)",
        hint: "use the newest migration files, or --dir to name the right directory")
    }
    guard goal == version || steps.contains(where: { $0.to == goal }) else {
      throw EngineError(.badDocument, "no step leads to version \(goal)", hint: "the newest is \(newest)")
    }
    if version == goal { return [] }
    guard version < goal else {
      throw EngineError(
        .badDocument,
        "the file has version \(version), which is above \(goal): a schema version cannot be lowered",
        hint: "`migrate restore` restores a backup")
    }
    if let inside = steps.first(where: { $0.from < version && version < $0.to }) {
      throw EngineError(
        .badDocument,
        "the file has version \(version), which lies inside \(inside.source.name) (\(inside.from) to \(inside.to))"
      )
    }
    guard version >= first.from else {
      throw EngineError(
        .badDocument, "the file has version \(version), and the first step starts at \(first.from)")
    }
    return steps.filter { $0.from >= version && $0.to <= goal }
  }
}
