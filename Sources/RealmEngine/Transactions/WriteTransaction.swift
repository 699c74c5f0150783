// Changes to a realm that become visible together or not at all. Layer: Transactions.
// Invariants: nothing reaches the file before the commit; a change that is refused has changed nothing, or the transaction
// says that it cannot be committed any more.

/// A transaction that changes a realm. Used by one thread.
package final class WriteTransaction {
  let group: GroupEditor
  let base: GroupTop?
  let snapshot: Snapshot
  private var isFinished = false
  /// Set when an unforeseen error left a change half done.
  private(set) var failure: EngineError?

  /// Whether the commit turns an older format into the current one.
  private(set) var isUpgrade = false

  init(group: GroupEditor, base: GroupTop?, snapshot: Snapshot) {
    self.group = group
    self.base = base
    self.snapshot = snapshot
  }

  /// How many values of an index are in memory at once, at least, while it is made.
  package var indexValuesHeld: Int {
    get { group.indexValuesHeld }
    set { group.indexValuesHeld = newValue }
  }

  /// How many values of an index are filed by all threads.
  package var indexCountShared: Int {
    get { group.indexCountShared }
    set { group.indexCountShared = newValue }
  }

  /// Whether there is anything to commit.
  package var isChanged: Bool { group.isChanged || isUpgrade }

  /// Grows with every change: where it has stayed the same, nothing has happened.
  package var changeCount: Int { group.store.changeCount - viewingCount }

  /// Changes of nodes that only made the present state readable, or nodes to be used later.
  private var viewingCount = 0

  /// Turns what older formats keep in another way into the current one's.
  func upgrade(from format: Int) throws(EngineError) {
    try change { () throws(EngineError) in try group.upgrade(from: format, mergesEqual: false) }
    isUpgrade = true
  }

  /// Ends a synced realm's tie to its server.
  func detach() throws(EngineError) {
    try change { () throws(EngineError) in try group.detach() }
  }

  /// What the realm looks like now, changes included. Valid, with all values read through it, until the next change.
  /// Cost: reads all classes' columns, no rows.
  package func view() throws(EngineError) -> ReadTransaction {
    try checkSound()
    let countBefore = group.store.changeCount
    let top = try group.flush(isCommit: false)
    viewingCount += group.store.changeCount - countBefore
    return try ReadTransaction(snapshot: snapshot, topOffset: top.offset)
  }

  /// What the realm looked like when the transaction began. Cost: as `view`.
  package func beginning() throws(EngineError) -> ReadTransaction {
    try ReadTransaction(snapshot: snapshot, topOffset: base?.node.ref.offset)
  }

  func checkSound() throws(EngineError) {
    precondition(!isFinished, "a transaction is used until it is committed, not longer")
    if let failure { throw failure }
  }

  /// Ends the transaction; what a commit that failed left half done is not to be tried again.
  func finish() { isFinished = true }

  /// Runs a change; an error in the middle of one makes the transaction unusable, a refusal before it does not.
  func change<R>(_ body: () throws(EngineError) -> R) throws(EngineError) -> R {
    try checkSound()
    let changeCount = group.store.changeCount
    do {
      return try body()
    } catch {
      if group.store.changeCount == changeCount { throw error }
      failure = EngineError(
        error.kind, "the transaction failed and can only be rolled back: \(error.message)", at: error.place,
        hint: error.hint)
      throw error
    }
  }

  /// Runs what only makes nodes that are nobody's yet: where it fails, nothing has changed.
  func prepare<R>(_ body: () throws(EngineError) -> R) throws(EngineError) -> R {
    try checkSound()
    let countBefore = group.store.changeCount
    defer { viewingCount += group.store.changeCount - countBefore }
    return try body()
  }

  private func table(_ key: TableKey) throws(EngineError) -> TableEditor { try group.table(key) }

  /// The class as it is now.
  package func schema(_ key: TableKey) throws(EngineError) -> ClassSchema { try table(key).schema }

  /// The class called `name`; nil where there is none.
  package func schema(named name: String) throws(EngineError) -> ClassSchema? {
    try group.table(named: ClassSchema.tablePrefix + name)?.schema
  }

  /// How many objects the class has.
  package func count(_ key: TableKey) throws(EngineError) -> Int { try table(key).rows.tree().count }

  package func hasObject(_ link: ObjectLink) throws(EngineError) -> Bool {
    try table(link.table).rows.locate(link.key) != nil
  }

  /// The object whose primary key is `value`; nil where there is none. Cost: one index probe.
  package func find(_ key: TableKey, primaryKey value: Value) throws(EngineError) -> ObjectKey? {
    try group.find(try table(key), primaryKey: value)
  }

  // MARK: Objects

  /// Makes an object; properties without a value get their default. `key` is for copies that keep object keys. Throws
  /// `.constraint` for values that do not fit and for a primary key that is taken.
  package func create(
    _ tableKey: TableKey, key: ObjectKey? = nil, _ values: [(property: String, value: NewValue)]
  ) throws(EngineError) -> ObjectKey {
    let table = try table(tableKey)
    let schema = table.schema
    guard schema.kind != .embedded else {
      throw EngineError(
        .constraint, "an object of the embedded class \(schema.name) is created with its owner")
    }
    guard schema.kind != .asymmetric else {
      throw EngineError(.refused, "\(schema.name) is asymmetric: its objects are never kept in the file")
    }
    let known = try checked(values, schema)
    if let key, try table.rows.locate(key) != nil {
      throw EngineError(.constraint, "\(schema.name) has an object with key \(key.value) already")
    }
    if let primaryKey = schema.primaryKey {
      guard let (_, value) = known.first(where: { $0.property.columnKey == primaryKey.columnKey }),
        case .single(let single) = value
      else {
        throw EngineError(
          .constraint, "an object of \(schema.name) needs its primary key \(primaryKey.name)")
      }
      guard try group.find(table, primaryKey: single) == nil else {
        throw GroupEditor.isTaken(primaryKey, single, of: schema)
      }
    }
    return try change { () throws(EngineError) in try group.create(table, key: key, known) }
  }

  private func checked(
    _ values: [(property: String, value: NewValue)], _ schema: ClassSchema
  ) throws(EngineError) -> [(property: Property, value: NewValue)] {
    var known: [(property: Property, value: NewValue)] = []
    for (name, value) in values {
      guard let property = schema.property(named: name) else {
        throw EngineError(.unknownProperty, "\(schema.name) has no property \(name)")
      }
      guard !known.contains(where: { $0.property.columnKey == property.columnKey }) else {
        throw EngineError(.constraint, "\(schema.name).\(name) has two values")
      }
      try group.check(value, for: property, in: schema)
      known.append((property, value))
    }
    return known
  }

  /// Gives properties of an object new values, whole collections included. A primary key stays what it is.
  package func update(
    _ link: ObjectLink, _ values: [(property: String, value: NewValue)]
  ) throws(EngineError) {
    let table = try table(link.table)
    let schema = table.schema
    let known = try checked(values, schema)
    guard try table.rows.locate(link.key) != nil else {
      throw EngineError(.notFound, "\(schema.name) has no object with key \(link.key.value)")
    }
    var changes: [(property: Property, value: NewValue)] = []
    for (property, value) in known {
      guard property.columnKey == schema.primaryKey?.columnKey else {
        changes.append((property, value))
        continue
      }
      guard case .single(let single) = value, try group.value(table, property, link.key) == single else {
        throw EngineError(
          .constraint, "the primary key \(schema.name).\(property.name) of an object cannot change")
      }
    }
    try change { () throws(EngineError) in
      for (property, value) in changes { try group.set(table, property, link.key, value) }
    }
  }

  /// Erases objects, the embedded ones they own, and all links to them.
  package func erase(_ objects: [ObjectLink]) throws(EngineError) {
    try erase(ObjectLink.keysByTable(objects))
  }

  /// Erases objects of one class.
  package func erase(_ keys: ObjectKeyList, of table: TableKey) throws(EngineError) {
    try erase([table: keys])
  }

  private func erase(_ objects: [TableKey: ObjectKeyList]) throws(EngineError) {
    for table in objects.keys { _ = try self.table(table) }
    try change { () throws(EngineError) in try group.erase(objects) }
  }
}

/// Changes of many objects at once: loading into empty classes, and links of many objects.
extension WriteTransaction {
  /// Begins to fill classes. `finish` of the load makes the objects part of the transaction; until then nothing else
  /// may be changed, and an error means that the transaction is lost.
  package func beginLoad(allowsAnyDictionaryKey: Bool = false) throws(EngineError) -> BulkLoad {
    try checkSound()
    group.allowsAnyDictionaryKey = allowsAnyDictionaryKey
    return BulkLoad(group)
  }

  /// Throws `.constraint` when `value` cannot stand in the property; whether what it links to exists is not asked.
  package func checkForBulk(
    _ value: NewValue, _ property: Property, in schema: ClassSchema
  ) throws(EngineError) { try group.checkForBulk(value, for: property, in: schema) }

  /// Sets a property that links to one object each, or to none.
  package func setLinks(
    _ key: TableKey, _ property: Property, _ links: [(owner: ObjectKey, target: ObjectKey?)]
  ) throws(EngineError) {
    let isRising = zip(links, links.dropFirst()).allSatisfy { $0.owner < $1.owner }
    let links = isRising ? links : links.sorted { $0.owner < $1.owner }
    try setLinks(
      key, property, of: CompressedIntegers(links.lazy.map(\.owner.value)),
      slots: CompressedIntegers(links.lazy.map { $0.target.map { $0.value + 1 } ?? 0 }))
  }

  /// Sets links of owners that rise, by their keys. `slots`: the key of what each links to plus one, or 0.
  package func setLinks(
    _ key: TableKey, _ property: Property, of owners: CompressedIntegers, slots: CompressedIntegers
  ) throws(EngineError) {
    guard !owners.isEmpty else { return }
    try change { () throws(EngineError) in
      let replacement = LinkReplacement(of: try group.table(key), in: BulkLoad(group))
      try replacement.put(slots, in: property, of: owners)
      try replacement.finish()
    }
  }
}
