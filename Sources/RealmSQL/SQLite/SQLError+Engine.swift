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
    guard let table = error.table else {
      self.init(kind, "\(file): \(error.message)", naming: file, hint: error.remedy)
      return
    }
    self.init(
      kind == .other ? .badDocument : kind, "\(file): cannot read the table \(table): \(error.message)",
      naming: file,
      hint: error.remedy
        ?? "import the other tables one by one: realm-cli import FILE CLASS \(file) --table TABLE --create")
  }
}
