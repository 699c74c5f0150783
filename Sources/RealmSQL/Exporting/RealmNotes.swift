// The table `_realm` of an exported file: the schema of the realm, and the values that SQLite does not hold as they are.
// Layer: RealmSQL, Exporting. With it the file gives the same realm back.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// What of a realm its other tables do not say.
package struct RealmNotes {
  package static let name = SQLSchema.notesName
  static let columns = ["class", "key", "property", "place", "value"]
  /// The property of the row without a class that holds the schema document.
  package static let schemaProperty = "schema"

  static let creation =
    "CREATE TABLE \(SQLText.quoted(name: name))(\"class\" TEXT, \"key\", \"property\" TEXT, \"place\", \"value\" TEXT)"
  static let indexCreation =
    "CREATE INDEX \"index_\(name)\" ON \(SQLText.quoted(name: name))(\"class\", \"key\")"
  static let insertion = "INSERT INTO \(SQLText.quoted(name: name)) VALUES(?,?,?,?,?)"
  static let selection =
    "SELECT \"class\",\"key\",\"property\",\"place\",\"value\" FROM \(SQLText.quoted(name: name))"

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
      .null, .null, .text(ByteString(Self.schemaProperty)), .null, .text(ByteString(copying: text.span)),
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
        .text(ByteString(copying: out.text.span)),
      ]
      for (index, value) in row.enumerated() { rows.append(value, to: index) }
      rows.endRows(1)
    }
    return rows
  }
}
