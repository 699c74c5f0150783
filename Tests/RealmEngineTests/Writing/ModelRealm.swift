import RealmEngine

/// What a realm should hold, kept in plain Swift collections beside the real one.
struct ModelRealm {
  /// A value as it is compared: single values by their text.
  indirect enum Content: Equatable {
    case text(String)
    case link(table: String, key: Int64)
    case list([Content])
    /// Without order.
    case set([String])
    case dictionary([String: Content])
    case embedded([String: Content])

    static let null = Content.text("null")

    /// What becomes of it when an object goes.
    func forgetting(_ target: Content) -> Content {
      switch self {
      case .link: self == target ? .null : self
      case .list(let elements): .list(elements.filter { $0 != target }.map { $0.forgetting(target) })
      case .dictionary(let entries): .dictionary(entries.mapValues { $0.forgetting(target) })
      case .embedded(let values): .embedded(values.mapValues { $0.forgetting(target) })
      case .set(let elements):
        if case .link(let table, let key) = target {
          .set(elements.filter { $0 != "\(table)/\(key)" })
        } else {
          self
        }
      case .text: self
      }
    }
  }

  struct Class {
    var definition: ClassDefinition
    var objects: [Int64: [String: Content]] = [:]
  }

  var classes: [String: Class] = [:]

  mutating func forget(_ table: String, _ key: Int64) {
    let target = Content.link(table: table, key: key)
    for name in classes.keys {
      for object in classes[name]!.objects.keys {
        classes[name]!.objects[object] = classes[name]!.objects[object]!.mapValues { $0.forgetting(target) }
      }
    }
  }

  /// The text of a single value; links as content of their own.
  static func content(_ value: Value, _ name: (TableKey) -> String) -> Content {
    switch value {
    case .null: .null
    case .int(let number): .text("int \(number)")
    case .bool(let flag): .text("bool \(flag)")
    case .float(let number): .text("float \(number.bitPattern)")
    case .double(let number): .text("double \(number.bitPattern)")
    case .string(let text): .text("string \(text.text)")
    case .data(let data): .text("data \(data.bytes.array())")
    case .date(let date): .text("date \(date.seconds) \(date.nanoseconds)")
    case .decimal(let number): .text("decimal \(number.low) \(number.high)")
    case .objectID(let id): .text("oid \(id.high) \(id.low)")
    case .uuid(let id): .text("uuid \(id.high) \(id.low)")
    case .link(let link): .link(table: name(link.table), key: link.key.value)
    case .list, .dictionary: .text("nested")
    }
  }

  static func setText(_ content: Content) -> String {
    switch content {
    case .text(let text): text
    case .link(let table, let key): "\(table)/\(key)"
    default: "nested"
    }
  }
}

/// Reads a realm into the model's form.
struct ModelReader {
  let realm: ReadTransaction

  func name(_ key: TableKey) -> String { realm.table(key)?.schema.name ?? "?" }

  func objects(_ table: Table) throws -> [Int64: [String: ModelRealm.Content]] {
    var objects: [Int64: [String: ModelRealm.Content]] = [:]
    for block in try table.allBlocks() {
      for row in 0..<block.count { objects[block.key(row).value] = try object(table, block, row) }
    }
    return objects
  }

  private func object(_ table: Table, _ block: RowBlock, _ row: Int) throws -> [String: ModelRealm.Content] {
    var values: [String: ModelRealm.Content] = [:]
    for property in table.schema.properties { values[property.name] = try content(property, block, row) }
    return values
  }

  private func content(_ property: Property, _ block: RowBlock, _ row: Int) throws -> ModelRealm.Content {
    let leaf = try block.leaf(property)
    guard let collection = property.collection else {
      return try content(try leaf.value(row, in: realm.snapshot, target: property.target))
    }
    guard case .collections(let roots) = leaf, let root = try roots.root(row) else {
      return collection == .dictionary ? .dictionary([:]) : collection == .set ? .set([]) : .list([])
    }
    if collection == .dictionary {
      var entries: [String: ModelRealm.Content] = [:]
      for entry in try realm.snapshot.entries(of: property, at: root) {
        guard case .string(let key) = entry.key else { continue }
        entries[key.text] = try content(entry.value)
      }
      return .dictionary(entries)
    }
    var elements: [Value] = []
    try realm.snapshot.forEachElement(of: property, at: root) { value in
      elements.append(value)
      return true
    }
    let contents = try elements.map { try content($0) }
    return collection == .set ? .set(contents.map(ModelRealm.setText).sorted()) : .list(contents)
  }

  private func content(_ value: Value) throws -> ModelRealm.Content {
    switch value {
    case .list(let nested):
      var elements: [Value] = []
      try realm.snapshot.forEachElement(ofNested: nested) { value in
        elements.append(value)
        return true
      }
      return .list(try elements.map { try content($0) })
    case .dictionary(let nested):
      var entries: [String: ModelRealm.Content] = [:]
      for entry in try realm.snapshot.entries(ofNested: nested) {
        guard case .string(let key) = entry.key else { continue }
        entries[key.text] = try content(entry.value)
      }
      return .dictionary(entries)
    case .link(let link):
      guard let table = realm.table(link.table), table.schema.kind == .embedded,
        let place = try table.find(link.key)
      else { return ModelRealm.content(value, name) }
      return .embedded(try object(table, place.block, place.row))
    default: return ModelRealm.content(value, name)
    }
  }
}
