// Many rows at once: into a table, and out of one into its digest. Layer: RealmSQL, SQLite.

import CLibSQLite

extension SQLStatement {
  /// Runs an `insert` for each row of values that are given column by column.
  func insert(_ columns: [[SQLValue]], rowCount: Int) throws(SQLError) {
    // Values are not copied: they live until all rows are in.
    defer { unsafe sqlite3_clear_bindings(handle) }
    for row in 0..<rowCount {
      for index in columns.indices {
        let code = unsafe bind(
          Int32(truncatingIfNeeded: index + 1), columns[index][row], SQLiteMemory.lasting)
        guard code == SQLITE_OK else { throw connection.error(code) }
      }
      let code = unsafe sqlite3_step(handle)
      guard code == SQLITE_DONE else {
        let error = connection.error(code)
        reset()
        throw error
      }
      reset()
    }
  }

  /// The digest of all rows that a query finds. `check` is called now and then.
  func digest<E: Error>(_ check: () throws(E) -> Void) throws -> TableDigest {
    var digest = TableDigest()
    let columnCount = Int32(self.columnCount)
    while try step() {
      var hash = RowHash()
      for index in 0..<columnCount {
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: hash.add(unsafe sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: hash.add(unsafe sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
          let start = unsafe UnsafeRawPointer(sqlite3_column_text(handle, index))
          let bytes = unsafe UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(handle, index)))
          unsafe hash.add(text: bytes)
        case SQLITE_BLOB:
          let start = unsafe sqlite3_column_blob(handle, index)
          let bytes = unsafe UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(handle, index)))
          unsafe hash.add(blob: bytes)
        default: hash.addNull()
        }
      }
      digest.add(hash)
      if digest.rowCount & 0xFFF == 0 { try check() }
    }
    return digest
  }
}
