// From JSON objects to edits: looks up properties, fits values to their types, follows nested objects.
// Layer: RealmSession, Documents. Invariant: nothing is read or changed of objects here, so that a whole statement can be
// refused before it has begun.

import ByteText
package import RealmEngine
package import TextFormats

/// Reads JSON objects as edits of one realm.
package struct ObjectReader {
  let transaction: WriteTransaction

  package init(transaction: WriteTransaction) { self.transaction = transaction }

  /// The edit that `node` asks for, an object of a class that is not embedded.
  package func edit(
    _ node: DocumentNode, of schema: ClassSchema, at place: DocumentPlace
  ) throws -> ObjectEdit {
    guard let entries = node.entries else {
      throw DocumentFault("expected an object of \(schema.name), found \(node.kindName)", at: place)
    }
    return try edit(entries, of: schema, at: place)
  }

  private func edit(
    _ entries: [DocumentEntry], of schema: ClassSchema, at place: DocumentPlace
  ) throws -> ObjectEdit {
    var values: [(property: String, value: EditValue)] = []
    var primaryKey: Value?
    for entry in entries {
      let place = place.key(entry.key, at: entry.keyLocation)
      guard let property = schema.property(named: entry.key) else {
        let nearest = EditDistance.nearest(to: entry.key, among: schema.properties.map(\.name))
        throw DocumentFault(
          "\(schema.name) has no property '\(entry.key)'", at: place,
          hint: nearest.map { "did you mean '\($0)'?" }, code: "unknown-property")
      }
      let value = try self.value(
        entry.value, of: property, in: schema,
        at: DocumentPlace(path: place.path, location: entry.value.location))
      if property.columnKey == schema.primaryKey?.columnKey, case .single(let single) = value {
        primaryKey = single
      }
      values.append((property.name, value))
    }
    let given = Set(entries.map(\.key))
    let missing = schema.properties.first { $0.needsValue(in: schema) && !given.contains($0.name) }
    return ObjectEdit(
      schema: schema, primaryKey: primaryKey, values: values, missing: missing?.name, place: place)
  }

  // MARK: Properties

  private func value(
    _ node: DocumentNode, of property: Property, in schema: ClassSchema, at place: DocumentPlace
  ) throws -> EditValue {
    switch property.collection {
    case nil: return try element(node, of: property, in: schema, at: place)
    case .list?: return .list(try elements(node, of: property, in: schema, at: place))
    case .set?:
      let inner = node.tagged.flatMap { $0.tag == "$set" ? $0.content : nil } ?? node
      return .set(try elements(inner, of: property, in: schema, at: place))
    case .dictionary?:
      let inner = node.tagged.flatMap { $0.tag == "$dict" ? $0.content : nil } ?? node
      guard let entries = inner.entries else { throw try misfit(node, property, schema, place) }
      return .dictionary(
        try entries.map { entry in
          let place = place.key(entry.key, at: entry.value.location)
          return (ByteString(entry.key), try element(entry.value, of: property, in: schema, at: place))
        })
    }
  }

  private func elements(
    _ node: DocumentNode, of property: Property, in schema: ClassSchema, at place: DocumentPlace
  ) throws -> [EditValue] {
    guard let items = node.items else { throw try misfit(node, property, schema, place) }
    return try items.enumerated().map { index, item in
      try element(item, of: property, in: schema, at: place.index(index, at: item.location))
    }
  }

  /// A single value of the property's type.
  private func element(
    _ node: DocumentNode, of property: Property, in schema: ClassSchema, at place: DocumentPlace
  ) throws -> EditValue {
    if property.type == .mixed { return try mixed(node, at: place) }
    if node.isNull {
      let isAllowed =
        property.isLink
        ? property.collection == nil || property.collection == .dictionary : property.isOptional
      guard isAllowed else {
        throw DocumentFault(
          "\(schema.name).\(property.name) holds no null: it is \(try transaction.word(for: property))",
          at: place)
      }
      return .single(.null)
    }
    if property.isLink { return try link(node, of: property, in: schema, at: place) }
    guard let value = node.value(of: property.type) else { throw try misfit(node, property, schema, place) }
    return .single(value)
  }

  private func misfit(
    _ node: DocumentNode, _ property: Property, _ schema: ClassSchema, _ place: DocumentPlace
  ) throws -> DocumentFault {
    DocumentFault(
      "\(schema.name).\(property.name) is \(try transaction.word(for: property)), not \(node.kindName)",
      at: place,
      hint: property.collection == nil ? Self.example(property.type).map { "write \($0)" } : nil)
  }

  private static func example(_ type: ValueType) -> String? {
    switch type {
    case .date: "\"2020-01-31T12:00:00Z\""
    case .data: "its bytes as base64 in quotes"
    case .objectID: "24 hexadecimal digits in quotes"
    case .uuid: "\"123e4567-e89b-12d3-a456-426614174000\""
    case .float, .double: "a number, or \"NaN\", \"Infinity\", \"-Infinity\""
    default: nil
    }
  }

  // MARK: Links

  private func link(
    _ node: DocumentNode, of property: Property, in schema: ClassSchema, at place: DocumentPlace
  ) throws -> EditValue {
    guard let target = property.target else { throw try misfit(node, property, schema, place) }
    let targetSchema = try transaction.schema(target)
    if targetSchema.kind == .embedded {
      let inner = node.tagged.flatMap { $0.tag == "$embedded" ? $0.content : nil } ?? node
      guard let entries = inner.entries, property.collection != .set else {
        throw try misfit(node, property, schema, place)
      }
      let edit = try edit(entries, of: targetSchema, at: place)
      if let missing = edit.missing { throw Self.lack(missing, edit) }
      return .embedded(edit)
    }
    if let tagged = node.tagged, tagged.tag == "$link" {
      let (link, named) = try objectLink(tagged.content, at: place)
      guard named.tableKey == target else {
        throw DocumentFault(
          "\(schema.name).\(property.name) links to \(targetSchema.name), not to \(named.name)", at: place)
      }
      return .objectKey(link, in: named, place)
    }
    if let entries = node.entries { return .object(try edit(entries, of: targetSchema, at: place)) }
    guard let primaryKey = targetSchema.primaryKey else {
      throw DocumentFault(
        "\(schema.name).\(property.name) links to \(targetSchema.name), which has no primary key", at: place,
        hint: "write {\"$link\":{\"class\":\"\(targetSchema.name)\",\"key\":…}} or the object itself")
    }
    guard let key = node.value(of: primaryKey.type) else {
      throw DocumentFault(
        "the primary key of \(targetSchema.name) is \(primaryKey.type.name), not \(node.kindName)", at: place)
    }
    return .primaryKey(key, in: targetSchema, place)
  }

  /// The content of `{"$link":…}`.
  private func objectLink(
    _ node: DocumentNode, at place: DocumentPlace
  ) throws -> (ObjectLink, ClassSchema) {
    guard let name = node["class"]?.text, let key = node["key"]?.integer else {
      throw DocumentFault(
        "a link needs a class and an object key", at: place,
        hint: "write {\"$link\":{\"class\":\"Person\",\"key\":3}}")
    }
    guard let schema = try transaction.schema(named: name) else {
      throw DocumentFault("there is no class '\(name)'", at: place, code: "unknown-class")
    }
    return (ObjectLink(table: schema.tableKey, key: ObjectKey(key)), schema)
  }

  /// The complaint about a new object without a value that it must have.
  static func lack(_ name: String, _ edit: ObjectEdit) -> DocumentFault {
    DocumentFault(
      "\(edit.schema.name).\(name) is missing", at: edit.place.key(name, at: edit.place.location),
      hint: edit.schema.primaryKey?.name == name ? "it is the primary key" : nil, code: "missing-property")
  }
}

extension ObjectReader {
  /// Any value that JSON can spell; objects without a tag become dictionaries.
  private func mixed(_ node: DocumentNode, at place: DocumentPlace) throws -> EditValue {
    if let value = node.selfDescribingValue { return .single(value) }
    if let items = node.items {
      return .list(
        try items.enumerated().map { index, item in
          try mixed(item, at: place.index(index, at: item.location))
        })
    }
    if let tagged = node.tagged, tagged.tag == "$link" {
      let (link, schema) = try objectLink(tagged.content, at: place)
      return .objectKey(link, in: schema, place)
    }
    // Inside, a key may begin like a tag.
    let tagged = node.tagged.flatMap { $0.tag == "$dict" ? $0.content : nil }
    guard let entries = (tagged ?? node).entries, tagged != nil || node.tagged == nil else {
      throw DocumentFault("\(node.kindName) is no value", at: place)
    }
    return .dictionary(
      try entries.map { entry in
        (ByteString(entry.key), try mixed(entry.value, at: place.key(entry.key, at: entry.value.location)))
      })
  }
}

extension Property {
  /// Whether a new object cannot be made without a value for it.
  fileprivate func needsValue(in schema: ClassSchema) -> Bool {
    if columnKey == schema.primaryKey?.columnKey { return true }
    return collection == nil && !isOptional && !isLink && type != .mixed
  }
}

extension WriteTransaction {
  /// The type of a property as schemas spell it.
  fileprivate func word(for property: Property) throws(EngineError) -> String {
    var target: String?
    if let key = property.target { target = try schema(key).name }
    return PropertyType(
      property.type, collection: property.collection, isOptional: property.isOptional, target: target
    ).word
  }
}

extension DocumentNode {
  /// For messages.
  var kindName: String {
    if let tagged { return "{\"\(tagged.tag)\":…}" }
    switch content {
    case .sequence: return "a list"
    case .mapping: return "an object"
    case .scalar(let text, isQuoted: true): return "\"\(text.prefix(40))\""
    case .scalar(let text, isQuoted: false): return "\(text.prefix(40))"
    }
  }
}
