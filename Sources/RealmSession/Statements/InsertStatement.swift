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
      if let rows = insertion.rows {
        return try write(rows, of: source, as: schema, isUpsert: insertion.isUpsert, in: transaction)
      }
      return try Self.write(
        insertion.documents, of: source, as: schema, isUpsert: insertion.isUpsert, in: transaction
      ).counts
    }
  }

  /// Makes or changes the objects of rows; complaints are about the values as they were written.
  private func write(
    _ rows: InsertedRows, of source: [UInt8], as schema: ClassSchema, isUpsert: Bool,
    in transaction: WriteTransaction
  ) throws -> ChangeCounts {
    let text = try InsertedRowsText(
      rows, of: source, schema, in: try transaction.view(), settings.arguments)
    do {
      return try Self.write(
        text.documents, of: text.text.bytes, as: schema, isUpsert: isUpsert, in: transaction
      ).counts
    } catch let error as SessionError {
      guard let place = error.place, let range = text.range(at: place.range.offset) else { throw error }
      throw error.located(at: range, in: source)
    }
  }

  /// Makes or changes the objects of JSON documents. All of them are read before the first is written.
  package static func write(
    _ documents: [InsertedDocument], of source: [UInt8], as schema: ClassSchema, isUpsert: Bool,
    in transaction: WriteTransaction
  ) throws -> WrittenObjects {
    let reader = ObjectReader(transaction: transaction)
    var edits: [(edit: ObjectEdit, document: SourceRange)] = []
    for document in documents {
      try locating(source, document.range) {
        var text = JSONReader(source.span.extracting(document.range.bounds))
        text.isRelaxed = true
        for var edit in try objects(of: schema, from: &text, reader) {
          edit.objectKey = document.key.map { ObjectKey($0.kind) } ?? edit.objectKey
          edits.append((edit, document.range))
        }
      }
    }
    let tally = try EmbeddedTally(ofOwner: schema, in: transaction)
    let ingest = ObjectIngest(transaction, mode: isUpsert ? .upsert : .insert, keepsObjects: true)
    do {
      for (edit, document) in edits {
        ingest.source = document.offset
        do {
          try ingest.add(edit)
        } catch var fault as DocumentFault {
          fault.source = document.offset
          throw fault
        }
      }
      try ingest.finish()
    } catch let fault as DocumentFault {
      let document =
        documents.last { $0.range.offset <= fault.source ?? 0 }?.range ?? SourceRange(0..<source.count)
      try locating(source, document) { throw fault }
    }
    var counts = ingest.counts
    if let tally { counts += tally.changes(to: try transaction.view()) }
    if !isUpsert { counts.add(made: ingest.objects) }
    return WrittenObjects(counts: counts, objects: ingest.objects)
  }

  /// The objects of a document: itself, or its elements.
  private static func objects(
    of schema: ClassSchema, from text: inout JSONReader, _ reader: ObjectReader
  ) throws -> [ObjectEdit] {
    var edits: [ObjectEdit] = []
    var token = try text.next()
    if token == .beginArray {
      token = try text.next()
      while token != .endArray {
        edits.append(try reader.edit(token, from: &text, of: schema, path: .index(.root, edits.count)))
        token = try text.next()
      }
    } else {
      edits = [try reader.edit(token, from: &text, of: schema)]
    }
    _ = try text.next()
    return edits
  }

  /// Turns complaints about the document at `range` into ones with their place in `source`.
  private static func locating(_ source: [UInt8], _ range: SourceRange, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as DocumentFault {
      let message = "\(fault.place.path.text) – \(fault.message)"
      throw SessionError(
        // A name that there is not is a mistake of the statement, all else one of the data.
        fault.code.hasPrefix("unknown-")
          ? .statement(code: fault.code, message: message)
          : .constraint(code: fault.code, message: message), hint: fault.hint
      ).located(at: place(fault.place.location, range), in: source)
    } catch let error as TextFormatError {
      throw SessionError(.statement(code: "bad-json", message: error.message))
        .located(at: place(error.location, range), in: source)
    }
  }

  private static func place(_ location: TextLocation, _ range: SourceRange) -> SourceRange {
    SourceRange(offset: range.offset + min(location.offset, range.length), length: 1)
  }
}

extension ClassSchema {
  /// Throws where objects cannot be found by a primary key.
  package func requirePrimaryKey() throws(SessionError) {
    guard primaryKey == nil else { return }
    throw SessionError(
      .statement(code: "no-primary-key", message: "\(name) has no primary key to find objects by"),
      hint: "use insert, or name objects by their object keys: upsert Person @7 { … }")
  }
}
