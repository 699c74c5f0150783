// What a commit in a session says of itself, so that the notifiers of apps know what was changed: instructions as an SDK writes
// them while its objects are changed. Layer: Changes.
// They are found by comparing the version with the one before, so that no way of changing something can be forgotten, and
// cost what was changed. Invariant: what apps could not follow is refused, and nothing of it is written: the schema of a class
// that is there may only gain properties and change its indexes, for which apps need no instruction.

/// Writes the instructions that lead from one version to the next.
package struct Changeset {
  private enum Instruction: Int64 {
    case insertTable = 1
    case selectTable = 10
    case createObject = 11
    case removeObject = 12
    case set = 13
    case insertColumn = 20
    case selectCollection = 30
    case insertElement = 31
    case setElement = 32
    case eraseElement = 35
    case clearCollection = 36
    case linkTables = 43
    case selectInnerCollection = 45
  }

  /// The largest blob that engines keep in one piece, less what stands around it.
  private static let sizeMax = 16_000_000
  /// Deeper than collections can be written.
  private static let depthMax = 100

  private let old: ReadTransaction
  private let new: ReadTransaction
  private let path: FilePath
  private var bytes: [UInt8] = []
  private var selectedTable: TableKey?

  /// The changeset of a half-done version `new` that was made from `old`, in the file at `path`.
  package static func bytes(
    from old: ReadTransaction, to new: ReadTransaction, path: FilePath
  ) throws(EngineError) -> [UInt8] {
    var changeset = Changeset(old: old, new: new, path: path)
    try changeset.write()
    guard changeset.bytes.count <= sizeMax else {
      throw changeset.needsToBeAlone("more changes at once than their history takes")
    }
    return changeset.bytes
  }

  private init(old: ReadTransaction, new: ReadTransaction, path: FilePath) {
    self.old = old
    self.new = new
    self.path = path
  }

  private func needsToBeAlone(_ what: String) -> EngineError {
    EngineError(
      .busy, "apps that have \(path.displayName) open cannot follow this: \(what)",
      naming: path.displayName,
      hint: "close them, or wait for them with --lock-timeout")
  }

  // MARK: Tables

  private mutating func write() throws(EngineError) {
    for table in old.classes(allTables: true) where new.table(table.schema.tableKey) == nil {
      throw needsToBeAlone("\(table.schema.name) is removed")
    }
    var pairs: [(old: Table, new: Table)] = []
    for table in new.classes(allTables: true) {
      let schema = table.schema
      if let before = old.table(schema.tableKey) {
        try writeSchema(before.schema, schema)
        pairs.append((before, table))
      } else {
        append(.insertTable, Int64(schema.tableKey.value))
        for property in schema.properties {
          select(schema.tableKey)
          append(.insertColumn, property.columnKey.value)
        }
      }
    }
    for table in new.classes(allTables: true) where old.table(table.schema.tableKey) == nil {
      try writeObjects(of: table)
    }
    for (before, after) in pairs { try writeObjects(before, after) }
  }

  private mutating func writeSchema(_ before: ClassSchema, _ after: ClassSchema) throws(EngineError) {
    guard before.tableName == after.tableName, before.kind == after.kind,
      before.primaryKey?.columnKey == after.primaryKey?.columnKey
    else { throw needsToBeAlone("\(before.name) becomes another class") }
    for property in before.properties {
      guard let same = after.properties.first(where: { $0.columnKey == property.columnKey }),
        same.name == property.name, same.target == property.target
      else { throw needsToBeAlone("the property \(before.name).\(property.name) is changed or removed") }
    }
    for property in after.properties
    where !before.properties.contains(where: { $0.columnKey == property.columnKey }) {
      select(after.tableKey)
      append(.insertColumn, property.columnKey.value)
    }
    writeMixedLinks(before, after)
  }

  /// Who watches an object with all that it links to follows links in mixed values only between tables of which he was told.
  private mutating func writeMixedLinks(_ before: ClassSchema, _ after: ClassSchema) {
    for backlink in after.backlinks
    where !before.backlinks.contains(where: { $0.columnKey == backlink.columnKey }) {
      guard let origin = backlink.originTable,
        let property = new.table(origin)?.schema.properties.first(where: {
          $0.columnKey == backlink.originColumn
        }), property.type == .mixed
      else { continue }
      select(origin)
      append(.linkTables, property.columnKey.value, Int64(after.tableKey.value))
    }
  }

  // MARK: Objects

  /// Objects of a new class; nobody watches those of an embedded one.
  private mutating func writeObjects(of table: Table) throws(EngineError) {
    guard table.schema.kind != .embedded else { return }
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count { writeObject(.createObject, block.key(row), table) }
    }
  }

  private mutating func writeObject(_ instruction: Instruction, _ key: ObjectKey, _ table: Table) {
    select(table.schema.tableKey)
    append(instruction, key.value)
  }

  private mutating func writeObjects(_ before: Table, _ after: Table) throws(EngineError) {
    var difference = try TableDifference(from: before, to: after, isSharing: true)
    while let change = try difference.next() {
      guard after.schema.isClass || after.schema.tableName == SchemaVersionTable.name else {
        throw needsToBeAlone("\(after.schema.tableName) is changed")
      }
      switch (change.old, change.new) {
      case (let position?, let newPosition?):
        for pair in change.properties {
          try writeProperty(pair, change.key, position, newPosition, after.schema)
        }
      case (_?, nil): writeObject(.removeObject, change.key, after)
      case (nil, _?):
        if after.schema.kind != .embedded { writeObject(.createObject, change.key, after) }
      case (nil, nil): break
      }
    }
  }

  private mutating func writeProperty(
    _ pair: PropertyPair, _ key: ObjectKey, _ before: ObjectPosition, _ after: ObjectPosition,
    _ schema: ClassSchema
  ) throws(EngineError) {
    let place = CollectionPlace(table: schema.tableKey, column: pair.new.columnKey, key: key)
    guard pair.new.collection != nil else {
      let oldValue = try value(pair.old, before, old.snapshot)
      let newValue = try value(pair.new, after, new.snapshot)
      guard oldValue != newValue else { return }
      if newValue.isCollection(like: oldValue),
        try collectionKey(pair.old, before) == collectionKey(pair.new, after)
      {
        let oldContent = try old.snapshot.content(ofInner: oldValue)
        return try write(from: oldContent, to: try new.snapshot.content(ofInner: newValue), place)
      }
      select(schema.tableKey)
      return append(.set, place.column.value, key.value)
    }
    try write(
      from: try content(pair.old, before, old.snapshot), to: try content(pair.new, after, new.snapshot), place
    )
  }

  private func value(
    _ property: Property, _ position: ObjectPosition, _ snapshot: Snapshot
  ) throws(EngineError) -> Value {
    try position.block.leaf(property).value(position.row, in: snapshot, target: property.target)
  }

  private func collectionKey(_ property: Property, _ position: ObjectPosition) throws(EngineError) -> Int64 {
    guard case .mixed(let leaf) = try position.block.leaf(property) else { return 0 }
    return leaf.collectionKey(position.row)
  }

  private func content(
    _ property: Property, _ position: ObjectPosition, _ snapshot: Snapshot
  ) throws(EngineError) -> CollectionContent {
    guard case .collections(let leaf) = try position.block.leaf(property),
      let root = try leaf.root(position.row)
    else { return CollectionContent(kind: property.collection) }
    if property.collection != .dictionary, property.isLink, try snapshot.node(root).header.contextFlag {
      throw needsToBeAlone("\(property.name) holds links to objects that do not exist")
    }
    return try snapshot.content(of: property, at: root)
  }

  // MARK: Collections

  /// What leads from the one to the other, and then what happened inside the collections that both hold.
  private mutating func write(
    from former: CollectionContent, to content: CollectionContent, _ place: CollectionPlace
  ) throws(EngineError) {
    let steps = CollectionSteps(from: former, to: content)
    if !steps.isEmpty {
      select(place)
      if content.values.isEmpty { return append(.clearCollection, Int64(former.values.count)) }
      for index in steps.erased.reversed() { append(.eraseElement, Int64(index)) }
      for index in steps.inserted { append(.insertElement, Int64(index)) }
      for (index, _) in steps.changed { append(.setElement, Int64(index)) }
    }
    guard !content.inner.isEmpty else { return }
    for (name, collection) in content.inner.sorted(by: { $0.key < $1.key }) {
      guard let formerOne = former.inner[name], formerOne != collection,
        collection.isCollection(like: formerOne)
      else { continue }
      guard place.names.count < Self.depthMax else {
        throw needsToBeAlone("collections inside each other are too deep")
      }
      let oldContent = try old.snapshot.content(ofInner: formerOne)
      try write(
        from: oldContent, to: try new.snapshot.content(ofInner: collection), place.inner(name))
    }
  }

  private mutating func select(_ place: CollectionPlace) {
    select(place.table)
    guard !place.names.isEmpty else {
      return append(.selectCollection, place.column.value, place.key.value)
    }
    append(.selectInnerCollection, place.column.value, place.key.value)
    append(Int64(place.names.count))
    for name in place.names { append(name) }
  }

  // MARK: Instructions

  private mutating func select(_ table: TableKey) {
    guard selectedTable != table else { return }
    selectedTable = table
    append(.selectTable, 0, Int64(table.value))
  }

  private mutating func append(_ instruction: Instruction, _ numbers: Int64...) {
    bytes.append(UInt8(instruction.rawValue))
    for number in numbers { append(number) }
    // The first instruction of another kind may follow without its table.
    if instruction == .insertTable { selectedTable = nil }
  }

  /// Seven bits a byte, the lowest first; the highest bit of the last seven is the sign, and of a negative number the
  /// complement is written.
  private mutating func append(_ number: Int64) {
    var rest = UInt64(bitPattern: number < 0 ? ~number : number)
    while rest >> 6 != 0 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest) | (number < 0 ? 0x40 : 0))
  }
}
