// Filling many classes at once, links between them included. Layer: Objects.
// Invariant: until `finish` the classes look as they did before; afterwards rows, incoming links and indexes agree, or it has
// thrown and the transaction cannot be committed.

/// Objects on their way into classes.
package final class BulkLoad {
  let group: GroupEditor
  private var tables: [TableKey: BulkTable] = [:]
  private var order: [TableEditor] = []

  /// Links through one column to one table, in the order of their owners.
  private struct LinkColumn: Hashable, Comparable {
    let target: TableKey
    let origin: TableKey
    let column: ColumnKey

    static func < (left: Self, right: Self) -> Bool {
      (left.target.value, left.origin.value, left.column.value)
        < (right.target.value, right.origin.value, right.column.value)
    }
  }

  private var links: [LinkColumn: PendingLinks] = [:]
  private var lastLinks: (column: LinkColumn, links: PendingLinks)?
  /// After a refusal by `finish`: the object that it is about, by its class and its place in it.
  package private(set) var culprit: (table: TableKey, ordinal: Int64)?

  init(_ group: GroupEditor) { self.group = group }

  /// Whether many objects can be put into the class at once: its texts stand in its rows, and keys are left above those that
  /// are there.
  package func canFill(_ key: TableKey) throws(EngineError) -> Bool {
    let editor = try group.table(key)
    guard try editor.rows.tree().count > 0 else { return true }
    guard !editor.columns.contains(where: { $0.enumeration != nil }), let last = try editor.rows.lastKey()
    else { return false }
    return GroupEditor.hasSequence(above: last, in: editor)
  }

  /// Asks it of a class and of the embedded ones whose objects its own can hold.
  func canFillWithOwned(_ key: TableKey) throws(EngineError) -> Bool {
    var seen: Set<TableKey> = [key]
    var rest = [key]
    while let next = rest.popLast() {
      guard try canFill(next) else { return false }
      for property in try group.table(next).schema.properties {
        guard let target = property.target, group.hasTable(target), try group.table(target).isEmbedded
        else { continue }
        if seen.insert(target).inserted { rest.append(target) }
      }
    }
    return true
  }

  /// The class, which `canFill` allows.
  package func table(_ key: TableKey) throws(EngineError) -> BulkTable {
    if let table = tables[key] { return table }
    let editor = try group.table(key)
    guard try canFill(key) else {
      throw EngineError(.refused, "\(editor.schema.name) cannot be filled at once")
    }
    editor.closeTexts()
    let table = try BulkTable(editor, in: self)
    tables[key] = table
    order.append(editor)
    return table
  }

  // MARK: Values

  /// The stored form of a value that may hold links or embedded objects; its links are noted for later.
  func stored(
    _ value: NewValue, _ property: Property, owner: TableEditor, _ key: ObjectKey
  ) throws(EngineError) -> StoredValue {
    let stored = try prepared(value, property, of: owner.schema)
    try noteLinks(in: stored, from: key, owner, property)
    return stored
  }

  /// The stored form of a value whose owner has no key yet. Embedded objects in it are made.
  func prepared(
    _ value: NewValue, _ property: Property, of schema: ClassSchema
  ) throws(EngineError) -> StoredValue {
    try group.checkForBulk(value, for: property, in: schema)
    let stored = property.type == .object ? try owned(value, property) : group.stored(value)
    guard property.collection == .set, case .list(let elements) = stored else { return stored }
    return .list(try uniqueLinks(elements))
  }

  /// A set keeps equal links once, and so many incoming ones are noted.
  private func uniqueLinks(_ elements: [StoredValue]) throws(EngineError) -> [StoredValue] {
    var seen: Set<ObjectLink> = []
    return elements.filter {
      guard case .single(.link(let link)) = $0 else { return true }
      return seen.insert(link).inserted
    }
  }

  private func owned(_ value: NewValue, _ property: Property) throws(EngineError) -> StoredValue {
    try GroupEditor.stored(value) { value throws(EngineError) in
      switch value {
      case .single(let single): single
      case .embedded(let values): .link(try embedded(values, property))
      default: .null
      }
    }
  }

  /// Makes an embedded object. What it owns itself comes first, because a row is written in one piece.
  private func embedded(
    _ values: [(property: String, value: NewValue)], _ property: Property
  ) throws(EngineError) -> ObjectLink {
    guard let target = property.target else {
      throw EngineError(.constraint, "\(property.name) has no class to embed")
    }
    let table = try table(target)
    let editor = try group.table(target)
    // The key is taken first: objects inside name this one as their owner.
    var prepared: [(index: Int, value: NewValue)] = []
    for (name, value) in values {
      guard let index = table.schema.propertyIndex(named: name) else {
        throw EngineError(.unknownProperty, "\(table.schema.name) has no property \(name)")
      }
      prepared.append((index, value))
    }
    return try table.addEmbedded(
      prepared, ObjectLink(table: target, key: try group.takeKeyForBulk(editor, nil)))
  }

  // MARK: Finishing

  /// Leaves the classes as they were. The nodes that were made are nobody's.
  func giveUp() { for table in tables.values { table.giveUp() } }

  /// Builds the classes' trees, incoming links and indexes. Throws `.constraint` for links to objects that did not come
  /// and for primary keys that repeat.
  package func finish() throws(EngineError) {
    for editor in order { try tables[editor.tableKey]?.finish() }
    // In one order, so that a load gives the same bytes each time.
    for (column, pending) in links.sorted(by: { $0.key < $1.key }) { try writeIncoming(column, pending) }
    for editor in order {
      var indexed = editor.schema.properties.filter { editor.indexRoot($0.columnKey) != nil }
      if makesIndexesAnew(of: editor) { indexed = try group.rebuildTogether(editor, indexed) }
      for property in indexed {
        do throws(EngineError) {
          try fileRows(of: editor, property)
        } catch {
          if property.columnKey == editor.primaryKey { try blameRepeated(property, of: editor) }
          throw error
        }
      }
    }
    tables = [:]
    order = []
    links = [:]
    lastLinks = nil
  }

  private func makesIndexesAnew(of editor: TableEditor) -> Bool {
    guard let table = tables[editor.tableKey], table.oldCount > 0 else { return true }
    return GroupEditor.isRebuilt(changing: table.newKeys.count, of: table.oldCount)
  }

  /// Files the new rows in an index, or makes it anew where they are many.
  private func fileRows(of editor: TableEditor, _ property: Property) throws(EngineError) {
    guard let table = tables[editor.tableKey], !makesIndexesAnew(of: editor) else {
      return try group.rebuildIndex(editor, property)
    }
    let isUnique = property.columnKey == editor.primaryKey
    for key in table.newKeys {
      if isUnique,
        try group.find(editor, primaryKey: try group.value(editor, property, ObjectKey(key))) != nil
      {
        throw EngineError(
          .constraint, "\(editor.schema.name).\(property.name) has a value twice that must be unique")
      }
      try group.index(editor, property, ObjectKey(key))
    }
  }

  /// Notes the links in a value that is or will be in its row.
  func noteLinks(
    in value: StoredValue, from key: ObjectKey, _ owner: TableEditor, _ property: Property
  ) throws(EngineError) {
    try value.forEachLink { link throws(EngineError) in
      links(from: owner, property, to: link.table).append(target: link.key.value, origin: key.value)
    }
  }

  /// Where links of a property are noted.
  func links(from owner: TableEditor, _ property: Property, to target: TableKey) -> PendingLinks {
    let column = LinkColumn(target: target, origin: owner.tableKey, column: property.columnKey)
    if let last = lastLinks, last.column == column { return last.links }
    let run = links[column] ?? PendingLinks()
    links[column] = run
    lastLinks = (column, run)
    return run
  }

  private func writeIncoming(_ column: LinkColumn, _ pending: PendingLinks) throws(EngineError) {
    let origin = try group.table(column.origin)
    let target = try group.table(column.target)
    guard
      let hidden = try group.backlinkColumn(in: target, origin: origin, column.column, creating: true)
    else { return }
    // By target, and for each in the order of the owners.
    var links = pending.byTarget()
    let store = group.store
    try target.rows.editAll { cluster throws(EngineError) in
      guard let first = links.next, cluster.count > 0,
        first.target <= (try cluster.key(cluster.count - 1).value)
      else { return }
      let leaf = try cluster.leaf(hidden.leafIndex)
      var slots = try store.snapshot.refsNode(leaf).integers.array()
      var isChanged = false
      for row in 0..<cluster.count {
        let key = try cluster.key(row).value
        while let link = links.next, link.target < key {
          try passDangling(link, column, origin, target)
          links.advance()
        }
        guard let link = links.next, link.target == key else { continue }
        links.advance()
        isChanged = true
        if slots[row] == 0, links.next?.target != key {
          slots[row] = NodeStore.tag(link.origin)
          continue
        }
        var origins = [link.origin]
        while let link = links.next, link.target == key {
          origins.append(link.origin)
          links.advance()
        }
        slots[row] = try group.slot(slots[row], adding: origins)
      }
      guard isChanged else { return }
      let new = try store.makeSlots(slots)
      try cluster.setLeaf(hidden.leafIndex, new)
      try store.release(leaf)
    }
    while let link = links.next {
      try passDangling(link, column, origin, target)
      links.advance()
    }
    target.noteChange()
  }

  // MARK: Refusals

  /// A link to an object that did not come. Engines of formats 22 and 23 left such links in dictionaries, where nothing
  /// trusts them.
  private func passDangling(
    _ link: NotedLink, _ column: LinkColumn, _ origin: TableEditor, _ target: TableEditor
  ) throws(EngineError) {
    let property = origin.schema.properties.first { $0.columnKey == column.column }
    if property?.collection == .dictionary, link.target >= 0 { return }
    try blame(column.origin, link.origin)
    throw EngineError(
      .constraint,
      "\(origin.schema.name) links to the object \(link.target) of \(target.schema.name), which is not there")
  }

  /// Notes the object, or the one that it is embedded in, as the one that a refusal is about.
  private func blame(_ table: TableKey, _ key: Int64) throws(EngineError) {
    var table = table
    var key = key
    while try group.table(table).isEmbedded {
      let owner = links.lazy.filter { $0.key.target == table }.compactMap { column, pending in
        pending.origin(of: key).map { (column.origin, $0) }
      }.first
      guard let owner else { return }
      (table, key) = owner
    }
    var ordinal: Int64 = 0
    var cursor = try group.table(table).rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count where cluster.key(row).value < key { ordinal += 1 }
    }
    culprit = (table, ordinal - Int64(tables[table]?.oldCount ?? 0))
  }

  /// Throws what a refusal by the index of primary keys means for who loads objects.
  private func blameRepeated(_ property: Property, of table: TableEditor) throws(EngineError) {
    var seen: Set<Value> = []
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        let value = try group.value(table, property, cluster.key(row))
        guard !seen.insert(value).inserted else { continue }
        try blame(table.tableKey, cluster.key(row).value)
        throw EngineError(
          .constraint, "\(table.schema.name) already has an object with \(table.schema.words(ofKey: value))")
      }
    }
  }
}
