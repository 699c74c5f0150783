// `check`: walks whole files and names everything that contradicts the format. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import Rendering

extension Command {
  fileprivate static let summary = Option("summary", "one line per file, without the findings")

  /// `check FILE…`
  static let check = Command(
    .files([
      JSONField("verdict", .word(["sound", "repairable", "damaged"])), .integer("file_format"),
      .flag("encrypted"),
      .integer("version"), .flag("complete"),
      JSONField(
        "counts",
        .object(.integer("damage"), .integer("repairable"), .integer("lost_space"), .integer("note"))),
      JSONField(
        "findings",
        .list(
          .object(
            .text("severity"), .text("invariant"), .text("kind"), .integer("offset"), .text("place"),
            .text("expected"), .text("found")))), JSONField("walked", .row),
    ]),
    CommandSpec(
      "check", group: CommandGroup.checking, summary: "check whole files for damage",
      brief: "look for damage",
      operands: [.realms], options: [summary, .snapshot, .failFast],
      details: [
        """
        Reads every node, value, link and index entry once and compares each with what the format requires. Nothing \
        is changed.
        """,
        """
        A finding is damage (exit status 9), repairable (redundant data is wrong, which a writer can rebuild: stale \
        records of links in dictionaries), lost space (bytes that are unused until the file is compacted) or a note. \
        --verbose shows how much was checked.
        """,
      ],
      examples: [
        Example("realm-cli check app.realm", "report what is damaged, and where"),
        Example("realm-cli check --json backups/*.realm", "one report per file, for programs"),
      ])
  ) { invocation in
    let checker = Checker(invocation: invocation)
    let status = try invocation.forEachFile { word in try checker.check(word) }
    if status == .checkFailed {
      invocation.note("'realm-cli recover FILE OUT' saves what can be read")
    }
    return status
  }
}

/// Checks one file.
private struct Checker {
  let invocation: Invocation

  func check(_ word: Word) throws -> FileResult {
    let report = try invocation.inspection(of: word)
    invocation.detail("\(report.path.displayName): \(InspectionReportWriter.walked(report.statistics))")
    let isSummary = invocation.arguments.has(Command.summary)
    return FileResult(
      shown: InspectionReportWriter.text(report, isSummary: isSummary),
      InspectionReportWriter.entries(report, isSummary: isSummary),
      exit: report.isSound ? .success : .checkFailed)
  }
}

extension Invocation {
  /// So many findings of a kind are told in full.
  private static let findingsPerKindMax = 20

  /// Checks one file. One that cannot be opened because it is damaged has a report too.
  func inspection(of word: Word) throws -> InspectionReport {
    do {
      return try inspect(word) { file in
        var report = try FileInspection.inspect(file, perKindMax: Self.findingsPerKindMax)
        if report.isSound, report.isUpgradeInterrupted { try readAll(of: file, for: &report) }
        return report
      }
    } catch let diagnostic as Diagnostic {
      // A realm whose header leads nowhere is damaged, not something else than a realm.
      guard let cause = diagnostic.cause, cause.kind == .damaged else { throw diagnostic }
      return FileInspection.unopenable(diagnostic.file ?? FilePath(word.bytes), cause)
    }
  }

  /// What `dump` refuses is not sound either.
  private func readAll(of file: RealmFile, for report: inout InspectionReport) throws {
    guard let flaw = try file.flawOfInterruptedUpgrade() ?? flawOfDump(of: file) else { return }
    report.add(
      Finding(
        kind: .oldTable, severity: .damage, offset: 0, place: "the interrupted upgrade",
        expected: "tables that can be read", found: flaw))
  }

  private func flawOfDump(of file: RealmFile) throws -> String? {
    do throws(EngineError) {
      var nowhere = OutputBuffer { _ in }
      let database = try file.inspectedRealm()
      try DumpWriter(database.transaction, allTables: true).write(to: &nowhere)
      try nowhere.flush()
      return nil
    } catch {
      guard error.kind == .damaged else { throw error }
      return error.message
    }
  }
}
