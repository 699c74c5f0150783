// Rows of values as JSON objects, which is what objects are made of. Layer: RealmSession, Statements.
// Every value says its type where JSON has none for it, so that mixed properties get what was written.

import ByteText
import RealmEngine
import RealmQueryLanguage

/// Rows of `insert … values` as JSON text, and where each part of that comes from.
struct InsertedRowsText: ~Copyable {
  private var text = ByteBuffer()
  private var documents: [InsertedDocument] = []
  /// Where the text of each value begins.
  private var origins: [(offset: Int, range: SourceRange)] = []
  private let source: [UInt8]
  private let arguments: QueryArguments

  init(
    _ rows: InsertedRows, of source: [UInt8], _ schema: ClassSchema, in realm: ReadTransaction,
    _ arguments: QueryArguments
  ) throws {
    self.source = source
    self.arguments = arguments
    let properties = schema.properties
    for row in rows.rows {
      guard !rows.names.isEmpty || row.values.count == properties.count else {
        let message =
          "\(counted(row.values.count, "value")) for \(counted(properties.count, "property", "properties"))"
        throw SessionError(.statement(code: "values", message: message)).located(at: row.range, in: source)
      }
      let start = text.count
      origins.append((start, row.range))
      for (index, cell) in row.values.enumerated() {
        let name = rows.names.isEmpty ? properties[index].name : rows.names[index].text
        text.append(literal: index == 0 ? "{" : ",")
        origins.append((text.count, rows.names.isEmpty ? cell.range : rows.names[index].range))
        text.append(jsonString: name)
        text.append(literal: ":")
        origins.append((text.count, cell.range))
        try append(cell, for: schema.property(named: name), in: realm)
      }
      text.append(literal: "}")
      documents.append(InsertedDocument(SourceRange(start..<text.count)))
    }
  }

  var inserted: InsertedText {
    InsertedText(bytes: text.bytes, documents: documents, rows: (source, origins))
  }

  private mutating func append(
    _ cell: InsertedRows.Cell, for property: Property?, in realm: ReadTransaction
  ) throws {
    guard let constant = cell.constant else { return text.append(Array(source[cell.range.bounds])) }
    switch constant.kind {
    case .literal(let literal): append(literal, for: property, in: realm)
    case .argument(let reference):
      let literal = try SessionError.binding(source) { () throws(BindingFailure) in
        try arguments.constant(reference, at: constant.range)
      }
      append(literal, for: property, in: realm)
    case .object(let reference):
      guard case .literal(let key) = reference.primaryKey else {
        throw SessionError(.statement(code: "values", message: "expected a key here"))
          .located(at: constant.range, in: source)
      }
      text.append(literal: "{\"$link\":{\"class\":")
      text.append(jsonString: reference.className.text)
      text.append(literal: ",\"primary_key\":")
      append(key, for: nil, in: realm)
      text.append(literal: "}}")
    }
  }

  private mutating func append(_ literal: Literal, for property: Property?, in realm: ReadTransaction) {
    switch literal {
    case .decimal(let digits): text.append(text: digits)
    case .infinity(let isNegative):
      text.append(literal: isNegative ? "{\"$double\":\"-Infinity\"}" : "{\"$double\":\"Infinity\"}")
    case .notANumber: text.append(literal: "{\"$double\":\"NaN\"}")
    case .string(let bytes): text.append(jsonString: String(decoding: bytes, as: UTF8.self))
    case .date(let seconds, let nanoseconds):
      text.append(literal: "{\"$date\":[")
      text.append(decimal: seconds)
      text.append(literal: ",")
      text.append(decimal: Int64(nanoseconds))
      text.append(literal: "]}")
    case .objectKey(let key):
      append(key, of: property?.target.flatMap { realm.table($0)?.schema.name })
    case .typedObjectKey(let table, let key):
      append(key, of: TableKey(table).flatMap { realm.table($0)?.schema.name })
    default:
      let value = literal.plainValue ?? .null
      let tag = value.type.flatMap { $0.jsonForm == .quoted ? $0.jsonTag : nil }
      if let tag { text.append(text: "{\"$\(tag)\":\"") }
      if !value.write(to: &text) { text.append(literal: "null") }
      if tag != nil { text.append(literal: "\"}") }
    }
  }

  private mutating func append(_ key: Int64, of className: String?) {
    text.append(literal: "{\"$link\":{\"class\":")
    if let className { text.append(jsonString: className) } else { text.append(literal: "null") }
    text.append(literal: ",\"key\":")
    text.append(decimal: key)
    text.append(literal: "}}")
  }
}
