// Classes as tables of Parquet: their options and columns, the same for one file and for thousands.
// Layer: RealmCommands, Querying.

import Arguments
import ByteText
import Parquet
import RealmEngine
import RealmModels
import RealmParquet
import RealmSession

extension Option {
  static let compression = Option(
    "compression", takes: .oneOf(["none", "zstd"]), "WHICH",
    "how pages of Parquet are compressed: none, zstd (default)")
  static let timestamps = Option(
    "timestamps", takes: .oneOf(["micros", "nanos"]), "UNIT",
    "how exact dates in Parquet are: micros (default, which all programs read), nanos")

  static let parquetOptions = [compression, timestamps]
}

extension [ParquetField] {
  /// With names that differ in more than case, as readers want them.
  var distinct: [ParquetField] {
    var names = ModelNames(tellingCases: false)
    return zip(self, names.take(all: map(\.name)) { $0 }).map { ParquetField($1, $0.content.distinct) }
  }

  /// The columns of `place` that are called otherwise then, a sentence each.
  func renamings(in place: String) -> [String] {
    zip(self, distinct).flatMap { old, new in
      let name = "\(place).\(old.name)"
      let renaming = old.name == new.name ? [] : ["\(name): its column is called \(new.name)"]
      return renaming + old.content.fields.renamings(in: name)
    }
  }
}

extension ParquetField.Content {
  fileprivate var distinct: ParquetField.Content {
    switch self {
    case .leaf: self
    case .group(let fields): .group(fields.distinct)
    case .list(let element): .list(element.distinct)
    case .map(let value): .map(value.distinct)
    }
  }

  fileprivate var fields: [ParquetField] {
    switch self {
    case .leaf: []
    case .group(let fields): fields
    case .list(let inner), .map(let inner): inner.fields
    }
  }
}

extension Invocation {
  var parquetCompression: ParquetCompression { arguments.text(.compression) == "none" ? .none : .zstd }
  var parquetHasNanoseconds: Bool { arguments.text(.timestamps) == "nanos" }

  /// The classes that are exported without being named: embedded objects are in their owners.
  func exportedTables(_ realm: ReadTransaction) -> [Table] {
    // A file holds asymmetric objects only until they are sent.
    realm.classes(allTables: showsAllTables)
      .filter { $0.schema.kind != .embedded && ($0.schema.kind != .asymmetric || $0.count > 0) }
      .sorted { Array($0.schema.name.utf8).lexicographicallyPrecedes(Array($1.schema.name.utf8)) }
  }

  /// What the object key is called in a table of the class; nil where it is left out. A table has columns.
  func parquetKeyName(of table: Table, in realm: ReadTransaction) -> String? {
    if table.schema.properties.isEmpty { return ObjectReader.keyColumn }
    return ExportColumns(realm: realm, isFlat: false).keyName(of: table)
  }

  /// The columns of a class in a file of its own.
  func parquetColumns(of table: Table, in realm: ReadTransaction) -> [TableColumn] {
    TableColumn.all(
      of: table, keyName: parquetKeyName(of: table, in: realm), in: realm,
      isNanoseconds: parquetHasNanoseconds)
  }

  /// `inSQL`: there is no option that keeps all digits of dates.
  func warn(ofParquet losses: ParquetLosses, inSQL: Bool = false) {
    warn(ofRepairs: losses.texts, inSQL: false)
    warn(ofNullLinks: losses.links)
    if losses.cutDates > 0 {
      let what =
        losses.cutDates == 1
        ? "1 date is not exact in microseconds and was"
        : "\(losses.cutDates) dates are not exact in microseconds and were"
      let remedy =
        inSQL
        ? "; cast(x as text) keeps all digits"
        : losses.distantDates == 0 ? "; --timestamps nanos keeps all digits" : ""
      warn("\(what) cut to them\(remedy)")
    }
    if losses.distantDates > 0 {
      warn(
        "\(counted(losses.distantDates, "date")) more than 292,000 years from 1970 cannot be written; the first or last of those that can stands there"
      )
    }
  }
}
