// Erasing objects, many at once, with all that hangs on them: embedded objects, links to and from them, indexes.
// Layer: Objects. Memory: for keys and links alone, in few bits each.
// What goes is found first, by reading; then the objects that stay lose their links, column by column and cluster by cluster;
// then rows go. Cost: a leaf a block of each column concerned, however many objects of a block go.
// Invariant: afterwards links and incoming links agree, every embedded object has an owner, and indexes hold what rows hold.

/// What erasing some objects comes to.
private struct Erasure {
  /// A property that links through.
  struct Column: Hashable, Comparable {
    let table: TableKey
    let key: ColumnKey

    static func < (left: Column, right: Column) -> Bool {
      (left.table.value, left.key.value) < (right.table.value, right.key.value)
    }
  }

  /// The incoming side of a column in the table that its links lead to.
  struct Incoming: Hashable, Comparable {
    let target: TableKey
    let origin: Column

    static func < (left: Incoming, right: Incoming) -> Bool {
      left.origin != right.origin ? left.origin < right.origin : left.target.value < right.target.value
    }
  }

  /// The objects that go.
  private(set) var gone: [TableKey: ObjectKeySet] = [:]
  /// Objects whose property links to some that go.
  private(set) var owners: [Column: CompressedIntegers] = [:]
  /// The columns through which embedded objects that go are owned, as these have it on record.
  var owning: Set<Column> = []
  /// Links of objects that go.
  private(set) var links: [Incoming: PendingLinks] = [:]

  /// Adds objects; gives those that are new.
  mutating func add(_ keys: ObjectKeyList, of table: TableKey) throws(EngineError) -> ObjectKeyList {
    try Interruption.check()
    return gone[table, default: ObjectKeySet()].add(keys)
  }

  /// Notes objects that link to some that go.
  mutating func note(_ owners: [ObjectKey], of column: Column) {
    self.owners.run(column, CompressedIntegers()).append(contentsOf: owners.lazy.map(\.value))
  }

  /// The links that are noted of a column, to note more.
  mutating func links(_ incoming: Incoming) -> PendingLinks { links.run(incoming, PendingLinks()) }

  func holds(_ link: ObjectLink) -> Bool { gone[link.table]?.contains(link.key) ?? false }

  /// Why objects go.
  enum Reason {
    case wanted
    /// They are embedded, and what owned them does no more.
    case orphaned
    /// They are embedded, and what owns them goes.
    case owned
  }

  /// Whether that can be all that owns an embedded object.
  func fits(_ owners: [ObjectLink], _ reason: Reason) -> Bool {
    switch reason {
    case .wanted: owners.count == 1
    case .orphaned: owners.isEmpty
    case .owned: owners.count == 1 && owners.allSatisfy(holds)
    }
  }
}

extension GroupEditor {
  /// Erases objects and the embedded ones they own. Keys without an object are passed over. `areOrphans`: they are
  /// embedded and have just lost their owner.
  func erase(_ objects: [ObjectLink], areOrphans: Bool = false) throws(EngineError) {
    guard !objects.isEmpty else { return }
    try erase(ObjectLink.keysByTable(objects), areOrphans: areOrphans)
  }

  /// Erases many objects, by their classes.
  func erase(_ objects: [TableKey: ObjectKeyList], areOrphans: Bool = false) throws(EngineError) {
    var erasure = Erasure()
    var wave = objects
    var reason = areOrphans ? Erasure.Reason.orphaned : .wanted
    while wave.contains(where: { !$0.value.isEmpty }) {
      var owned: [TableKey: CompressedIntegers] = [:]
      for (table, keys) in wave.sorted(by: { $0.key.value < $1.key.value }) where hasTable(table) {
        try gather(try erasure.add(keys, of: table), try self.table(table), reason, &erasure, &owned)
      }
      wave = owned.mapValues { ObjectKeyList($0) }
      reason = .owned
    }
    for (column, owners) in erasure.owners.sorted(by: { $0.key < $1.key }) {
      let staying = CompressedIntegers(
        owners.lazy.filter { !erasure.holds(ObjectLink(table: column.table, key: ObjectKey($0))) })
      let (owners, table) = (ObjectKeyList(staying), try table(column.table))
      if erasure.owning.contains(column) { try proveOwners(owners, column.key, table, erasure.holds) }
      try forget(erasure.holds, column.key, owners, of: table)
    }
    for (incoming, links) in erasure.links.sorted(by: { $0.key < $1.key }) {
      let staying = links.filter { !erasure.holds(ObjectLink(table: incoming.target, key: ObjectKey($0))) }
      try removeBacklinks(staying, in: incoming.target, try table(incoming.origin.table), incoming.origin.key)
    }
    for (key, gone) in erasure.gone.sorted(by: { $0.key.value < $1.key.value }) where hasTable(key) {
      try eraseRows(gone.keys, of: try table(key))
    }
  }

  // MARK: Finding

  /// Notes the links to and from objects that go, and the embedded objects that they own. What is on record of the owner
  /// of an embedded object must fit: one that is not on record would keep its link to what is gone.
  private func gather(
    _ keys: ObjectKeyList, _ table: TableEditor, _ reason: Erasure.Reason, _ erasure: inout Erasure,
    _ owned: inout [TableKey: CompressedIntegers]
  ) throws(EngineError) {
    let schema = table.schema
    let linking = schema.properties.filter(Self.mayLink)
    let incoming = schema.backlinks.filter { $0.originTable.map(hasTable) ?? false }
    guard table.isEmbedded || !linking.isEmpty || !incoming.isEmpty else { return }
    try table.rows.edit(keys.numbers) { cluster, rows throws(EngineError) in
      let view = try cluster.cluster()
      for property in linking {
        let column = Erasure.Column(table: table.tableKey, key: property.columnKey)
        // Links of one property mostly lead to one table.
        var target: (table: TableKey, links: PendingLinks, owned: CompressedIntegers?)?
        try forEachLink(property, cluster, rows) { row, link throws(EngineError) in
          if link.table != target?.table {
            let isEmbedded = hasTable(link.table) ? try self.table(link.table).isEmbedded : false
            target = (
              link.table, erasure.links(Erasure.Incoming(target: link.table, origin: column)),
              isEmbedded ? owned.run(link.table, CompressedIntegers()) : nil
            )
          }
          target?.links.append(target: link.key.value, origin: view.key(row).value)
          if link.key.value >= 0 { target?.owned?.append(link.key.value) }
        }
      }
      var owners = [[ObjectLink]](repeating: [], count: table.isEmbedded ? cluster.count : 0)
      for backlink in incoming {
        guard let origin = backlink.originTable else { continue }
        let leaf = try store.snapshot.refsNode(try cluster.leaf(backlink.columnKey.leafIndex))
        var linking: [ObjectKey] = []
        for row in rows {
          let origins = try origins(inSlot: row, of: leaf)
          if table.isEmbedded { owners[row] += origins.map { ObjectLink(table: origin, key: $0) } }
          linking += origins
        }
        guard !linking.isEmpty else { continue }
        let column = Erasure.Column(table: origin, key: backlink.originColumn)
        if table.isEmbedded { erasure.owning.insert(column) }
        erasure.note(linking, of: column)
      }
      for row in rows where table.isEmbedded && !erasure.fits(owners[row], reason) {
        throw Self.wrongOwners(owners[row].count, of: view.key(row), schema)
      }
    }
  }

  /// Each of the owners on record of embedded objects that go must link to one of them: else another one does, which would
  /// keep its link to what is gone.
  private func proveOwners(
    _ owners: ObjectKeyList, _ column: ColumnKey, _ table: TableEditor, _ isGone: (ObjectLink) -> Bool
  ) throws(EngineError) {
    let linking = CompressedIntegers()
    let property = table.schema.properties.first { $0.columnKey == column }
    if let property {
      try table.rows.edit(owners.numbers) { cluster, rows throws(EngineError) in
        let view = try cluster.cluster()
        try forEachLink(property, cluster, rows) { row, link in
          // Those of one object follow each other.
          let key = view.key(row).value
          if isGone(link), linking.last != key { linking.append(key) }
        }
      }
    }
    var next = 0
    let stranger = owners.numbers.first { owner in
      guard next < linking.count, linking[next] == owner else { return true }
      next += 1
      return false
    }
    guard let stranger else { return }
    throw EngineError(
      damage: "an embedded object that is to be erased has an owner on record that does not link to it",
      at: "\(table.schema.name), object \(stranger)" + (property.map { ", property \($0.name)" } ?? ""),
      hint: EngineError.damageHint)
  }

  private static func wrongOwners(
    _ count: Int, of key: ObjectKey, _ schema: ClassSchema
  ) -> EngineError {
    EngineError(
      damage: "an embedded object has \(count) owners on record, or another",
      at: "\(schema.name), object \(key.value)",
      hint: EngineError.damageHint)
  }

  /// Every link of a property in some rows, those to objects that do not exist too.
  func forEachLink(
    _ property: Property, _ cluster: ClusterEdit, _ rows: some Sequence<Int>,
    _ body: (Int, ObjectLink) throws(EngineError) -> Void
  ) throws(EngineError) {
    let ref = try cluster.leaf(property.columnKey.leafIndex)
    if property.collection != nil {
      let roots = try store.snapshot.refsNode(ref)
      for row in rows {
        guard let root = try roots.ref(row) else { continue }
        try stored(root, property).forEachLink { link throws(EngineError) in try body(row, link) }
      }
      return
    }
    switch try store.snapshot.leaf(ref, property.layout, rowCount: cluster.count) {
    case .links(let leaf):
      guard let target = property.target else { return }
      for row in rows {
        if let key = leaf[row] { try body(row, ObjectLink(table: target, key: key)) }
      }
    case .mixed(let leaf):
      for row in rows {
        try stored(try leaf.storedValue(row, in: store.snapshot)).forEachLink { link throws(EngineError) in
          try body(row, link)
        }
      }
    default: return
    }
  }

  // MARK: Links of objects that stay

  /// Takes the links to what goes out of a property of some objects; what is on record at the other end stays.
  func forget(
    _ isGone: (ObjectLink) -> Bool, _ column: ColumnKey, _ owners: ObjectKeyList, of table: TableEditor
  ) throws(EngineError) {
    guard !owners.isEmpty, let property = table.schema.properties.first(where: { $0.columnKey == column })
    else { return }
    table.noteChange()
    try reindexing([property], of: owners, in: table, areErased: false) { () throws(EngineError) in
      try table.rows.edit(owners.numbers) { cluster, rows throws(EngineError) in
        let index = property.columnKey.leafIndex
        let leaf = try cluster.leaf(index)
        try cluster.setLeaf(
          index,
          property.collection == nil
            ? try forget(isGone, leaf, property, rows, count: cluster.count)
            : try forgetInCollections(isGone, leaf, property, rows))
      }
    }
  }

  private func forget(
    _ isGone: (ObjectLink) -> Bool, _ ref: Ref, _ property: Property, _ rows: [Int], count: Int
  ) throws(EngineError) -> Ref {
    var values: [(index: Int, value: Value)] = []
    var nested: [Value] = []
    switch try store.snapshot.leaf(ref, property.layout, rowCount: count) {
    case .links(let leaf):
      for row in rows {
        guard let target = property.target, let key = leaf[row],
          isGone(ObjectLink(table: target, key: key))
        else { continue }
        values.append((row, .null))
      }
    case .mixed(let leaf):
      for row in rows {
        let old = try leaf.storedValue(row, in: store.snapshot)
        values.append((row, try write(try stored(old).removing(isGone))))
        nested.append(old)
      }
    default: return ref
    }
    let new = try store.setElements(ref, property.layout, values)
    for value in nested { try releaseNested(value) }
    return new
  }

  private func forgetInCollections(
    _ isGone: (ObjectLink) -> Bool, _ ref: Ref, _ property: Property, _ rows: [Int]
  ) throws(EngineError) -> Ref {
    var leaf = ref
    for row in rows {
      guard let root = try store.snapshot.refsNode(leaf).ref(row) else { continue }
      let rest = try stored(root, property).removing(isGone)
      leaf = try store.setSlot(leaf, row, try writeCollection(rest, property))
      try store.releaseTree(root)
    }
    return leaf
  }

  // MARK: Rows

  private func eraseRows(_ keys: ObjectKeyList, of table: TableEditor) throws(EngineError) {
    try reindexing(table.schema.properties, of: keys, in: table, areErased: true) { () throws(EngineError) in
      let count = try table.rows.erase(keys.numbers) { cluster, rows throws(EngineError) in
        try releaseOwned(cluster, rows, table)
      }
      if count > 0 { table.noteChange() }
    }
  }

  /// Gives up the trees that elements of rows are roots of: collections, incoming links, nested values.
  private func releaseOwned(
    _ cluster: ClusterEdit, _ rows: [Int], _ table: TableEditor
  ) throws(EngineError) {
    for column in table.rows.columns where column.layout.holdsSlots {
      let slots = try store.snapshot.refsNode(try cluster.leaf(column.leafIndex))
      for row in rows {
        // A single incoming link is a number, not a tree.
        if let root = Ref(try slots.slot(row)) { try store.releaseTree(root) }
      }
    }
    for property in table.schema.properties where property.type == .mixed && property.collection == nil {
      let ref = try cluster.leaf(property.columnKey.leafIndex)
      guard case .mixed(let leaf) = try store.snapshot.leaf(ref, property.layout, rowCount: cluster.count)
      else { continue }
      for row in rows { try releaseNested(try leaf.storedValue(row, in: store.snapshot)) }
    }
  }
}

extension ObjectLink {
  /// The keys of objects by their tables. Those of one table mostly stand together.
  static func keysByTable(_ links: [ObjectLink]) -> [TableKey: ObjectKeyList] {
    var keys: [TableKey: CompressedIntegers] = [:]
    var last: (table: TableKey, keys: CompressedIntegers)?
    for link in links {
      if last?.table != link.table { last = (link.table, keys.run(link.table, CompressedIntegers())) }
      last?.keys.append(link.key.value)
    }
    return keys.mapValues { ObjectKeyList($0) }
  }
}
