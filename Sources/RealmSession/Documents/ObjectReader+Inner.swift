// Keys of JSON that name properties of embedded objects, `address.city`, as `export --flatten` writes them.
// Layer: RealmSession, Documents.

import RealmEngine
import TextFormats

/// What the keys of one object say of the objects that it owns.
struct InnerValues {
  /// Nil is null.
  fileprivate var values: [(path: ArraySlice<String>, value: EditValue?)] = []

  /// Whether one of the keys names the same property, or one around or inside it.
  func overlaps(_ path: [String]) -> Bool {
    values.contains { $0.path.starts(with: path) || path.starts(with: $0.path) }
  }

  mutating func add(_ path: [String], _ value: EditValue?) { values.append((path[...], value)) }
}

extension ObjectReader {
  /// Reads the value of a property of an embedded object; nil for null, which may stand for the object.
  func innerValue(
    _ path: [String], from reader: inout JSONReader, of schema: ClassSchema, at outer: JSONPath
  ) throws -> EditValue? {
    let token = try reader.next()
    if token == .null { return nil }
    var schema = schema
    var document = outer
    for name in path.dropLast() {
      guard let inner = try embeddedClass(name, of: schema) else { break }
      schema = inner
      document = .key(document, name)
    }
    guard let name = path.last, let property = schema.property(named: name) else {
      preconditionFailure("paths are of properties that are there")
    }
    return try value(token, from: &reader, of: property, in: schema, at: .key(document, name))
  }

  /// The embedded objects that the values make, by the properties that own them.
  func owned(
    _ inner: InnerValues, by schema: ClassSchema, _ place: DocumentPlace
  ) throws -> [(property: String, value: EditValue)] {
    var found: [(property: String, value: EditValue)] = []
    for (path, value) in inner.values {
      guard let name = path.first, !found.contains(where: { $0.property == name }) else { continue }
      guard path.count > 1, let target = try embeddedClass(name, of: schema) else {
        found.append((name, try value ?? null(name, of: schema, place)))
        continue
      }
      let parts = inner.values.filter { $0.path.first == name }.map {
        (path: $0.path.dropFirst(), value: $0.value)
      }
      var edit = ObjectEdit(schema: target, place: place.key(name, at: place.location))
      let given = Set(parts.compactMap(\.path.first))
      guard
        edit.begin(
          given, isNull: parts.allSatisfy { $0.value == nil }, mayBePart: !isCollection(name, of: schema))
      else {
        found.append((name, .single(.null)))
        continue
      }
      edit.values = try owned(InnerValues(values: parts), by: target, edit.place)
      if !edit.isPartial { try edit.requireAll() }
      found.append((name, .embedded(edit)))
    }
    return found
  }

  private func isCollection(_ name: String, of schema: ClassSchema) -> Bool {
    schema.property(named: name)?.collection != nil
  }

  private func embeddedClass(_ name: String, of schema: ClassSchema) throws(EngineError) -> ClassSchema? {
    guard let target = schema.property(named: name)?.target else { return nil }
    return try transaction.schema(target)
  }

  /// What null makes of a property of an object that is there.
  private func null(_ name: String, of schema: ClassSchema, _ place: DocumentPlace) throws -> EditValue {
    guard let property = schema.property(named: name) else { return .single(.null) }
    guard let value = property.valueOfNull else {
      throw try noNull(property, schema, place.key(name, at: place.location))
    }
    return value
  }

  func noNull(_ property: Property, _ schema: ClassSchema, _ place: DocumentPlace) throws -> DocumentFault {
    DocumentFault(
      "\(schema.name).\(property.name) holds no null: it is \(try transaction.word(for: property))", at: place
    )
  }
}
