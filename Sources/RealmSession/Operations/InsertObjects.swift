// Objects as a migration file spells them. Layer: RealmSession, Operations.
// Scalars of YAML have no type of their own: the property that they are for gives them one.

import ByteText
import RealmEngine
import TextFormats

/// `insert: { class, objects, existing }`
struct InsertObjects: Operation {
  static let spec = OperationSpec(
    word: "insert", summary: "makes the objects that are written down",
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
        "'\(known.name)' has no primary key, by which objects would be found", at: className.node)
    }
    for object in objects { checker.check(object, of: known) }
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
      throw EngineError(.constraint, "\(fault.place.path.text) – \(fault.message)", hint: fault.hint)
    } catch let error as TextFormatError {
      throw EngineError(.badDocument, error.message, hint: error.hint)
    }
    run.report.createdCount = ingest.counts.inserted
    run.report.touchedCount = ingest.counts.updated
  }
}

/// Gives scalars the form that JSON has for values of their properties.
struct LiteralTyping {
  private let schema: SimulatedSchema

  init(_ schema: SimulatedSchema) { self.schema = schema }

  func typed(_ node: DocumentNode, of className: String) -> DocumentNode {
    guard let entries = node.entries, let known = schema.classes[className] else { return node }
    return .mapping(
      entries.map { entry in
        guard let property = known.property(entry.key) else { return entry }
        return DocumentEntry(
          entry.key, typed(entry.value, as: property.type), keyLocation: entry.keyLocation)
      })
  }

  private func typed(_ node: DocumentNode, as type: PropertyType) -> DocumentNode {
    switch node.content {
    case .sequence(let items): return .sequence(items.map { typed($0, as: type) })
    case .mapping(let entries):
      if type.collection == .dictionary {
        return .mapping(entries.map { DocumentEntry($0.key, typed($0.value, as: type)) })
      }
      return type.target.map { typed(node, of: $0) } ?? node
    case .scalar(let text, let isQuoted):
      guard !isQuoted, !node.isNull, let plain = plainType(type), plain.isQuotedInJSON(text) else {
        return node
      }
      return DocumentNode(.scalar(text: text, isQuoted: true), at: node.location)
    }
  }

  /// The type of the scalar itself: of a link the primary key's. Nil where the scalar tells its own.
  private func plainType(_ type: PropertyType) -> ValueType? {
    if type.type == .mixed { return nil }
    guard let target = type.target else { return type.type }
    guard case .property(let key)? = schema.classes[target]?.primaryKey else { return nil }
    return schema.classes[target]?.property(key)?.type.type
  }
}

extension ValueType {
  fileprivate func isQuotedInJSON(_ text: String) -> Bool {
    switch self {
    case .string, .date, .data, .objectID, .uuid: true
    // Numbers that JSON has no digits for.
    case .double, .float: Double(text) == nil || !(Double(text) ?? 0).isFinite
    default: false
    }
  }
}

extension SchemaChecker {
  /// Checks an object as it is written down.
  fileprivate mutating func check(_ object: DocumentNode, of known: SimulatedClass) {
    guard let entries = object.entries else {
      return report.error("an object of '\(known.name)' is a mapping of properties to values", at: object)
    }
    for entry in entries {
      let name = DocumentNode(.scalar(text: entry.key, isQuoted: false), at: entry.keyLocation)
      guard let property = requireProperty(Located(entry.key, name), of: known), let type = property?.type
      else {
        continue
      }
      checkLiteral(entry.value, as: type, named: "\(known.name).\(entry.key)")
    }
    for name in known.required where !entries.contains(where: { $0.key == name }) {
      report.error("\(known.name).\(name) is required and gets no value", at: object, hint: "add \(name): …")
    }
  }

  private mutating func checkLiteral(_ node: DocumentNode, as type: PropertyType, named place: String) {
    switch type.collection {
    case .list?, .set?:
      guard let items = node.items else {
        return report.error("\(place) is \(type.word), which is written as a list", at: node)
      }
      for item in items { checkElement(item, as: type, named: place) }
    case .dictionary?:
      guard let entries = node.entries else {
        return report.error("\(place) is \(type.word), which is written as a mapping", at: node)
      }
      for entry in entries { checkElement(entry.value, as: type, named: place) }
    case nil: checkElement(node, as: type, named: place)
    }
  }

  private mutating func checkElement(_ node: DocumentNode, as type: PropertyType, named place: String) {
    if type.type == .mixed { return }
    if node.isNull {
      let isAllowed =
        type.type == .object ? type.collection == nil || type.collection == .dictionary : type.isOptional
      if !isAllowed { report.error("\(place) holds no null: it is \(type.word)", at: node) }
      return
    }
    guard let target = type.target else { return checkScalar(node, as: type.type, named: place, type) }
    guard let known = schema.require(target) else { return }
    if known.kind == .embedded || node.entries != nil {
      if node.entries?.first?.key.hasPrefix("$") ?? false { return }
      return check(node, of: known)
    }
    switch known.primaryKey {
    case .unknown: return
    case .none:
      report.error(
        "\(place) links to \(target), which has no primary key", at: node,
        hint: "write the object itself, { … }")
    case .property(let key):
      guard let keyType = known.property(key)?.type else { return }
      checkScalar(node, as: keyType.type, named: "the primary key of \(target)", keyType)
    }
  }

  private func checkScalar(
    _ node: DocumentNode, as type: ValueType, named place: String, _ described: PropertyType
  ) {
    if node.entries?.first?.key.hasPrefix("$") ?? false { return }
    if let text = node.text,
      Value.spelled(text.utf8.span, isQuoted: true, as: type) != nil
        || Value.spelled(text.utf8.span, isQuoted: false, as: type) != nil
    {
      return
    }
    report.error("\(place) is \(described.word), not \(node.text.map { "'\($0)'" } ?? "this")", at: node)
  }
}
