// Who owns the objects of an embedded class, and where in its owner each is. Layer: RealmSQL, Tables.

import RealmEngine

/// Finds owners by going through all of them once, as an export does: what damaged incoming links say counts for neither.
final class SQLOwnerSearch {
  private let realm: ReadTransaction
  private let table: Table
  private let owners: [SQLOwner]
  /// One for each of `owners`, once they have been asked for.
  private var owned: [OwnedObjects] = []

  /// Who owns an embedded object.
  struct Ownership {
    let owner: Int
    let key: ObjectKey
    /// Where it is in a list or dictionary: a number or a text.
    let place: SQLValue
  }

  /// What one property of a class owns, in the order of the keys of the embedded objects.
  private struct OwnedObjects {
    private(set) var keys: [ObjectKey] = []
    private var owners: [ObjectKey] = []
    /// None for properties that own one object each.
    private var places: [SQLValue] = []
    private var isSorted = true
    /// What was found last: mostly the next one is asked for next.
    private var last = -1

    mutating func append(_ key: ObjectKey, of owner: ObjectKey, _ place: SQLValue?) {
      if let last = keys.last, last >= key { isSorted = false }
      keys.append(key)
      owners.append(owner)
      if let place { places.append(place) }
    }

    /// False: an object has two owners.
    mutating func sort() -> Bool {
      if isSorted { return true }
      let order = keys.indices.sorted { keys[$0] < keys[$1] }
      keys = order.map { keys[$0] }
      owners = order.map { owners[$0] }
      if !places.isEmpty { places = order.map { places[$0] } }
      return zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }
    }

    mutating func find(_ key: ObjectKey) -> (owner: ObjectKey, place: SQLValue)? {
      var index = last + 1
      if index >= keys.count || keys[index] != key {
        index = keys.indices.partitionPoint { keys[$0] < key }
        guard index < keys.count, keys[index] == key else { return nil }
      }
      last = index
      return (owners[index], places.isEmpty ? .null : places[index])
    }
  }

  init(_ table: Table, _ owners: [SQLOwner], in realm: ReadTransaction) {
    self.table = table
    self.owners = owners
    self.realm = realm
  }

  /// The owner of each row of a batch; nil for none.
  func ownerships(_ batch: ObjectBatch) throws(EngineError) -> [Ownership?] {
    if owned.isEmpty { owned = try allOwned() }
    var ownerships = [Ownership?](repeating: nil, count: batch.count)
    batch.forEachKey { ownerships[$0] = known(of: $1) }
    guard let order = batch.order else { return ownerships }
    return order.map { ownerships[Int($0)] }
  }

  /// The owner of an object; nil for none.
  func ownership(of key: ObjectKey) throws(EngineError) -> Ownership? {
    if owned.isEmpty { owned = try allOwned() }
    return known(of: key)
  }

  private func known(of key: ObjectKey) -> Ownership? {
    for index in owned.indices {
      guard let found = owned[index].find(key) else { continue }
      return Ownership(owner: index, key: found.owner, place: found.place)
    }
    return nil
  }

  private func allOwned() throws(EngineError) -> [OwnedObjects] {
    var count = 0
    return try owners.map { owner throws(EngineError) in
      var owned = OwnedObjects()
      let isOne = owner.property.collection == nil
      let budget = TraversalBudget(realm.snapshot)
      var cursor = owner.table.blocks(budget: budget)
      while let block = try cursor.next() {
        try Interruption.check()
        let leaf = try block.leaf(owner.property, budget: budget)
        for row in 0..<block.count {
          try realm.snapshot.forEachElement(of: owner.property, leaf, row, budget: budget) { place, value in
            if case .link(let link) = value {
              owned.append(link.key, of: block.key(row), isOne ? nil : place)
            }
            return true
          }
          guard count + owned.keys.count <= table.count else { throw SQLTable.twoOwners(table) }
        }
      }
      guard owned.sort() else { throw SQLTable.twoOwners(table) }
      count += owned.keys.count
      return owned
    }
  }

  /// The keys of what an object named `name` owns, in key order.
  func owned(by name: SQLValue) throws(EngineError) -> [ObjectKey] {
    var keys: [ObjectKey] = []
    for owner in owners {
      guard let position = try owner.table.find(named: name) else { continue }
      let leaf = try position.block.leaf(owner.property)
      try realm.snapshot.forEachElement(of: owner.property, leaf, position.row, budget: nil) { _, value in
        if case .link(let link) = value { keys.append(link.key) }
        return true
      }
    }
    var existing: [ObjectKey] = []
    for key in Set(keys).sorted() where try table.find(key) != nil { existing.append(key) }
    return existing
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
