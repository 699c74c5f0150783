// `info`: what a file is, and what is in it. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  private static let files = Arguments.Operand("FILE", .file, .atLeastOnce)
  fileprivate static let sizes = Option("sizes", "show the bytes that each class and property takes")

  /// `info FILE…`
  static let info = Command(
    CommandSpec(
      "info", group: CommandGroup.reading, summary: "show what a file is and what it contains",
      operands: [files], options: [sizes, .snapshot],
      details: [
        """
        Also tells what it can about a file that cannot be opened. Several files get a line each. With --json \
        the result is an object, or a list of objects for several files.
        """
      ],
      examples: [
        Example("realm-cli info app.realm", "format, size, history, versions, classes"),
        Example("realm-cli info --sizes app.realm", "what takes the space"),
        Example("realm-cli info *.realm", "one line per file"),
      ])
  ) { invocation in
    let words = invocation.arguments.words(files)
    return try invocation.withOutput { out in
      words.count == 1
        ? try invocation.writeInfo(of: words[0], to: &out) : try invocation.writeInfo(of: words, to: &out)
    }
  }
}

extension Invocation {
  /// One file in full. The report of a file that cannot be opened comes before the error.
  fileprivate func writeInfo(of word: Word, to out: inout OutputBuffer) throws -> ExitStatus {
    let report = report(on: word, to: &out)
    if wantsJSON {
      out.text.append(json: report.document, indentation: 2)
      out.text.append(UInt8(ascii: "\n"))
    } else if report.fileSize != nil {
      let columns = arguments.word(.output) == nil ? Terminal.columnCount(of: resultDescriptor) : nil
      out.text.append(text: columns.map { ScreenLines.fitted(report.text, columns: $0) } ?? report.text)
    }
    guard let failure = report.failure else { return .success }
    try out.flush()
    throw failure
  }

  /// A line a file; the highest status wins.
  fileprivate func writeInfo(of words: [Word], to out: inout OutputBuffer) throws -> ExitStatus {
    var status = ExitStatus.success
    var documents: [DocumentNode] = []
    for word in words {
      let report = report(on: word, to: &out)
      if let failure = report.failure, failure.exit.code > status.code { status = failure.exit }
      if wantsJSON { documents.append(report.document) } else { out.text.append(text: report.line) }
      try out.flushIfLarge()
    }
    if wantsJSON {
      out.text.append(json: .sequence(documents), indentation: 2)
      out.text.append(UInt8(ascii: "\n"))
    }
    return status
  }

  private func report(on word: Word, to out: inout OutputBuffer) -> RealmReport {
    do {
      return try withSnapshot(of: word, to: &out) { database, _ in
        RealmReport(
          file: database.file.path, fileSize: database.file.fileSize, header: database.file.header,
          isEncrypted: database.file.image.isEncrypted,
          facts: try SnapshotFacts(
            database.transaction, allTables: showsAllTables, measures: arguments.has(Command.sizes)))
      }
    } catch {
      let path = FilePath(word.bytes)
      let probe = word.isDash ? nil : try? FileProbe(path)
      return RealmReport(
        file: path, fileSize: probe?.fileSize, header: probe?.header,
        isEncrypted: probe?.looksEncrypted, failure: Diagnostic(error, file: path))
    }
  }
}
