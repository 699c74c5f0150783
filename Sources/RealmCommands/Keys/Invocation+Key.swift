// Opening the realm that an invocation names with the key it needs. Layer: RealmCommands, Keys.

import RealmEngine
import Synchronization

/// The key that an option names. Several files share it: standard input and a key command can be asked only once.
final class NamedKeyMemory: Sendable {
  private let key = Mutex<EncryptionKey?>(nil)

  func value(orFind find: () throws -> EncryptionKey?) throws -> EncryptionKey? {
    if let known = key.withLock({ $0 }) { return known }
    let found = try find()
    key.withLock { $0 = found }
    return found
  }
}

extension Invocation {
  /// Calls `open` with the key of the file. A key that is named is used in any case; one from the environment only
  /// for a file that does not open without.
  func withKey<Result>(
    for path: FilePath, _ open: (EncryptionKey?) throws(EngineError) -> Result
  ) throws -> Result {
    let source = KeySource(invocation: self)
    do {
      let named = try namedKey.value { try source.namedKey() }
      do throws(EngineError) {
        return try open(named)
      } catch {
        guard named == nil, [.keyMissing, .notARealm].contains(error.kind) else { throw error }
        guard let key = try source.environmentKey() ?? askedKey(source, path, error) else {
          var diagnostic = Diagnostic(error, file: path)
          diagnostic.hint = diagnostic.hint ?? (error.kind == .keyMissing ? Self.keyHint : nil)
          throw diagnostic
        }
        return try open(key)
      }
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  private static var keyHint: String {
    "name its key with --key-file, --key-env or --key-command, or in REALM_CLI_KEY_FILE"
  }

  /// What is no realm at all is not worth a question.
  private func askedKey(_ source: KeySource, _ path: FilePath, _ error: EngineError) throws -> EncryptionKey?
  {
    error.kind == .keyMissing ? try source.askedKey(for: path) : nil
  }
}
