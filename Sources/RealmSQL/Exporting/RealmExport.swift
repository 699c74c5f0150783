// A realm as tables: all of their rows, in one pass, for whoever writes or compares them. Layer: RealmSQL, Exporting.

package import RealmEngine

/// What is exported of one version of a realm.
package struct RealmExport {
  package let realm: ReadTransaction
  package let form: SQLForm
  package let tables: [SQLTable]
  package let indexes: [SQLIndex]

  /// Throws where SQLite cannot hold what the realm has.
  package init(_ realm: ReadTransaction, _ form: SQLForm = .plain) throws(EngineError) {
    self.realm = realm
    self.form = form
    tables = SQLSchema(realm, form).tables
    // Indexes and tables share their names.
    var names = SQLNames()
    for name in tables.map(\.name) + [RealmNotes.name] { _ = names.take(name) }
    indexes = tables.flatMap { $0.indexes(&names) }
    for table in tables {
      if let refusal = table.refusal { throw refusal }
    }
  }

  /// The statements that make the tables.
  package var creations: [String] {
    tables.map(\.creation) + form.ownTables + (form.hasNotes ? [RealmNotes.creation] : [])
  }

  /// The statements that make the indexes.
  var indexCreations: [String] {
    indexes.map(\.creation) + (form.hasNotes ? [RealmNotes.indexCreation] : [])
  }

  /// What deletes embedded objects with owners of several classes, in which no foreign key can name theirs. Other libraries want
  /// a file without triggers.
  package var triggers: [SQLTrigger] {
    guard form.takesTriggers else { return [] }
    var names = SQLNames()
    return tables.flatMap { table in
      tables.filter(table.ownersWithoutReference).map { SQLTrigger(on: $0, deletingFrom: table, &names) }
    }
  }

  /// What is told of a table.
  package struct Summary: Sendable {
    package let name: String
    /// A class, as opposed to the elements of lists, sets and dictionaries.
    package let isClass: Bool
    package let digest: TableDigest
  }

  /// Calls `body` with all rows, some at once; `table` nil: those of `_realm`.
  @discardableResult
  package func forEachBatch(_ body: (_ table: SQLTable?, RowBatch) throws -> Void) throws -> [Summary] {
    var reader = TableReader(realm, form)
    var notes = RealmNotes(realm)
    var summaries: [Summary] = []
    var noted = TableDigest()
    func note(_ batch: RowBatch) throws {
      guard batch.count > 0 else { return }
      noted.add(batch.columns, rowCount: batch.count)
      try body(nil, batch)
    }
    if form.hasNotes { try note(notes.schemaRow) }
    for table in tables {
      var digest = TableDigest()
      try reader.forEachBatch(of: table) { batch in
        digest.add(batch.columns, rowCount: batch.count)
        try body(table, batch)
        if form.hasNotes, !batch.exceptions.isEmpty || !batch.nullEntries.isEmpty {
          try note(try notes.rows(for: batch, of: table))
        }
      }
      summaries.append(Summary(name: table.name, isClass: table.holdsObjects, digest: digest))
    }
    if form.hasNotes { summaries.append(Summary(name: RealmNotes.name, isClass: false, digest: noted)) }
    return summaries
  }
}

extension SQLTable {
  var holdsObjects: Bool { if case .objects = rows { true } else { false } }
}

extension [RealmExport.Summary] {
  package var classCount: Int { count { $0.isClass } }
  package var objectCount: Int { reduce(0) { $0 + ($1.isClass ? $1.digest.rowCount : 0) } }
}
