// Reads damaged realms as tables of SQL: every column, hidden ones too, rows that are found by those of other tables, and
// what an export writes.

import RealmEngine
import RealmSQL

extension Exercise {
  /// `turn` says which tables meet. What SQLite refuses, such as a text that is too long, is passed over; what the bytes
  /// refuse is not.
  static func readTables(_ realm: ReadTransaction, turn: Int) throws(EngineError) {
    do {
      let session = try SQLSession([SQLSource(name: nil, .realm(realm))])
      let tables = session.schema.tables.filter { $0.refusal == nil }
      for (index, table) in tables.enumerated() {
        for text in statements(of: table, besides: tables[(index + 1 + turn) % tables.count], turn) {
          guard let statement = try session.prepare(Array(text.utf8), SQLParameters()).statement else {
            continue
          }
          while try session.step(statement) {}
        }
      }
      if let export = try? RealmExport(realm) { try export.forEachBatch { _, _ in } }
    } catch let error as EngineError {
      throw error
    } catch {
      return
    }
  }

  private static func statements(of table: SQLTable, besides other: SQLTable, _ turn: Int) -> [String] {
    let (name, otherName) = (SQLText.quoted(name: table.name), SQLText.quoted(name: other.name))
    let columns = table.columns.map { SQLText.quoted(name: $0.name) }
    let column = columns[turn % columns.count]
    let otherColumn = SQLText.quoted(name: other.columns[turn % other.columns.count].name)
    return [
      "SELECT \(columns.joined(separator: ",")) FROM \(name)",
      "SELECT max(\(column)), min(\(column)) FROM \(name) WHERE \(column) > 5",
      "SELECT count(*) FROM (SELECT * FROM \(name) LIMIT 50) a JOIN \(otherName) b ON b.\(otherColumn) = a.\(column)",
    ]
  }
}
