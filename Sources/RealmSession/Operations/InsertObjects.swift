// Objects as a migration file spells them. Layer: RealmSession, Operations.

import ByteText
import RealmEngine
import TextFormats

/// `insert: { class, objects, existing }`
struct InsertObjects: Operation {
  static let spec = OperationSpec(
    word: "insert", summary: "inserts the objects that are listed",
    fields: [
      .className,
      FieldSpec(
        "objects", .objects, required: true,
        "a list of mappings of properties to plain values, as in JSON; links are primary keys"),
      ExistingPolicy.field,
    ])

  let className: Located<String>
  let objects: [DocumentNode]
  let existing: ExistingPolicy

  init?(_ fields: Fields) {
    guard let className = fields.name("class"), let node = fields["objects"],
      let existing = ExistingPolicy.read(fields)
    else { return nil }
    guard let objects = node.items else {
      fields.report.error("'objects' of insert must be a list of objects", at: node)
      return nil
    }
    (self.className, self.objects, self.existing) = (className, objects, existing)
  }

  var subject: String { className.value }

  private var mode: IngestMode {
    switch existing {
    case .fail: .insert
    case .keep: .skip
    case .update: .upsert
    }
  }

  func check(_ checker: inout SchemaChecker) {
    guard let known = checker.requireMade(className) else { return }
    if existing != .fail, known.primaryKey == .none {
      checker.report.error(
        "'\(known.name)' has no primary key to find objects by", at: className.node)
    }
    let typing = LiteralTyping(checker.schema)
    let typed = objects.map { typing.typed($0, of: known.name) }
    checker.check(typed, of: known)
    guard existing == .fail, case .property(let key) = known.primaryKey else { return }
    var seen: Set<ByteString> = []
    for value in typed.compactMap({ $0[key] }) {
      guard let text = value.text, !value.isNull, !seen.insert(ByteString(text)).inserted else { continue }
      checker.report.error("two objects have the primary key \(text)", at: value)
    }
  }

  func run(_ run: OperationRun) throws {
    let schema = try run.transaction.schema(try run.tableKey(className.value))
    let typing = LiteralTyping(SimulatedSchema(try run.view().schemaDescription()))
    let reader = ObjectReader(transaction: run.transaction)
    let ingest = ObjectIngest(run.transaction, mode: mode)
    do {
      for object in objects {
        var text = ByteBuffer()
        text.append(json: typing.typed(object, of: className.value))
        let bytes = text.bytes
        var json = JSONReader(bytes.span)
        try ingest.add(try reader.edit(try json.next(), from: &json, of: schema))
      }
      try ingest.finish()
    } catch let fault as DocumentFault {
      throw EngineError(.constraint, fault.words, hint: fault.hint)
    } catch let error as TextFormatError {
      throw EngineError(.badDocument, error.message, hint: error.hint)
    }
    run.report.createdCount = ingest.counts.inserted
    run.report.touchedCount = ingest.counts.updated
  }
}
