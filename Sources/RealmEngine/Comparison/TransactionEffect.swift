// What a transaction did to objects, kept as values, so that it can be undone and done again. Layer: Comparison.
// It is found by comparing the two versions, so that no way of changing something can be forgotten; it costs what was changed.
// Invariant: an effect is applied only where every object that it touches still is what it was made from or left behind, and
// where no other object would change.

/// The objects that a transaction made, deleted and changed.
package struct TransactionEffect: Sendable {
  private(set) var objects: [ObjectEffect]
  /// Of what was touched: other files may use the same keys for something else.
  private(set) var classes: [TableKey: ClassSchema] = [:]

  /// What it would take to keep more than this many bytes of values is not worth having.
  private static let sizeMax = 1 << 26

  package enum Refusal: Error {
    /// Why this transaction cannot be undone, as the end of a sentence.
    case cannotBeUndone(String)
    case engine(EngineError)
  }

  /// From the committed version `old` to the half-done version of `transaction`. `before`: a transaction on `old` that nothing
  /// was changed in; values are read through it.
  package init(
    from old: ReadTransaction, read before: WriteTransaction, to transaction: WriteTransaction
  ) throws(Refusal) {
    objects = []
    do throws(EngineError) {
      let new = try transaction.view()
      if let reason = Self.otherSchema(old, new) { throw EngineError(.refused, reason) }
      var finder = try ObjectEffectFinder(
        old: EffectSide(old, before), new: EffectSide(new, transaction), sizeMax: Self.sizeMax)
      objects = try finder.all()
      let touched = Set(objects.map(\.link.table))
      for table in new.classes() where touched.contains(table.schema.tableKey) {
        classes[table.schema.tableKey] = table.schema
      }
    } catch {
      throw error.kind == .refused ? .cannotBeUndone(error.message) : .engine(error)
    }
  }

  package var isEmpty: Bool { objects.isEmpty }
  /// How many objects of each class.
  package typealias Counts = (created: Int, updated: Int, deleted: Int)

  package var counts: [TableKey: Counts] {
    var counts: [TableKey: Counts] = [:]
    for object in objects {
      counts[object.link.table, default: (0, 0, 0)].created += object.old == nil ? 1 : 0
      counts[object.link.table, default: (0, 0, 0)].deleted += object.new == nil ? 1 : 0
      counts[object.link.table, default: (0, 0, 0)].updated += object.old == nil || object.new == nil ? 0 : 1
    }
    return counts
  }

  /// The effect that takes this one back.
  package var reversed: TransactionEffect {
    var effect = self
    for index in objects.indices {
      effect.objects[index].old = objects[index].new
      effect.objects[index].new = objects[index].old
    }
    return effect
  }

  /// Why two versions with these schemas differ in more than objects; nil where they do not.
  private static func otherSchema(_ old: ReadTransaction, _ new: ReadTransaction) -> String? {
    let (before, after) = (old.classes(allTables: true), new.classes(allTables: true))
    let isSame =
      before.count == after.count
      && zip(before, after).allSatisfy { $0.schema.hasSameDefinition(as: $1.schema) }
    if !isSame { return "it changed the schema" }
    return old.schemaVersion == new.schemaVersion ? nil : "it changed the schema version"
  }
}

/// What happened to one object.
struct ObjectEffect: Sendable {
  let link: ObjectLink
  /// Nil where the object was not there; all its properties where it was not there on the other side; else those that differ.
  /// Embedded objects stand as what they hold.
  var old: [PropertyValue]?
  var new: [PropertyValue]?

  struct PropertyValue: Sendable {
    let column: ColumnKey
    let value: NewValue
  }
}

/// One of the two versions.
struct EffectSide {
  let realm: ReadTransaction
  let group: GroupEditor

  init(_ realm: ReadTransaction, _ transaction: WriteTransaction) {
    self.realm = realm
    group = transaction.group
  }

  func value(_ property: Property, of link: ObjectLink) throws(EngineError) -> NewValue {
    try group.copiedValue(of: link.key, try group.table(link.table), property)
  }

  func values(of link: ObjectLink, _ schema: ClassSchema) throws(EngineError) -> [ObjectEffect.PropertyValue]
  {
    var values: [ObjectEffect.PropertyValue] = []
    for property in schema.properties {
      values.append(
        ObjectEffect.PropertyValue(column: property.columnKey, value: try value(property, of: link)))
    }
    return values
  }
}

/// Finds what happened to each object.
private struct ObjectEffectFinder {
  private let old: EffectSide
  private let new: EffectSide
  private let owners: OwnerChanges
  private let pairs: [(old: Table, new: Table)]
  private var sizeLeft: Int
  private var objects: [ObjectEffect] = []

  /// Of what is kept about an object and a value beside its bytes.
  private static let objectSize = 96
  private static let valueSize = 64

  init(old: EffectSide, new: EffectSide, sizeMax: Int) throws(EngineError) {
    self.old = old
    self.new = new
    sizeLeft = sizeMax
    pairs = new.realm.classes().compactMap { table in
      old.realm.table(table.schema.tableKey).map { (old: $0, new: table) }
    }
    owners = try OwnerChanges(pairs, in: new.realm, isSharing: true)
  }

  mutating func all() throws(EngineError) -> [ObjectEffect] {
    for pair in pairs where pair.new.schema.kind != .embedded { try find(in: pair.old, pair.new) }
    return objects
  }

  private mutating func find(in before: Table, _ after: Table) throws(EngineError) {
    let schema = after.schema
    var owners = owners.owners[schema.tableKey] ?? [:]
    var difference = try TableDifference(from: before, to: after, isSharing: true)
    while let change = try difference.next() {
      try Interruption.check()
      let link = ObjectLink(table: schema.tableKey, key: change.key)
      guard let oldPosition = change.old, let newPosition = change.new,
        try schema.primaryKey.map({ key throws(EngineError) in
          try old.value(key, of: link).isSame(as: new.value(key, of: link))
        }) ?? true
      else {
        // One that goes, or one that comes, or both where another object has the object key.
        if change.old != nil {
          try add(ObjectEffect(link: link, old: try old.values(of: link, schema), new: nil))
        }
        if change.new != nil {
          try add(ObjectEffect(link: link, old: nil, new: try new.values(of: link, schema)))
        }
        owners.removeValue(forKey: change.key)
        continue
      }
      let inner = owners.removeValue(forKey: change.key) ?? []
      var properties: [Property] = []
      for pair in change.properties {
        let mayDiffer = try differs(pair, oldPosition, newPosition)
        if mayDiffer || inner.contains(pair.new.columnKey) { properties.append(pair.new) }
      }
      for property in schema.properties
      where inner.contains(property.columnKey)
        && !properties.contains(where: { $0.columnKey == property.columnKey })
      {
        properties.append(property)
      }
      try addChange(of: properties, link)
    }
    for (key, columns) in owners {
      try addChange(
        of: schema.properties.filter { columns.contains($0.columnKey) },
        ObjectLink(table: schema.tableKey, key: key))
    }
  }

  /// Whether single values differ; of others it is found out when they are read.
  private func differs(
    _ pair: PropertyPair, _ before: ObjectPosition, _ after: ObjectPosition
  ) throws(EngineError) -> Bool {
    guard pair.new.collection == nil, pair.new.type != .mixed else { return true }
    let oldValue = try before.block.leaf(pair.old).value(
      before.row, in: old.realm.snapshot, target: pair.old.target)
    let newValue = try after.block.leaf(pair.new).value(
      after.row, in: new.realm.snapshot, target: pair.new.target)
    return !NewValue.single(oldValue).isSame(as: .single(newValue))
  }

  private mutating func addChange(of properties: [Property], _ link: ObjectLink) throws(EngineError) {
    var effect = ObjectEffect(link: link, old: [], new: [])
    for property in properties {
      let (before, after) = (try old.value(property, of: link), try new.value(property, of: link))
      guard !before.isSame(as: after) else { continue }
      effect.old?.append(ObjectEffect.PropertyValue(column: property.columnKey, value: before))
      effect.new?.append(ObjectEffect.PropertyValue(column: property.columnKey, value: after))
    }
    if !(effect.new ?? []).isEmpty { try add(effect) }
  }

  private mutating func add(_ effect: ObjectEffect) throws(EngineError) {
    let values = (effect.old ?? []) + (effect.new ?? [])
    sizeLeft -= values.reduce(Self.objectSize) { $0 + Self.valueSize + $1.value.byteCount }
    guard sizeLeft >= 0 else { throw EngineError(.refused, "it changed too much at once") }
    objects.append(effect)
  }
}

extension ClassSchema {
  /// Whether users could not tell it from the other one.
  fileprivate func hasSameDefinition(as other: ClassSchema) -> Bool {
    tableKey == other.tableKey && tableName == other.tableName && kind == other.kind
      && primaryKeyIndex == other.primaryKeyIndex && properties.count == other.properties.count
      && zip(properties, other.properties).allSatisfy { $0.hasSameDefinition(as: $1) }
  }
}

extension Property {
  fileprivate func hasSameDefinition(as other: Property) -> Bool {
    columnKey == other.columnKey && name == other.name && type == other.type
      && collection == other.collection && isOptional == other.isOptional && index == other.index
      && target == other.target
  }
}
