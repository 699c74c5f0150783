// The session that statements of a command line run in. Layer: RealmCommands, StatementOutput.

import Arguments
import RealmEngine
import RealmSession

extension Invocation {
  /// A session as the options of the command line say.
  func statementSession(on file: Word, isWritable: Bool) throws -> StatementSession {
    if arguments.has(.write), arguments.has(.readOnly) {
      throw Diagnostic.usage("--write and --readonly contradict each other")
    }
    _ = try snapshotChoice
    let settings = StatementSettings(
      arguments: try QueryText.values(arguments), showsAllTables: showsAllTables,
      isConfirmed: arguments.has(.yes))
    if isWritable { sayWhenStopped() }
    let policy = WritePolicy(
      lockTimeoutMilliseconds: lockTimeoutMilliseconds, upgrades: arguments.has(.upgrades),
      detaches: arguments.has(.detach), isDryRun: isDryRun)
    return StatementSession(
      try sessionRealm(file, isWritable ? policy : nil), settings: settings, self)
  }

  /// The realm at `word`: a file, `-` for standard input, or `:memory:`. `policy` nil: only for reading.
  private func sessionRealm(_ word: Word, _ policy: WritePolicy?) throws -> SessionRealm {
    if word.text == SessionRealm.memoryName {
      return try SessionRealm(inMemory: policy ?? WritePolicy(), self)
    }
    guard policy == nil || !word.isDash else {
      throw Diagnostic.usage("a realm from standard input cannot be changed")
    }
    return SessionRealm(try snapshotSource(of: word), policy: policy, self)
  }
}
