import RealmEngine
import TestSupport
import Testing

/// Does the same random things to a realm and to a model.
struct RandomRealm {
  var random: SplitMix64
  var model = ModelRealm()
  var realm: WritableDatabase
  private var counter = 0

  private static let types: [ValueType] = [
    .int, .bool, .string, .data, .date, .float, .double, .decimal128, .objectID, .uuid, .mixed, .object,
  ]

  /// Whether links stand where the reference engine's own checks stumble: in collections that are nested twice, and in
  /// mixed properties with an index, which it forgets when it nullifies a link.
  private let hasDeepLinks: Bool

  init(seed: UInt64, _ realm: WritableDatabase, hasDeepLinks: Bool) {
    random = SplitMix64(state: seed)
    self.hasDeepLinks = hasDeepLinks
    self.realm = realm
  }

  private mutating func name(_ prefix: String) -> String {
    counter += 1
    return "\(prefix)\(counter)"
  }

  private func names(embedded: Bool) -> [String] {
    model.classes.values.filter { ($0.definition.kind == .embedded) == embedded }.map(\.definition.name)
      .sorted()
  }

  // MARK: Schema

  private mutating func property(in owner: String, targets: [String]) -> PropertyDefinition {
    let type = Self.types[random.below(Self.types.count)]
    let kinds: [CollectionKind?] = [nil, nil, nil, .list, .set, .dictionary]
    var collection = kinds[random.below(kinds.count)]
    let target = type == .object ? targets[random.below(targets.count)] : nil
    if let target, model.classes[target]?.definition.kind == .embedded, collection == .set {
      collection = .list
    }
    var index = Property.Index.none
    if random.oneIn(3) {
      if collection == nil, type == .string, random.oneIn(2) {
        index = .fullText
      } else if collection == nil,
        [.int, .bool, .string, .date, .objectID, .uuid, .mixed].contains(type)
      {
        index = .general
      }
    }
    let isOptional =
      type == .mixed || (type == .object ? collection == nil || collection == .dictionary : random.oneIn(2))
    return PropertyDefinition(
      name("p"), type, collection: collection, isOptional: isOptional, index: index, target: target)
  }

  private mutating func addClass(_ write: WriteTransaction) throws {
    let name = name("C")
    var definition = ClassDefinition(
      name, kind: random.oneIn(4) && !model.classes.isEmpty ? .embedded : .object, properties: [])
    let targets =
      names(embedded: false) + names(embedded: true) + (definition.kind == .embedded ? [] : [name])
    if definition.kind == .object, random.oneIn(2) {
      let types: [ValueType] = [.int, .string, .objectID, .uuid]
      definition.properties.append(
        PropertyDefinition("_id", types[random.below(4)], isOptional: random.oneIn(3)))
      definition.primaryKey = "_id"
    }
    for _ in 0..<1 + random.below(6) {
      definition.properties.append(property(in: name, targets: targets.isEmpty ? [name] : targets))
    }
    try write.addClasses([definition])
    model.classes[name] = ModelRealm.Class(definition: definition)
  }

  static func defaultContent(_ property: PropertyDefinition) -> ModelRealm.Content {
    switch property.type.collection {
    case .list?: return .list([])
    case .set?: return .set([])
    case .dictionary?: return .dictionary([:])
    case nil: break
    }
    if property.type.isOptional { return .null }
    let value: Value =
      switch property.type.type {
      case .int: .int(0)
      case .bool: .bool(false)
      case .string: .string(ByteString(""))
      case .data: .data(ByteString(""))
      case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
      case .float: .float(0)
      case .double: .double(0)
      case .decimal128: .decimal(.zero)
      case .objectID: .objectID(ObjectID(high: 0, low: 0))
      case .uuid: .uuid(UUIDValue(high: 0, low: 0))
      default: .null
      }
    return ModelRealm.content(value) { _ in "" }
  }

  /// Embedded classes hold no more than the model sees through their owners, so only others change.
  private mutating func changeSchema(_ write: WriteTransaction) throws {
    let candidates = names(embedded: false)
    guard let owner = candidates.randomElement(using: &random),
      var definition = model.classes[owner]?.definition
    else { return }
    let changeable = definition.properties.indices.filter {
      definition.properties[$0].name != definition.primaryKey
    }
    switch random.below(6) {
    case 0:
      let new = property(in: owner, targets: candidates + names(embedded: true))
      try write.addProperty(owner, new)
      definition.properties.append(new)
      for key in model.classes[owner]!.objects.keys {
        model.classes[owner]!.objects[key]![new.name] = Self.defaultContent(new)
      }
    case 1:
      guard changeable.count > 1, let index = changeable.randomElement(using: &random) else { return }
      let old = definition.properties.remove(at: index)
      try write.removeProperty(owner, old.name)
      for key in model.classes[owner]!.objects.keys { model.classes[owner]!.objects[key]![old.name] = nil }
    case 2:
      guard let index = changeable.randomElement(using: &random) else { return }
      let old = definition.properties[index].name
      let new = name("r")
      try write.renameProperty(owner, old, to: new)
      definition.properties[index].name = new
      for key in model.classes[owner]!.objects.keys {
        model.classes[owner]!.objects[key]![new] = model.classes[owner]!.objects[key]!.removeValue(
          forKey: old)
      }
    case 3:
      guard let index = changeable.randomElement(using: &random) else { return }
      let property = definition.properties[index]
      let wanted: [Property.Index] = [.none, .general, .fullText]
      let new = wanted[random.below(3)]
      let allowed: Bool =
        switch new {
        case .none: true
        case .general:
          property.type.collection == nil
            && ([.int, .bool, .string, .date, .objectID, .uuid].contains(property.type.type)
              || property.type.type == .mixed && hasDeepLinks)
        case .fullText: property.type.collection == nil && property.type.type == .string
        }
      guard allowed else { return }
      try write.setIndex(owner, property.name, new)
      definition.properties[index].index = new
    case 4:
      guard let index = changeable.randomElement(using: &random) else { return }
      let property = definition.properties[index]
      guard property.type.type != .object, property.type.type != .mixed, !property.type.isOptional else {
        return
      }
      try write.setOptional(owner, property.name, true)
      definition.properties[index].type.isOptional = true
    default:
      guard random.oneIn(3), candidates.count > 2 else { return }
      let isTarget = model.classes.values.contains { other in
        other.definition.name != owner && other.definition.properties.contains { $0.type.target == owner }
      }
      guard !isTarget else {
        #expect(throws: EngineError.self) { try write.removeClass(owner) }
        return
      }
      try write.removeClass(owner)
      let gone = model.classes.removeValue(forKey: owner)
      for key in gone?.objects.keys.map({ $0 }) ?? [] { model.forget(owner, key) }
      return
    }
    model.classes[owner]!.definition = definition
  }

  // MARK: Objects

  private func link(_ table: String, _ write: WriteTransaction, _ key: Int64) throws -> Value {
    let schema = try #require(try write.schema(named: table))
    return .link(ObjectLink(table: schema.tableKey, key: ObjectKey(key)))
  }

  private mutating func single(
    _ property: PropertyDefinition, _ write: WriteTransaction, depth: Int, linksNested: Bool = true
  ) throws -> (NewValue, ModelRealm.Content)? {
    if property.type.type == .object, let target = property.type.target {
      guard let definition = model.classes[target]?.definition else { return nil }
      if definition.kind == .embedded {
        guard depth < 3 else { return nil }
        let (values, contents) = try object(definition, write, depth: depth + 1)
        return (.embedded(values), .embedded(contents))
      }
      guard let key = model.classes[target]!.objects.keys.sorted().randomElement(using: &random) else {
        return nil
      }
      return (.single(try link(target, write, key)), .link(table: target, key: key))
    }
    let isInSet = property.type.collection == .set
    if property.type.isOptional && property.type.type != .mixed && random.oneIn(4) { return (.null, .null) }
    if property.type.type == .mixed, !isInSet, random.oneIn(4) {
      return try mixed(write, depth: depth, linksNested: linksNested)
    }
    let mayLink = hasDeepLinks || property.index == .none && (depth == 0 || depth == 1 && linksNested)
    if property.type.type == .mixed, mayLink, random.oneIn(4),
      let target = names(embedded: false).randomElement(using: &random),
      let key = model.classes[target]!.objects.keys.sorted().randomElement(using: &random)
    {
      return (.single(try link(target, write, key)), .link(table: target, key: key))
    }
    let value = random.value(property.type.type, inSet: isInSet)
    return (.single(value), ModelRealm.content(value) { _ in "" })
  }

  private mutating func mixed(
    _ write: WriteTransaction, depth: Int, linksNested: Bool
  ) throws -> (NewValue, ModelRealm.Content) {
    let element = PropertyDefinition("", .mixed, isOptional: true)
    var values: [NewValue] = []
    var contents: [ModelRealm.Content] = []
    if depth < 3 {
      for _ in 0..<random.below(4) {
        guard let (value, content) = try single(element, write, depth: depth + 1, linksNested: linksNested)
        else { continue }
        values.append(value)
        contents.append(content)
      }
    }
    if random.oneIn(2) { return (.list(values), .list(contents)) }
    let keys = values.indices.map { "k\($0)é" }
    return (
      .dictionary(zip(keys, values).map { (ByteString($0), $1) }),
      .dictionary(Dictionary(uniqueKeysWithValues: zip(keys, contents)))
    )
  }

  private mutating func value(
    _ property: PropertyDefinition, _ write: WriteTransaction, depth: Int
  ) throws -> (NewValue, ModelRealm.Content)? {
    guard let collection = property.type.collection else { return try single(property, write, depth: depth) }
    var values: [NewValue] = []
    var contents: [ModelRealm.Content] = []
    let count = random.oneIn(30) && property.type.type != .object && depth == 0 ? 1500 : random.below(6)
    for _ in 0..<count {
      guard let (value, content) = try single(property, write, depth: depth, linksNested: false) else {
        continue
      }
      values.append(value)
      contents.append(content)
    }
    switch collection {
    case .list: return (.list(values), .list(contents))
    case .set: return (.set(values), .set(Set(contents.map(ModelRealm.setText)).sorted()))
    case .dictionary:
      let keys = values.indices.map { "key \($0 * 7 % 1000) \($0)" }
      return (
        .dictionary(zip(keys, values).map { (ByteString($0), $1) }),
        .dictionary(Dictionary(uniqueKeysWithValues: zip(keys, contents)))
      )
    }
  }

  private mutating func object(
    _ definition: ClassDefinition, _ write: WriteTransaction, depth: Int
  ) throws -> (values: [(property: String, value: NewValue)], contents: [String: ModelRealm.Content]) {
    var values: [(property: String, value: NewValue)] = []
    var contents: [String: ModelRealm.Content] = [:]
    for property in definition.properties {
      contents[property.name] = Self.defaultContent(property)
      if random.oneIn(5) && property.name != definition.primaryKey { continue }
      guard let (value, content) = try value(property, write, depth: depth) else { continue }
      values.append((property.name, value))
      contents[property.name] = content
    }
    return (values, contents)
  }

  private mutating func create(_ write: WriteTransaction) throws {
    guard let owner = names(embedded: false).randomElement(using: &random) else { return }
    let definition = model.classes[owner]!.definition
    let (values, contents) = try object(definition, write, depth: 0)
    let table = try #require(try write.schema(named: owner)).tableKey
    if let primaryKey = definition.primaryKey,
      model.classes[owner]!.objects.values.contains(where: { $0[primaryKey] == contents[primaryKey] })
    {
      #expect(throws: EngineError.self) { try write.create(table, values) }
      return
    }
    let key = try write.create(table, values)
    #expect(model.classes[owner]!.objects[key.value] == nil)
    model.classes[owner]!.objects[key.value] = contents
  }

  private mutating func update(_ write: WriteTransaction) throws {
    guard let owner = names(embedded: false).randomElement(using: &random),
      let key = model.classes[owner]!.objects.keys.sorted().randomElement(using: &random)
    else { return }
    let definition = model.classes[owner]!.definition
    guard
      let property = definition.properties.filter({ $0.name != definition.primaryKey }).randomElement(
        using: &random),
      let (value, content) = try value(property, write, depth: 0)
    else { return }
    let table = try #require(try write.schema(named: owner)).tableKey
    try write.update(ObjectLink(table: table, key: ObjectKey(key)), [(property.name, value)])
    model.classes[owner]!.objects[key]![property.name] = content
  }

  private mutating func erase(_ write: WriteTransaction) throws {
    guard let owner = names(embedded: false).randomElement(using: &random) else { return }
    let table = try #require(try write.schema(named: owner)).tableKey
    let keys = model.classes[owner]!.objects.keys.sorted().shuffled(using: &random)
      .prefix(random.oneIn(10) ? 400 : 1 + random.below(3))
    try write.erase(keys.map { ObjectLink(table: table, key: ObjectKey($0)) })
    for key in keys {
      model.classes[owner]!.objects[key] = nil
      model.forget(owner, key)
    }
  }

  // MARK: Running

  /// One transaction of `count` random changes.
  mutating func run(_ count: Int, isAllCreation: Bool = false, mayRollBack: Bool = true) throws {
    let write = try realm.begin()
    for _ in 0..<count {
      switch random.below(100) {
      case _ where model.classes.count < 2: try addClass(write)
      case 0..<2 where model.classes.count < 8: try addClass(write)
      case 2..<8: try changeSchema(write)
      case 8..<18 where !isAllCreation: try erase(write)
      case 18..<45 where !isAllCreation: try update(write)
      default: try create(write)
      }
    }
    if mayRollBack, random.oneIn(8) { return }
    // A view in the middle shows what will be committed.
    if random.oneIn(3) { try compare(try write.view()) }
    try realm.commit(write)
  }

  /// Compares a version of the realm with the model.
  func compare(_ transaction: ReadTransaction) throws {
    let reader = ModelReader(realm: transaction)
    let found = transaction.classes().filter { $0.schema.kind == .object }.map(\.schema.name).sorted()
    #expect(found == names(embedded: false))
    for name in found {
      let table = try #require(transaction.table(named: name))
      let expected = model.classes[name]!
      #expect(table.count == expected.objects.count, "\(name)")
      #expect(table.schema.properties.map(\.name) == expected.definition.properties.map(\.name))
      let objects = try reader.objects(table)
      for (key, contents) in expected.objects {
        guard let object = objects[key] else {
          Issue.record("\(name) lacks the object \(key)")
          continue
        }
        for (property, content) in contents where object[property] != content {
          Issue.record(
            "\(name) \(key) \(property): expected \(content), found \(object[property].map { "\($0)" } ?? "none")"
          )
        }
      }
    }
  }
}
