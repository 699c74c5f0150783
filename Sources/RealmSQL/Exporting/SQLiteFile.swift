// A realm as a file of SQLite: written in one transaction, and read back to prove that it holds the same.
// Layer: RealmSQL, Exporting. Invariants: the file is private to this process until it is proven, so that it needs no journal
// and no lasting lock; memory is bounded by SQLite's cache.

import CLibSQLite
package import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writes and compares files of SQLite.
package struct SQLiteFile {
  private let path: FilePath
  /// What messages call it.
  private let name: String

  package init(_ path: FilePath, name: String) {
    self.path = path
    self.name = name
  }

  /// Endings of the names of its logs, which SQLite would apply to a new file of the old name.
  package static let companions = ["-wal", "-journal", "-shm"]

  /// The path by which SQLite opens a file of this process, whether it has a name or not; nil where the system has no such paths.
  package static func path(to file: FileHandle) -> FilePath? {
    let path = FilePath("/proc/\(getpid())/fd/\(file.descriptor)")
    guard (try? path.status) != nil else { return nil }
    sql_follow_own_files()
    return path
  }

  /// Writes all tables into the file, which is empty.
  package func write(_ export: RealmExport) throws -> [RealmExport.Summary] {
    try named {
      let connection = try SQLConnection(writing: path)
      if let version = export.form.userVersion(export.realm.schemaVersion) {
        try connection.execute("PRAGMA user_version=\(version)")
      }
      for statement in export.creations { try connection.execute(statement) }
      let notes = try export.form.hasNotes ? connection.prepare(RealmNotes.insertion) : nil
      var open: (name: String, insertion: SQLStatement)?
      let summaries = try export.forEachBatch { table, batch in
        guard let table else {
          try notes?.insert(batch.columns, rowCount: batch.count)
          return
        }
        if open?.name != table.name { open = (table.name, try connection.prepare(table.insertion)) }
        try open?.insertion.insert(batch.columns, rowCount: batch.count)
      }
      for statement in export.indexCreations + export.triggers.map(\.creation) {
        try Interruption.check()
        try connection.execute(statement)
      }
      try connection.execute("COMMIT")
      return summaries
    }
  }

  /// What tells the file from tables with these digests, a sentence each.
  package func differences(from summaries: [RealmExport.Summary], of export: RealmExport) throws -> [String] {
    try named {
      let connection = try SQLConnection(path.bytes)
      try connection.execute("PRAGMA cache_size=-\(SQLConnection.cacheSizeKiB)")
      var differences = try connection.texts("PRAGMA integrity_check(10)").filter { $0 != "ok" }
        .map { "integrity_check: \($0)" }
      if !differences.isEmpty { return differences }
      for table in try connection.texts("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check") {
        differences.append("\(table): links lead to rows that are not there")
      }
      differences += try export.differences(ofDeclarationsIn: connection)
      let selections = export.tables.map(\.selection) + [RealmNotes.selection]
      for (summary, selection) in zip(summaries, selections) {
        guard try connection.hasTable(summary.name) else {
          differences.append("\(summary.name): there is no such table")
          continue
        }
        let statement: SQLStatement
        do throws(SQLError) { statement = try connection.prepare(selection) } catch {
          differences.append("\(summary.name): \(error.message)")
          continue
        }
        let digest = try statement.digest { () throws(EngineError) in try Interruption.check() }
        if digest.rowCount != summary.digest.rowCount {
          differences.append(
            "\(summary.name): \(digest.rowCount) rows instead of \(summary.digest.rowCount)")
        } else if digest != summary.digest {
          differences.append("\(summary.name): \(try firstDifference(summary, export, connection))")
        }
      }
      try connection.checkUnchanged()
      return differences
    }
  }

  /// Tables and columns that the file has and the export has not.
  package func additions(to export: RealmExport) throws -> [String] {
    try named {
      let connection = try SQLConnection(path.bytes)
      let names = try connection.tableNames().filter { $0 != export.form.ownTableName }
      let additions = try connection.additions(names, to: export.tables)
      return additions.tables + additions.columns
    }
  }

  /// Words which row of a table differs, as far as its rows have names.
  private func firstDifference(
    _ summary: RealmExport.Summary, _ export: RealmExport, _ connection: SQLConnection
  ) throws -> String {
    let unnamed = "values differ"
    if summary.name == RealmNotes.name { return try firstOtherNote(export, connection) ?? unnamed }
    guard let table = export.tables.first(where: { $0.name == summary.name }), table.holdsObjects,
      let keyIndex = table.keyIndex
    else { return unnamed }
    let columns = table.visibleColumns
    let statement = try connection.prepare(
      "\(table.selection) WHERE \(SQLText.quoted(name: columns[keyIndex].name)) IS ?")
    var found: String?
    var reader = TableReader(export.realm, export.form)
    do {
      try reader.forEachBatch(of: table) { batch in
        for row in 0..<batch.count {
          statement.reset()
          try statement.bind(1, batch.columns[keyIndex][row])
          let isThere = try statement.step()
          let index = columns.indices.first { !isThere || statement.value($0) != batch.columns[$0][row] }
          guard let index else { continue }
          let place = "where \(columns[keyIndex].name) is \(batch.columns[keyIndex][row].words)"
          let dates =
            isThere && columns[index].type == .date
            ? export.form.otherDates(statement.value(index), for: batch.columns[index][row]) : nil
          let way = dates.map { ", as in a file that was made with --dates \($0.rawValue)" } ?? ""
          found = isThere ? "\(columns[index].name) differs \(place)\(way)" : "there is no row \(place)"
          throw Found()
        }
      }
    } catch is Found {}
    return found ?? unnamed
  }

  /// Words which row of the table `_realm` is another.
  private func firstOtherNote(_ export: RealmExport, _ connection: SQLConnection) throws -> String? {
    let statement = try connection.prepare(RealmNotes.lookup)
    let (nameCount, valueColumn) = (RealmNotes.columns.count - 1, RealmNotes.columns.count - 1)
    var found: String?
    do {
      try export.forEachBatch { table, batch in
        guard table == nil else { return }
        for row in 0..<batch.count {
          statement.reset()
          for column in 0..<nameCount {
            try statement.bind(column + 1, batch.columns[column][row])
          }
          let other = try statement.step() ? statement.value(0) : nil
          let value = batch.columns[valueColumn][row]
          guard other != value else { continue }
          let names = batch.columns.prefix(nameCount).map { $0[row] }
          found = RealmNotes.difference(names, value.words, other?.words)
          throw Found()
        }
      }
    } catch is Found {}
    return found
  }

  private struct Found: Error {}

  private func named<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLError { throw EngineError(error, file: name) }
  }
}

extension SQLConnection {
  /// The first column of all rows.
  func texts(_ query: String) throws(SQLError) -> [String] {
    let statement = try prepare(query)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.value(0).words) }
    return texts
  }

  func hasTable(_ name: String) throws(SQLError) -> Bool {
    let statement = try prepare(
      "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ? COLLATE NOCASE")
    try statement.bind(1, .text(ByteString(name)))
    return try statement.step()
  }
}

extension SQLValue {
  /// For messages.
  var words: String {
    switch self {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text.text
    case .blob(let blob): "\(blob.count) bytes"
    }
  }
}
