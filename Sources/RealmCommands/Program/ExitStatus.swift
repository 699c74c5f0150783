// What the program returns. Layer: RealmCommands, Program. Scripts rely on every number.

import RealmEngine
import RealmSession

/// The exit status of the process.
package struct ExitStatus: Sendable, Hashable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package static let success = ExitStatus(code: 0)
  /// Whatever has no number of its own.
  package static let failure = ExitStatus(code: 1)
  package static let usage = ExitStatus(code: 2)
  /// Not a realm, or damaged.
  package static let damaged = ExitStatus(code: 3)
  /// A key is missing, malformed or wrong.
  package static let key = ExitStatus(code: 4)
  /// The file format is too new, or an upgrade is needed.
  package static let format = ExitStatus(code: 5)
  /// In use elsewhere, or changed while it was read.
  package static let busy = ExitStatus(code: 6)
  /// A predicate, statement or script; an unknown class or property.
  package static let statement = ExitStatus(code: 7)
  /// Data, a migration, a schema or an import was refused.
  package static let refused = ExitStatus(code: 8)
  /// A check said no.
  package static let checkFailed = ExitStatus(code: 9)
  /// Not found, not permitted, exists already, disk full, output failed.
  package static let unavailable = ExitStatus(code: 10)

  /// Of several that occurred, which one counts: what the user can mend at once comes first, what a check found last.
  private static let order: [ExitStatus] = [
    .usage, .key, .damaged, .format, .busy, .unavailable, .refused, .statement, .checkFailed, .failure,
    .success,
  ]

  /// The one of two that counts for a command that worked on several files.
  func first(of other: ExitStatus) -> ExitStatus { Self.order.first { $0 == self || $0 == other } ?? self }

  /// Ended by a signal.
  package static func signal(_ number: Int32) -> ExitStatus { ExitStatus(code: 128 + number) }
}

extension ExitStatus {
  /// The number and the word that stand for a kind of engine error.
  static func forError(_ kind: EngineError.Kind) -> (status: ExitStatus, code: String) {
    switch kind {
    case .notARealm: (.damaged, "not-a-realm")
    case .damaged: (.damaged, "damaged")
    case .keyMissing: (.key, "key-missing")
    case .keyMalformed: (.key, "key-malformed")
    case .keyWrong: (.key, "key-wrong")
    case .formatTooNew: (.format, "format-too-new")
    case .upgradeNeeded: (.format, "upgrade-needed")
    case .busy: (.busy, "busy")
    case .changedWhileRead: (.busy, "changed-while-read")
    case .outdated: (.busy, "changed-meanwhile")
    case .unknownClass: (.statement, "unknown-class")
    case .unknownProperty: (.statement, "unknown-property")
    case .badQuery: (.statement, "bad-query")
    case .badDocument: (.refused, "bad-document")
    case .constraint: (.refused, "constraint")
    case .refused, .tooLarge: (.failure, "refused")
    case .notFound: (.unavailable, "not-found")
    case .permission: (.unavailable, "permission")
    case .alreadyExists: (.unavailable, "exists")
    case .diskFull: (.unavailable, "disk-full")
    case .outputFailed: (.unavailable, "output-failed")
    case .cancelled: (.signal(2), Diagnostic.cancelledCode)
    case .other: (.failure, "other")
    }
  }

  /// For help and the man page.
  static let explanations: [(codes: String, meaning: String)] = [
    ("0", "success, even if there was nothing to show or do"),
    ("1", "another failure"),
    ("2", "the command line is wrong"),
    ("3", "not a realm, or damaged"),
    ("4", "the key is missing, malformed or wrong"),
    ("5", "the file format is too new, or has to be upgraded first"),
    ("6", "in use by another program, lock timeout, or changed while it was read"),
    ("7", "a predicate, statement or script is wrong; a class or property does not exist"),
    ("8", "data, a migration, a schema or an import was refused"),
    ("9", "a check failed"),
    ("10", "not found, not permitted, already exists, disk full, or output failed"),
    ("128+n", "ended by signal n"),
  ]
}
