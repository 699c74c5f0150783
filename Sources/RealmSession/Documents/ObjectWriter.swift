// Does what edits ask for. Layer: RealmSession, Documents.
// An object comes before what it links to, and values with links to what is not there yet wait: objects of one statement may
// link to each other by primary key, whichever comes first.

import RealmEngine

/// A value with a link to an object that was not there when its owner was made or changed.
struct LateValue {
  let owner: ObjectLink
  let property: String
  let value: EditValue
  let place: DocumentPlace
  /// When it began to wait.
  let moment: Int
}

/// What becomes of a link to an object that there is not.
package enum LinkPolicy: String, CaseIterable, Sendable {
  /// It is an error.
  case require
  /// The object is made, with its primary key alone.
  case create
  /// The link leads nowhere; in a list it is left out.
  case null
}

/// Makes and changes objects in one transaction.
struct ObjectWriter {
  let transaction: WriteTransaction
  private let policy: LinkPolicy
  /// How many objects were made.
  private(set) var insertedCount = 0
  /// How many links to objects that are not there were left out, by the class.
  private(set) var lostLinks: [String: Int] = [:]
  private var tallies: [TableKey: Tally] = [:]
  private var late: [LateValue] = []
  /// Counts values that begin to wait and objects that are changed: what came later counts.
  private var moment = 0
  private var hasWaiting = false
  private var changes: [ChangedProperty: Int] = [:]

  /// Of one class.
  private struct Tally {
    let name: String
    var created = 0
    var updated = 0
  }

  private struct ChangedProperty: Hashable {
    let owner: ObjectLink
    let property: String
  }

  init(_ transaction: WriteTransaction, links policy: LinkPolicy = .require) {
    self.transaction = transaction
    self.policy = policy
  }

  /// What was done so far.
  var counts: ChangeCounts {
    var counts = ChangeCounts()
    for (_, tally) in tallies.sorted(by: { $0.key.value < $1.key.value }) {
      counts.add(created: tally.created, updated: tally.updated, to: tally.name)
    }
    return counts
  }

  mutating func forgetCounts() { tallies = [:] }

  /// Makes the object. Throws where its primary key is taken.
  mutating func insert(_ edit: ObjectEdit) throws -> ObjectLink { try make(edit) }

  /// Changes an object that is there.
  mutating func change(_ link: ObjectLink, _ edit: ObjectEdit) throws {
    if hasWaiting { noteChange(of: link, edit) }
    try set(edit.values, of: link, edit.place)
    tallies[edit.schema.tableKey, default: Tally(name: edit.schema.name)].updated += 1
  }

  private mutating func noteChange(of link: ObjectLink, _ edit: ObjectEdit) {
    moment += 1
    for (name, _) in edit.values where edit.schema.property(named: name)?.mayWait ?? false {
      changes[ChangedProperty(owner: link, property: name)] = moment
    }
  }

  /// Says that a value waits from now on.
  mutating func beginWaiting() -> Int {
    hasWaiting = true
    moment += 1
    return moment
  }

  /// Whether a property was given another value since a moment.
  func isChanged(_ owner: ObjectLink, _ property: String, since moment: Int) -> Bool {
    !changes.isEmpty && changes[ChangedProperty(owner: owner, property: property)] ?? 0 > moment
  }

  /// The values that wait since this was asked last.
  mutating func takeLateValues() -> [LateValue] {
    defer { late = [] }
    return late
  }

  /// Throws where a link leads nowhere. What was changed since it waits stays.
  mutating func set(_ value: LateValue) throws {
    if isChanged(value.owner, value.property, since: value.moment) { return }
    let new = try resolved(value.value, of: value.property, value.owner)
    try write([(value.property, new)], to: value.owner, value.place)
  }

  private mutating func changeOrMake(_ edit: ObjectEdit) throws -> ObjectLink {
    let table = edit.schema.tableKey
    guard let primaryKey = edit.primaryKey, let key = try transaction.find(table, primaryKey: primaryKey)
    else {
      return try make(edit)
    }
    let link = ObjectLink(table: table, key: key)
    // The primary key alone only names it.
    if edit.values.contains(where: { $0.property != edit.schema.primaryKey?.name }) { try change(link, edit) }
    return link
  }

  mutating func make(_ edit: ObjectEdit) throws -> ObjectLink {
    if let missing = edit.missing { throw ObjectReader.lack(missing, edit) }
    var values: [(property: String, value: NewValue)] = []
    for (name, value) in edit.values where !value.needsOthers {
      values.append((name, try resolved(value)))
    }
    let key = try placed(edit.place) { () throws(EngineError) in
      try transaction.create(edit.schema.tableKey, key: edit.objectKey, values)
    }
    let link = ObjectLink(table: edit.schema.tableKey, key: key)
    try set(edit.values.filter(\.value.needsOthers), of: link, edit.place)
    tallies[edit.schema.tableKey, default: Tally(name: edit.schema.name)].created += 1
    insertedCount += 1
    return link
  }

  private mutating func set(
    _ values: [(property: String, value: EditValue)], of link: ObjectLink, _ place: DocumentPlace
  ) throws {
    var resolved: [(property: String, value: NewValue)] = []
    for (name, value) in values {
      if try isReady(value) {
        resolved.append((name, try self.resolved(value, of: name, link)))
      } else {
        late.append(
          LateValue(owner: link, property: name, value: value, place: place, moment: beginWaiting()))
      }
    }
    try write(resolved, to: link, place)
  }

  /// The value for a property of an object that is there.
  private mutating func resolved(
    _ value: EditValue, of name: String, _ owner: ObjectLink
  ) throws -> NewValue {
    guard case .embedded(let edit) = value, edit.isPartial,
      let property = try transaction.schema(owner.table).property(named: name)
    else { return try resolved(value) }
    return try merged(edit, with: try transaction.newValue(of: property, owner))
  }

  /// What an embedded object has become, of which some values are given.
  private mutating func merged(_ edit: ObjectEdit, with former: NewValue) throws -> NewValue {
    guard case .embedded(var values) = former else { return try resolved(.embedded(edit)) }
    for (name, value) in edit.values {
      let index = values.firstIndex { $0.property == name }
      let new: NewValue
      if case .embedded(let inner) = value, inner.isPartial {
        new = try merged(inner, with: index.map { values[$0].value } ?? .null)
      } else {
        new = try resolved(value)
      }
      if let index { values[index].value = new } else { values.append((name, new)) }
    }
    return .embedded(values)
  }

  private func write(
    _ values: [(property: String, value: NewValue)], to link: ObjectLink, _ place: DocumentPlace
  ) throws {
    guard !values.isEmpty else { return }
    try placed(place) { () throws(EngineError) in try transaction.update(link, values) }
  }

  /// An object that is to be made is always ready: what it links to itself may wait.
  private func isReady(_ value: EditValue) throws -> Bool {
    switch value {
    case .single, .object: true
    case .list(let elements), .set(let elements): try elements.allSatisfy(isReady)
    case .dictionary(let entries): try entries.allSatisfy { try isReady($0.value) }
    case .embedded(let edit): try edit.values.allSatisfy { try isReady($0.value) }
    case .primaryKey(let key, let schema, _): try transaction.find(schema.tableKey, primaryKey: key) != nil
    case .objectKey(let link, _, _): try hasObject(link)
    }
  }

  private func hasObject(_ link: ObjectLink) throws -> Bool {
    try link.key.value >= 0 && transaction.hasObject(link)
  }

  /// The value with every link looked up, after the objects that it needs were made.
  mutating func resolved(_ value: EditValue) throws -> NewValue {
    try value.linked { try link($0) } ?? .null
  }

  /// What a link leads to.
  private mutating func link(_ value: EditValue) throws -> NewValue {
    switch value {
    case .object(let edit): return .single(.link(try changeOrMake(edit)))
    case .primaryKey(let key, let schema, let place):
      let found = try target(key, in: schema, place)
      return .single(found.map { .link(ObjectLink(table: schema.tableKey, key: $0)) } ?? .null)
    case .objectKey(let link, let schema, let place):
      if try hasObject(link) { return .single(.link(link)) }
      guard policy == .null else {
        throw DocumentFault(
          "\(schema.name) has no object with the object key \(link.key.value)", at: place, code: "no-object")
      }
      noteLostLink(to: schema)
      return .null
    default: preconditionFailure("links are asked for")
    }
  }

  /// The object with a primary key, made where it may be; nil where the link is to lead nowhere.
  mutating func target(
    _ key: Value, in schema: ClassSchema, _ place: DocumentPlace
  ) throws -> ObjectKey? {
    if let found = try transaction.find(schema.tableKey, primaryKey: key) { return found }
    switch policy {
    case .null:
      noteLostLink(to: schema)
      return nil
    case .require:
      throw DocumentFault(
        "\(schema.name) has no object with \(schema.words(ofKey: key))", at: place, code: "no-object")
    case .create:
      guard let primaryKey = schema.primaryKey else { return nil }
      var edit = ObjectEdit(schema: schema, place: place)
      edit.primaryKey = key
      edit.values = [(primaryKey.name, .single(key))]
      edit.missing =
        schema.properties.first { $0.columnKey != primaryKey.columnKey && $0.needsValue(in: schema) }?.name
      return try make(edit).key
    }
  }

  mutating func noteLostLink(to schema: ClassSchema) { lostLinks[schema.name, default: 0] += 1 }

  /// A refusal of the engine, with the place of the object in its document.
  private func placed<Result>(
    _ place: DocumentPlace, _ body: () throws(EngineError) -> Result
  ) throws -> Result {
    do throws(EngineError) {
      return try body()
    } catch {
      guard error.kind == .constraint || error.kind == .refused else { throw error }
      throw DocumentFault(error.message, at: place, hint: error.hint, code: "constraint")
    }
  }
}

extension Property {
  /// Whether its values may hold links.
  fileprivate var mayWait: Bool { isLink || type == .mixed }
}
