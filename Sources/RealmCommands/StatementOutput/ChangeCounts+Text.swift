// What statements have changed, in words. Layer: RealmCommands, StatementOutput.

import ByteText
import RealmSession
import Rendering
import TextFormats

extension ChangeCounts {
  /// The counts that are not 0, with what was done.
  private var counts: [(count: Int, done: String, doing: String, noun: (String, String), deed: String)] {
    let objects = ("object", "objects")
    let classes = ("class", "classes")
    return [
      (created, "created", "create", classes, "class creation"),
      (altered, "altered", "alter", classes, "class alteration"),
      (dropped, "dropped", "drop", classes, "class removal"),
      (inserted, "created", "create", objects, "object creation"),
      (updated, "updated", "update", objects, "object update"),
      (deleted, "deleted", "delete", objects, "object deletion"),
    ].filter { $0.0 > 0 }
  }

  /// What a statement tells.
  static let statementFields: [JSONField] = [
    .integer("created_classes"), .integer("altered_classes"), .integer("dropped_classes"),
    .integer("schema_version").optional, CommandResult.changes, ObjectName.field.optional,
  ]

  /// What a statement has done, for programs.
  var statementEntries: [DocumentEntry] {
    [
      .number("created_classes", created), .number("altered_classes", altered),
      .number("dropped_classes", dropped),
    ] + (schemaVersion?.new.map { [.number("schema_version", Int($0))] } ?? []) + entries
  }

  /// `created 1 class, created 2 objects, updated 1 object`
  var text: String { sentence(isDryRun: false) }

  /// `12 object updates, 1 object deletion`
  var deeds: String {
    (counts.map { counted($0.count, $0.deed) } + (schemaVersion.map { [$0.text] } ?? [])).joined(
      separator: ", ")
  }

  private static let madeShownMax = 5

  /// `: Dog @61, Dog @62, …`: the objects that were made, the first ones of many; nothing where more was done than that.
  func madeText(in realm: SessionRealm) -> String {
    let shown = made.prefix(Self.madeShownMax)
    guard !shown.isEmpty, total == inserted, !realm.isDryRun,
      let names = try? realm.read({ view in try shown.map { try ObjectNames(view).name(of: $0) } })
    else { return "" }
    return ": " + (names + (made.count > shown.count ? ["…"] : [])).joined(separator: ", ")
  }

  func sentence(isDryRun: Bool) -> String {
    var clauses = counts.map { part in
      (isDryRun ? part.doing : part.done) + " " + counted(part.count, part.noun.0, part.noun.1)
    }
    if let schemaVersion { clauses.append("\(isDryRun ? "change" : "changed") the \(schemaVersion.text)") }
    let parts = clauses.joined(separator: ", ")
    if parts.isEmpty { return isDryRun ? "nothing would change" : "nothing changed" }
    return isDryRun ? "would \(parts)" : parts
  }
}

extension ChangeCounts.VersionChange {
  /// `schema version from 3 to 9`
  fileprivate var text: String {
    "schema version from \(old.map { "\($0)" } ?? "none") to \(new.map { "\($0)" } ?? "none")"
  }
}

extension Invocation {
  /// Says what a command has changed in the objects of `name`, or would change. `otherwise`: what is said where that is
  /// nothing.
  func write(
    _ counts: ChangeCounts, of name: String, in realm: SessionRealm, otherwise: String,
    _ more: [DocumentEntry] = []
  ) throws -> ExitStatus {
    let own = counts.classes.first { $0.name == name } ?? ChangeCounts.OfClass(name: name)
    let entries = own.entries + more + counts.entries
    let sentence = sentence(counts, in: realm)
    let result =
      counts.total == 0
      ? FileResult(done: otherwise, entries)
      : realm.isDryRun ? FileResult(wouldDo: sentence, entries) : FileResult(done: sentence, entries)
    return try write(result, of: realm.path, changing: true)
  }

  /// Says what a script has changed, whose results have standard output for themselves; that nothing would change is worth a
  /// word.
  func tell(_ counts: ChangeCounts, in realm: SessionRealm) throws {
    let text = sentence(counts, in: realm)
    if realm.isDryRun { try StandardStreams.write(text + "\n") } else { note(text) }
  }

  private func sentence(_ counts: ChangeCounts, in realm: SessionRealm) -> String {
    "\(realm.path.displayName): \(counts.sentence(isDryRun: realm.isDryRun))\(counts.madeText(in: realm))"
  }
}
