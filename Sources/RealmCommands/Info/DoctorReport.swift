// What `doctor` says about one file, for people and for programs. Layer: RealmCommands, Info.

import ByteText
import FirstAid
import RealmEngine
import Rendering
import TextFormats

/// A verdict and the facts behind it.
struct DoctorReport {
  let facts: FileFacts
  let verdict: Verdict

  init(_ facts: FileFacts) {
    self.facts = facts
    verdict = Verdict(facts)
  }

  var exit: ExitStatus { verdict.command == nil ? .success : .checkFailed }

  // MARK: Text

  /// One line where there is nothing to do and others are told too. `columns`: of the terminal that it is for.
  func text(isOnly: Bool, columns: Int?) -> String {
    let text = sentences(isOnly: isOnly)
    let fitted = columns.map { ScreenLines.fitted(text, columns: $0) } ?? text
    // The command stays on one line, so that it can be copied.
    return verdict.command.map { "\(fitted)  next: \($0.text)\n" } ?? fitted
  }

  /// All but the command to type next.
  private func sentences(isOnly: Bool) -> String {
    let name = facts.path.displayName
    let head = "\(name): \(verdict.title)" + (summary.map { " – \($0)" } ?? "") + "\n"
    guard isOnly || verdict.command != nil else { return head }
    var text = head + indented(verdict.sentences.joined(separator: " "))
    if let reason = verdict.reason { text += indented("reason: \(reason)") }
    for note in notes { text += indented(note) }
    for sibling in facts.neighbours.siblings { text += indented("beside it: \(Self.text(sibling))") }
    return text
  }

  private func indented(_ text: String) -> String { "  \(text.visible)\n" }

  /// `format 24, 3 classes, 361 objects`
  private var summary: String? {
    guard facts.content == .realm, let format = facts.format, facts.damage == nil else { return nil }
    var parts = ["format \(format)"]
    if facts.isEncrypted { parts.append("encrypted") }
    if let version = facts.schemaVersion { parts.append("schema \(version)") }
    if !facts.holdsNothing { parts.append(counted(facts.objectCount, "object")) }
    return parts.joined(separator: ", ")
  }

  private var notes: [String] {
    var notes: [String] = []
    if facts.content == .realm, let format = facts.format {
      notes.append("format \(format): \(FileGeneration.writers(ofFormat: format))")
    }
    if facts.neighbours.hasLockFile, facts.neighbours.processes.isEmpty {
      notes.append(
        "a lock file is beside it, and nobody has the realm open: apps leave it there, which is harmless")
    }
    if facts.neighbours.hasManagementFolder, facts.neighbours.processes.isEmpty {
      notes.append("a .management folder is beside it: apps leave it there, which is harmless")
    }
    for process in facts.neighbours.processes {
      notes.append("open in process \(process.number)" + (process.name.map { ", \($0)" } ?? ""))
    }
    return notes
  }

  private static func text(_ sibling: Sibling) -> String {
    var parts = [sibling.kind, date(sibling.modified)]
    if let format = sibling.format { parts.append("format \(format)") }
    if let version = sibling.schemaVersion { parts.append("schema \(version)") }
    parts.append(sibling.objectCount.map { counted($0, "object") } ?? "cannot be opened")
    return "\(String(decoding: sibling.path.lastComponent, as: UTF8.self)) – " + parts.joined(separator: ", ")
  }

  /// `2024-05-01T10:00:00Z`
  private static func date(_ seconds: Int64) -> String {
    var text = ByteBuffer()
    _ = Timestamp(seconds: seconds, nanoseconds: 0).write(to: &text)
    return text.text
  }

  // MARK: JSON

  static let fields: [JSONField] = [
    JSONField("verdict", .word(VerdictKind.allCases.map(\.rawValue))), .text("title"), .texts("sentences"),
    .text("reason").orNull, .text("command").orNull, .flag("deep"), .integer("size_bytes"),
    .integer("file_format").orNull, .flag("encrypted"),
    JSONField("pages", JSONShape.object(.integer("checked"), JSONField("failing", .list(.integer))).orNull),
    .integer("schema_version").orNull, .integer("classes"), .integer("objects"), .integer("free_bytes"),
    JSONField(
      "recoverable",
      JSONShape.object(.integer("whole"), .integer("partial"), .integer("lost"), .flag("may_be_more")).orNull),
    JSONField("processes", .list(.object(.integer("process"), .text("name").orNull))),
    .flag("lock_file"), .flag("management_folder"),
    JSONField(
      "siblings",
      .list(
        .object(
          .text("file"), .text("kind"), .text("modified"), .integer("size_bytes"),
          .integer("file_format").orNull,
          .integer("schema_version").orNull, .integer("objects").orNull))),
  ]

  var entries: [DocumentEntry] {
    [
      .text("verdict", verdict.kind.rawValue), .text("title", verdict.title),
      .list("sentences", verdict.sentences.map { .string($0) }), .text("reason", verdict.reason),
      .text("command", verdict.command?.text), .flag("deep", facts.isDeep), .number("size_bytes", facts.size),
      .number("file_format", facts.format), .flag("encrypted", facts.isEncrypted),
      DocumentEntry("pages", pages), .number("schema_version", facts.schemaVersion),
      .number("classes", facts.classCount), .number("objects", facts.objectCount),
      .number("free_bytes", facts.freeSize), DocumentEntry("recoverable", recoverable),
      .list(
        "processes",
        facts.neighbours.processes.map { .mapping([.number("process", $0.number), .text("name", $0.name)]) }),
      .flag("lock_file", facts.neighbours.hasLockFile),
      .flag("management_folder", facts.neighbours.hasManagementFolder),
      .list(
        "siblings",
        facts.neighbours.siblings.map { sibling in
          .mapping([
            .file(sibling.path), .text("kind", sibling.kind), .text("modified", Self.date(sibling.modified)),
            .number("size_bytes", sibling.size), .number("file_format", sibling.format),
            .number("schema_version", sibling.schemaVersion), .number("objects", sibling.objectCount),
          ])
        }),
    ]
  }

  private var pages: DocumentNode {
    guard facts.checkedPageCount > 0 else { return .null }
    return .mapping([
      .number("checked", facts.checkedPageCount),
      .list("failing", facts.failingPages.map { .integer(Int64($0)) }),
    ])
  }

  private var recoverable: DocumentNode {
    guard let found = facts.recoverable else { return .null }
    return .mapping([
      .number("whole", found.whole), .number("partial", found.partial), .number("lost", found.lost),
      .flag("may_be_more", found.mayBeMore),
    ])
  }
}
