// Links that lead to one object made to lead to another, and objects copied for each of their owners. Layer: Filling.
// Invariant: as after every change, links and incoming links agree.

extension WriteTransaction {
  /// What a property of an object holds, in the form in which it is given to one. Embedded objects stand as what they hold.
  package func newValue(of property: Property, _ object: ObjectLink) throws(EngineError) -> NewValue {
    try group.copiedValue(of: object.key, try group.table(object.table), property)
  }

  /// The same, in which embedded objects stand as links to them.
  package func storedValue(of property: Property, _ object: ObjectLink) throws(EngineError) -> NewValue {
    try group.storedValue(try group.table(object.table), property, object.key)
  }

  /// Makes all links to `old` lead to `new`, an object of the same class. Gives the number of changed objects.
  package func relink(from old: ObjectLink, to new: ObjectLink) throws(EngineError) -> Int {
    precondition(old.table == new.table, "an object stands in for one of its own class")
    return try change { () throws(EngineError) in
      let table = try group.table(old.table)
      var count = 0
      for (origin, property, key) in try group.owners(of: old.key, in: table) {
        let value = try group.storedValue(origin, property, key)
        try group.set(origin, property, key, value.replacing(old) { .single(.link(new)) })
        count += 1
      }
      return count
    }
  }

  /// Makes incoming links anew from the links, and takes out links to objects that are not there. Gives the number of objects
  /// that were changed.
  package func repairLinks() throws(EngineError) -> Int {
    try change { () throws(EngineError) in try group.repairLinks() }
  }

  /// Throws where objects of a class are linked to by what cannot own them.
  package func refuseLinksThatOwnNothing(to className: String) throws(EngineError) {
    guard let table = try group.table(named: ClassSchema.tablePrefix + className) else { return }
    try group.refuseLinksThatOwnNothing(to: table)
  }

  /// How many links lead to each object of a class that has not exactly one.
  package func ownerCounts(_ className: String) throws(EngineError) -> [(key: ObjectKey, count: Int)] {
    guard let table = try group.table(named: ClassSchema.tablePrefix + className) else { return [] }
    var counts: [(key: ObjectKey, count: Int)] = []
    let hidden = table.schema.backlinks.filter { backlink in backlink.originTable.map(group.hasTable) ?? false
    }
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        var count = 0
        for backlink in hidden {
          count += try group.incomingCount(table, backlink.columnKey, cluster, row)
        }
        if count != 1 { counts.append((cluster.key(row), count)) }
      }
    }
    return counts
  }

  /// Copies each of `objects` for every link but the first that leads to it, so that each has one owner. What a copy
  /// links to stays the same, but for embedded objects, which are copied with it. Gives the number of copies.
  package func copyForEachOwner(_ className: String, _ objects: [ObjectKey]) throws(EngineError) -> Int {
    guard let table = try group.table(named: ClassSchema.tablePrefix + className) else { return 0 }
    return try change { () throws(EngineError) in
      var copyCount = 0
      for object in objects {
        let link = ObjectLink(table: table.tableKey, key: object)
        var isFirst = true
        for (origin, property, owner) in try group.owners(of: object, in: table) {
          let value = try group.storedValue(origin, property, owner)
          var failure: EngineError?
          let replaced = value.replacing(link) {
            if isFirst {
              isFirst = false
              return .single(.link(link))
            }
            do throws(EngineError) {
              let values = try group.copiedValues(of: link)
              copyCount += 1
              return .single(
                .link(ObjectLink(table: table.tableKey, key: try group.create(table, key: nil, values))))
            } catch {
              failure = error
              return .single(.null)
            }
          }
          if let failure { throw failure }
          try group.set(origin, property, owner, replaced)
        }
      }
      return copyCount
    }
  }
}

extension GroupEditor {
  /// The objects and properties that link to `key`, each once.
  fileprivate func owners(
    of key: ObjectKey, in table: TableEditor
  ) throws(EngineError) -> [(TableEditor, Property, ObjectKey)] {
    var owners: [(TableEditor, Property, ObjectKey)] = []
    for backlink in table.schema.backlinks {
      guard let originKey = backlink.originTable, hasTable(originKey) else { continue }
      let origin = try self.table(originKey)
      guard
        let property = origin.schema.properties.first(where: { $0.columnKey == backlink.originColumn })
      else { continue }
      for owner in try origins(table, backlink.columnKey, of: key) where try origin.rows.locate(owner) != nil
      {
        owners.append((origin, property, owner))
      }
    }
    return owners
  }

  /// What a property holds, as it could be set again. Embedded objects stand as links.
  func storedValue(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey
  ) throws(EngineError) -> NewValue {
    guard property.collection != nil else {
      return try settable(try value(table, property, key))
    }
    guard let root = try collectionRoot(table, property, key) else {
      return property.collection == .dictionary ? .dictionary([]) : .list([])
    }
    return NewValue(try stored(root, property), isSet: property.collection == .set)
  }

  /// A value that was read, as it can be set again. A collection in a mixed value becomes one of its own: a node has one owner.
  func settable(_ value: Value) throws(EngineError) -> NewValue {
    value.isCollection ? NewValue(try stored(value), isSet: false) : .single(value.owned())
  }

  private static let copyDepthMax = 100

  /// All values of an object for a copy of it; embedded objects are copied too.
  func copiedValues(
    of link: ObjectLink, depth: Int = 0
  ) throws(EngineError) -> [(property: Property, value: NewValue)] {
    let table = try table(link.table)
    guard depth < Self.copyDepthMax else {
      throw EngineError(
        .constraint, "\(table.schema.name) is nested more than \(Self.copyDepthMax) deep, or in itself")
    }
    var values: [(property: Property, value: NewValue)] = []
    for property in table.schema.properties {
      values.append((property, try copiedValue(of: link.key, table, property, depth: depth)))
    }
    return values
  }

  func copiedValue(
    of key: ObjectKey, _ table: TableEditor, _ property: Property, depth: Int = 0
  ) throws(EngineError) -> NewValue {
    let value = try storedValue(table, property, key)
    guard let target = property.target, hasTable(target), try self.table(target).isEmbedded else {
      return value
    }
    return try embeddingCopies(value, depth: depth)
  }

  private func embeddingCopies(_ value: NewValue, depth: Int) throws(EngineError) -> NewValue {
    switch value {
    case .single(.link(let link)):
      return .embedded(
        try copiedValues(of: link, depth: depth + 1).map { ($0.property.name, $0.value) })
    case .list(let elements):
      var copies: [NewValue] = []
      for element in elements { copies.append(try embeddingCopies(element, depth: depth)) }
      return .list(copies)
    case .dictionary(let entries):
      var copies: [(key: ByteString, value: NewValue)] = []
      for entry in entries { copies.append((entry.key, try embeddingCopies(entry.value, depth: depth))) }
      return .dictionary(copies)
    default: return value
    }
  }
}

extension NewValue {
  /// The same content, to be written again.
  fileprivate init(_ value: StoredValue, isSet: Bool) {
    switch value {
    case .single(let single): self = .single(single)
    case .named(_, let collection): self = NewValue(collection, isSet: false)
    case .list(let elements):
      let copies = elements.map { NewValue($0, isSet: false) }
      self = isSet ? .set(copies) : .list(copies)
    case .dictionary(let entries):
      self = .dictionary(
        entries.compactMap { entry in
          guard case .string(let key) = entry.key else { return nil }
          return (key, NewValue(entry.value, isSet: false))
        })
    }
  }

  /// Puts something else in the place of every link to `target`, in the order in which they stand.
  fileprivate func replacing(_ target: ObjectLink, _ make: () -> NewValue) -> NewValue {
    switch self {
    case .single(.link(target)): make()
    case .single, .embedded: self
    case .list(let elements): .list(elements.map { $0.replacing(target, make) })
    case .set(let elements): .set(elements.map { $0.replacing(target, make) })
    case .dictionary(let entries):
      .dictionary(entries.map { ($0.key, $0.value.replacing(target, make)) })
    }
  }
}
