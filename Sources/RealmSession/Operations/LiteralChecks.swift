// Literal objects of a migration file against the schema, as the reader of objects will take them.
// Layer: RealmSession, Operations. Invariant: what passes on a schema that is known in full is read.

import ByteText
import RealmEngine
import TextFormats

extension SchemaChecker {
  /// Checks an object as it is written down, its scalars typed.
  mutating func check(_ object: DocumentNode, of known: SimulatedClass) {
    guard let entries = object.entries else {
      return report.error("an object of '\(known.name)' is a mapping of properties to values", at: object)
    }
    for entry in entries {
      guard let property = requireProperty(Located(key: entry), of: known), let type = property?.type
      else {
        continue
      }
      checkLiteral(entry.value, as: type, named: "\(known.name).\(entry.key)")
    }
    for name in known.required where !entries.contains(where: { $0.key == name }) {
      report.error("\(known.name).\(name) is required and has no value", at: object, hint: "add \(name): …")
    }
  }

  private mutating func checkLiteral(_ node: DocumentNode, as type: PropertyType, named place: String) {
    switch type.collection {
    case .list?, .set?:
      guard let items = (type.collection == .set ? node.behind("$set") : node).items else {
        return report.error("\(place) is \(type.word), which is written as a list", at: node)
      }
      for item in items { checkElement(item, as: type, named: place) }
    case .dictionary?:
      guard let entries = node.behind("$dict").entries else {
        return report.error("\(place) is \(type.word), which is written as a mapping", at: node)
      }
      for entry in entries {
        checkKey(entry, named: place)
        checkElement(entry.value, as: type, named: place)
      }
    case nil: checkElement(node, as: type, named: place)
    }
  }

  private func checkKey(_ entry: DocumentEntry, named place: String) {
    guard entry.isTag || entry.key.contains(".") else { return }
    report.error(
      "\(place): a dictionary key cannot begin with $ or hold a dot: \(entry.key)", at: entry.keyLocation,
      length: entry.key.utf8.count)
  }

  private mutating func checkElement(_ node: DocumentNode, as type: PropertyType, named place: String) {
    if type.type == .mixed { return checkMixed(node, type, named: place) }
    if node.isNull {
      if !type.allowsNull { report.error("\(place) holds no null: it is \(type.word)", at: node) }
      return
    }
    guard let target = type.target else { return checkScalar(node, as: type.type, named: place, type) }
    guard let known = schema.require(target) else { return }
    if known.kind == .embedded { return check(node.behind("$embedded"), of: known) }
    if let link = node.tagged("$link") { return checkLink(link, to: known, named: place) }
    if node.entries != nil { return check(node, of: known) }
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
    guard !isSpelled(node, as: type) else { return }
    report.error("\(place) is \(described.word), not \(node.text.map { "'\($0)'" } ?? "this")", at: node)
  }

  private func isSpelled(_ node: DocumentNode, as type: ValueType) -> Bool {
    switch node.content {
    case .scalar(let text, let isQuoted):
      return Value.spelled(text.utf8.span, isQuoted: isQuoted, as: type) != nil
    case .sequence(let items):
      return type == .date && Value.date(parts: items.compactMap(\.integer)) != nil && items.count == 2
    case .mapping(let entries):
      guard entries.count == 1, let announced = ValueType(announcedBy: entries[0].key.utf8.span),
        announced.fits(type)
      else { return false }
      let value = entries[0].value
      if announced != .string { return value.entries == nil && isSpelled(value, as: type) }
      return value.plainText == nil && value.text.flatMap { Value.bytes(base64: $0.utf8.span) } != nil
    }
  }

  private mutating func checkLink(_ link: DocumentNode, to wanted: SimulatedClass?, named place: String) {
    let hint = "write { $link: { class: Person, key: 3 } }"
    guard let name = link["class"]?.text, link["key"]?.integer != nil || link["primary_key"] != nil else {
      return report.error("\(place): a link needs a class and a key or a primary_key", at: link, hint: hint)
    }
    guard let target = requireClass(Located(name, link["class"] ?? link)) else { return }
    if let wanted, wanted.name != target.name {
      report.error("\(place) links to \(wanted.name), not to \(name)", at: link)
    } else if link["key"]?.integer == nil, target.primaryKey == .none {
      report.error("\(name) has no primary key", at: link)
    }
  }

  private mutating func checkMixed(_ node: DocumentNode, _ type: PropertyType, named place: String) {
    switch node.content {
    case .scalar(let text, let isQuoted):
      let isValue =
        isQuoted || node.isNull || node.bool != nil || Double(decimalText: text.utf8.span) != nil
      if !isValue { report.error("\(place): \(text) is not a value", at: node) }
    case .sequence(let items):
      guard type.collection != .set else { break }
      for item in items { checkMixed(item, PropertyType(.mixed, isOptional: true), named: place) }
      return
    case .mapping(let entries):
      if let link = node.tagged("$link") { return checkLink(link, to: nil, named: place) }
      if node.isTagged, entries[0].key != "$dict" {
        let type = ValueType(announcedBy: entries[0].key.utf8.span)
        if type.map({ !isSpelled(node, as: $0) }) ?? true {
          report.error("\(place): { \(entries[0].key): … } is not a value", at: node)
        }
        return
      }
      guard type.collection != .set else { break }
      for entry in node.behind("$dict").entries ?? [] {
        checkKey(entry, named: place)
        checkMixed(entry.value, PropertyType(.mixed, isOptional: true), named: place)
      }
      return
    }
    guard node.text == nil else { return }
    report.error("\(place) is \(type.word), in which no collections nest", at: node)
  }
}

extension DocumentNode {
  /// What stands behind a key that stands alone; nil for anything else.
  fileprivate func tagged(_ key: String) -> DocumentNode? {
    entries?.count == 1 && entries?.first?.key == key ? entries?.first?.value : nil
  }

  /// The same, else the node itself.
  fileprivate func behind(_ key: String) -> DocumentNode { tagged(key) ?? self }
}
