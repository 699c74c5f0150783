// Who owns the objects of an embedded class, and where in its owner each is. Layer: RealmSQL, Tables.

import RealmEngine

/// Finds owners by incoming links, and places in lists and dictionaries by going through all of them once.
final class EmbeddedOwners {
  private let realm: ReadTransaction
  private let table: Table
  private let owners: [SQLOwner]
  /// By owner: the places of the embedded objects, by key.
  private var places: [Int: [ObjectKey: SQLValue]] = [:]

  /// What an embedded object's incoming link says.
  struct Ownership {
    let owner: Int
    let key: ObjectKey
  }

  init(_ table: Table, _ owners: [SQLOwner], in realm: ReadTransaction) {
    self.table = table
    self.owners = owners
    self.realm = realm
  }

  /// The first owner of each row of a batch; nil for none.
  func ownerships(_ batch: ObjectBatch) throws(EngineError) -> [Ownership?] {
    var found = [Ownership?](repeating: nil, count: batch.count)
    try batch.forEachBlock { block, rows, place throws(EngineError) in
      for column in table.schema.backlinks {
        guard
          let owner = owners.firstIndex(where: {
            $0.table.schema.tableKey == column.originTable && $0.property.columnKey == column.originColumn
          })
        else { continue }
        let leaf = try block.backlinks(column)
        for (index, row) in rows.enumerated() where found[place + index] == nil {
          guard let key = try self.firstOrigin(try leaf[Int(row)]) else { continue }
          found[place + index] = Ownership(owner: owner, key: key)
        }
      }
    }
    guard let order = batch.order else { return found }
    return order.map { found[Int($0)] }
  }

  private func firstOrigin(_ origins: BacklinkLeaf.Origins) throws(EngineError) -> ObjectKey? {
    switch origins {
    case .none: return nil
    case .one(let key): return key
    case .many(let ref):
      var first: ObjectKey?
      try realm.snapshot.forEachElementLeaf(ref, LeafLayout(type: .int, isNullable: false)) { leaf in
        if case .integers(let leaf) = leaf, leaf.count > 0 { first = leaf[0].map(ObjectKey.init) }
        return first == nil
      }
      return first
    }
  }

  /// Where in the list or dictionary of owner number `owner` the object with `key` is: a number or a text.
  func place(of key: ObjectKey, in owner: Int) throws(EngineError) -> SQLValue {
    if let known = places[owner] { return known[key] ?? .null }
    var found: [ObjectKey: SQLValue] = [:]
    let (ownerTable, property) = (owners[owner].table, owners[owner].property)
    var cursor = ownerTable.blocks()
    while let block = try cursor.next() {
      try Interruption.check()
      for row in 0..<block.count {
        try forEachOwned(by: ObjectPosition(block: block, row: row), property) { found[$0] = $1 }
      }
    }
    places[owner] = found
    return found[key] ?? .null
  }

  /// Calls `body` with what a property of an object owns, and its place there.
  private func forEachOwned(
    by position: ObjectPosition, _ property: Property, _ body: (ObjectKey, SQLValue) -> Void
  ) throws(EngineError) {
    let leaf = try position.block.leaf(property)
    guard property.collection != nil else {
      if case .link(let link) = try leaf.value(position.row, in: realm.snapshot, target: property.target) {
        body(link.key, .null)
      }
      return
    }
    guard case .collections(let roots) = leaf, let root = try roots.root(position.row) else { return }
    if property.collection == .dictionary {
      for entry in try realm.snapshot.entries(of: property, at: root) {
        if case .link(let link) = entry.value { body(link.key, SQLValue(key: entry.key)) }
      }
      return
    }
    var number: Int64 = 0
    try realm.snapshot.forEachElement(of: property, at: root) { element in
      if case .link(let link) = element { body(link.key, .integer(number)) }
      number += 1
      return true
    }
  }

  /// The keys of what an object named `name` owns, in key order.
  func owned(by name: SQLValue) throws(EngineError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for owner in owners {
      guard let position = try owner.table.find(named: name) else { continue }
      try forEachOwned(by: position, owner.property) { key, _ in keys.append(key) }
    }
    var existing: [ObjectKey] = []
    for key in Set(keys).sorted() where try table.find(key) != nil { existing.append(key) }
    return existing
  }
}

extension SQLValue {
  /// The key of a dictionary's entry.
  init(key: Value) {
    switch key {
    case .string(let text): self = .text(text)
    case .int(let number): self = .integer(number)
    default: self = .null
    }
  }
}

extension Table {
  /// The object that `name` stands for in links; nil where there is none, or where its type is another.
  func find(named name: SQLValue) throws(EngineError) -> ObjectPosition? {
    guard let property = schema.primaryKey else {
      guard case .integer(let key) = name else { return nil }
      return try find(ObjectKey(key))
    }
    guard let value = Value(name, ofExactly: property.type) else { return nil }
    return try find(primaryKey: value)
  }
}
