// The changes that are made to realms that are broken on purpose.

import ByteText
import RealmEngine
import TestSupport

/// One kind of change.
struct RealmChange: Sendable {
  typealias Make =
    @Sendable (WriteTransaction, ReadTransaction, inout SplitMix64) throws(EngineError) ->
    ChangePermission

  let name: String
  let make: Make

  private init(_ name: String, _ make: @escaping Make) {
    self.name = name
    self.make = make
  }

  static let all: [RealmChange] = [
    RealmChange("update", update), RealmChange("update", update), RealmChange("update all", updateAll),
    RealmChange("insert", insert), RealmChange("insert", insert), RealmChange("delete", delete),
    RealmChange("delete", delete), RealmChange("delete all", deleteAll),
    RealmChange("add property", addProperty),
    RealmChange("remove property", removeProperty), RealmChange("rename property", renameProperty),
    RealmChange("index", setIndex), RealmChange("optional", setOptional),
    RealmChange("drop class", dropClass),
    RealmChange("rename class", renameClass), RealmChange("add class", addClass),
    RealmChange("primary key", setPrimaryKey), RealmChange("nothing", touch),
  ]

  // MARK: Choices

  private static func below(_ limit: Int, _ random: inout SplitMix64) -> Int {
    Int(random.next() % UInt64(max(1, limit)))
  }

  private static let nothing = EngineError(.notFound, "there is nothing to change")

  private static func table(
    _ realm: ReadTransaction, _ random: inout SplitMix64, kind: ClassSchema.Kind? = nil
  ) throws(EngineError) -> Table {
    let tables = realm.classes().filter { kind == nil || $0.schema.kind == kind }
    guard !tables.isEmpty else { throw nothing }
    return tables[below(tables.count, &random)]
  }

  /// Some object of the table.
  private static func object(_ table: Table, _ random: inout SplitMix64) throws(EngineError) -> ObjectLink {
    var cursor = table.blocks()
    var keys: [ObjectKey] = []
    while let block = try cursor.next(), keys.count < 2000 {
      for row in 0..<block.count { keys.append(block.key(row)) }
    }
    guard !keys.isEmpty else { throw nothing }
    return ObjectLink(table: table.schema.tableKey, key: keys[below(keys.count, &random)])
  }

  private static func property(
    _ table: Table, _ random: inout SplitMix64, where isWanted: (Property) -> Bool = { _ in true }
  ) throws(EngineError) -> Property {
    let properties = table.schema.properties.filter(isWanted)
    guard !properties.isEmpty else { throw nothing }
    return properties[below(properties.count, &random)]
  }

  private static func isPrimary(_ property: Property, _ table: Table) -> Bool {
    property.columnKey == table.schema.primaryKey?.columnKey
  }

  /// A value that fits; nil where the property owns objects.
  private static func value(
    _ property: Property, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> NewValue? {
    let single = try single(property, realm, &random)
    guard let single else { return nil }
    let count = below(4, &random)
    switch property.collection {
    case nil: return single
    case .list: return .list(Array(repeating: single, count: count))
    case .set: return .set(Array(repeating: single, count: count))
    case .dictionary: return .dictionary(count == 0 ? [] : [(ByteString(copying: Array("zz".utf8)), single)])
    }
  }

  private static func single(
    _ property: Property, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> NewValue? {
    let number = Int64(below(1000, &random))
    if property.isOptional, property.type != .object, number % 5 == 0 { return .null }
    switch property.type {
    case .int: return .single(.int(number))
    case .bool: return .single(.bool(number % 2 == 0))
    case .float: return .single(.float(Float(number)))
    case .double: return .single(.double(Double(number)))
    case .string:
      let text = String(repeating: "text \(number) ", count: 1 << below(9, &random))
      return .single(.string(ByteString(copying: Array(text.utf8))))
    case .data: return .single(.data(ByteString(copying: Array(repeating: 7, count: Int(number) * 20))))
    case .date: return .single(.date(Timestamp(seconds: number, nanoseconds: 5)))
    case .decimal128: return .single(.decimal(Decimal128(number)))
    case .objectID: return .single(.objectID(ObjectID(high: 9, low: 9)))
    case .uuid: return .single(.uuid(UUIDValue(high: 8, low: 8)))
    case .mixed: return number % 2 == 0 ? .single(.int(number)) : .list([.single(.int(number)), .null])
    case .object:
      guard let target = property.target.flatMap(realm.table), target.schema.kind != .embedded else {
        return nil
      }
      if property.collection == nil, number % 3 == 0 { return .null }
      return .single(.link(try object(target, &random)))
    case .typedLink, .backlink: return nil
    }
  }

  // MARK: Objects

  private static func update(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let property = try property(table, &random) { !isPrimary($0, table) }
    let link = try object(table, &random)
    guard let value = try value(property, realm, &random) else { throw nothing }
    try transaction.update(link, [(property.name, value)])
    return ChangePermission(
      objects: [RealmPicture.name(link, in: realm)], changesEmbedded: table.schema.kind == .embedded)
  }

  private static func updateAll(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let property = try property(table, &random) { !isPrimary($0, table) }
    guard let value = try value(property, realm, &random) else { throw nothing }
    for block in try table.allBlocks() {
      for row in 0..<block.count {
        let link = ObjectLink(table: table.schema.tableKey, key: block.key(row))
        try transaction.update(link, [(property.name, value)])
      }
    }
    return ChangePermission(classes: [table.schema.name], changesEmbedded: table.schema.kind == .embedded)
  }

  private static func insert(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random, kind: .object)
    var values: [(property: String, value: NewValue)] = []
    for property in table.schema.properties {
      guard let value = try value(property, realm, &random) else { continue }
      if isPrimary(property, table), property.type == .string {
        values.append((property.name, .single(.string(ByteString(copying: Array("new one".utf8))))))
      } else if isPrimary(property, table), property.type == .int {
        values.append((property.name, .single(.int(987_654_321))))
      } else if isPrimary(property, table) || below(2, &random) == 0 {
        values.append((property.name, value))
      }
    }
    _ = try transaction.create(table.schema.tableKey, values)
    return ChangePermission(mayAddObjects: true)
  }

  private static func delete(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let link = try object(table, &random)
    try transaction.erase([link])
    return ChangePermission(
      classes: embedded(realm), erased: [RealmPicture.name(link, in: realm)],
      changesEmbedded: table.schema.kind == .embedded)
  }

  private static func deleteAll(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    var links: [ObjectLink] = []
    for block in try table.allBlocks() {
      for row in 0..<block.count {
        links.append(ObjectLink(table: table.schema.tableKey, key: block.key(row)))
      }
    }
    try transaction.erase(links)
    return ChangePermission(
      classes: embedded(realm), erased: Set(links.map { RealmPicture.name($0, in: realm) }),
      changesEmbedded: table.schema.kind == .embedded)
  }

  /// Their objects go with their owners.
  private static func embedded(_ realm: ReadTransaction) -> Set<String> {
    Set(realm.classes().filter { $0.schema.kind == .embedded }.map(\.schema.name))
  }

  // MARK: Schema

  private static func addProperty(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let type = [ValueType.int, .string, .mixed, .date, .decimal128, .bool][below(6, &random)]
    let collection = [nil, nil, CollectionKind.list, .set, .dictionary][below(5, &random)]
    try transaction.addProperty(
      table.schema.name,
      PropertyDefinition(
        "zz new", type, collection: collection, isOptional: type == .mixed || below(2, &random) == 0))
    return ChangePermission(
      extendedClasses: [table.schema.name], changesEmbedded: table.schema.kind == .embedded)
  }

  private static func removeProperty(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    try transaction.removeProperty(table.schema.name, try property(table, &random).name)
    return ChangePermission(
      classes: embedded(realm).union([table.schema.name]), changesEmbedded: table.schema.kind == .embedded)
  }

  private static func renameProperty(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    try transaction.renameProperty(table.schema.name, try property(table, &random).name, to: "zz other")
    return ChangePermission(classes: [table.schema.name], changesEmbedded: table.schema.kind == .embedded)
  }

  private static func setIndex(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let property = try property(table, &random)
    let index: Property.Index =
      property.index == .none
      ? property.type == .string && below(2, &random) == 0 ? .fullText : .general : .none
    try transaction.setIndex(table.schema.name, property.name, index)
    return ChangePermission()
  }

  private static func setOptional(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    let property = try property(table, &random)
    try transaction.setOptional(table.schema.name, property.name, !property.isOptional)
    return ChangePermission()
  }

  private static func setPrimaryKey(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random, kind: .object)
    let name = table.schema.primaryKey == nil ? try property(table, &random).name : nil
    try transaction.setPrimaryKey(table.schema.name, name)
    return ChangePermission()
  }

  private static func renameClass(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    try transaction.renameClass(table.schema.name, to: "ZZ")
    // All that leads to one of its objects names the class.
    return ChangePermission(classes: Set(realm.classes().map(\.schema.name)), mayAddObjects: true)
  }

  private static func dropClass(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let table = try table(realm, &random)
    try transaction.removeClass(table.schema.name)
    return ChangePermission(classes: Set(realm.classes().map(\.schema.name)))
  }

  private static func addClass(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    let target = try table(realm, &random, kind: .object).schema.name
    try transaction.addClasses([
      ClassDefinition(
        "ZZ", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int), PropertyDefinition("to", .object, isOptional: true, target: target),
        ])
    ])
    return ChangePermission()
  }

  private static func touch(
    _ transaction: WriteTransaction, _ realm: ReadTransaction, _ random: inout SplitMix64
  ) throws(EngineError) -> ChangePermission {
    try transaction.setSchemaVersion(Int64(below(100, &random)))
    return ChangePermission()
  }
}
