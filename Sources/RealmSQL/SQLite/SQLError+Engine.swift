// What SQLite refuses, in the user's terms. Layer: RealmSQL, SQLite.

import CLibSQLite
package import RealmEngine

extension EngineError {
  /// `file`: what messages call the database.
  package init(_ error: SQLError, file: String) {
    let kind: EngineError.Kind =
      switch error.primaryCode {
      case SQLITE_FULL: .diskFull
      case SQLITE_INTERRUPT: .cancelled
      case SQLITE_CANTOPEN: .notFound
      case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .permission
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_CORRUPT, SQLITE_NOTADB: .badDocument
      case SQLITE_IOERR: .outputFailed
      default: .other
      }
    self.init(kind, "\(file): \(error.message)")
  }
}
