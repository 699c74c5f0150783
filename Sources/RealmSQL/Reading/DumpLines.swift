// The objects of an exported file as lines of a dump, in which links name objects as SQL does. Layer: RealmSQL, Reading.
// Rows of side tables and of embedded classes are found by their owner, one object after the other, so that memory is flat.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// Writes objects of the tables that a realm would have.
struct DumpLines {
  private let connection: SQLConnection
  /// The file has all tables that an export makes; else only those of classes, with nothing but their properties.
  private let isExported: Bool
  private let realm: ReadTransaction
  private let schema: SQLSchema
  private let exceptions: RowExceptions?
  /// Ready to run again, by their text: one for each object around the one that is written.
  private var idle: [String: [SQLStatement]] = [:]
  private var depth = 0
  /// Where the objects of each table begin, from line 0 on.
  private(set) var starts: [(line: Int, table: String)] = []
  private var lineCount = 0
  /// Rows that belong to objects, by their table.
  private var ownedCounts: [String: Int] = [:]

  private typealias Exception = RowExceptions.Exception

  init(_ connection: SQLConnection, isExported: Bool, for realm: ReadTransaction) throws(SQLError) {
    self.connection = connection
    self.isExported = isExported
    self.realm = realm
    schema = SQLSchema(realm)
    exceptions = try isExported ? RowExceptions(connection) : nil
  }

  mutating func write(to out: inout OutputBuffer) throws {
    for table in schema.tables where table.holdsObjects && table.table.schema.kind == .object {
      var head = ByteBuffer()
      head.append(literal: "{\"object\":")
      head.append(jsonString: table.table.schema.name)
      starts.append((lineCount, table.name))
      let rows: SQLStatement
      do throws(SQLError) {
        rows = try connection.prepare(isExported ? selection(of: table) : foreignSelection(of: table))
      } catch {
        throw error.reading(table.name)
      }
      while try rows.step() {
        try Interruption.check()
        lineCount += 1
        out.text.append(head.span)
        if isExported, table.isKeyedByObjectKey {
          out.text.append(literal: ",\"key\":")
          rows.value(0).write(to: &out.text)
        }
        out.text.append(literal: ",\"values\":")
        try writeObject(of: table, rows, to: &out)
        out.text.append(literal: "}\n")
        try out.flushIfLarge()
      }
    }
  }

  /// What an exported file has and the realm has not: somebody has added it. For after all objects are written.
  func additions(_ tableNames: [String]) throws(SQLError) -> [String] {
    let added = try connection.additions(tableNames, to: schema.tables)
    var additions =
      added.tables.map { "\($0): the realm has no such class, so that its rows are left out" }
      + added.columns.map { "\($0): the realm has no such property, so that its values are left out" }
    for table in schema.tables {
      guard !table.holdsObjects || table.table.schema.kind == .embedded else { continue }
      let rows = try connection.prepare("SELECT count(*) FROM \(SQLText.quoted(name: table.name))")
      guard try rows.step(), case .integer(let count) = rows.value(0) else { continue }
      let surplus = Int(count) - ownedCounts[table.name, default: 0]
      if surplus > 0 {
        let reason = "whose owner is no object or has others in their place"
        additions.append("\(table.name): \(counted(surplus, "row")) left out, \(reason)")
      }
    }
    return additions
  }

  private func columns(of table: SQLTable) -> [SQLColumn] {
    isExported
      ? table.visibleColumns
      : table.visibleColumns.filter { if case .property = $0.source { true } else { false } }
  }

  private func selection(of table: SQLTable) -> String {
    SQLText.selection(columns(of: table).map(\.name), of: table.name)
  }

  /// Of a file of others, whose references need not have the letters of the keys that they lead to.
  private func foreignSelection(of table: SQLTable) throws(SQLError) -> String {
    var columns: [String] = []
    for column in self.columns(of: table) {
      let name = SQLText.quoted(name: column.name)
      guard case .property(let property) = column.source,
        let target = property.target.flatMap(realm.table)?.schema, let key = target.primaryKey?.name,
        try comparesLoosely(target.name)
      else {
        columns.append("t.\(name)")
        continue
      }
      // The collation of what stands first decides, as it does where SQLite looks for the row itself.
      let (parent, parentKey) = (SQLText.quoted(name: target.name), SQLText.quoted(name: key))
      let condition = "typeof(t.\(name)) = 'text' AND p.\(parentKey) = t.\(name)"
      columns.append("ifnull((SELECT p.\(parentKey) FROM \(parent) p WHERE \(condition)), t.\(name))")
    }
    let list = columns.isEmpty ? "NULL" : columns.joined(separator: ", ")
    return "SELECT \(list) FROM \(SQLText.quoted(name: table.name)) t"
  }

  /// Whether keys of a table are the same as others that have other bytes.
  private func comparesLoosely(_ table: String) throws(SQLError) -> Bool {
    let statement = try connection.prepare(
      """
      SELECT 1 FROM pragma_index_list(?) l, pragma_index_xinfo(l.name) i
        WHERE l.origin = 'pk' AND i.key AND upper(i.coll) IN ('NOCASE', 'RTRIM')
      """)
    try statement.bind(1, .text(ByteString(table)))
    return try statement.step()
  }

  // MARK: Objects

  /// Writes the object in the row of a class's table.
  private mutating func writeObject(of table: SQLTable, _ row: SQLStatement, to out: inout OutputBuffer)
    throws
  {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Nesting.levelsMax else {
      throw EngineError(
        .badDocument, "embedded objects are nested more than \(Nesting.levelsMax) levels deep")
    }
    let columns = columns(of: table)
    let keyName = table.keyIndex.map { table.columns[$0].name }
    let name = columns.firstIndex { $0.name == keyName }.map { row.value($0).owned } ?? .null
    let exceptions = try exceptions?.of(table.table.schema.name, name) ?? [:]
    out.text.append(UInt8(ascii: "{"))
    var isFirst = true
    func begin(_ property: Property, _ out: inout OutputBuffer) {
      if !isFirst { out.text.append(UInt8(ascii: ",")) }
      isFirst = false
      out.text.append(jsonKey: property.name)
    }
    for (index, column) in columns.enumerated() {
      guard case .property(let property) = column.source else { continue }
      begin(property, &out)
      if !isExported, property.type == .string {
        try row.value(index).refuseBrokenText {
          "\(SQLiteSource.place(table.name, lineCount - (starts.last?.line ?? 0))), column \(column.name)"
        }
      }
      write(row.value(index), of: property, exceptions[property.name]?.first, to: &out.text)
    }
    if isExported {
      for property in table.table.schema.properties {
        if let target = property.target.flatMap(schema.table), target.table.schema.kind == .embedded {
          begin(property, &out)
          try writeEmbedded(
            of: property, table, target, owner: name,
            nullKeys: (exceptions[property.name] ?? []).map(\.place),
            to: &out)
        } else if property.collection != nil {
          begin(property, &out)
          try writeElements(of: property, table, owner: name, exceptions[property.name] ?? [], to: &out)
        }
      }
    }
    out.text.append(UInt8(ascii: "}"))
  }

  // MARK: What an object owns

  private mutating func writeEmbedded(
    of property: Property, _ table: SQLTable, _ target: SQLTable, owner: SQLValue, nullKeys: [SQLValue],
    to out: inout OutputBuffer
  ) throws {
    let columns = target.visibleColumns
    var conditions = [String]()
    var order = ""
    var values = [owner]
    for column in columns {
      let name = SQLText.quoted(name: column.name)
      switch column.source {
      case .owner: conditions.insert("\(name) IS ?1", at: 0)
      case .ownerClass:
        conditions.append("\(name) = ?2")
        values.append(.text(ByteString(table.table.schema.name)))
      case .ownerProperty:
        conditions.append("\(name) = ?3")
        values.append(.text(ByteString(property.name)))
      case .position where property.collection == .list: order = " ORDER BY \(name)"
      default: break
      }
    }
    let text = "\(selection(of: target)) WHERE \(conditions.joined(separator: " AND "))\(order)"
    let keyIndex = columns.firstIndex { if case .entryKey = $0.source { true } else { false } }
    try withStatement(text) { lines, statement in
      for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
      try lines.writeCollection(property, statement, keyIndex, nullKeys: nullKeys, to: &out) { lines, out in
        lines.ownedCounts[target.name, default: 0] += 1
        try lines.writeObject(of: target, statement, to: &out)
      }
    }
  }

  private mutating func writeElements(
    of property: Property, _ table: SQLTable, owner: SQLValue,
    _ exceptions: [Exception], to out: inout OutputBuffer
  ) throws {
    let side = schema.tables.first {
      if case .elements(let other) = $0.rows {
        other === property && $0.table.schema.tableKey == table.table.schema.tableKey
      } else {
        false
      }
    }
    guard let side else { return out.text.append(literal: "null") }
    let byPlace = Dictionary(exceptions.map { ($0.place, $0) }) { first, _ in first }
    let place = SQLText.quoted(name: side.columns[1].name)
    let text =
      "\(selection(of: side)) WHERE \(SQLText.quoted(name: side.columns[0].name)) IS ? ORDER BY \(place)"
    try withStatement(text) { lines, statement in
      try statement.bind(1, owner)
      try lines.writeCollection(property, statement, 1, to: &out) { lines, out in
        lines.ownedCounts[side.name, default: 0] += 1
        let exception = byPlace.isEmpty ? nil : byPlace[statement.value(1)]
        lines.write(statement.value(2), of: property, exception, to: &out.text)
      }
    }
  }

  /// Writes the rows of a statement as what the property holds.
  private mutating func writeCollection(
    _ property: Property, _ statement: SQLStatement, _ keyIndex: Int?, nullKeys: [SQLValue] = [],
    to out: inout OutputBuffer,
    _ body: (inout DumpLines, inout OutputBuffer) throws -> Void
  ) throws {
    guard let collection = property.collection else {
      if try statement.step() { try body(&self, &out) } else { out.text.append(literal: "null") }
      return
    }
    let isDictionary = collection == .dictionary
    out.text.append(literal: isDictionary ? "{\"$dict\":{" : "[")
    var isFirst = true
    func begin(_ key: SQLValue?, _ out: inout OutputBuffer) {
      if !isFirst { out.text.append(UInt8(ascii: ",")) }
      isFirst = false
      guard let key else { return }
      if case .text(let text) = key {
        _ = out.text.append(jsonString: text.bytes.span)
      } else {
        out.text.append(jsonString: key.words)
      }
      out.text.append(UInt8(ascii: ":"))
    }
    var nullKeys = nullKeys
    while try statement.step() {
      let key = isDictionary ? keyIndex.map(statement.value) : nil
      // Somebody has given it a value.
      if !nullKeys.isEmpty, let key { nullKeys.removeAll { $0 == key } }
      begin(key, &out)
      try body(&self, &out)
      try out.flushIfLarge()
    }
    for key in nullKeys where isDictionary {
      begin(key, &out)
      out.text.append(literal: "null")
    }
    out.text.append(literal: isDictionary ? "}}" : "]")
  }

  private mutating func withStatement(
    _ text: String, _ body: (inout DumpLines, SQLStatement) throws -> Void
  ) throws {
    let statement = try idle[text, default: []].popLast() ?? connection.prepare(text)
    try body(&self, statement)
    statement.reset()
    idle[text, default: []].append(statement)
  }

  // MARK: Values

  private func write(
    _ value: SQLValue, of property: Property, _ exception: Exception?, to text: inout ByteBuffer
  ) {
    // Who has changed the cell since wants what stands there now.
    if let exception, exception.cell == value { return text.append(exception.text.bytes.span) }
    switch value {
    case .integer(let number) where property.type == .bool && (0...1).contains(number):
      text.append(literal: number == 1 ? "true" : "false")
    case .integer(let number) where property.isLink:
      let target = property.target.flatMap(realm.table)
      let key = target?.schema.primaryKey
      guard key?.type != .string else { return text.append(jsonString: "\(number)") }
      guard let target, key == nil else { return text.append(decimal: number) }
      text.append(literal: "{\"$link\":{\"class\":")
      text.append(jsonString: target.schema.name)
      text.append(literal: ",\"key\":")
      text.append(decimal: number)
      text.append(literal: "}}")
    // SQLite compares a reference as the column that it leads to would hold it.
    case .text(let bytes) where property.isLink:
      let key = property.target.flatMap(realm.table)?.schema.primaryKey
      if key?.type == .int, let number = Int64(decimalText: bytes.bytes.span) {
        text.append(decimal: number)
      } else {
        value.write(to: &text)
      }
    case .real(let number) where property.isLink && Int64(exactly: number) != nil:
      text.append(decimal: Int64(exactly: number) ?? 0)
    case .text(let bytes) where property.type == .date && bytes.isCountedDate:
      text.append(bytes.bytes.span)
    case .text(let bytes) where property.type == .date:
      // A year that libraries have, and JSON has not.
      let date = Timestamp(iso: bytes.bytes.span) == nil ? Timestamp(iso: bytes.bytes.span, fromYear: 0) : nil
      if let date { text.append(date: date) } else { value.write(to: &text) }
    default: value.write(to: &text)
    }
  }
}
