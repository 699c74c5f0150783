// Inserts that run one after the other in one transaction. Layer: RealmSession, Statements.
// A link may lead to an object that a later one makes: it waits until the sequence ends. All else is in place when a statement
// ends, so that each means what it would mean alone.

import RealmEngine
import RealmQueryLanguage
import TextFormats

/// Writes the objects of statements.
final class InsertSequence {
  private var ingest: ObjectIngest?
  /// The texts with links that wait, and the number of the first document of each.
  private var texts: [(firstNumber: Int, text: InsertedText)] = []
  private var documentCount = 0

  /// Makes or changes the objects of one statement. All documents are read before the first is written. `isLast`: no other comes.
  func write(
    _ text: InsertedText, as schema: ClassSchema, isUpsert: Bool, isLast: Bool,
    in transaction: WriteTransaction
  ) throws -> WrittenObjects {
    let edits = try text.edits(of: schema, in: transaction)
    let tally = try ObjectTally(ofOwner: schema, in: transaction)
    let mode: IngestMode = isUpsert ? .upsert : .insert
    let ingest = self.ingest ?? ObjectIngest(transaction, mode: mode, keepsObjects: true)
    self.ingest = ingest
    ingest.beginPart(mode)
    texts.append((documentCount, text))
    try explaining {
      for (edit, document) in edits {
        ingest.source = documentCount + document
        do {
          try ingest.add(edit)
        } catch var fault as DocumentFault {
          fault.source = ingest.source
          throw fault
        }
      }
      if isLast {
        try ingest.finish()
      } else if try !ingest.settle() {
        texts.removeLast()
      }
    }
    documentCount += text.documents.count
    var counts = ingest.counts
    if let tally { counts += tally.changes(to: try transaction.view()) }
    counts.add(made: ingest.objects)
    return WrittenObjects(counts: counts, objects: ingest.objects)
  }

  /// Sets the links that waited. Throws where one leads to what did not come.
  func finish() throws { try explaining { try ingest?.finish() } }

  private func explaining(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as DocumentFault {
      let found = fault.source.flatMap { number in texts.last { $0.firstNumber <= number } } ?? texts.last
      guard let (firstNumber, text) = found else { throw fault }
      throw text.complaint(fault, document: fault.source.map { $0 - firstNumber } ?? 0)
    }
  }
}

/// The documents of a statement.
struct InsertedText {
  let bytes: [UInt8]
  let documents: [InsertedDocument]
  /// Where they were made of rows: the statement, and from which of its parts each part of the documents comes.
  var rows: (statement: [UInt8], origins: [(offset: Int, range: SourceRange)])?

  /// The objects that the documents describe, with the number of its document.
  fileprivate func edits(
    of schema: ClassSchema, in transaction: WriteTransaction
  ) throws -> [(edit: ObjectEdit, document: Int)] {
    let reader = ObjectReader(transaction: transaction)
    var edits: [(edit: ObjectEdit, document: Int)] = []
    for (number, document) in documents.enumerated() {
      do {
        var text = JSONReader(bytes.span.extracting(document.range.bounds))
        text.isRelaxed = true
        for var edit in try Self.objects(of: schema, from: &text, reader) {
          edit.objectKey = document.key.map { ObjectKey($0.kind) } ?? edit.objectKey
          edits.append((edit, number))
        }
      } catch let fault as DocumentFault {
        throw complaint(fault, document: number)
      } catch let error as TextFormatError {
        throw located(
          SessionError(.statement(code: "bad-json", message: error.message)), at: error.location, number)
      }
    }
    return edits
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

  /// What is told of a fault in a document, with its place in the statement.
  fileprivate func complaint(_ fault: DocumentFault, document: Int) -> SessionError {
    located(SessionError(fault), at: fault.place.location, document)
  }

  private func located(_ error: SessionError, at location: TextLocation, _ document: Int) -> SessionError {
    let range = documents.indices.contains(document) ? documents[document].range : SourceRange(bytes.indices)
    let offset = range.offset + min(location.offset, range.length)
    guard let rows else { return error.located(at: SourceRange(offset: offset, length: 1), in: bytes) }
    let origin = rows.origins.last { $0.offset <= offset }
    return error.located(at: origin?.range ?? SourceRange(rows.statement.indices), in: rows.statement)
  }
}
