// What an import is to do, as its user said it. Layer: RealmSession, Importing.

import RealmEngine
package import TextFormats

/// The wishes of whoever imports.
package struct ImportOptions: Sendable {
  /// What becomes of a column without a property.
  package enum ExtraColumns: String, CaseIterable, Sendable { case refuse, ignore, add }

  package var mode = IngestMode.insert
  package var links = LinkPolicy.require
  package var extraColumns = ExtraColumns.refuse
  /// Columns and the properties they go to; nothing: the column is passed over.
  package var mapping: [(column: String, target: String)] = []
  /// Types of properties that are made, as schemas spell them.
  package var types: [(column: String, type: String)] = []
  package var primaryKey: String?
  /// Forms of dates; without a column, of all others.
  package var dates: [(column: String?, form: DateForm)] = []
  /// What separates the elements of a list in a cell.
  package var lists: [(column: String, separator: String)] = []
  /// Cells that are null, beside those that hold nothing.
  package var nulls: [[UInt8]] = []
  /// Whether a class or property that is missing is made.
  package var creates = false
  /// After how many rows types are foretold, so that the rest is read once; nil: they are told from all rows first.
  package var sampleRowCount: Int?
  /// Names in place of those of the first line.
  package var columns: [String]?
  package var hasHeader = true
  package var skippedLines = 0
  /// Whether bad rows are handed out instead of ending everything.
  package var keepsRejects = false

  /// The last column of refused rows that were saved. They may come again when they are mended.
  package static let reasonColumn = "reason"

  package init() {}

  func dateForm(of column: String) -> DateForm {
    let named = dates.last { $0.column.map { ColumnName.isSame($0, column) } ?? false }
    return named?.form ?? dates.last { $0.column == nil }?.form ?? .iso
  }

  /// The type that the user names for a property that is made.
  func type(of column: String) -> String? {
    types.last { ColumnName.isSame($0.column, column) }?.type
  }

  /// Whether the user says how the dates of a column are written, and so that it holds dates.
  func namesDates(of column: String) -> Bool {
    dates.contains { $0.column.map { ColumnName.isSame($0, column) } ?? false }
  }

  /// The first of the columns that options name and a source has not, with the option.
  func unknownColumn(among columns: Set<String>, typesOnly: Bool) -> (option: String, column: String)? {
    var named = types.map { ("types", $0.column) }
    if !typesOnly {
      named += mapping.map { ("map", $0.column) } + lists.map { ("lists", $0.column) }
      named += dates.compactMap { date in date.column.map { ("dates", $0) } }
    }
    return named.first { !columns.contains(ColumnName.folded($0.1)) }
  }

  func listSeparator(of column: String) -> [UInt8]? {
    lists.last { ColumnName.isSame($0.column, column) }.map { Array($0.separator.utf8) }
  }
}

/// Names of columns and properties, which programs write differently.
enum ColumnName {
  /// The name without case, underscores, hyphens and blanks.
  static func folded(_ name: String) -> String {
    String(name.lowercased().filter { $0 != "_" && $0 != "-" && !$0.isWhitespace })
  }

  static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || folded(left) == folded(right)
  }
}

/// What is wrong with a source, or with what was said about it.
package struct ImportFault: Error, Sendable {
  package let message: String
  /// Of the fault in an object; nil where it is another.
  package private(set) var code: String?
  package var hint: String?
  /// Nil where it is not about a place in the source.
  package var location: TextLocation?
  /// The line it stands on, as it came.
  package var line: [UInt8]?
  /// Which of several sources it is in.
  package var source: Int?
  /// The property or element in its object; empty where that is not known.
  private(set) var path = ""

  package init(_ message: String, at location: TextLocation? = nil, hint: String? = nil) {
    self.message = message
    self.location = location
    self.hint = hint
  }

  package init(_ fault: DocumentFault) {
    // The place tells the column of a table; in a document the path helps.
    self.init(fault.message, at: fault.place.location, hint: fault.hint)
    path = fault.pathText
    code = fault.code
  }

  package init(_ error: TextFormatError) { self.init(error.message, at: error.location, hint: error.hint) }
}

/// What came of an import.
package struct ImportReport: Sendable {
  package var rowCount = 0
  package var insertedCount = 0
  package var updatedCount = 0
  package var skippedCount = 0
  package var rejectedCount = 0

  package init() {}
}

/// Who hears of bad rows and of how far it is.
package protocol ImportListener: AnyObject {
  /// A row that was refused, as it came. Throws to end the import.
  func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws
  /// Names of columns, before the first row.
  func begin(columns: Span<UInt8>, separator: UInt8)
  func progress(rowCount: Int, byteCount: Int)
}
