// Literal objects of a migration file against the schema: they are read and checked as the run will do it, in a realm without
// objects. Layer: RealmSession, Operations. Invariant: what passes on a schema that is known in full is read and can be stored.

import ByteText
import RealmEngine
import TextFormats

extension SchemaChecker {
  /// Checks objects as they are written down, their scalars typed.
  func check(_ objects: [DocumentNode], of known: SimulatedClass) {
    let rehearsal = LiteralRehearsal(schema)
    for object in objects { check(object, of: known, rehearsal) }
  }

  private func check(_ object: DocumentNode, of known: SimulatedClass, _ rehearsal: LiteralRehearsal?) {
    guard let entries = object.entries else {
      return report.error("an object of '\(known.name)' is a mapping of properties to values", at: object)
    }
    for entry in entries {
      guard let property = requireProperty(Located(key: entry), of: known) ?? nil,
        isKnown(entry.value, property.type)
      else { continue }
      for part in entry.value.parts(of: property.type.collection) {
        check(part, for: property, of: known, rehearsal)
      }
    }
    for name in known.required where !entries.contains(where: { $0.key == name }) {
      report.error("\(known.name).\(name) is required and has no value", at: object, hint: "add \(name): …")
    }
  }

  private func check(
    _ node: DocumentNode, for property: PropertyDefinition, of known: SimulatedClass,
    _ rehearsal: LiteralRehearsal?
  ) {
    do {
      try rehearsal?.check(node, for: property.name, of: known.name)
    } catch let fault as DocumentFault {
      report.error(fault.message, at: node.node(at: fault.place.path), hint: fault.hint)
    } catch let error as EngineError {
      report.error(error.message, at: node, hint: error.hint)
    } catch {
      let message = (error as? TextFormatError)?.message ?? "\(error)"
      report.error("\(known.name).\(property.name): \(message)", at: node)
    }
  }

  /// Whether all is known of the classes whose objects a literal names or holds.
  private func isKnown(_ node: DocumentNode, _ type: PropertyType) -> Bool {
    let known = type.target.flatMap { schema.classes[$0] }
    if type.target != nil {
      guard let known, known.isComplete, known.kind != nil, known.primaryKey != .unknown else { return false }
    }
    if let items = node.items { return items.allSatisfy { isKnown($0, type) } }
    return (node.entries ?? []).allSatisfy { entry in
      // Any class may be named there.
      if entry.key == "$link", schema.description == nil { return false }
      return isKnown(entry.value, known?.property(entry.key)?.type ?? type)
    }
  }
}

/// A realm without objects that has the classes as far as they are known.
private struct LiteralRehearsal {
  private let transaction: WriteTransaction

  /// Nil where what is known of the classes is not enough to make them.
  init?(_ schema: SimulatedSchema) {
    guard let transaction = try? WritableDatabase.inMemory().begin(),
      (try? transaction.addClasses(schema.knownDescription.classes)) != nil
    else { return nil }
    self.transaction = transaction
  }

  /// Throws what would be wrong with a value.
  func check(_ node: DocumentNode, for name: String, of className: String) throws {
    guard let schema = try transaction.schema(named: className), let property = schema.property(named: name)
    else { return }
    var text = ByteBuffer()
    text.append(json: node)
    let bytes = text.bytes
    var json = JSONReader(bytes.span)
    let value = try ObjectReader(transaction: transaction).value(
      try json.next(), from: &json, of: property, in: schema, at: .root)
    try check(value, in: node, for: property, in: schema)
  }

  private func check(
    _ value: EditValue, in node: DocumentNode, for property: Property, in schema: ClassSchema
  ) throws {
    let value = try value.linked { link throws in
      switch link {
      case .object(let edit):
        try edit.requireAll()
        for (name, value) in edit.values {
          guard let property = edit.schema.property(named: name) else { continue }
          try check(value, in: node, for: property, in: edit.schema)
        }
        return .single(.link(ObjectLink(table: edit.schema.tableKey, key: ObjectKey(0))))
      case .primaryKey(_, let schema, _):
        return .single(.link(ObjectLink(table: schema.tableKey, key: ObjectKey(0))))
      case .objectKey(let link, let target, let place):
        // Files number their objects each in its own way: who means such a number says so with `$link`.
        guard node.node(at: place.path).entries != nil else {
          throw DocumentFault(
            "\(schema.name).\(property.name) links to \(target.name), which has no primary key", at: place,
            hint: "write the object itself, { … }")
        }
        return .single(.link(link))
      default: return nil
      }
    }
    if let value { try transaction.checkForBulk(value, property, in: schema) }
  }
}

extension DocumentNode {
  /// A collection as one for each element, so that each is told what is wrong with it; anything else is whole.
  fileprivate func parts(of collection: CollectionKind?) -> [DocumentNode] {
    switch (collection, content) {
    case (.set?, .mapping(let entries)) where entries.count == 1 && entries[0].key == "$set":
      return entries[0].value.parts(of: .set)
    case (.list?, .sequence(let items)), (.set?, .sequence(let items)):
      return items.map { DocumentNode(.sequence([$0]), at: $0.location) }
    case (.dictionary?, .mapping(let entries)) where entries.count > 1:
      return entries.map { DocumentNode(.mapping([$0]), at: $0.keyLocation) }
    default: return [self]
    }
  }

  /// What stands at the end of a path, or at its last place that is there.
  fileprivate func node(at path: JSONPath) -> DocumentNode {
    switch path {
    case .root: return self
    case .key(let outer, let name):
      let outer = node(at: outer).untagged
      return outer[name] ?? outer
    case .index(let outer, let index):
      let outer = node(at: outer).untagged
      return outer.items.flatMap { index < $0.count ? $0[index] : nil } ?? outer
    }
  }

  /// What stands behind `$set`, `$dict` or `$embedded`.
  private var untagged: DocumentNode {
    guard let entries, entries.count == 1, entries[0].isTag else { return self }
    return entries[0].value
  }
}
