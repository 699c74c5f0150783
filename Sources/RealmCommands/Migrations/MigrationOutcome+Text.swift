// What a run did, for people and for programs. Layer: RealmCommands, Migrations.

import ByteText
import Migrations
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension MigrationOutcome {
  /// One line.
  func summary(isRehearsal: Bool) -> String {
    if isNothing { return "\(path.displayName): already at schema version \(to), nothing to do" }
    let word = isRehearsal ? "would be migrated" : "migrated"
    let kept = backup.map { "; the original is \($0.displayName)" } ?? ""
    let names = reports.map(\.displayName).joined(separator: ", ")
    let deleted = reports.isEmpty ? "" : "; deleted objects are in \(names)"
    return "\(path.displayName): \(word) from schema version \(from) to \(to)\(upgrade)\(kept)\(deleted)"
  }

  private var upgrade: String {
    format < FileFormat.newest ? " and from file format \(format) to \(FileFormat.newest)" : ""
  }

  /// The operations with their numbers.
  var details: String {
    var text = ""
    for step in steps {
      text += "  \(step.from) → \(step.to)  \((step.name.isEmpty ? step.file : step.name).visible)\n"
      let width = step.operations.map(\.word.count).max() ?? 0
      for operation in step.operations {
        let word = TerminalWidth.padded(operation.word, to: width)
        let numbers = Self.numbers(operation)
        text +=
          "    \(word)  \(operation.subject.visible)\(numbers.isEmpty ? "" : ": \(numbers)")\n"
      }
    }
    return text + (isNothing ? "" : "  \(sizeBefore) bytes before, \(sizeAfter) after, \(milliseconds) ms\n")
  }

  private static func numbers(_ operation: OperationResult) -> String {
    let report = operation.report
    let parts: [(Int, String)] = [
      (report.touchedCount, "objects"), (report.createdCount, "created"), (report.deletedCount, "deleted"),
      (report.nullCount, "nulls"), (report.failureCount, "did not convert"),
      (operation.milliseconds, "ms"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  static let fields: [JSONField] = [
    .integer("from"), .integer("to"), .integer("file_format"), .integer("size_before"),
    .integer("size_after"), .integer("milliseconds"), .backup, .texts("reports"),
    JSONField("steps", .list(.row)),
  ]

  /// For programs.
  var entries: [DocumentEntry] {
    [
      DocumentEntry.number("from", from), .number("to", to), .number("file_format", format),
      .number("size_before", sizeBefore), .number("size_after", sizeAfter),
      .number("milliseconds", milliseconds), .backup(backup),
      .list("reports", reports.map { .string($0.name) }), .list("steps", steps.map(Self.document)),
    ]
  }

  private static func document(_ step: StepResult) -> DocumentNode {
    .mapping([
      .text("file", step.file), .number("from", step.from), .number("to", step.to), .text("name", step.name),
      .list("operations", step.operations.map(document)),
    ])
  }

  private static func document(_ operation: OperationResult) -> DocumentNode {
    let report = operation.report
    return .mapping([
      .text("operation", operation.word), .text("subject", operation.subject),
      .number("objects", report.touchedCount), .number("created", report.createdCount),
      .number("deleted", report.deletedCount), .number("nulls", report.nullCount),
      .number("failures", report.failureCount), .number("milliseconds", operation.milliseconds),
    ])
  }
}
