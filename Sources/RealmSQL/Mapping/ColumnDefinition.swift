// Columns as statements that make tables define them: of virtual tables, exported files and scripts. Layer: RealmSQL, Mapping.

extension SQLColumn {
  /// The place of an element among others of its owner.
  var isPlace: Bool {
    switch source {
    case .position, .entryKey: true
    default: false
    }
  }

  /// Whether the column of a library has no null. NaN is null in SQLite.
  package func isRequired(isKey: Bool) -> Bool { isKey || !isOptional && type != .real }

  /// `inPostgreSQL`: as that spells types, and without what other tables must be there for.
  package func definition(isKey: Bool, _ form: SQLForm, inPostgreSQL: Bool = false) -> String {
    var words = [inPostgreSQL ? SQLText.quoted(postgresName: name) : SQLText.quoted(name: name)]
    // An INTEGER PRIMARY KEY is the number of the row, which is never null; an INT is a column as any other.
    let word =
      inPostgreSQL
      ? type.postgresName
      : isKey && isOptional && type == .integer && !form.isStrict ? "INT" : form.word(type)
    if !word.isEmpty { words.append(word) }
    // A primary key of PostgreSQL is never null.
    if isKey { words.append(inPostgreSQL && isOptional ? "UNIQUE" : "PRIMARY KEY") }
    // The keys of libraries are never null; dates beyond those of PostgreSQL are null there.
    let mayBeCut = inPostgreSQL && type == .date
    if form.isStrict ? isRequired(isKey: isKey) : !isOptional && type != .real && !form.namesRows && !mayBeCut
    {
      words.append("NOT NULL")
    }
    if let reference, !inPostgreSQL, form.hasForeignKeys {
      words.append(target(reference) { SQLText.quoted(name: $0) })
    }
    return words.joined(separator: " ")
  }

  /// Whether a row goes with the one that its foreign key leads to, as Realm has it: what an object owns, and elements of
  /// lists and sets. Other links become null.
  package var isDeletedWithTarget: Bool {
    switch source {
    case .owner: true
    case .element(let property): property.collection != .dictionary
    default: false
    }
  }

  private func target(_ reference: SQLReference, _ quoted: (String) -> String) -> String {
    "REFERENCES \(quoted(reference.table))(\(quoted(reference.column))) "
      + "ON DELETE \(isDeletedWithTarget ? "CASCADE" : "SET NULL")"
  }
}

extension SQLColumn {
  /// The statement for a link's foreign key in PostgreSQL, once all tables are there.
  package func postgresForeignKey(of table: SQLTable) -> String? {
    reference.map {
      "ALTER TABLE \(SQLText.quoted(postgresName: table.name)) ADD FOREIGN KEY "
        + "(\(SQLText.quoted(postgresName: name))) \(target($0) { SQLText.quoted(postgresName: $0) });"
    }
  }
}

extension SQLType {
  /// The type of PostgreSQL that holds the same.
  fileprivate var postgresName: String {
    switch self {
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .real: "DOUBLE PRECISION"
    case .decimal: "NUMERIC"
    case .text, .any: "TEXT"
    case .blob: "BYTEA"
    case .date: "TIMESTAMP WITH TIME ZONE"
    }
  }
}
