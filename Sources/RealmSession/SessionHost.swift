// What a session asks of the program around it. Layer: RealmSession.

package import RealmEngine

/// Who tells and asks the user.
package protocol SessionHost {
  /// A remark about what was done.
  func note(_ text: String)
  /// Something the user should change, though it is no error.
  func warn(_ text: String)
  /// Before something is removed, which `deed` says.
  func confirm(_ deed: String) throws -> Bool
  /// Runs a job on the whole file before it is written to. Throws the engine's own error for what is to be decided anew.
  func run(_ job: WholeFileJob) throws -> WholeFileJob.Report
}

/// The text of a result, which may be taken back as long as none of it has left.
package protocol RetractableOutput: ~Copyable {
  associatedtype Mark
  var mark: Mark { get }
  /// Asked before bytes leave; throws where they may be wrong.
  var guardBeforeFlush: (() throws(EngineError) -> Void)? { get set }
  /// Told before any of it leaves that what comes stood in an encrypted realm.
  var onSecret: (() -> Void)? { get }
  /// Forgets what was appended since `mark`. False: some of it has left.
  mutating func rewind(to mark: Mark) -> Bool
}

/// For what prints nothing.
package struct NoOutput: RetractableOutput {
  package var guardBeforeFlush: (() throws(EngineError) -> Void)?
  package var onSecret: (() -> Void)? { nil }
  package var mark: Void { () }

  package init() {}

  package mutating func rewind(to mark: Void) -> Bool { true }
}
