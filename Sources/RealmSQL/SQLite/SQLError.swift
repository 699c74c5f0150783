// What SQLite refuses. Layer: RealmSQL, SQLite.

/// An error that SQLite reported.
package struct SQLError: Error, Sendable {
  /// The extended result code.
  package let code: Int32
  package let message: String
  /// Bytes into the text of the statement, where SQLite names a place.
  package let offset: Int?
  /// The table of a file that cannot be read.
  private(set) var table: String?

  package init(code: Int32, message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// With the table that was read when it came.
  func reading(_ table: String) -> SQLError {
    var error = self
    error.table = error.table ?? table
    return error
  }

  /// The kind of error, without what is more precise.
  package var primaryCode: Int32 { code & 0xFF }

  /// What helps; nil where nothing is known.
  package var remedy: String? {
    if isBusy { return "another program is writing to it: try again when that is done" }
    if message.hasSuffix(Self.wideText) {
      return "make a realm of it: realm-cli create NEW.realm --from FILE; sql takes several realms"
    }
    return code == Self.unfinishedTransaction ? "open it with sqlite3 and read a table of it: .tables" : nil
  }

  /// Whether another program has the file for itself.
  package var isBusy: Bool { Self.busyCodes.contains(primaryCode) }

  /// The table that is not there; nil for other errors.
  package var missingTable: String? { name(after: "no such table: ") }

  /// The column that no table has; nil for other errors.
  package var missingColumn: String? { name(after: "no such column: ") }

  /// The function that is not there; nil for other errors.
  package var missingFunction: String? { name(after: "no such function: ") }

  /// What the grammar has no place for; nil for other errors.
  package var unexpectedWord: String? {
    for (beginning, ending) in [("near \"", "\": syntax error"), ("unrecognized token: \"", "\"")] {
      guard let words = name(after: beginning), words.hasSuffix(ending) else { continue }
      return String(words.dropLast(ending.count))
    }
    return nil
  }

  /// Whether the statement ends too early.
  package var isIncomplete: Bool { name(after: "incomplete input") != nil || unexpectedWord == ";" }

  /// SQLite has words for these errors alone, and no code.
  private func name(after words: String) -> String? {
    primaryCode == Self.wrongStatement && message.hasPrefix(words)
      ? String(message.dropFirst(words.count)) : nil
  }
}

extension SQLError {
  /// What SQLite says of a file in UTF-16, and what that means.
  static let otherEncoding = "same text encoding as main database"
  static let wideText = "its texts are in UTF-16, which SQLite cannot read beside others"

  package static let wrongStatement: Int32 = 1
  private static let busyCodes: ClosedRange<Int32> = 5...6
  package static let outOfMemory: Int32 = 7
  package static let interrupted: Int32 = 9
  package static let tooLong: Int32 = 18
  /// Of a limit: nothing else that only reads wants a type.
  package static let wrongType: Int32 = 20
  package static let notAllowed: Int32 = 23
  static let failedWrite: Int32 = 10 | 3 << 8
  /// Who only reads may not roll it back.
  static let unfinishedTransaction: Int32 = 8 | 3 << 8
}
