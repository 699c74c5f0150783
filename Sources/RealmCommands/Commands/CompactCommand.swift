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
    CommandSpec(
      "compact", group: CommandGroup.files, summary: "return unused space in a file to the system",
      operands: [.realms], options: [condition, .dryRun, .lockTimeout, .salvage],
      details: [
        """
        The data is written to a private file, read back, compared, and put in the place of the original in one \
        step; a file that another program has open is left alone. --dry-run tells what would be saved.
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
    return try invocation.withOutput { out in
      for path in try invocation.paths(.realms) {
        try WholeFileJob.deciding {
          let plan = try invocation.plan(path, condition?.parsed)
          if invocation.isDryRun {
            try invocation.write(plan, to: &out)
          } else if !plan.isWanted {
            invocation.tell(
              done:
                "\(path.displayName) unchanged: '\(condition?.text ?? "")' does not hold (\(plan.sizes))",
              plan.unchanged)
          } else {
            try invocation.compact(plan)
          }
        }
      }
      return .success
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

  /// Where nothing is done.
  var unchanged: [DocumentEntry] {
    [
      .file(path), DocumentEntry("compacted", .bool(false)), .number("size_before", size),
      .number("size_after", size),
    ]
  }

  var sizes: String { "size \(SizeText.bytes(size)), used \(SizeText.bytes(used))" }
}

extension Invocation {
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

  fileprivate func compact(_ plan: CompactPlan) throws {
    var job = plan.job
    if plan.isDense {
      let measurement = try measure(job)
      guard measurement.size < plan.size else {
        return tell(
          done: "\(plan.path.displayName) is already compact (\(SizeText.bytes(plan.size)))", plan.unchanged)
      }
      job.soundVersion = measurement.soundVersion
    }
    let report = try run(job)
    warn(ofOriginal: report.backup)
    tell(
      done:
        "\(plan.path.displayName) compacted: \(SizeText.bytes(report.sizeBefore)) before, \(SizeText.bytes(report.sizeAfter)) now",
      [
        .file(plan.path), DocumentEntry("compacted", .bool(true)), .number("size_before", report.sizeBefore),
        .number("size_after", report.sizeAfter), .backup(report.backup),
      ])
  }

  fileprivate func write(_ plan: CompactPlan, to out: inout OutputBuffer) throws {
    let after = plan.isWanted ? min(plan.size, try measure(plan.job).size) : plan.size
    if wantsJSON {
      let document = DocumentNode.mapping([
        DocumentEntry("file", .string(plan.path.displayName)),
        DocumentEntry("size_bytes", .integer(Int64(plan.size))),
        DocumentEntry("used_bytes", .integer(Int64(plan.used))),
        DocumentEntry("compacted_bytes", .integer(Int64(after))),
        DocumentEntry("saved_bytes", .integer(Int64(plan.size - after))),
        DocumentEntry("condition", .bool(plan.isWanted)),
      ])
      out.text.append(json: document)
    } else {
      let saving =
        plan.isWanted
        ? "\(SizeText.bytes(after)) compacted, \(SizeText.bytes(plan.size - after)) saved"
        : "the condition does not hold"
      out.text.append(text: "\(plan.path.displayName): \(plan.sizes), \(saving)")
    }
    out.text.append(UInt8(ascii: "\n"))
  }
}
