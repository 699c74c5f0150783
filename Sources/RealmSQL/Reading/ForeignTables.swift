// Classes for the tables of a file that no realm was exported to. Layer: RealmSQL, Reading.
// SQLite lets any value stand in any column: a property has the type that all of its values have, and is mixed where
// they differ; what a column was declared as tells booleans and dates from numbers and texts.

import ByteText
import RealmEngine

/// Describes tables as classes.
struct ForeignTables {
  private let connection: SQLConnection
  private var tables: [String]
  /// Whether all tables are classes of their names; who imports one may give it and its columns others.
  private var keepsNames = false
  /// The column of a table's primary key that a class can have, by the table's name in lower case; nil where there is none.
  private var keys: [String: String?] = [:]
  /// What the tables say and no class can.
  private(set) var omissions: [String] = []

  fileprivate struct Column {
    let name: String
    let declaration: String
    let isRequired: Bool
    let isKey: Bool
  }

  init(_ connection: SQLConnection, _ tables: [String]) {
    self.connection = connection
    self.tables = tables
  }

  /// The primary key of a table's class; what a table has and no class can is an omission.
  private mutating func key(of table: String) throws(SQLError) -> String? {
    if let known = keys[SQLNames.folded(table)] { return known }
    let key = try foundKey(of: table)
    keys[SQLNames.folded(table)] = .some(key)
    return key
  }

  private mutating func foundKey(of table: String) throws(SQLError) -> String? {
    do throws(SQLError) {
      return try possibleKey(of: table)
    } catch {
      throw error.reading(table)
    }
  }

  private mutating func possibleKey(of table: String) throws(SQLError) -> String? {
    let columns = try columns(of: table).filter(\.isKey)
    guard let column = columns.first else { return nil }
    guard columns.count == 1 else {
      let list = columns.map(\.name).joined(separator: ", ")
      omissions.append("\(table): no primary key, which would be of several properties (\(list))")
      return nil
    }
    guard isNameable(column) else { return nil }
    let (type, hasNull) = try type(of: column, in: table)
    // SQLite takes several nulls in a primary key that is no number of a row.
    let hasNulls = hasNull ? try hasSeveralNulls(column, in: table) : false
    if [.int, .string, .uuid].contains(type), !hasNulls { return column.name }
    let reason = hasNulls ? "several rows have none" : "it is neither a whole number nor a text"
    omissions.append("\(table).\(column.name): no primary key, because \(reason)")
    return nil
  }

  private func isNameable(_ column: Column) -> Bool {
    !keepsNames || PropertyDefinition.canBeCalled(column.name)
  }

  private func columns(of table: String) throws(SQLError) -> [Column] {
    try rows("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", of: table)
      .map {
        Column(
          name: $0[0].words, declaration: $0[1].words.uppercased(), isRequired: $0[2] == .integer(1),
          isKey: $0[3] != .integer(0))
      }
  }

  mutating func schema() throws(SQLError) -> SchemaDescription {
    keepsNames = true
    var classes: [ClassDefinition] = []
    for table in tables where !ClassDefinition.canBeCalled(table) {
      omissions.append(
        "\(table): left out, because a class name has 1 to \(ClassDefinition.nameSizeMax) bytes; 'import FILE CLASS SQLITE --table TABLE --create' takes another"
      )
    }
    tables.removeAll { !ClassDefinition.canBeCalled($0) }
    for table in tables { classes.append(try description(of: table, linking: true)) }
    return SchemaDescription(version: nil, classes: classes)
  }

  /// `linking`: whether references to other tables are links.
  mutating func description(of table: String, linking: Bool) throws(SQLError) -> ClassDefinition {
    do throws(SQLError) {
      return try definition(of: table, linking: linking)
    } catch {
      throw error.reading(table)
    }
  }

  private mutating func definition(of table: String, linking: Bool) throws(SQLError) -> ClassDefinition {
    let primaryKey = try key(of: table)
    let links = linking ? try links(of: table) : [:]
    let indexed = Set(
      try rows(
        "SELECT i.name FROM pragma_index_list(?) l, pragma_index_info(l.name) i GROUP BY l.name HAVING count(*) = 1",
        of: table
      ).map { $0[0].words })
    var properties: [PropertyDefinition] = []
    for column in try columns(of: table) {
      guard isNameable(column) else {
        omissions.append(
          "\(table).\(column.name): left out, because a property name has 1 to \(PropertyDefinition.nameSizeMax) bytes; 'import --create --map' takes another"
        )
        continue
      }
      if let target = links[SQLNames.folded(column.name)] {
        properties.append(
          PropertyDefinition(column.name, PropertyType(.object, isOptional: true, target: target)))
        continue
      }
      let (type, hasNull) = try type(of: column, in: table)
      let isKey = primaryKey == column.name
      let isOptional = type == .mixed || hasNull || !column.isRequired && !column.isKey
      let canBeIndexed = [.int, .string, .bool, .date].contains(type)
      properties.append(
        PropertyDefinition(
          column.name, PropertyType(type, isOptional: isOptional),
          index: isKey || indexed.contains(column.name) && canBeIndexed ? .general : .none
        ))
    }
    return ClassDefinition(table, primaryKey: primaryKey, properties: properties)
  }

  /// The class that a column's values are primary keys of, by the name of the column in lower case.
  private mutating func links(of table: String) throws(SQLError) -> [String: String] {
    var links: [String: String] = [:]
    let references =
      """
      SELECT group_concat("from", ', '), "table", "to", count(*) FROM
        (SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq) GROUP BY id
      """
    let ownKey = try key(of: table).map(SQLNames.folded)
    for row in try rows(references, of: table) {
      let column = row[0].words
      let name = tables.first { SQLNames.folded($0) == SQLNames.folded(row[1].words) }
      let key = try name.flatMap { (name) throws(SQLError) in try self.key(of: name) }
      let obstacle: String? =
        if name == nil {
          "there is no table \(row[1].words)"
        } else if row[3] != .integer(1) {
          "a link is one property"
        } else if SQLNames.folded(column) == ownKey {
          "it is the primary key"
        } else if let key {
          row[2] == .null || SQLNames.folded(row[2].words) == SQLNames.folded(key)
            ? nil : "it does not lead to the primary key of \(row[1].words)"
        } else {
          "\(row[1].words) has no primary key"
        }
      guard let obstacle else {
        links[SQLNames.folded(column)] = name
        continue
      }
      omissions.append("\(table).\(column): values and no link, because \(obstacle)")
    }
    return links
  }

  /// Doubles have all whole numbers up to here.
  private static let exactMax = 1 << 53

  /// The type of all values of a column, and whether some are null.
  private func type(of column: Column, in table: String) throws(SQLError) -> (ValueType, hasNull: Bool) {
    let name = SQLText.quoted(name: column.name)
    let kinds = try rows("SELECT DISTINCT typeof(\(name)) FROM \(SQLText.quoted(name: table))").map {
      $0[0].words
    }
    let hasNull = kinds.contains("null")
    switch Set(kinds).subtracting(["null"]) {
    case ["integer"]:
      guard column.declaration.hasPrefix("BOOL") else { return (.int, hasNull) }
      return (try exists("\(name) NOT IN (0, 1)", in: table) ? .int : .bool, hasNull)
    case ["real"]: return (.double, hasNull)
    case ["real", "integer"]:
      let isExact = try !exists(
        "typeof(\(name)) = 'integer' AND \(name) NOT BETWEEN \(-Self.exactMax) AND \(Self.exactMax)",
        in: table)
      return (isExact ? .double : .decimal128, hasNull)
    case ["text"]:
      return (try textType(of: column, in: table), hasNull)
    case ["blob"]: return (.data, hasNull)
    case []: return (column.declaredValue, hasNull)
    default: return (.mixed, hasNull)
    }
  }

  private func hasSeveralNulls(_ column: Column, in table: String) throws(SQLError) -> Bool {
    let name = SQLText.quoted(name: column.name)
    return try connection.prepare(
      "SELECT 1 FROM \(SQLText.quoted(name: table)) WHERE \(name) IS NULL LIMIT 1 OFFSET 1"
    ).step()
  }

  /// The type of a column of texts: what it is declared to hold, where all of them are that.
  private func textType(of column: Column, in table: String) throws(SQLError) -> ValueType {
    let type = column.declaredValue
    let name = SQLText.quoted(name: column.name)
    guard [.bool, .date, .uuid].contains(type) else { return .string }
    let statement = try connection.prepare(
      "SELECT \(name) FROM \(SQLText.quoted(name: table)) WHERE \(name) IS NOT NULL")
    while try statement.step() {
      guard case .text(let text) = statement.value(0), text.isWritten(as: type) else { return .string }
    }
    // Keys that differ in nothing but the case of letters would be the same.
    guard type == .uuid, column.isKey else { return type }
    return try exists("true GROUP BY lower(\(name)) HAVING count(*) > 1", in: table) ? .string : type
  }

  private func exists(_ condition: String, in table: String) throws(SQLError) -> Bool {
    try connection.prepare("SELECT 1 FROM \(SQLText.quoted(name: table)) WHERE \(condition) LIMIT 1").step()
  }

  /// All rows of a query about a table.
  private func rows(_ query: String, of table: String? = nil) throws(SQLError) -> [[SQLValue]] {
    let statement = try connection.prepare(query)
    if let table { try statement.bind(1, .text(ByteString(table))) }
    var rows: [[SQLValue]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.value($0).owned })
    }
    return rows
  }
}

extension ForeignTables.Column {
  /// What a column without values is declared to hold.
  fileprivate var declaredValue: ValueType {
    if declaration.hasPrefix("BOOL") { return .bool }
    if declaration.holds("INT") { return .int }
    if declaration.holds("DATE") || declaration.hasPrefix("TIMESTAMP") { return .date }
    if declaration == "UUID" { return .uuid }
    if ["CHAR", "CLOB", "TEXT"].contains(where: declaration.holds) { return .string }
    if ["REAL", "FLOA", "DOUB"].contains(where: declaration.holds) { return .double }
    return declaration.holds("BLOB") ? .data : .mixed
  }
}

extension ByteString {
  /// Whether it is what values of a type are read from.
  fileprivate func isWritten(as type: ValueType) -> Bool {
    switch type {
    case .bool: ["true", "false"].contains(String(decoding: bytes.array(), as: UTF8.self).lowercased())
    case .date: Timestamp(iso: bytes.span, fromYear: 0) != nil
    case .uuid: UUIDValue(text: bytes.span) != nil
    default: false
    }
  }
}

extension SQLValue {
  /// A copy that outlives the row.
  var owned: SQLValue {
    switch self {
    case .text(let bytes): .text(bytes.owned())
    case .blob(let bytes): .blob(bytes.owned())
    case .null, .integer, .real: self
    }
  }
}
