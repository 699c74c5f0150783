// The table `_realm` of an exported file: the schema of the realm, and the values that SQLite does not hold as they are.
// Layer: RealmSQL, Exporting. With it the file gives the same realm back.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// What of a realm its other tables do not say.
package struct RealmNotes {
  package static let name = SQLSchema.notesName
  /// `cell`: what stands in the place of the value. Where something else does by now, it is that which counts.
  static let columns = ["class", "key", "property", "place", "cell", "value"]
  /// The property of the row without a class that holds the schema document.
  package static let schemaProperty = "schema"

  static let creation =
    "CREATE TABLE \(SQLText.quoted(name: name))(\"class\" TEXT, \"key\", \"property\" TEXT, \"place\", \"cell\", \"value\" TEXT)"
  static let indexCreation =
    "CREATE INDEX \"index_\(name)\" ON \(SQLText.quoted(name: name))(\"class\", \"key\")"
  static let insertion = "INSERT INTO \(SQLText.quoted(name: name)) VALUES(?,?,?,?,?,?)"
  static let selection =
    "SELECT \"class\",\"key\",\"property\",\"place\",\"cell\",\"value\" FROM \(SQLText.quoted(name: name))"

  /// The value of a row, by its other columns.
  static let lookup =
    "SELECT \"value\" FROM \(SQLText.quoted(name: name)) WHERE \"class\" IS ? AND \"key\" IS ? AND \"property\" IS ? AND \"place\" IS ? AND \"cell\" IS ?"

  /// Words how a row differs; `other` is what the file has, nil where it has no such row.
  static func difference(_ names: [SQLValue], _ value: String, _ other: String?) -> String {
    guard case .null = names[0] else {
      let object = "\(names[0].words) \(names[1].words)"
      return "\(names[2].words) of \(object) \(other == nil ? "is missing" : "differs")"
    }
    guard let other else { return "the schema is missing" }
    func schema(_ text: String) -> SchemaDescription? {
      (try? DocumentNode.yamlOrJSON(Array(text.utf8).span)).flatMap { try? SchemaDescription(document: $0) }
    }
    guard let ours = schema(value), let theirs = schema(other) else { return "the schema differs" }
    if ours.version != theirs.version {
      func words(_ version: Int64?) -> String { version.map { "\($0)" } ?? "none" }
      return "schema_version is \(words(theirs.version)) instead of \(words(ours.version))"
    }
    let known = Dictionary(theirs.classes.map { ($0.name, $0) }) { first, _ in first }
    let name = ours.classes.first { known[$0.name] != $0 }?.name
    return name.map { "the schema of \($0) differs" } ?? "the schema has more classes"
  }

  private let realm: ReadTransaction
  private var writer: JSONWriter

  init(_ realm: ReadTransaction) {
    self.realm = realm
    writer = JSONWriter(realm, style: .typed, form: ObjectForm(namingByPrimaryKeyIn: realm))
  }

  /// The row that describes the classes.
  var schemaRow: RowBatch {
    var text = ByteBuffer()
    text.append(json: realm.schemaDescription().document)
    var batch = RowBatch(columnCount: Self.columns.count)
    let row: [SQLValue] = [
      .null, .null, .text(ByteString(Self.schemaProperty)), .null, .null,
      .text(ByteString(copying: text.span)),
    ]
    for (index, value) in row.enumerated() { batch.append(value, to: index) }
    batch.endRows(1)
    return batch
  }

  /// A row for each exception in a batch of a table.
  mutating func rows(for batch: RowBatch, of table: SQLTable) throws(EngineError) -> RowBatch {
    var rows = RowBatch(columnCount: Self.columns.count)
    let className = SQLValue.text(ByteString(table.table.schema.name))
    let columns = table.visibleColumns
    let isSideTable = if case .elements = table.rows { true } else { false }
    let keyColumn =
      isSideTable
      ? columns.firstIndex { if case .owner = $0.source { true } else { false } }
      : table.keyIndex
    let placeColumn = isSideTable ? columns.firstIndex(where: \.isPlace) : nil
    for exception in batch.exceptions {
      var out = OutputBuffer()
      writer.beginWalk()
      try writer.write(exception.value, to: &out)
      let property = columns[exception.column].property?.name ?? ""
      let row: [SQLValue] = [
        className, keyColumn.map { batch.columns[$0][exception.row] } ?? .null,
        .text(ByteString(property)), placeColumn.map { batch.columns[$0][exception.row] } ?? .null,
        batch.columns[exception.column][exception.row], .text(ByteString(copying: out.text.span)),
      ]
      for (index, value) in row.enumerated() { rows.append(value, to: index) }
      rows.endRows(1)
    }
    for entry in batch.nullEntries {
      let row: [SQLValue] = [
        .text(ByteString(entry.className)), entry.owner, .text(ByteString(entry.property)), entry.key,
        .null, .text(ByteString("null")),
      ]
      for (index, value) in row.enumerated() { rows.append(value, to: index) }
      rows.endRows(1)
    }
    return rows
  }
}
