// Objects that operations make of others, and links to them; many at once where the class allows it.
// Layer: RealmSession, Operations.

import RealmEngine

/// Makes objects of one class.
struct ObjectMaker {
  typealias Values = [(property: String, value: NewValue)]

  /// How many objects are worth being made together; values of so many are held.
  static let pieceCount = 1 << 16
  /// So many new objects pay for going through those that a class has already.
  private static let manyObjects = 1000

  private let run: OperationRun
  private let existing: ExistingPolicy
  private let table: TableKey
  private let primaryKey: String?
  /// Whether no property owns embedded objects, which are rows of another class.
  private let ownsNothing: Bool

  init(_ run: OperationRun, _ className: String, _ existing: ExistingPolicy) throws {
    (self.run, self.existing) = (run, existing)
    let schema = try run.transaction.schema(try run.tableKey(className))
    table = schema.tableKey
    primaryKey = schema.primaryKey?.name
    let realm = try run.view()
    ownsNothing =
      schema.kind == .object
      && schema.properties.allSatisfy { property in
        property.target.map { realm.table($0)?.schema.kind == .object } ?? true
      }
  }

  /// The objects that are made, or that were there, one for each of the values, in their order.
  func make(_ objects: [Values]) throws -> [ObjectLink] {
    if let made = try makeAtOnce(objects) { return made }
    return try objects.map { values in try make(values) }
  }

  /// Nil, with nothing made, where one has to be made after the other.
  private func makeAtOnce(_ objects: [Values]) throws -> [ObjectLink]? {
    guard let first = objects.first, ownsNothing, try isWorthLoading(objects.count) else { return nil }
    if let primaryKey {
      guard existing == .fail, try areNew(objects, primaryKey) else { return nil }
    }
    let load = try run.transaction.beginLoad()
    guard try load.canFill(table) else { return nil }
    let rows = try load.table(table)
    let places = first.compactMap { rows.schema.propertyIndex(named: $0.property) }
    guard places.count == first.count else { return nil }
    var made: [ObjectLink] = []
    made.reserveCapacity(objects.count)
    for values in objects {
      try rows.beginObject()
      for (place, entry) in zip(places, values) { try rows.put(place, entry.value) }
      try rows.endObject()
      made.append(ObjectLink(table: table, key: rows.lastObjectKey))
    }
    try load.finish()
    run.report.createdCount += made.count
    return made
  }

  private func isWorthLoading(_ count: Int) throws -> Bool {
    try count >= Self.manyObjects || run.transaction.count(table) == 0
  }

  /// Whether each has a primary key, which no other has. What is wrong shows when they are made one by one.
  private func areNew(_ objects: [Values], _ primaryKey: String) throws -> Bool {
    let isEmpty = try run.transaction.count(table) == 0
    var seen: Set<Value> = []
    for values in objects {
      guard case .single(let key)? = values.first(where: { $0.property == primaryKey })?.value,
        seen.insert(key).inserted
      else { return false }
      if try !isEmpty && run.transaction.find(table, primaryKey: key) != nil { return false }
    }
    return true
  }

  /// The object that is made, or that was there.
  private func make(_ values: Values) throws -> ObjectLink {
    if existing != .fail, let primaryKey,
      case .single(let key)? = values.first(where: { $0.property == primaryKey })?.value,
      let found = try run.transaction.find(table, primaryKey: key)
    {
      let link = ObjectLink(table: table, key: found)
      if existing == .update {
        try run.transaction.update(link, values)
        run.report.touchedCount += 1
      }
      return link
    }
    do throws(EngineError) {
      let key = try run.transaction.create(table, values)
      run.report.createdCount += 1
      return ObjectLink(table: table, key: key)
    } catch {
      guard error.kind == .constraint, error.hint == nil, primaryKey != nil, existing == .fail else {
        throw error
      }
      throw EngineError(
        error.kind, error.message, at: error.place,
        hint: "existing: keep links to the object that is there, existing: update changes it")
    }
  }

  /// Links the objects from what they were made of.
  func link(_ made: [(source: ObjectKey, object: ObjectKey)], from source: ObjectSource) throws {
    guard let name = source.link?.value else { return }
    let origin = try run.tableKey(source.className.value)
    if let property = try run.transaction.schema(origin).property(named: name), property.collection == nil,
      property.target == table, property.index == .none
    {
      return try run.transaction.setLinks(
        origin, property, made.map { (owner: $0.source, target: $0.object) })
    }
    for (key, object) in made {
      try run.transaction.addLink(
        ObjectLink(table: table, key: object), to: ObjectLink(table: origin, key: key), name)
    }
  }
}
