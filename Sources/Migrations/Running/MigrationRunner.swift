// Runs steps on a transaction: what must hold before, the operations, what must hold after. Layer: Migrations, Running.
// Invariant: nothing reaches a file here; whoever owns the transaction makes it durable, or drops it.

import ByteText
package import RealmEngine
import RealmQueryLanguage
package import RealmSession
import TextFormats

/// What one operation did.
package struct OperationResult: Sendable {
  package let word: String
  package let subject: String
  package let report: OperationReport
  package let milliseconds: Int
}

/// What one step did.
package struct StepResult: Sendable {
  package let file: String
  package let from: Int64
  package let to: Int64
  package let name: String
  package let operations: [OperationResult]
}

/// Why a run stopped.
package struct MigrationFailure: Error, Sendable {
  package enum Kind: Sendable { case refused, assertion }

  package let kind: Kind
  package let problem: MigrationProblem
  /// Where the engine knew more: the object.
  package let place: String?
}

/// Runs steps; used for one realm.
package final class MigrationRunner {
  private let steps: [MigrationFile]
  private let now: Timestamp
  private let seed: UInt64
  private let keeper: (any DeletionKeeper)?

  package private(set) var results: [StepResult] = []
  /// Why the last run stopped, with its place in the migration file.
  package private(set) var failure: MigrationFailure?

  /// `keeper`: takes the objects that policies want to be kept when they are deleted.
  package init(
    _ steps: [MigrationFile], now: Timestamp, seed: UInt64, keeper: (any DeletionKeeper)? = nil
  ) {
    self.steps = steps
    self.now = now
    self.seed = seed
    self.keeper = keeper
  }

  /// Makes the changes of all steps. `isSynced`: only what such a realm may take.
  package func run(on transaction: WriteTransaction, isSynced: Bool = false) throws(EngineError) {
    results = []
    keeper?.begin()
    failure = nil
    let environment = ExpressionEnvironment(now: now, seed: seed)
    if isSynced { try refuseForSync() }
    for step in steps {
      do {
        try run(step, transaction, environment, isSynced: isSynced)
      } catch let stopped as MigrationFailure {
        failure = stopped
        throw EngineError(
          .badDocument, stopped.problem.message, at: stopped.place, hint: stopped.problem.hint)
      } catch let error as EngineError {
        throw error
      } catch {
        throw EngineError(.other, "something failed that has no words")
      }
    }
  }

  /// Makes the changes beside a realm's file; gives what is to be written to a new one.
  package func changed(_ database: Database) throws(EngineError) -> ReadTransaction {
    let transaction = try database.beginInMemory()
    try run(on: transaction, isSynced: database.isSynced)
    return try transaction.finished()
  }

  private static let localCopyHint =
    "let the app that syncs it migrate, or make a local copy with `copy --local`"

  private func refuseForSync() throws(EngineError) {
    for step in steps {
      for entry in step.operations where !entry.operation.isAdditive {
        failure = refusal(
          step, "\(entry.word) of \(entry.subject) would change a synced realm, which takes additions only",
          hint: Self.localCopyHint, at: entry.node)
        throw EngineError(.refused, "a synced realm takes additive changes only, not \(entry.word)")
      }
    }
  }

  private func refusal(
    _ step: MigrationFile, kind: MigrationFailure.Kind = .refused, _ message: String, hint: String? = nil,
    place: String? = nil, at node: DocumentNode
  ) -> MigrationFailure {
    let report = ProblemReport(step.source)
    return MigrationFailure(
      kind: kind,
      problem: MigrationProblem(
        .error, message, hint: hint, in: step.source, at: node.location, length: report.length(of: node)),
      place: place)
  }

  private func run(
    _ step: MigrationFile, _ transaction: WriteTransaction, _ environment: ExpressionEnvironment,
    isSynced: Bool
  ) throws {
    try checkFingerprint(step, try transaction.view())
    environment.names = [:]
    for (name, text) in step.lets {
      environment.names[name.value] = try compute(step, text, transaction, environment)
    }
    for assertion in step.before { try check(assertion, step, transaction, environment) }
    var operations: [OperationResult] = []
    for entry in step.operations {
      let start = SystemClock.milliseconds
      let run = OperationRun(transaction, environment, as: .document, keeper: keeper)
      do {
        let before = try transaction.view().objectCount
        try entry.operation.run(run)
        run.report.account(for: try transaction.view().objectCount - before)
      } catch let error as EngineError where error.isOfMachine {
        throw error
      } catch let error as OperationFailure where error.error.isOfMachine {
        throw error.error
      } catch let error as EngineError {
        throw refusal(
          step, "\(entry.word): \(error.message)", hint: error.hint, place: error.place, at: entry.node)
      } catch let error as OperationFailure {
        throw refusal(
          step, "\(entry.word): \(error.error.message)", hint: error.error.hint, place: error.error.place,
          at: error.node)
      }
      operations.append(
        OperationResult(
          word: entry.word, subject: entry.subject, report: run.report,
          milliseconds: SystemClock.milliseconds - start))
    }
    if let target = step.target {
      operations += try derive(step, target, transaction, isSynced: isSynced)
    }
    for assertion in step.after { try check(assertion, step, transaction, environment) }
    try transaction.setSchemaVersion(step.to)
    results.append(
      StepResult(
        file: step.source.name, from: step.from, to: step.to, name: step.name, operations: operations))
  }

  private func derive(
    _ step: MigrationFile, _ target: Located<SchemaDescription>, _ transaction: WriteTransaction,
    isSynced: Bool
  ) throws -> [OperationResult] {
    let start = SystemClock.milliseconds
    let derived = DerivedChanges(
      from: try transaction.view().schemaDescription(), to: target.value,
      removed: Set(step.removed.map(\.value)))
    if let (message, hint) = derived.refusals.first {
      throw refusal(step, message, hint: hint, at: target.node)
    }
    if isSynced, let removal = derived.firstRemoval {
      throw refusal(
        step, "\(removal.text) would change a synced realm, which takes additions only",
        hint: Self.localCopyHint, at: target.node)
    }
    let reports: [OperationReport]
    do throws(EngineError) {
      reports = try derived.run(transaction)
    } catch {
      throw refusal(step, error.message, hint: error.hint, place: error.place, at: target.node)
    }
    let duration = SystemClock.milliseconds - start
    return zip(derived.changes, reports).map { change, report in
      OperationResult(word: "schema", subject: change.text, report: report, milliseconds: duration)
    }
  }

  private func checkFingerprint(_ step: MigrationFile, _ realm: ReadTransaction) throws {
    guard let expected = step.fingerprint else { return }
    let found = try realm.schemaDescription().fingerprint()
    guard found != expected.value else { return }
    throw refusal(
      step, "the file's schema has another fingerprint: \(found)",
      hint: "the schema drifted; compare it with `diff --schema`", at: expected.node)
  }

  // MARK: Assertions

  private func compute(
    _ step: MigrationFile, _ text: ExpressionText, _ transaction: WriteTransaction,
    _ environment: ExpressionEnvironment
  ) throws -> ComputedName {
    do {
      return try OperationRun(transaction, environment, as: .document).computed(text)
    } catch let failure as OperationFailure {
      throw refusal(step, failure.error.message, hint: failure.error.hint, at: text.node)
    }
  }

  private func check(
    _ assertion: Assertion, _ step: MigrationFile, _ transaction: WriteTransaction,
    _ environment: ExpressionEnvironment
  ) throws {
    switch assertion {
    case .expression(let text):
      guard try compute(step, text, transaction, environment).value != .bool(true) else { return }
      throw refusal(
        step, kind: .assertion,
        "the assertion does not hold: \(String(decoding: text.source, as: UTF8.self))",
        at: text.node)
    case .count(let className, let condition, let least, let most, let message, let node):
      let run = OperationRun(transaction, environment, as: .document)
      guard try transaction.schema(named: className.value) != nil else {
        throw refusal(step, "there is no class '\(className.value)'", at: className.node)
      }
      let count: Int
      do {
        count = try run.keys(condition, className.value).count
      } catch let error as OperationFailure {
        throw refusal(step, error.error.message, hint: error.error.hint, at: error.node)
      }
      guard count < least || most.map({ count > $0 }) ?? false else { return }
      let wanted =
        most == least ? "exactly \(least)" : count < least ? "at least \(least)" : "at most \(most ?? 0)"
      let condition = condition.map { " where \(String(decoding: $0.source, as: UTF8.self))" } ?? ""
      throw refusal(
        step, kind: .assertion,
        "\(message ?? "the assertion does not hold"): \(counted(count, "object")) of \(className.value)\(condition), \(wanted) expected",
        at: node)
    }
  }
}

extension EngineError {
  /// Whether the machine had no memory, no space or no time for it, so that another run may do what this one could not.
  fileprivate var isOfMachine: Bool { [.other, .diskFull, .permission, .cancelled].contains(kind) }
}
