// What a JSON object asks for, checked against the schema but not yet done. Layer: RealmSession, Documents.

import ByteText
package import RealmEngine
package import TextFormats

/// One object that is to be made, or changed where its primary key is known.
package struct ObjectEdit: Sendable {
  package let schema: ClassSchema
  package var primaryKey: Value?
  /// The object's own key, where its class has no primary key and the object came with it.
  package var objectKey: ObjectKey?
  package var values: [(property: String, value: EditValue)] = []
  /// A property that a new object would lack.
  package var missing: String?
  /// Whether an embedded object that is there keeps what is not given of it.
  package var isPartial = false
  /// Whether of such a one nothing but nulls is given, of which no object is made.
  package var isNull = false
  package let place: DocumentPlace

  /// For an embedded object of which columns say only these properties: whether one that is there keeps the others, and which of
  /// them a new one would lack. False where there is to be no object: all that is said is null, and where a part cannot be null
  /// only the whole can. `mayBePart`: there is one such object, and not a list of them.
  mutating func begin(_ given: Set<String>, isNull: Bool, mayBePart: Bool) -> Bool {
    isPartial = mayBePart && given.count < schema.properties.count
    self.isNull = isNull
    missing = schema.properties.first { $0.needsValue(in: schema) && !given.contains($0.name) }?.name
    let isNeeded = { [schema] in
      schema.properties.contains { $0.needsValue(in: schema) && given.contains($0.name) }
    }
    return !isNull || isPartial && !isNeeded()
  }

  /// Throws where a new object would lack a value.
  func requireAll() throws(DocumentFault) {
    if let missing { throw ObjectReader.lack(missing, self) }
  }
}

/// The new value of a property, or an element of it.
package indirect enum EditValue: Sendable {
  case single(Value)
  case list([EditValue])
  case set([EditValue])
  case dictionary([(key: ByteString, value: EditValue)])
  case embedded(ObjectEdit)
  /// A link to an object that is made, or changed where its primary key is known.
  case object(ObjectEdit)
  /// A link to the object with a primary key.
  case primaryKey(Value, in: ClassSchema, DocumentPlace)
  /// A link to the object with an object key.
  case objectKey(ObjectLink, in: ClassSchema, DocumentPlace)

  /// Whether other objects must be looked for, or made first.
  package var needsOthers: Bool {
    switch self {
    case .single: false
    case .list(let elements), .set(let elements): elements.contains(where: \.needsOthers)
    case .dictionary(let entries): entries.contains { $0.value.needsOthers }
    case .embedded(let edit): edit.values.contains { $0.value.needsOthers }
    case .object, .primaryKey, .objectKey: true
    }
  }

  /// Moves its links to another place: what was read from a part of a text stands in the whole of it.
  func relocated(to location: TextLocation) -> EditValue {
    func moved(_ place: DocumentPlace) -> DocumentPlace {
      DocumentPlace(path: place.path, location: location)
    }
    switch self {
    case .single, .embedded, .object: return self
    case .list(let elements): return .list(elements.map { $0.relocated(to: location) })
    case .set(let elements): return .set(elements.map { $0.relocated(to: location) })
    case .dictionary(let entries):
      return .dictionary(entries.map { ($0.key, $0.value.relocated(to: location)) })
    case .primaryKey(let key, let schema, let place): return .primaryKey(key, in: schema, moved(place))
    case .objectKey(let link, let schema, let place): return .objectKey(link, in: schema, moved(place))
    }
  }

  /// The value with what `link` gives in the place of each link; nil where that is nil for one, behind which no other is asked
  /// for.
  func linked(_ link: (EditValue) throws -> NewValue?) throws -> NewValue? {
    func all(_ elements: [EditValue]) throws -> [NewValue]? {
      var values: [NewValue] = []
      for element in elements {
        guard let value = try element.linked(link) else { return nil }
        // Elsewhere than in mixed values, which stay what they were, a list of links holds no null.
        if element.isNamedLink, case .single(.null) = value { continue }
        values.append(value)
      }
      return values
    }
    switch self {
    case .single(let value): return .single(value)
    case .list(let elements): return try all(elements).map(NewValue.list)
    case .set(let elements): return try all(elements).map(NewValue.set)
    case .dictionary(let entries):
      var values: [(key: ByteString, value: NewValue)] = []
      for entry in entries {
        guard let value = try entry.value.linked(link) else { return nil }
        values.append((entry.key, value))
      }
      return .dictionary(values)
    case .embedded(let edit) where edit.isNull: return .null
    case .embedded(let edit):
      try edit.requireAll()
      var values: [(property: String, value: NewValue)] = []
      for (name, value) in edit.values {
        guard let value = try value.linked(link) else { return nil }
        values.append((name, value))
      }
      return .embedded(values)
    case .object, .primaryKey, .objectKey: return try link(self)
    }
  }

  /// Whether it is a link that names its object.
  var isNamedLink: Bool {
    switch self {
    case .primaryKey, .objectKey: true
    default: false
    }
  }
}

/// Where something stands in a document.
package struct DocumentPlace: Sendable {
  package let path: JSONPath
  package let location: TextLocation

  func key(_ name: String, at location: TextLocation) -> DocumentPlace {
    DocumentPlace(path: .key(path, name), location: location)
  }
}

/// Names on the way to a value: `$.dogs[0].name`.
package indirect enum JSONPath: Sendable {
  case root
  case key(JSONPath, String)
  case index(JSONPath, Int)

  /// How many keys and indexes lead there.
  var levelCount: Int {
    var (count, path) = (0, self)
    while true {
      switch path {
      case .root: return count
      case .key(let outer, _), .index(let outer, _): path = outer
      }
      count += 1
    }
  }

  package var text: String {
    switch self {
    case .root: return "$"
    case .key(let path, let name):
      let isPlain = name.utf8.allSatisfy(\.isNameByte)
      return path.text + (isPlain && !name.isEmpty ? ".\(name)" : "['\(name)']")
    case .index(let path, let index): return path.text + "[\(index)]"
    }
  }
}

/// What is wrong with a document.
package struct DocumentFault: Error {
  package let code: String
  package let message: String
  package let place: DocumentPlace
  package var hint: String?
  /// Which of several documents it is about, where that is known.
  package var source: Int?

  package init(_ message: String, at place: DocumentPlace, hint: String? = nil, code: String = "bad-object") {
    self.code = code
    self.message = message
    self.place = place
    self.hint = hint
  }

  /// What is wrong, for people: where, and why.
  package var words: String {
    pathText.isEmpty ? message : "\(pathText) – \(message)"
  }

  /// `friends[1].name`
  var pathText: String {
    let names = place.path.text.dropFirst()
    return String(names.first == "." ? names.dropFirst() : names)
  }
}

extension Property {
  /// Whether null may stand in it, or among its elements.
  var allowsNull: Bool {
    PropertyType(type, collection: collection, isOptional: isOptional).allowsNull
  }

  /// What null makes of it; nil where it holds none.
  var valueOfNull: EditValue? {
    switch collection {
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary([])
    case nil: allowsNull ? .single(.null) : nil
    }
  }

  /// Whether a new object cannot be made without a value for it.
  func needsValue(in schema: ClassSchema) -> Bool {
    if columnKey == schema.primaryKey?.columnKey { return true }
    return collection == nil && !isOptional && !isLink && type != .mixed
  }
}
