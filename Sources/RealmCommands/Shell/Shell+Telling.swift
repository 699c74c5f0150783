// What the terminal is told of changes, beside results. Layer: RealmCommands, Shell.

import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension Shell {
  /// `.undo` and `.redo`
  func step(_ direction: UndoHistory.Direction) throws {
    _ = try requiredRealm()
    guard let session else { return }
    // What is undone was saved, and of a script that is one transaction nothing is saved before its end.
    guard !scripts.contains(true) else {
      throw Diagnostic(
        .statement, code: "transaction",
        "these statements are one transaction, of which nothing is saved yet",
        hint: "--keep-going makes each a transaction of its own, which .undo undoes")
    }
    let counts = try session.step(direction)
    try output.write(isPaged: false) { out in tellPrograms(of: counts, to: &out) }
    if settings.showsChanges {
      invocation.tell("\(direction == .undo ? "undone" : "redone"): \(counts.text)")
    }
  }

  /// What a statement has changed, and what became of changes that were `waiting` for the end of their transaction.
  func tell(of statement: Statement, _ counts: ChangeCounts, waiting: ChangeCounts) {
    switch statement.kind {
    case .begin where !(realm?.isInMemory ?? true): tellOfLock()
    case .commit where waiting.total > 0:
      let isKept = !(realm?.isDryRun ?? false)
      invocation.tell(isKept ? "committed: \(waiting.deeds)" : "not committed: this is a dry run")
    case .rollback where waiting.total > 0: invocation.tell("rolled back: \(waiting.deeds)")
    case _ where StatementSession.changes(statement):
      let isRehearsed = realm?.isDryRun ?? false
      invocation.tell(counts.sentence(isDryRun: isRehearsed) + (realm.map(counts.madeText) ?? ""))
      if counts.created + counts.altered + counts.dropped > 0 { tellOfSchemaVersion() }
      guard counts.total > 0, !hasOpenTransaction, !isRehearsed, !hasToldOfBegin else { return }
      hasToldOfBegin = true
      let undoing =
        realm?.history?.canUndo ?? true ? ".undo takes it back" : "this change cannot be undone by .undo"
      invocation.tell("(saved immediately; \(undoing), 'begin' starts a transaction)")
    default: break
    }
  }

  /// Says once that the separator or the text for null that was set is not that of the mode.
  func tellOfUnusedSettings(in mode: OutputMode) {
    let isSeparatorUnused = settings.separator != nil && mode != .list
    let isNullUnused = settings.nullText != nil && (mode == .tsv || mode == .csv)
    guard isSeparatorUnused || isNullUnused, !hasToldOfSettings else { return }
    hasToldOfSettings = true
    invocation.warn(
      isNullUnused
        ? "mode \(mode.rawValue) writes null as \(mode == .tsv ? "\\N" : "nothing"); the text for null that was set is for other modes, such as list or box"
        : "the separator that was set is for mode list; the results are in mode \(mode.rawValue)")
  }

  /// Apps refuse a schema that was changed under the same version.
  private func tellOfSchemaVersion() {
    guard !hasToldOfVersion, let realm, !realm.isDryRun,
      let version = try? realm.read({ $0.schemaVersion })
    else { return }
    hasToldOfVersion = true
    invocation.tell(
      "(schema_version stays \(version); 'alter schema version \(version &+ 1)' raises it)")
  }

  /// Somebody who goes for a coffee should know what waits meanwhile.
  private func tellOfLock() {
    guard let name = realm?.path.displayName else { return }
    let end =
      idleTimeoutSeconds.map { "after \($0) s without input it is rolled back" }
      ?? "with --idle-timeout SECONDS it ends by itself"
    invocation.tell("(until 'commit' or 'rollback' no other program can change \(name); \(end))")
  }
}

extension Invocation {
  /// Something for who sits at the terminal, beside results.
  func tell(_ text: String) {
    if !isQuiet { StandardStreams.tell(text + "\n") }
  }
}
