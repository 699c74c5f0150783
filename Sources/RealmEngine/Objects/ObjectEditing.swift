// Creating and changing objects, with all that hangs on them: incoming links, owned objects, indexes.
// Layer: Objects.
// Invariant: after each of these calls links and incoming links agree, every embedded object has an owner, and indexes
// hold what rows hold.

extension ClassSchema {
  /// The key that the object of this number gets, from 0 on, in a class whose objects all got the next key.
  package func key(ofNewObject number: Int64) -> ObjectKey {
    GroupEditor.key(sequence: number, hasPrimaryKey: primaryKeyIndex != nil)
  }
}

extension GroupEditor {
  // MARK: Creating

  /// Makes an object. `values` were checked. Properties without a value get their default. `wantedKey` is for copies that
  /// keep keys; else the next one is taken.
  func create(
    _ table: TableEditor, key wantedKey: ObjectKey?, _ values: [(property: Property, value: NewValue)]
  ) throws(EngineError) -> ObjectKey {
    let schema = table.schema
    if let primaryKey = schema.primaryKey {
      let value = values.first { $0.property.columnKey == primaryKey.columnKey }?.value
      guard case .single(let single)? = value else {
        throw EngineError(
          .constraint, "an object of \(schema.name) needs its primary key \(primaryKey.name)")
      }
      guard try find(table, primaryKey: single) == nil else {
        throw Self.isTaken(primaryKey, single, of: schema)
      }
    }
    let key = try takeKey(table, wantedKey)
    var plain: [Int: Value] = [:]
    var others: [(property: Property, value: NewValue)] = []
    for (property, value) in values {
      if case .single(let single) = value, property.collection == nil, !Self.mayLink(property) {
        plain[property.columnKey.leafIndex] = single
      } else {
        others.append((property, value))
      }
    }
    try table.rows.insert(key) { column in plain[column.leafIndex] ?? column.layout.defaultValue }
    table.noteChange()
    for property in schema.properties where property.index != .none { try index(table, property, key) }
    for (property, value) in others { try set(table, property, key, value) }
    return key
  }

  static func isTaken(_ primaryKey: Property, _ value: Value?, of schema: ClassSchema) -> EngineError {
    EngineError(
      .constraint, "\(schema.name) already has an object with \(schema.words(ofKey: value ?? .null))",
      at: "\(schema.name).\(primaryKey.name)")
  }

  /// Whether a value of the property can be or hold a link.
  static func mayLink(_ property: Property) -> Bool {
    property.type == .object || property.type == .mixed || property.type == .typedLink
  }

  /// The key of an object that is loaded into an empty class.
  func takeKeyForBulk(_ table: TableEditor, _ wanted: ObjectKey?) throws(EngineError) -> ObjectKey {
    try takeKey(table, wanted)
  }

  /// The next key, where no object has it or one above.
  func takeKeyBehindAll(_ table: TableEditor) throws(EngineError) -> ObjectKey {
    let key = Self.key(sequence: table.sequence, hasPrimaryKey: table.primaryKey != nil)
    table.sequence = try GroupTop.number(
      after: table.sequence, "number of the next object", at: table.top)
    return key
  }

  /// The key of a new object, as the reference engine numbers them.
  private func takeKey(_ table: TableEditor, _ wanted: ObjectKey?) throws(EngineError) -> ObjectKey {
    if let wanted {
      guard wanted.value >= 0, wanted.value < 1 << 62 else {
        throw EngineError(.constraint, "\(wanted.value) cannot be an object's key")
      }
      let sequence = Self.sequence(of: wanted, hasPrimaryKey: table.primaryKey != nil)
      // Keys that old engines made of hashes say nothing about how many objects there were.
      if wanted.value < Self.hashedKeyMin { table.sequence = max(table.sequence, sequence + 1) }
      return wanted
    }
    for _ in 0..<Self.keyAttemptsMax {
      let key = try takeKeyBehindAll(table)
      if try table.rows.locate(key) == nil { return key }
    }
    throw EngineError.damaged(
      at: table.top.offset, expected: "a number of the next object that is free", found: "none")
  }

  /// The next number is free, unless four billion objects were made.
  private static let keyAttemptsMax = 1 << 16

  /// Objects without primary key are numbered so that the low byte comes first and a byte is left for others.
  static func key(sequence: Int64, hasPrimaryKey: Bool) -> ObjectKey {
    hasPrimaryKey ? ObjectKey(sequence) : ObjectKey(sequence & 0xFF | (sequence & 0xFFFF_FF00) << 8)
  }

  /// The number of an object whose key is above `last`, as are those of all later ones.
  static func sequence(above last: Int64, in table: TableEditor) -> Int64 {
    let hasPrimaryKey = table.primaryKey != nil
    let next = sequence(of: ObjectKey(last), hasPrimaryKey: hasPrimaryKey) + 1
    // The byte that is left for others may be in use.
    return key(sequence: next, hasPrimaryKey: hasPrimaryKey).value > last ? next : (last >> 16 + 1) << 8
  }

  private static let sequenceEnd: Int64 = 1 << 32
  /// No numbered object has such a key.
  private static let hashedKeyMin: Int64 = 1 << 48

  /// Whether there is such a number, and enough of them.
  static func hasSequence(above last: Int64, in table: TableEditor) -> Bool {
    let next = max(table.sequence, sequence(above: last, in: table))
    return last < hashedKeyMin && next < sequenceEnd / 2
      && key(sequence: next, hasPrimaryKey: table.primaryKey != nil).value > last
  }

  private static func sequence(of key: ObjectKey, hasPrimaryKey: Bool) -> Int64 {
    hasPrimaryKey ? key.value : key.value & 0xFF | key.value >> 8 & 0xFFFF_FF00
  }

  // MARK: Setting

  /// Gives a property a new value; `value` was checked. Not for primary keys.
  func set(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ value: NewValue
  ) throws(EngineError) {
    table.noteChange()
    var orphans: [ObjectLink] = []
    if property.index != .none { try unindex(table, property, key) }
    if property.collection != nil {
      try setCollection(table, property, key, value, &orphans)
    } else if property.type == .object {
      try setLink(table, property, key, value, &orphans)
    } else if property.type == .mixed {
      try setMixed(table, property, key, stored(value))
    } else if case .single(let single) = value {
      try setLeaf(table, property, key, single)
    }
    if property.index != .none { try index(table, property, key) }
    try erase(orphans, areOrphans: true)
  }

  /// Changes the object's element of a property's leaf.
  private func setLeaf(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ value: Value
  ) throws(EngineError) {
    let index = property.columnKey.leafIndex
    try table.rows.edit(key) { cluster, row throws(EngineError) in
      try cluster.setLeaf(
        index, try store.setElement(try cluster.leaf(index), property.layout, row, value))
    }
  }

  /// The key in a link property as stored, those of objects that do not exist too.
  private func linkKey(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey
  ) throws(EngineError) -> ObjectKey? {
    guard let (cluster, row) = try table.rows.locate(key),
      case .links(let leaf) = try store.snapshot.leaf(
        try cluster.leaf(property.columnKey.leafIndex), property.layout, rowCount: cluster.count)
    else { return nil }
    return leaf[row]
  }

  private func setLink(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ value: NewValue,
    _ orphans: inout [ObjectLink]
  ) throws(EngineError) {
    let old = try linkKey(table, property, key)
    let new = try linkValue(value, property)
    if let old, let target = property.target {
      try dropLink(to: ObjectLink(table: target, key: old), from: key, table, property, &orphans)
    }
    try setLeaf(table, property, key, new)
    if case .link(let link) = new { try addBacklink(to: link, from: key, table, property.columnKey) }
  }

  /// A link for a leaf; an embedded object is made first.
  private func linkValue(_ value: NewValue, _ property: Property) throws(EngineError) -> Value {
    switch value {
    case .single(let single): return single
    case .embedded(let values):
      guard let target = property.target else { return .null }
      let owned = try table(target)
      let schema = owned.schema
      var known: [(property: Property, value: NewValue)] = []
      for (name, value) in values {
        if let property = schema.property(named: name) { known.append((property, value)) }
      }
      return .link(ObjectLink(table: target, key: try create(owned, key: nil, known)))
    default: return .null
    }
  }

  /// Takes one link away at its target; an embedded target is left without owner.
  private func dropLink(
    to link: ObjectLink, from key: ObjectKey, _ table: TableEditor, _ property: Property,
    _ orphans: inout [ObjectLink]
  ) throws(EngineError) {
    let lost = PendingLinks()
    lost.append(target: link.key.value, origin: key.value)
    try removeBacklinks(lost, in: link.table, table, property.columnKey)
    if link.key.value >= 0, hasTable(link.table), try self.table(link.table).isEmbedded {
      orphans.append(link)
    }
  }

  private func setMixed(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ value: StoredValue
  ) throws(EngineError) {
    var orphans: [ObjectLink] = []
    let old = try self.value(table, property, key)
    let oldStored = try stored(old)
    let value = value.continuing(oldStored)
    try oldStored.forEachLink { link throws(EngineError) in
      try dropLink(to: link, from: key, table, property, &orphans)
    }
    try setLeaf(table, property, key, try write(value))
    try releaseNested(old)
    try value.forEachLink { link throws(EngineError) in
      try addBacklink(to: link, from: key, table, property.columnKey)
    }
  }

  func releaseNested(_ value: Value) throws(EngineError) {
    switch value {
    case .list(let nested), .dictionary(let nested):
      if let root = Ref(Int64(nested.rootOffset)) { try store.releaseTree(root) }
    default: return
    }
  }

  // MARK: Collections

  /// The root of a collection property; nil for an empty one.
  func collectionRoot(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey
  ) throws(EngineError) -> Ref? {
    guard let (cluster, row) = try table.rows.locate(key) else {
      throw EngineError(.notFound, "no object with key \(key.value)")
    }
    return try store.snapshot.refsNode(try cluster.leaf(property.columnKey.leafIndex)).ref(row)
  }

  func setCollectionRoot(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ root: Ref?
  ) throws(EngineError) {
    let index = property.columnKey.leafIndex
    try table.rows.edit(key) { cluster, row throws(EngineError) in
      try cluster.setLeaf(index, try store.setSlot(try cluster.leaf(index), row, root))
    }
  }

  private func setCollection(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, _ value: NewValue,
    _ orphans: inout [ObjectLink]
  ) throws(EngineError) {
    var former: StoredValue?
    if let root = try collectionRoot(table, property, key) {
      if Self.mayLink(property) {
        former = try stored(root, property)
        try former?.forEachLink { link throws(EngineError) in
          try dropLink(to: link, from: key, table, property, &orphans)
        }
      }
      try setCollectionRoot(table, property, key, nil)
      try store.releaseTree(root)
    }
    let new = try storedWithOwnedObjects(value, property)
    try replaceEmptyCollection(table, property, key, with: former.map { new.continuing($0) } ?? new)
  }

  /// Writes an empty collection's content and records its links.
  private func replaceEmptyCollection(
    _ table: TableEditor, _ property: Property, _ key: ObjectKey, with value: StoredValue
  ) throws(EngineError) {
    guard let root = try writeCollection(value, property) else { return }
    try setCollectionRoot(table, property, key, root)
    guard Self.mayLink(property) else { return }
    // What was written may hold less than was given: sets keep equal elements once.
    try stored(root, property).forEachLink { link throws(EngineError) in
      try addBacklink(to: link, from: key, table, property.columnKey)
    }
  }

  /// The stored form of a collection; embedded objects in it are made.
  private func storedWithOwnedObjects(
    _ value: NewValue, _ property: Property
  ) throws(EngineError) -> StoredValue {
    guard property.type == .object else { return stored(value) }
    return try Self.stored(value) { value throws(EngineError) in try linkValue(value, property) }
  }
}
