// How a library that stands on SQLite wants its tables: types, names, keys, dates. Layer: RealmSQL, Mapping.

import ByteText
import RealmEngine

/// A library that opens an exported file as its own.
package enum SQLLibrary: String, CaseIterable, Sendable {
  case room, grdb, drift, sqldelight, watermelondb
}

/// The form of exported tables.
package struct SQLForm: Sendable {
  /// How dates are written: as text, or as time since 1970.
  package enum Dates: String, CaseIterable, Sendable {
    case text, seconds, milliseconds

    /// The second of a date that stands in a column; nil for other values.
    fileprivate func second(of value: SQLValue) -> Int64? {
      switch (self, value) {
      case (.text, .text(let text)):
        Timestamp(iso: text.bytes.span, fromYear: 0).map { $0.seconds - ($0.nanoseconds < 0 ? 1 : 0) }
      case (.seconds, .integer(let number)): number
      case (.milliseconds, .integer(let number)): number.dividedRoundingDown(by: 1000).quotient
      default: nil
      }
    }
  }

  /// Nil: no library, and everything is kept.
  package let library: SQLLibrary?
  package let dates: Dates

  package static let plain = SQLForm(library: nil, dates: .text)

  private init(library: SQLLibrary?, dates: Dates) {
    self.library = library
    self.dates = dates
  }

  /// `dates` nil: as the library's own dates are. Nil where it does not read these.
  package init?(_ library: SQLLibrary, dates: Dates?) {
    let known = Self.dates(of: library)
    guard let dates = dates ?? known.first, known.contains(dates) else { return nil }
    self.init(library: library, dates: dates)
  }

  /// What a library reads dates from, its default first.
  package static func dates(of library: SQLLibrary) -> [Dates] {
    switch library {
    case .room, .sqldelight: [.text, .seconds, .milliseconds]
    case .grdb: [.text, .seconds]
    case .drift: [.seconds, .text]
    case .watermelondb: [.milliseconds]
    }
  }

  /// Whether each row has columns `id`, `_changed` and `_status`, and every name of a row is a text.
  package var namesRows: Bool { library == .watermelondb }

  /// Whether a mixed value is JSON, because a column has one type.
  var writesMixedAsJSON: Bool { library != nil && library != .grdb }

  /// The type of a column that holds primary keys of several types.
  var typeOfMixedKeys: SQLType { writesMixedAsJSON ? .text : .any }

  /// Whether dates are texts in GRDB's own form, which it also compares them in.
  var writesDatesAsGRDB: Bool { library == .grdb && dates == .text }

  /// The dates that the library reads: those of Dart and JavaScript end 100 million days from 1970, texts are read in four
  /// digits of a year, and milliseconds are numbers of 64 bits.
  var dateSeconds: ClosedRange<Int64> {
    switch (library, dates) {
    case (.drift, .text), (.grdb, .text): -62_167_219_200...253_402_300_799
    case (.drift, _), (.watermelondb, _): -8_640_000_000_000...8_640_000_000_000
    case (_, .milliseconds): -9_223_372_036_854_774...9_223_372_036_854_774
    default: .min ... .max
    }
  }

  /// The date that a column which must have one holds in place of one that it does not hold.
  func nearest(to date: Timestamp) -> Timestamp {
    let range = dateSeconds
    return range.contains(date.seconds)
      ? date
      : Timestamp(
        seconds: min(max(date.seconds, range.lowerBound), range.upperBound), nanoseconds: 0)
  }

  /// The dates that `other` is one of, if it is the second that `value` is in this form.
  func otherDates(_ other: SQLValue, for value: SQLValue) -> Dates? {
    guard let library, let second = dates.second(of: value) else { return nil }
    return Self.dates(of: library).first { $0 != dates && $0.second(of: other) == second }
  }

  /// What dates keep of a second.
  var nanosecondsPerDateStep: Int64 {
    switch dates {
    case .text: writesDatesAsGRDB ? 1_000_000 : 1
    case .milliseconds: 1_000_000
    case .seconds: 1_000_000_000
    }
  }

  /// Whether data is base64.
  var writesDataAsText: Bool { library == .watermelondb }

  /// Whether the table `_realm` keeps what the others do not hold.
  var hasNotes: Bool { library == nil }

  /// Whether a required column is NOT NULL whatever its type, and side tables have a primary key.
  var isStrict: Bool { library != nil && library != .watermelondb }

  var takesTriggers: Bool { library == nil || library == .grdb }

  var hasForeignKeys: Bool { library != .watermelondb }

  /// The word that a column is declared with.
  func word(_ type: SQLType) -> String {
    switch library {
    case nil: type.rawValue
    // A word with TEXT in it would turn seconds into texts.
    case .grdb: type == .date ? "DATETIME" : type.rawValue
    case .watermelondb: ""
    case .room, .drift, .sqldelight: storage(type).rawValue
    }
  }

  /// One of SQLite's own types.
  package func storage(_ type: SQLType) -> SQLType {
    switch type {
    case .integer, .real, .text, .blob: type
    case .boolean: .integer
    case .decimal, .any: .text
    case .date: dates == .text ? .text : .integer
    }
  }

  /// The number that libraries find the age of a schema by.
  package func userVersion(_ schemaVersion: Int64?) -> Int32? {
    let version = schemaVersion.flatMap(Int32.init(exactly:))
    return switch library {
    case nil, .grdb: version
    // It counts its own migrations, of which there are none.
    case .sqldelight: 1
    case .room, .drift, .watermelondb: max(1, version ?? 1)
    }
  }

  func indexName(_ table: String, _ columns: [String]) -> String {
    let names = columns.joined(separator: "_")
    return library == .watermelondb ? "\(table)_\(names)" : "index_\(table)_\(names)"
  }

  /// A name that the library takes.
  func name(_ name: String) -> String {
    let legal =
      switch library {
      case nil, .grdb, .sqldelight, .drift: name
      case .room: String(name.map { "`\"".contains($0) ? "_" : $0 })
      case .watermelondb: watermelonName(name)
      }
    return keptTables.contains(legal.lowercased()) ? legal + "_" : legal
  }

  /// Tables that the library makes, or Android, where it finds none of that name.
  private var keptTables: Set<String> {
    switch library {
    case nil, .drift, .watermelondb: []
    case .room: ["android_metadata", "room_master_table", "room_table_modification_log"]
    case .grdb: ["grdb_migrations"]
    case .sqldelight: ["android_metadata"]
    }
  }

  /// Letters, digits and underscores of ASCII, and none of the names that have a meaning of their own.
  private func watermelonName(_ name: String) -> String {
    var text = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    if text.first?.isNumber ?? true { text = "_" + text }
    if text.hasPrefix("__") { text = "n" + text }
    return Self.watermelonNames.contains(text.lowercased()) ? text + "_" : text
  }

  private static let watermelonNames: Set<String> = [
    "id", "_changed", "_status", "local_storage", "rowid", "oid", "_rowid_", "sqlite_master", "constructor",
    "prototype",
    "hasownproperty", "isprototypeof", "tostring", "tolocalestring", "valueof", "created_at", "updated_at",
    "last_modified",
  ]

  /// The table that the library makes for itself when there is no file.
  var ownTableName: String? { library == .watermelondb ? "local_storage" : nil }

  /// The statements that make it.
  var ownTables: [String] {
    guard let ownTableName else { return [] }
    return [
      "CREATE TABLE \"\(ownTableName)\" (\"key\" varchar(16) primary key not null, \"value\" text not null)",
      "CREATE INDEX \"\(ownTableName)_key_index\" ON \"\(ownTableName)\" (\"key\")",
    ]
  }
}
