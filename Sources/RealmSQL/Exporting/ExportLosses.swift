// What a library's file does not keep of a realm, found before anything is written. Layer: RealmSQL, Exporting.

import ByteText
import RealmEngine

extension RealmExport {
  /// What WatermelonDB's numbers hold: those of JavaScript.
  private static let exactIntegerMax: Int64 = 1 << 53

  /// A sentence for each property of which something is lost. Throws where a required column would be null.
  package func losses() throws -> [String] {
    var sentences: [String] = []
    if let version = realm.schemaVersion, let written = form.userVersion(version),
      form.library != .sqldelight, Int32(exactly: version) == nil
    {
      sentences.append("the schema version \(version) is beyond what user_version holds, which is \(written)")
    }
    for table in tables where table.holdsObjects {
      sentences += renamings(of: table)
      if form.hasForeignKeys, !form.takesTriggers, tables.contains(where: table.ownersWithoutReference) {
        sentences.append("\(table.name): rows stay when their owner is deleted, as several classes own them")
      }
      for property in table.table.schema.properties where property.index == .fullText {
        sentences.append("\(table.table.schema.name).\(property.name): the full-text index is left out")
      }
    }
    var reader = TableReader(realm, form)
    for table in tables {
      let columns = table.visibleColumns
      var lost = Array(repeating: 0, count: columns.count)
      var lostDates = lost
      var nearestDates = lost
      var writtenDates = lost
      var nullEntryCounts: [String: Int] = [:]
      try reader.forEachBatch(of: table) { batch in
        for exception in batch.exceptions {
          let index = exception.column
          if columns[index].type == .date, batch.columns[index][exception.row] == .null {
            lostDates[index] += 1
          } else if case .date(let date) = exception.value, !form.dateSeconds.contains(date.seconds) {
            nearestDates[index] += 1
          } else {
            lost[index] += 1
          }
        }
        for entry in batch.nullEntries {
          nullEntryCounts["\(entry.className).\(entry.property)", default: 0] += 1
        }
        for (index, column) in columns.enumerated() {
          if form.library != nil, column.isRequired(isKey: column.name == table.keyName),
            let row = batch.columns[index].firstIndex(of: .null)
          {
            throw try refusal(column, of: table, at: row, in: batch)
          }
          if form.library != nil, column.type == .date {
            writtenDates[index] += batch.columns[index].count { $0.isPair }
          }
          if form.namesRows, column.name == table.keyName,
            batch.columns[index].contains(.text(ByteString("")))
          {
            sentences.append(
              "\(keyPlace(of: table)): WatermelonDB takes an empty key for none, so that links to it lead nowhere"
            )
          }
          if form.namesRows, column.type == .integer {
            lost[index] += batch.columns[index].count { $0.exceeds(Self.exactIntegerMax) }
          }
        }
      }
      for (property, count) in nullEntryCounts.sorted(by: { $0.key < $1.key }) {
        sentences.append(
          "\(property): \(counted(count, "key without an object is", "keys without objects are")) left out"
        )
      }
      for (counts, what) in [(lostDates, "null"), (nearestDates, "the nearest that it holds")] {
        for (column, count) in zip(columns, counts) where count > 0 {
          let (dates, become) = count == 1 ? ("1 date", "becomes") : ("\(count) dates", "become")
          sentences.append(
            "\(table.name).\(column.name): \(dates) beyond what the column holds \(become) \(what)")
        }
      }
      for (column, count) in zip(columns, writtenDates) where count > 0 {
        let (dates, are) = count == 1 ? ("1 date", "is") : ("\(count) dates", "are")
        sentences.append(
          "\(table.name).\(column.name): \(dates) outside the years 0 to 9999 \(are) written as [seconds,nanoseconds]"
        )
      }
      for (column, count) in zip(columns, lost) where count > 0 {
        let values = counted(count, "value is", "values are")
        sentences.append("\(table.name).\(column.name): \(values) not kept exactly (\(loss(column)))")
      }
    }
    return sentences
  }

  /// Names that the library or SQLite does not take, or takes for others.
  private func renamings(of table: SQLTable) -> [String] {
    let className = table.table.schema.name
    let names = table.name == className ? [] : ["\(className): its table is called \(table.name)"]
    return names
      + table.visibleColumns.compactMap { column in
        guard let property = column.property, property.name != column.name else { return nil }
        return "\(className).\(property.name): its column is called \(column.name)"
      }
  }

  private func keyPlace(of table: SQLTable) -> String {
    let schema = table.table.schema
    return "\(schema.name).\(schema.primaryKey?.name ?? table.keyName ?? "")"
  }

  private func refusal(
    _ column: SQLColumn, of table: SQLTable, at row: Int, in batch: RowBatch
  ) throws(EngineError) -> EngineError {
    let names = zip(table.visibleColumns, batch.columns)
      .filter { $0.0.name == table.keyName || table.placeNames.contains($0.0.name) }
      .map { "\($0.name) is \($1[row].words)" }
    var name = "\(table.name).\(column.name)"
    var place = "where \(names.joined(separator: " and "))"
    if column.name == table.keyName, let position = try table.table.find(primaryKey: .null) {
      place = "in the object @\(position.block.key(position.row).value)"
      name = keyPlace(of: table)
    }
    return EngineError(
      .constraint,
      "\(name) would be null \(place), and \(form.library?.rawValue ?? "") requires a value there",
      hint: "change what is null, or leave out --for")
  }

  private func loss(_ column: SQLColumn) -> String {
    switch column.type {
    case .real: "NaN becomes null, -0.0 becomes 0.0"
    case .integer: "JavaScript's numbers end at 2^53"
    case .date: "digits below one \(form.dates == .seconds ? "" : "milli")second"
    case .any: "types that JSON and SQLite do not have"
    case .boolean, .decimal, .text, .blob: "links to objects whose primary key is null"
    }
  }
}

extension SQLValue {
  fileprivate var isPair: Bool { if case .text(let text) = self { text.isCountedDate } else { false } }

  fileprivate func exceeds(_ limit: Int64) -> Bool {
    if case .integer(let number) = self { number > limit || number < -limit } else { false }
  }
}
