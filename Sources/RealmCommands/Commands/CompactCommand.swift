// `compact`: a realm in place, without what is not in use. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  private static let condition = Option(
    "if", takes: .text, "CONDITION", "only files that meet CONDITION: 'size > 100MB and used < 50%'")

  /// `compact FILE…`
  static let compact = Command(
    .files([
      .flag("compacted"), .integer("size_before"), .integer("size_after"), .integer("used_before"), .backup,
    ]),
    CommandSpec(
      "compact", group: CommandGroup.files, summary: "return unused space in a file to the system",
      brief: "return unused space",
      operands: [.realms], options: [condition, .dryRun, .lockTimeout, .salvage, .failFast],
      details: [
        """
        The data is written to a private file, read back, compared, and replaces the original in one step. A file \
        that another program has open is left alone. --dry-run shows how much would be saved.
        """,
        """
        A condition compares size, used and free with sizes (KB, MB, GB and TB are powers of 1024) or with \
        percentages of the file's size, and may use and, or, not and parentheses.
        """,
      ],
      examples: [
        Example("realm-cli compact app.realm", "compact one file"),
        Example("realm-cli compact --dry-run app.realm", "how much it would save"),
      ])
  ) { invocation in
    let condition = try invocation.arguments.text(condition).map { text in
      (text: text, parsed: try CompactCondition(text))
    }
    return try invocation.forEachFile(changing: true) { word in
      try WholeFileJob.deciding {
        let plan = try invocation.plan(FilePath(word.bytes), condition?.parsed)
        guard plan.isWanted else {
          return plan.unchanged(
            "\(plan.path.displayName): unchanged, '\(condition?.text ?? "")' does not hold (\(plan.sizes))"
          )
        }
        return try invocation.isDryRun ? invocation.rehearse(plan) : invocation.compact(plan)
      }
    }
  }
}

/// What is to be done with one file.
private struct CompactPlan {
  let job: WholeFileJob
  let path: FilePath
  let size: Int
  let used: Int
  /// The condition holds.
  let isWanted: Bool
  /// Next to nothing is free, so that only a look at every node can tell whether anything can be saved.
  let isDense: Bool

  /// Nothing is done.
  func unchanged(_ sentence: String) -> FileResult {
    FileResult(skipped: sentence, entries(sizeAfter: nil, backup: nil))
  }

  /// Nothing can be saved.
  var compactAlready: FileResult {
    unchanged("\(path.displayName): already compact (\(SizeText.bytes(size)))")
  }

  /// `sizeAfter` nil: it stays as it is.
  func entries(sizeAfter: Int?, backup: FilePath?) -> [DocumentEntry] {
    [
      DocumentEntry.flag("compacted", sizeAfter != nil), .number("size_before", size),
      .number("size_after", sizeAfter ?? size), .number("used_before", used), .backup(backup),
    ]
  }

  var sizes: String { "size \(SizeText.bytes(size)), used \(SizeText.bytes(used))" }
}

extension Invocation {
  /// Compacts a file, where that saves anything.
  func compact(_ path: FilePath, _ progress: @escaping WholeFileJob.Progress) throws -> FileResult {
    try WholeFileJob.deciding { try compact(try plan(path, nil), progress) }
  }

  fileprivate func plan(_ path: FilePath, _ condition: CompactCondition?) throws -> CompactPlan {
    let key = try keyOfFile(path)
    let (version, size, space) = try look(path, key) { database throws(EngineError) in
      (database.version, database.file.fileSize, try database.transaction.spaceUse())
    }
    let used = space?.used ?? 0
    let job = WholeFileJob(
      source: path, key: key, newKey: key, target: .inPlace(backupLabel: nil), history: .keep,
      lockTimeoutMilliseconds: lockTimeoutMilliseconds, salvages: arguments.has(.salvage), version: version)
    return CompactPlan(
      job: job, path: path, size: size, used: used,
      isWanted: condition?.holds(CompactCondition.Facts(size: size, used: used)) ?? true,
      isDense: space?.isDense ?? true)
  }

  fileprivate func compact(
    _ plan: CompactPlan, _ progress: @escaping WholeFileJob.Progress = { _, _, _ in }
  ) throws -> FileResult {
    var job = plan.job
    if plan.isDense {
      let measurement = try measure(job)
      guard measurement.size < plan.size else { return plan.compactAlready }
      job.soundVersion = measurement.soundVersion
    }
    let report = try run(job, progress)
    warn(ofOriginal: report.backup)
    return FileResult(
      done:
        "\(plan.path.displayName): compacted from \(SizeText.bytes(report.sizeBefore)) to \(SizeText.bytes(report.sizeAfter))",
      plan.entries(sizeAfter: report.sizeAfter, backup: report.backup))
  }

  fileprivate func rehearse(_ plan: CompactPlan) throws -> FileResult {
    let size = try measure(plan.job).size
    guard !plan.isDense || size < plan.size else { return plan.compactAlready }
    return FileResult(
      wouldDo:
        "\(plan.path.displayName): would shrink from \(SizeText.bytes(plan.size)) to \(SizeText.bytes(size))",
      plan.entries(sizeAfter: size, backup: nil))
  }
}
