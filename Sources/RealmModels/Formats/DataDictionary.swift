// A data dictionary in Markdown: each property with how many nulls it has, its least and its greatest value.
// Layer: RealmModels, Formats.

import ByteText
import RealmEngine
import RealmSQL
import Rendering

/// Writes data dictionaries.
struct DataDictionary {
  private let realm: ReadTransaction
  private var reader: TableReader

  init(_ realm: ReadTransaction) {
    self.realm = realm
    reader = TableReader(realm)
  }

  /// What is told of a column.
  private struct Facts {
    var nullCount = 0
    var minimum: Value?
    var maximum: Value?
  }

  /// A class each.
  mutating func code(_ chosen: Set<String>?) throws -> ModelCode {
    let tables = SQLSchema(realm).tables
    let descriptions = realm.schemaDescription().classesByName
    var parts: [ModelCode.Part] = []
    for table in tables where chosen?.contains(table.table.schema.name) ?? true {
      guard case .objects = table.rows, let description = descriptions[table.table.schema.name] else {
        continue
      }
      let (count, facts) = try facts(table)
      var lines = ["## \(text(description.name))", ""]
      let kind = description.kind == .object ? "" : " (\(description.kind.name))"
      lines += ["\(counted(count, "object"))\(kind)", ""]
      lines += [
        "| property | type | values | nulls | minimum | maximum | |",
        "| --- | --- | ---: | ---: | --- | --- | --- |",
      ]
      for property in description.properties {
        var row: (count: Int, facts: Facts)?
        if let found = facts[property.name] { row = (count, found) }
        if property.type.collection != nil,
          let side = tables.first(where: { $0.table === table.table && $0.isSideTable(of: property.name) })
        {
          let (elements, sideFacts) = try self.facts(side)
          row = (elements, sideFacts[property.name] ?? Facts())
        }
        if row == nil, property.type.collection == nil,
          let link = table.table.schema.properties.first(where: { $0.name == property.name })
        {
          row = (count, Facts(nullCount: try nullCount(of: link, in: table.table)))
        }
        var notes: [String] = []
        if property.name == description.primaryKey { notes.append("primary key") }
        if property.index == .fullText { notes.append("full text") }
        if property.index == .general, property.name != description.primaryKey { notes.append("indexed") }
        let cells = [
          text(property.name), text(property.type.word), row.map { "\($0.count)" } ?? "",
          row.map { "\($0.facts.nullCount)" } ?? "", cell(row?.facts.minimum), cell(row?.facts.maximum),
          notes.joined(separator: ", "),
        ]
        lines.append("| \(cells.joined(separator: " | ")) |")
      }
      parts.append(.init(table.name, ".md", lines))
    }
    let version =
      realm.schemaVersion.map { ["# Data dictionary", "", "Schema version \($0)."] } ?? ["# Data dictionary"]
    return ModelCode(wholeHead: version, parts)
  }

  /// Of a link to an embedded object, which is no column.
  private func nullCount(of link: Property, in table: Table) throws(EngineError) -> Int {
    let isNull = PropertyCondition(property: link, test: .compare(ComparisonTest(.equal), .null))
    let query = BoundQuery(table: table, predicate: .property(isNull), orderings: [])
    return try QueryExecutor(query, in: realm).count()
  }

  /// How many rows there are, and what is told of each property.
  private mutating func facts(_ table: SQLTable) throws -> (Int, [String: Facts]) {
    let columns = table.visibleColumns
    var facts = Array(repeating: Facts(), count: columns.count)
    var count = 0
    try reader.forEachBatch(of: table) { batch in
      count += batch.count
      // Numbers that are none are null in SQL.
      for exception in batch.exceptions {
        if case .double(let number) = exception.value, number.isNaN { facts[exception.column].nullCount -= 1 }
        if case .float(let number) = exception.value, number.isNaN { facts[exception.column].nullCount -= 1 }
      }
      for (index, column) in columns.enumerated() {
        guard let type = column.property?.type else { continue }
        let isOrdered = column.reference == nil && column.type != .any && column.type != .boolean
        for value in batch.columns[index] {
          if value == .null {
            facts[index].nullCount += 1
          } else if isOrdered, let value = value.ordered(as: type) {
            let known = facts[index]
            if known.minimum.map({ value.storedOrder($0) < 0 }) ?? true { facts[index].minimum = value }
            if known.maximum.map({ value.storedOrder($0) > 0 }) ?? true { facts[index].maximum = value }
          }
        }
      }
    }
    let named = zip(columns, facts).compactMap { column, facts in column.property.map { ($0.name, facts) } }
    return (count, Dictionary(named) { first, _ in first })
  }

  private static let cellLengthMax = 40

  private func cell(_ value: Value?) -> String {
    guard let value, let shown = SQLValue(value) else { return "" }
    switch shown {
    case .null, .blob: return ""
    case .text(let bytes): return text(bytes.text)
    case .integer, .real:
      var number = ByteBuffer(capacity: 32)
      _ = ValueFormat(.plain).append(single: value, to: &number)
      return text(number.text.filter { $0 != "\"" })
    }
  }

  /// Without what ends a cell or begins other text, and not too long.
  private func text(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(Self.cellLengthMax).map { scalar in
      scalar.isUnseen ? " " : "\\|`*_<>[]#".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
    return shown.joined() + (text.unicodeScalars.count > Self.cellLengthMax ? "…" : "")
  }
}

extension SQLTable {
  fileprivate func isSideTable(of name: String) -> Bool {
    if case .elements(let property) = rows { property.name == name } else { false }
  }
}

extension SQLValue {
  /// The value of a column, where it has a place among others; borrows.
  fileprivate func ordered(as type: ValueType) -> Value? {
    switch self {
    case .null, .blob: nil
    case .integer(let number): .int(number)
    case .real(let number): type == .float ? .float(Float(number)) : .double(number)
    case .text(let text) where type == .decimal128:
      Decimal128(text: text.bytes.span).flatMap { $0.isNaN ? nil : .decimal($0) }
    case .text(let text) where type == .date: Timestamp(written: text.bytes.span).map(Value.date)
    case .text(let text): .string(text.owned())
    }
  }
}

extension Timestamp {
  /// A date as columns hold it: in its calendar form, or as seconds and nanoseconds.
  fileprivate init?(written text: Span<UInt8>) {
    guard text.count > 0, text[0] == UInt8(ascii: "[") else {
      self.init(text: text)
      return
    }
    let parts = text.string.dropFirst().dropLast().split(separator: ",")
    guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = Int32(parts[1]) else {
      return nil
    }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}
