// `info`: what a file is, and what is in it. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  fileprivate static let sizes = Option("sizes", "show the bytes that each class and property takes")

  /// `info FILE…`
  static let info = Command(
    .files(RealmReport.fields),
    CommandSpec(
      "info", group: CommandGroup.reading, summary: "show what a file is and what it contains",
      brief: "what a file contains",
      operands: [.realms], options: [sizes, .allTables, .snapshot, .failFast],
      details: [
        """
        For a file that cannot be opened, shows what is known about it. Several files get one line each.
        """
      ],
      examples: [
        Example("realm-cli info app.realm", "format, size, history, versions, classes"),
        Example("realm-cli info --sizes app.realm", "what takes the space"),
        Example("realm-cli info *.realm", "one line per file"),
      ])
  ) { invocation in
    let isOnly = invocation.arguments.words(.realms).count == 1
    return try invocation.forEachFile { word in
      let report = invocation.report(on: word, measured: invocation.arguments.has(Command.sizes))
      let text = isOnly ? invocation.fitted(report) : report.line
      return report.failure.map { FileResult($0, shown: text, tellsFailure: !isOnly, report.entries) }
        ?? FileResult(shown: text, report.entries)
    }
  }
}

extension Invocation {
  /// One file in full; nothing where there is no file.
  fileprivate func fitted(_ report: RealmReport) -> String {
    guard report.fileSize != nil else { return "" }
    return resultColumnCount.map { ScreenLines.fitted(report.text, columns: $0) } ?? report.text
  }

  func report(on word: Word, measured: Bool) -> RealmReport {
    var nothing = OutputBuffer()
    do {
      return try withSnapshot(of: word, to: &nothing) { database, _ in
        RealmReport(
          file: database.file.path, fileSize: database.file.fileSize, header: database.file.header,
          isEncrypted: database.file.image.isEncrypted,
          facts: try SnapshotFacts(
            database.transaction, allTables: showsAllTables, measures: measured))
      }
    } catch {
      let path = FilePath(word.bytes)
      let probe = word.isDash ? nil : try? FileProbe(path)
      return RealmReport(
        file: path, fileSize: probe?.fileSize, header: probe?.header,
        isEncrypted: probe.flatMap { $0.header == nil ? $0.looksEncrypted ? true : nil : false },
        failure: Diagnostic(error, file: path))
    }
  }
}
