// What an inspection found, for people and for programs. Layer: Rendering, Schema.

import ByteText
package import RealmEngine
package import TextFormats

/// What is said about one inspected file.
package enum InspectionReportWriter {
  /// How much was looked at.
  package static func walked(_ statistics: InspectionStatistics) -> String {
    let counts = Self.counts(statistics).filter { $0.count > 0 }
    return counts.isEmpty
      ? "nothing to check" : counts.map { "\($0.count) \($0.words)" }.joined(separator: ", ")
  }

  private static func counts(_ statistics: InspectionStatistics) -> [(key: String, words: String, count: Int)]
  {
    [
      ("nodes", "nodes", statistics.nodeCount),
      ("node_bytes", "bytes of nodes", statistics.nodeBytes),
      ("free_blocks", "free blocks", statistics.freeBlockCount),
      ("free_bytes", "free bytes", statistics.freeBytes),
      ("lost_bytes", "lost bytes", statistics.lostBytes),
      ("tables", "tables", statistics.tableCount),
      ("objects", "objects", statistics.objectCount),
      ("unresolved_objects", "unresolved objects", statistics.unresolvedObjectCount),
      ("values", "values", statistics.valueCount),
      ("links", "links", statistics.linkCount),
      ("indexes", "indexes", statistics.indexCount),
      ("index_entries", "index entries", statistics.indexEntryCount),
      ("change_sets", "change sets", statistics.historyEntryCount),
    ]
  }

  /// One word for the whole file.
  private static func verdict(_ report: InspectionReport) -> String {
    if !report.isSound { return "damaged" }
    return report.count(of: .repairable) > 0 ? "repairable" : "sound"
  }

  // MARK: Text

  /// `isSummary`: one line, without the findings.
  package static func text(_ report: InspectionReport, isSummary: Bool = false) -> String {
    var text = "\(report.path.displayName.visible): \(verdict(report))"
    let summary = summary(report)
    if !summary.isEmpty { text += " – \(summary)" }
    if isSummary { return text + (report.isIncomplete ? ", stopped early\n" : "\n") }
    text += "\n"
    for finding in report.findings {
      let place = finding.place.isEmpty ? "the file" : finding.place
      text += "  \(finding.severity.rawValue): \(place.visible) – \(finding.words.visible) "
      text += "– offset \(finding.offset) (\(finding.kind.invariant))\n"
    }
    for (kind, count) in untold(report) { text += "  and \(count) more of \(kind.invariant)\n" }
    if report.isIncomplete { text += "  stopped: the rest of the file was not checked\n" }
    return text
  }

  private static func summary(_ report: InspectionReport) -> String {
    var parts: [String] = []
    let damage = report.count(of: .damage)
    let repairable = report.count(of: .repairable)
    let notes = report.count(of: .note)
    if damage > 0 { parts.append(counted(damage, "place of damage", "places of damage")) }
    if repairable > 0 { parts.append(counted(repairable, "place")) }
    if report.statistics.lostBytes > 0 { parts.append("\(report.statistics.lostBytes) bytes of lost space") }
    if notes > 0 { parts.append(counted(notes, "note")) }
    return parts.joined(separator: ", ")
  }

  /// Kinds with more findings than are told.
  private static func untold(_ report: InspectionReport) -> [(FindingKind, Int)] {
    var told: [FindingKind: Int] = [:]
    for finding in report.findings { told[finding.kind, default: 0] += 1 }
    return report.counts.map { ($0.key, $0.value - (told[$0.key] ?? 0)) }.filter { $0.1 > 0 }.sorted {
      $0.0.rawValue < $1.0.rawValue
    }
  }
  // MARK: JSON

  package static func entries(_ report: InspectionReport, isSummary: Bool = false) -> [DocumentEntry] {
    [
      DocumentEntry.text("verdict", verdict(report)), .number("file_format", report.format),
      .flag("encrypted", report.isEncrypted), .number("version", report.version),
      .flag("complete", !report.isIncomplete), DocumentEntry("counts", counts(report)),
      .list("findings", isSummary ? [] : report.findings.map(document)),
      .object("walked", counts(report.statistics).map { DocumentEntry.number($0.key, $0.count) }),
    ]
  }

  private static func counts(_ report: InspectionReport) -> DocumentNode {
    .mapping(
      Severity.allCases.map {
        DocumentEntry.number($0.word, report.count(of: $0))
      })
  }

  private static func document(_ finding: Finding) -> DocumentNode {
    .mapping([
      .text("severity", finding.severity.word), .text("invariant", finding.kind.invariant),
      .text("kind", finding.kind.word), .number("offset", finding.offset), .text("place", finding.place),
      .text("expected", finding.expected), .text("found", finding.found),
    ])
  }
}
