// `insert Person { … }` and `upsert Person { … }`: JSON objects. Layer: RealmSession, Statements.

package import RealmEngine
package import RealmQueryLanguage
import TextFormats

extension StatementSession {
  func insert(_ insertion: Insertion, of source: [UInt8]) throws -> ChangeCounts {
    try change { transaction in
      let schema = try schema(insertion.className, of: source, in: transaction)
      do throws(SessionError) {
        if insertion.isUpsert { try schema.requirePrimaryKey() }
      } catch {
        throw error.located(at: insertion.className.range, in: source)
      }
      return try Self.write(
        insertion.documents, of: source, as: schema, isUpsert: insertion.isUpsert, in: transaction)
    }
  }

  /// Makes or changes the objects of JSON documents. All of them are read before the first is written.
  package static func write(
    _ documents: [SourceRange], of source: [UInt8], as schema: ClassSchema, isUpsert: Bool,
    in transaction: WriteTransaction
  ) throws -> ChangeCounts {
    let reader = ObjectReader(transaction: transaction)
    var edits: [(edit: ObjectEdit, document: SourceRange)] = []
    for document in documents {
      try locating(source, document) {
        for (node, place) in try objects(source, document) {
          edits.append((try reader.edit(node, of: schema, at: place), document))
        }
      }
    }
    var writer = ObjectWriter(transaction)
    var late: [(value: LateValue, document: SourceRange)] = []
    for (edit, document) in edits {
      try locating(source, document) {
        if isUpsert { try writer.upsert(edit) } else { try writer.insert(edit) }
      }
      late += writer.takeLateValues().map { ($0, document) }
    }
    try finish(late, of: source, with: &writer)
    return writer.counts
  }

  /// Sets the values whose links lead to objects that came later. Each may make objects that others wait for, or that have
  /// such values themselves.
  private static func finish(
    _ late: [(value: LateValue, document: SourceRange)], of source: [UInt8], with writer: inout ObjectWriter
  ) throws {
    var waiting = late
    while !waiting.isEmpty {
      let ready = try waiting.map { try writer.isReady($0.value) }
      // Where none is, the first one says what it misses, unless it makes that itself.
      let isStuck = !ready.contains(true)
      var left: [(value: LateValue, document: SourceRange)] = []
      for (index, (value, document)) in waiting.enumerated() {
        guard ready[index] || isStuck && index == 0 else {
          left.append((value, document))
          continue
        }
        try locating(source, document) { try writer.set(value) }
        left += writer.takeLateValues().map { ($0, document) }
      }
      waiting = left
    }
  }

  /// The objects of a document: itself, or its elements.
  private static func objects(
    _ source: [UInt8], _ document: SourceRange
  ) throws(TextFormatError) -> [(DocumentNode, DocumentPlace)] {
    let node = try DocumentNode.json(source.span.extracting(document.bounds))
    let root = DocumentPlace(path: .root, location: node.location)
    guard let items = node.items else { return [(node, root)] }
    return items.enumerated().map { index, item in (item, root.index(index, at: item.location)) }
  }

  /// Turns complaints about the document at `range` into ones with their place in `source`.
  private static func locating(_ source: [UInt8], _ range: SourceRange, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault as DocumentFault {
      let message = "\(fault.place.path.text) – \(fault.message)"
      throw SessionError(
        fault.code == "constraint"
          ? .constraint(message: message) : .statement(code: fault.code, message: message), hint: fault.hint
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
      hint: "use insert")
  }
}
