// Opening the realm that an invocation names with the key it needs. Layer: RealmCommands, Keys.

import Arguments
import RealmEngine

extension Invocation {
  /// Calls `open` with the key of the file. A key that is named is used in any case, but among many files only for those that
  /// do not open without, as one from the environment is.
  func withKey<Result>(
    for path: FilePath, _ open: (EncryptionKey?) throws(EngineError) -> Result
  ) throws -> Result {
    let source = KeySource(invocation: self)
    do {
      let named = try namedKey.value { try source.namedKey() }
      do throws(EngineError) {
        return try open(isOneOfMany ? nil : named)
      } catch {
        guard named == nil || isOneOfMany, [.keyMissing, .notARealm].contains(error.kind) else { throw error }
        if let key = try named ?? source.environmentKey() { return try open(key) }
        // What is no realm at all is not worth a question.
        if error.kind == .keyMissing, let result = try openAsking(source, path, open) { return result }
        var diagnostic = Diagnostic(error, file: path)
        diagnostic.hint = diagnostic.hint ?? (error.kind == .keyMissing ? Self.keyHint : nil)
        throw diagnostic
      }
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Refuses a key that would come from standard input where something else does without being named.
  func refuseKeyOnInput(beside other: String) throws(Diagnostic) {
    guard arguments.word(.keyFile)?.isDash ?? false else { return }
    throw .usage(
      "\(other) and --\(Option.keyFile.name) would both read standard input",
      hint: "only one of them can; a key may come from a file, --key-env or --key-command")
  }

  private static var keyHint: String {
    "supply its key with --key-file, --key-env or --key-command, or in REALM_CLI_KEY_FILE"
  }

  private static let typingsMax = 3

  /// Opens with a key that the user types, or has typed for this file before; nil where nobody answers.
  private func openAsking<Result>(
    _ source: KeySource, _ path: FilePath, _ open: (EncryptionKey?) throws(EngineError) -> Result
  ) throws -> Result? {
    if let known = typedKeys[path] {
      do throws(EngineError) {
        return try open(known)
      } catch {
        // Another process may have given the file another key.
        guard error.kind == .keyWrong else { throw error }
      }
    }
    for typing in 1... {
      do {
        guard let key = try source.askedKey(for: path) else { return nil }
        let result = try open(key)
        typedKeys.remember(key, for: path)
        return result
      } catch {
        let diagnostic = Diagnostic(error, file: path)
        guard typing < Self.typingsMax, diagnostic.exit == .key else { throw diagnostic }
        report(diagnostic)
      }
    }
    return nil
  }
}
