// Several statements in a row: arguments of the command line, standard input, `.read`. Layer: RealmCommands, Shell.
// Invariants: a script is one transaction unless it says otherwise; after an error its transaction is rolled back.

import RealmEngine
import RealmQueryLanguage
import RealmSession

extension Shell {
  private static let scriptDepthMax = 20

  /// Runs the statements in a file. An error that ended it is thrown; with `--keep-going` they have been told. `isTyped`: the
  /// file is the user's own, and its statements may do what typed ones may.
  func run(scriptIn path: FilePath, isTyped: Bool = false) throws {
    let source = try FileHandle.openForReading(path).readText()
    do {
      _ = try run(Script([source]), typed: isTyped ? [0] : [], of: path)
    } catch {
      throw Diagnostic(error, script: path)
    }
  }

  /// Runs the statements of a script in order. Throws the first error; where the session is to go on, errors are told
  /// one by one and the status is that of the first, in scripts that it reads as well. `typed`: which sources of the script
  /// were typed. `path`: its file, where it has one.
  func run(_ script: Script, typed: Set<Int>, of path: FilePath? = nil) throws -> ExitStatus {
    guard scripts.count < Self.scriptDepthMax else {
      throw Diagnostic(.statement, code: "too-deep", "scripts that read scripts are nested too deep")
    }
    let isInside = hasOpenTransaction || scripts.contains(true)
    // One statement alone is a transaction anyhow, and asks with what it finds.
    let isOneTransaction =
      !isInside && settings.stopsAtError && !script.hasTransactions && script.steps.count > 1
    if isInside || isOneTransaction || script.hasTransactions {
      guard try mayRemove(script) else { throw Diagnostic(declined: "nothing was done") }
    }
    if script.undoes { keepHistory() }
    if !isOneTransaction, script.steps.count > 1 { realm?.hasManyTransactions = true }
    if !isInteractive, scripts.isEmpty, script.steps.count > 1, realm?.isWritable ?? false {
      invocation.sayWhenStopped(.statements)
    }
    scripts.append(isOneTransaction)
    defer { scripts.removeLast() }
    // Half a transaction is not what was meant.
    var passesOver = false
    do {
      for batch in script.batches(joiningInserts: settings.stopsAtError) {
        guard leaving == nil else { break }
        if passesOver {
          passesOver = !batch.contains(where: \.endsTransaction)
          continue
        }
        do {
          try run(batch, typed: typed)
        } catch {
          guard !settings.stopsAtError, !error.endsScripts else { throw error }
          let endsTransaction = !isInside && hasOpenTransaction
          if endsTransaction { try rollback() }
          let diagnostic = path.map { Diagnostic(error, script: $0) } ?? Diagnostic(error)
          invocation.report(diagnostic)
          passesOver = endsTransaction
          if endsTransaction {
            invocation.tell(
              "rolled back: the transaction with the error; its other statements are skipped")
          }
          if toldStatus == .success { toldStatus = diagnostic.exit }
        }
      }
      if !isInside { try finish(isOneTransaction: isOneTransaction) }
    } catch {
      if !isInside { try rollBackIfNeeded(isTold: isInteractive && scripts.count == 1) }
      if isInside, isInteractive, scripts.count == 1, hasOpenTransaction {
        invocation.tell(
          "(what the script has changed stays in the open transaction; 'rollback' takes it back)")
      }
      throw error
    }
    return toldStatus
  }

  /// Asks for each statement that removes something, before any of the script has the file locked. What stands in a
  /// transaction that was begun at the prompt can be taken back there.
  private func mayRemove(_ script: Script) throws -> Bool {
    guard let realm, realm.isWritable, !realm.isInMemory, !realm.isDryRun,
      !(isInteractive && hasOpenTransaction)
    else { return true }
    for step in script.removals {
      let statement = step.source.text(in: step.range)
      guard try invocation.confirm("run '\(statement)' on \(realm.path.displayName)") else { return false }
    }
    return true
  }

  private func run(_ batch: ArraySlice<Script.Step>, typed: Set<Int>) throws {
    let wasTyped = isTyped
    defer { isTyped = wasTyped }
    let classes = batch.compactMap(\.declaredClass)
    func runSteps() throws {
      for step in batch {
        isTyped = wasTyped && typed.contains(step.sourceIndex)
        if scripts.count == 1 {
          statementCount += 1
          EndSignals.count(.statements, statementCount)
        }
        if settings.echoes { try tell(step.source.text(in: step.range) + "\n") }
        try beginIfNeeded(for: step)
        if classes.isEmpty { try run(in: step.source, step.range, step.statement) }
      }
    }
    guard let session, batch.count > 1, classes.isEmpty else {
      try runSteps()
      if !classes.isEmpty { try createClasses(classes) }
      return
    }
    for step in batch.prefix(1) { try beginIfNeeded(for: step) }
    try session.runInserts(runSteps)
  }

  private func beginIfNeeded(for step: Script.Step) throws {
    // The first statement that changes something begins the script's transaction.
    if scripts.contains(true), let realm, !realm.isInTransaction,
      case .success(let statement) = step.statement, StatementSession.changes(statement)
    {
      try realm.begin()
    }
  }

  private func rollBackIfNeeded(isTold: Bool) throws {
    guard hasOpenTransaction else { return }
    let lost = session?.pending ?? ChangeCounts()
    try rollback()
    if isTold, lost.total > 0 { invocation.tell("rolled back: \(lost.deeds)") }
  }

  private func finish(isOneTransaction: Bool) throws {
    guard hasOpenTransaction else { return }
    if isOneTransaction { return try commit() }
    throw Diagnostic(
      .statement, code: "transaction", "the script ended within a transaction, which was rolled back",
      hint: "end it with 'commit' to save the changes")
  }

  /// Before the session, or the realm, is left: whether it may be. What an open transaction has changed would be lost, which
  /// is asked about at the prompt and an error in a script. A script that is one transaction is committed at its end.
  func mayLeaveTransaction(_ deed: String) throws -> Bool {
    guard hasOpenTransaction, !scripts.contains(true) else { return true }
    guard isInteractive, scripts.isEmpty else { throw Self.openTransaction(deed) }
    return try !hasPendingChanges || invocation.confirm("discard the uncommitted changes and \(deed)")
  }

  static func openTransaction(_ deed: String) -> Diagnostic {
    Diagnostic(
      .statement, code: "transaction", "cannot \(deed) – a transaction is open",
      hint: "end it with commit or rollback")
  }
}

extension Error {
  /// Whether nothing more can be written, or nothing more is wanted.
  var endsScripts: Bool {
    [.outputFailed, .cancelled].contains((self as? EngineError)?.kind)
  }
}
