// What SQLite refuses. Layer: RealmSQL, SQLite.

/// An error that SQLite reported.
package struct SQLError: Error, Sendable {
  /// The extended result code.
  package let code: Int32
  package let message: String
  /// Bytes into the text of the statement, where SQLite names a place.
  package let offset: Int?

  package init(code: Int32, message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// The kind of error, without what is more precise.
  package var primaryCode: Int32 { code & 0xFF }

  private static let noTable = "no such table: "

  /// The table that is not there; nil for other errors. SQLite has words for this alone, and no code.
  package var missingTable: String? {
    primaryCode == Self.wrongStatement && message.hasPrefix(Self.noTable)
      ? String(message.dropFirst(Self.noTable.count)) : nil
  }
}

extension SQLError {
  package static let wrongStatement: Int32 = 1
  package static let outOfMemory: Int32 = 7
  package static let interrupted: Int32 = 9
  package static let tooLong: Int32 = 18
  package static let notAllowed: Int32 = 23
}
