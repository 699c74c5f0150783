// `insert Person { … }` and `upsert Person { … }`: JSON objects. Layer: RealmSession, Statements.

package import RealmEngine
package import RealmQueryLanguage
import TextFormats

extension StatementSession {
  func insert(_ insertion: Insertion, of source: [UInt8]) throws -> ChangeCounts {
    try change { transaction in
      let schema = try schema(insertion.className, of: source, in: transaction)
      do throws(SessionError) {
        if insertion.isUpsert, insertion.rows != nil || insertion.documents.contains(where: { $0.key == nil })
        {
          try schema.requirePrimaryKey()
        }
      } catch {
        throw error.located(at: insertion.className.range, in: source)
      }
      let text =
        if let rows = insertion.rows {
          try InsertedRowsText(rows, of: source, schema, in: try transaction.view(), settings.arguments)
            .inserted
        } else {
          InsertedText(bytes: source, documents: insertion.documents)
        }
      return try (inserts ?? InsertSequence()).write(
        text, as: schema, isUpsert: insertion.isUpsert, isLast: inserts == nil, in: transaction
      ).counts
    }
  }

  /// Makes or changes the objects of JSON documents. All of them are read before the first is written.
  package static func write(
    _ documents: [InsertedDocument], of source: [UInt8], as schema: ClassSchema, isUpsert: Bool,
    in transaction: WriteTransaction
  ) throws -> WrittenObjects {
    try InsertSequence().write(
      InsertedText(bytes: source, documents: documents), as: schema, isUpsert: isUpsert, isLast: true,
      in: transaction)
  }
}

extension ClassSchema {
  /// Throws where objects cannot be found by a primary key.
  package func requirePrimaryKey() throws(SessionError) {
    guard primaryKey == nil else { return }
    throw SessionError(
      .statement(code: "no-primary-key", message: "\(name) has no primary key to find objects by"),
      hint:
        "use insert, or a statement that names an object by its object key: upsert \(spelledName(name, as: .className)) @7 { … }"
    )
  }
}
