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

  private struct PendingLink {
    let target: Int64
    let origin: Int64
  }

  private var links: [LinkColumn: [PendingLink]] = [:]
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
    try group.checkForBulk(value, for: property, in: owner.schema)
    var stored = property.type == .object ? try owned(value, property) : group.stored(value)
    if property.collection == .set, case .list(let elements) = stored {
      stored = .list(try uniqueLinks(elements))
    }
    try stored.forEachLink { link throws(EngineError) in
      noteLink(from: key, owner, property, to: link)
    }
    return stored
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
    switch value {
    case .single(let single): return .single(single)
    case .embedded(let values): return .single(.link(try embedded(values, property)))
    case .list(let elements), .set(let elements):
      var stored: [StoredValue] = []
      for element in elements { stored.append(try owned(element, property)) }
      return .list(stored)
    case .dictionary(let entries):
      var stored: [(key: Value, value: StoredValue)] = []
      for entry in GroupEditor.lastOfEachKey(entries) {
        stored.append((.string(entry.key), try owned(entry.value, property)))
      }
      return .dictionary(stored)
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

  /// Notes a link that was put into its row already.
  func noteLink(from key: ObjectKey, _ owner: TableEditor, _ property: Property, to link: ObjectLink) {
    let column = LinkColumn(target: link.table, origin: owner.tableKey, column: property.columnKey)
    links[column, default: []].append(PendingLink(target: link.key.value, origin: key.value))
  }

  private func writeIncoming(_ column: LinkColumn, _ pending: [PendingLink]) throws(EngineError) {
    let origin = try group.table(column.origin)
    let target = try group.table(column.target)
    guard
      let hidden = try group.backlinkColumn(in: target, origin: origin, column.column, creating: true)
    else { return }
    // By target, and for each in the order of the owners.
    var positions = Array(pending.indices)
    positions.sort {
      pending[$0].target != pending[$1].target ? pending[$0].target < pending[$1].target : $0 < $1
    }
    var next = 0
    let store = group.store
    try target.rows.editAll { cluster throws(EngineError) in
      guard next < positions.count else { return }
      let leaf = try cluster.leaf(hidden.leafIndex)
      var slots = try store.snapshot.refsNode(leaf).integers.array()
      var isChanged = false
      for row in 0..<cluster.count {
        let key = try cluster.key(row).value
        while next < positions.count, pending[positions[next]].target < key {
          try passDangling(pending[positions[next]], column, origin, target)
          next += 1
        }
        guard next < positions.count, pending[positions[next]].target == key else { continue }
        var origins: [Int64] = []
        while next < positions.count, pending[positions[next]].target == key {
          origins.append(pending[positions[next]].origin)
          next += 1
        }
        slots[row] = try group.slot(slots[row], adding: origins)
        isChanged = true
      }
      guard isChanged else { return }
      let new = try store.makeSlots(slots)
      try cluster.setLeaf(hidden.leafIndex, new)
      try store.release(leaf)
    }
    for position in positions[next...] { try passDangling(pending[position], column, origin, target) }
    target.noteChange()
  }

  // MARK: Refusals

  /// A link to an object that did not come. Engines of formats 22 and 23 left such links in dictionaries, where nothing
  /// trusts them.
  private func passDangling(
    _ link: PendingLink, _ column: LinkColumn, _ origin: TableEditor, _ target: TableEditor
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
        pending.first { $0.target == key }.map { (column.origin, $0.origin) }
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

  private func blameRepeated(_ property: Property, of table: TableEditor) throws(EngineError) {
    var seen: Set<Value> = []
    var cursor = try table.rows.tree().cursor()
    while let cluster = try cursor.next() {
      for row in 0..<cluster.count {
        let value = try group.value(table, property, cluster.key(row))
        guard !seen.insert(value).inserted else { continue }
        return try blame(table.tableKey, cluster.key(row).value)
      }
    }
  }
}
