// Objects that operations make of others, and links to them; all at once where the class allows it.
// Layer: RealmSession, Operations.

import RealmEngine

/// Makes objects of one class.
struct ObjectMaker {
  typealias Values = [(property: String, value: NewValue)]

  /// Where objects are made one after the other, values of so many are held.
  static let pieceCount = 1 << 16

  private let run: OperationRun
  private let existing: ExistingPolicy
  private let table: TableKey
  private let primaryKey: String?

  init(_ run: OperationRun, _ className: String, _ existing: ExistingPolicy) throws {
    (self.run, self.existing) = (run, existing)
    let schema = try run.transaction.schema(try run.tableKey(className))
    table = schema.tableKey
    primaryKey = schema.primaryKey?.name
  }

  /// Makes objects for some of the source, or all. Nil, with nothing made, where one has to be made after the other.
  func make(
    _ className: String, of source: ObjectSource, _ keys: ObjectKeyList?, _ changes: [PropertyChange],
    copied: Set<String> = [], isDistinct: Bool = false
  ) throws(BindingFailure) -> MadeObjects? {
    if existing == .update, primaryKey != nil { return nil }
    let isKept = existing == .keep && primaryKey != nil
    return try run.transaction.make(
      ObjectMaking(
        of: className, from: source.className.value, keys: keys, changes, copied: copied,
        oneForEach: isKept ? .primaryKey : isDistinct ? .values : .object, wantsKeys: source.link != nil),
      environment: run.environment)
  }

  /// Notes what was made, and links to it.
  func finish(_ made: MadeObjects, from source: ObjectSource) throws {
    if let refusal = made.refusal { throw hinted(refusal) }
    run.report.createdCount += made.count
    guard source.link != nil else { return }
    try link(made.sources, to: made.objects, from: source)
  }

  /// The objects that are made, or that were there, one for each of the values, in their order.
  func make(_ objects: [Values]) throws -> [ObjectLink] { try objects.map { values in try make(values) } }

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
      throw hinted(error)
    }
  }

  private func hinted(_ error: EngineError) -> EngineError {
    guard error.kind == .constraint, error.hint == nil, primaryKey != nil, existing == .fail else {
      return error
    }
    return error.advising(
      "existing: keep links to the object that is there, existing: update changes it")
  }

  /// Links the objects from what they were made of, which rises; both by their keys.
  func link(_ owners: CompressedIntegers, to objects: CompressedIntegers, from source: ObjectSource) throws {
    guard let name = source.link?.value else { return }
    let origin = try run.tableKey(source.className.value)
    if let property = try run.transaction.schema(origin).property(named: name), property.collection == nil,
      property.target == table, property.index == .none
    {
      return try run.transaction.setLinks(
        origin, property, of: owners, slots: CompressedIntegers(objects.lazy.map { $0 + 1 }))
    }
    for (key, object) in zip(owners, objects) {
      try run.transaction.addLink(
        ObjectLink(table: table, key: ObjectKey(object)), to: ObjectLink(table: origin, key: ObjectKey(key)),
        name)
    }
  }
}
