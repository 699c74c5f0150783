// What a migration deletes for good, in the files that its policies name. Layer: RealmCommands, Migrations.
// Invariants: a report is there whole, on the disk and under its name before the realm is replaced, and gone again where
// that fails, what it replaced being back; none that stands there is replaced unless that was asked for; two realms never share
// one.

import ByteText
import Migrations
import RealmEngine
import RealmSession
import Rendering

/// The reports of one migration of one realm.
final class DeletionReports: DeletionKeeper {
  private final class Report {
    let path: FilePath
    let file: SafeReplacement
    /// What stands in its place, held so that it is not lost.
    private let replaced: FileHandle?
    var size = 0

    /// A file stood in its place when it was begun. Nothing else is replaced.
    var isReplacing: Bool { replaced != nil }

    init(_ path: FilePath) throws(EngineError) {
      self.path = path
      let isReplacing = try path.statusOfLink?.isRegular ?? false
      replaced = isReplacing ? try FileHandle.openForReading(path) : nil
      file = try SafeReplacement(target: path, like: try replaced?.status())
    }

    /// Undoes what gave it its name. Where that fails, the report of what was not deleted stays.
    func withdraw() {
      guard let replaced else { return path.remove() }
      do throws(EngineError) {
        let old = try SafeReplacement(target: path, like: try replaced.status())
        try replaced.copyContent(to: old.handle) { _ in }
        _ = try old.commit(replacing: true)
      } catch {
        return
      }
    }
  }

  private let realm: FilePath
  private let isSingle: Bool
  /// What was deleted of other realms by the same run.
  private let earlier: [FilePath]
  private let mayReplace: Bool
  /// Nothing is written, but what would be refused is.
  private let isRehearsal: Bool
  private var reports: [Report] = []
  private var committedReports: [Report] = []
  /// The files that have their names.
  var committed: [FilePath] { committedReports.map(\.path) }

  /// `isSingle`: no other realm is migrated, so that a report has the name that the policy gives. `earlier`: the reports of
  /// those that were migrated before, which nothing replaces.
  init(of realm: FilePath, isSingle: Bool, earlier: [FilePath], mayReplace: Bool, isRehearsal: Bool) {
    self.earlier = earlier
    self.realm = realm
    self.isRehearsal = isRehearsal
    self.isSingle = isSingle
    self.mayReplace = mayReplace
  }

  func begin() { reports = [] }

  func keep(_ keys: [ObjectKey], of table: Table, in realm: ReadTransaction, report name: String) throws {
    guard let report = try report(at: path(for: name)) else { return }
    var out = OutputBuffer { bytes throws(EngineError) in
      try bytes.bytes.withRawBytes { bytes throws(EngineError) in
        try report.file.handle.write(bytes, at: report.size)
      }
      report.size += bytes.count
    }
    var writer = JSONWriter(realm, style: .typed, objectsOf: table)
    try writer.writeLines(of: table, keys: Set(keys), to: &out)
    try out.flush()
  }

  /// Nil in a rehearsal.
  private func report(at path: FilePath) throws(EngineError) -> Report? {
    if let known = reports.first(where: { $0.path == path }) { return known }
    let found = try path.statusOfLink
    if let found, earlier.contains(where: { found.isSameFile(as: try? $0.statusOfLink) }) {
      throw EngineError(
        .alreadyExists, "the report \(path.displayName) was just written for another realm",
        hint: "migrate realms of the same name one by one, and move each report away")
    }
    guard mayReplace || found == nil else {
      throw EngineError(
        .alreadyExists, "the report \(path.displayName) already exists",
        hint: "move it away, or replace it with --force")
    }
    try path.requireTextTarget()
    try path.requireReplaceable()
    if isRehearsal { return nil }
    let report = try Report(path)
    reports.append(report)
    return report
  }

  /// `orphans.jsonl`; with other realms beside this one `app.orphans.jsonl` where it lies.
  private func path(for name: String) -> FilePath {
    let path = FilePath(name)
    guard !isSingle else { return path }
    let own = realm.stem + Array(".".utf8) + path.lastComponent
    return path.bytes == path.lastComponent ? realm.sibling(own) : path.sibling(own)
  }

  /// Gives the files their names.
  func commit() throws(EngineError) {
    for report in reports {
      if let found = try report.path.statusOfLink,
        committedReports.contains(where: { found.isSameFile(as: try? $0.file.handle.status()) })
      {
        throw EngineError(
          .alreadyExists, "the report \(report.path.displayName) is named twice by this migration",
          hint: "use a different name in each step")
      }
      let remarks = try report.file.commit(replacing: report.isReplacing)
      committedReports.append(report)
      // What was deleted must be on the disk before it is deleted.
      if let remark = remarks.first { throw EngineError(.other, remark) }
    }
  }

  /// The migration came to nothing after all.
  func withdraw() {
    for report in committedReports { report.withdraw() }
    committedReports = []
  }
}
