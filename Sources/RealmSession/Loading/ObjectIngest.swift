// Objects on their way into classes, whichever text they come from: many at once where that can be, else one by one.
// Layer: RealmSession, Loading.
// Invariants: an object that is refused has left nothing behind, so that others can go on; links may lead to objects that come
// later, so they are looked up again when all are there.

import ByteText
package import RealmEngine
import TextFormats

/// What becomes of an object whose primary key is there already.
package enum IngestMode: String, CaseIterable, Sendable {
  /// It is an error.
  case insert
  /// It changes the object that is there.
  case upsert
  /// It is passed over.
  case skip
}

/// Makes and changes objects in one transaction.
package final class ObjectIngest {
  let transaction: WriteTransaction
  package private(set) var mode: IngestMode
  private let links: LinkPolicy
  /// Whether a primary key that is there shows as soon as the object comes, and not when all are there.
  private var asksKeysAtOnce: Bool
  private var writer: ObjectWriter
  private var load: BulkLoad?
  private var classes: [TableKey: IngestClass] = [:]
  private var late: [(value: LateValue, source: Int)] = []
  /// What was still waiting when a part was settled.
  private var unsettled: [(value: LateValue, source: Int)] = []
  private var updates: [(object: ObjectLink, edit: ObjectEdit, source: Int)] = []
  /// Objects that were passed over.
  package private(set) var skippedCount = 0
  /// Whether to remember which objects were made or changed.
  private let keepsObjects: Bool
  package private(set) var objects: [ObjectLink] = []
  private var rehearsal: LinkRehearsal?
  /// Objects whose links lead nowhere, by how many came before them.
  private var refusals: [Int: DocumentFault] = [:]
  private var addedCount = 0
  /// Which of several documents the next objects stand in.
  package var source = 0

  /// Up to so many objects of a class that is not empty are made one by one.
  private static let fewObjects = 256
  private static let waitingUpdatesMax = 1 << 14

  package init(
    _ transaction: WriteTransaction, mode: IngestMode = .insert, links: LinkPolicy = .require,
    asksKeysAtOnce: Bool = false, keepsObjects: Bool = false
  ) {
    self.keepsObjects = keepsObjects
    self.transaction = transaction
    self.mode = mode
    self.links = links
    self.asksKeysAtOnce = asksKeysAtOnce || mode != .insert
    writer = ObjectWriter(transaction, links: links)
  }

  /// What was done so far.
  package var counts: ChangeCounts {
    var counts = writer.counts
    for loading in classes.values.sorted(by: { $0.schema.tableKey.value < $1.schema.tableKey.value }) {
      counts.add(created: loading.bulkCount, to: loading.schema.name)
    }
    return counts
  }

  /// What became of links to objects that are not there, a sentence for each class.
  var lostLinks: [String] {
    writer.lostLinks.sorted { $0.key < $1.key }.map { name, count in
      "\(counted(count, "link leads", "links lead")) to no object of \(name): set to null, or left out of a list"
    }
  }

  // MARK: Objects

  /// Whether objects are only looked at.
  var isRehearsing: Bool { rehearsal != nil }

  /// Hands all objects over as `body` does, to find those whose links lead nowhere; when they come again, they are refused.
  func rehearse(_ body: () throws -> Void) throws {
    let rehearsal = LinkRehearsal(transaction, mode: mode)
    self.rehearsal = rehearsal
    defer { self.rehearsal = nil }
    try body()
    refusals = rehearsal.refusals()
  }

  /// Makes the object, or what the mode says. Throws `DocumentFault` where it is refused.
  package func add(_ edit: ObjectEdit) throws {
    if let rehearsal { return try rehearsal.note(edit) }
    let refusal = refusals.isEmpty ? nil : refusals[addedCount]
    addedCount += 1
    if let object = try existing(edit) {
      switch mode {
      case .insert: throw Self.taken(edit)
      case .skip: skippedCount += 1
      case .upsert:
        if let refusal { throw refusal }
        updates.append((object, edit, source))
        note(object)
        if updates.count >= Self.waitingUpdatesMax { try flush() }
      }
      return
    }
    if let missing = edit.missing { throw ObjectReader.lack(missing, edit) }
    if let refusal { throw refusal }
    let loading = try loading(edit.schema)
    if let rows = loading.rows, edit.objectKey.map({ $0 > rows.lastObjectKey }) ?? true {
      return try add(edit, to: loading, rows)
    }
    if load != nil { try flush() }
    note(try writer.insert(edit))
    loading.singleCount += 1
    keepLateValues()
  }

  private func note(_ object: ObjectLink) {
    if keepsObjects { objects.append(object) }
  }

  private static func taken(_ edit: ObjectEdit) -> DocumentFault {
    guard edit.objectKey != nil else {
      return DocumentFault(
        "\(edit.schema.name) already has an object with \(edit.schema.words(ofKey: edit.primaryKey ?? .null))",
        at: edit.place, code: "constraint")
    }
    return DocumentFault(
      "\(edit.schema.name) already has an object with this object key", at: edit.place,
      hint:
        "to insert it as a new object, omit this key; of a CSV file the key column: --map '\(edit.schema.keyColumn ?? ObjectReader.keyColumn)='",
      code: "constraint")
  }

  /// The object that is there already; nil also where nobody asks before all objects are there.
  private func existing(_ edit: ObjectEdit) throws -> ObjectLink? {
    let table = edit.schema.tableKey
    if let key = edit.objectKey {
      let link = ObjectLink(table: table, key: key)
      if let rows = classes[table]?.rows, key <= rows.lastObjectKey { try flush() }
      return try transaction.hasObject(link) ? link : nil
    }
    guard asksKeysAtOnce, let primaryKey = edit.primaryKey else { return nil }
    if let loading = classes[table], loading.mayHave(primaryKey) { try flush() }
    return try transaction.find(table, primaryKey: primaryKey).map { ObjectLink(table: table, key: $0) }
  }

  /// The class, with its rows where objects are not made one by one.
  private func loading(_ schema: ClassSchema) throws -> IngestClass {
    let loading = classes[schema.tableKey] ?? IngestClass(schema)
    classes[schema.tableKey] = loading
    guard loading.rows == nil else { return loading }
    loading.schema = schema
    guard schema.kind == .object else { return loading }
    if loading.singleCount < Self.fewObjects, try transaction.count(schema.tableKey) > 0 { return loading }
    let load = try self.load ?? transaction.beginLoad()
    guard try load.canFill(schema.tableKey) else { return loading }
    self.load = load
    loading.begin(try load.table(schema.tableKey))
    return loading
  }

  private func add(_ edit: ObjectEdit, to loading: IngestClass, _ rows: BulkTable) throws {
    var ready: [(index: Int, value: NewValue)] = []
    var waiting: [(index: Int, value: EditValue)] = []
    for (name, value) in edit.values {
      guard let index = loading.schema.propertyIndex(named: name) else { continue }
      if let value = try self.ready(value) {
        try check(value, loading.schema.properties[index], edit)
        ready.append((index, value))
      } else {
        waiting.append((index, value))
      }
    }
    try rows.beginObject(key: edit.objectKey)
    loading.note(edit, keepingKey: asksKeysAtOnce)
    for (index, value) in ready { try rows.put(index, value) }
    try rows.endObject()
    loading.bulkCount += 1
    let owner = rows.lastObjectKey
    note(ObjectLink(table: loading.schema.tableKey, key: owner))
    for (index, value) in waiting { wait(value, loading, index, owner, edit.place) }
  }

  /// Throws what would be refused in the middle of a row.
  private func check(_ value: NewValue, _ property: Property, _ edit: ObjectEdit) throws {
    if case .single(let single) = value, single.fitsEverywhere { return }
    do throws(EngineError) {
      try transaction.checkForBulk(value, property, in: edit.schema)
    } catch {
      throw DocumentFault(
        error.message, at: edit.place.key(property.name, at: edit.place.location), hint: error.hint,
        code: "constraint")
    }
  }

  /// The value with its links looked up; nil where it leads to objects that are not there yet, or makes others.
  private func ready(_ value: EditValue) throws -> NewValue? {
    if case .single(let value) = value { return .single(value) }
    return try value.linked { link in
      switch link {
      case .primaryKey(let key, let schema, _):
        try transaction.find(schema.tableKey, primaryKey: key).map {
          .single(.link(ObjectLink(table: schema.tableKey, key: $0)))
        }
      case .objectKey(let link, _, _):
        try link.key.value >= 0 && transaction.hasObject(link) ? .single(.link(link)) : nil
      default: nil
      }
    }
  }

  private func wait(
    _ value: EditValue, _ loading: IngestClass, _ index: Int, _ owner: ObjectKey, _ place: DocumentPlace
  ) {
    let property = loading.schema.properties[index]
    let moment = writer.beginWaiting()
    if property.collection == nil, property.type == .object,
      loading.wait(value, index, owner, source: source, since: moment)
    {
      return
    }
    let link = ObjectLink(table: loading.schema.tableKey, key: owner)
    let value = LateValue(owner: link, property: property.name, value: value, place: place, moment: moment)
    late.append((value, source))
  }

  private func keepLateValues() { late += writer.takeLateValues().map { ($0, source) } }

  // MARK: Lines of a known form

  /// The class's rows, to be filled by others too; nil where objects go one by one.
  func plainRows(of schema: ClassSchema) throws -> BulkTable? {
    guard !asksKeysAtOnce else { return nil }
    return try loading(schema).rows
  }

  /// Notes rows that others have added.
  func noteRows(_ count: Int, of schema: ClassSchema, on line: Int) {
    classes[schema.tableKey]?.bulkCount += count
    classes[schema.tableKey]?.noteRows(count, on: line)
  }

  // MARK: The end

  /// Puts everything in place. Throws `DocumentFault` for links to objects that did not come, and for primary keys that repeat.
  package func finish() throws { try setLateValues(isLast: true) }

  /// Puts a part in place as `finish` does, but links to objects that are not there go on waiting. Whether some do.
  package func settle() throws -> Bool {
    let waitingCount = unsettled.count
    try setLateValues(isLast: false)
    return unsettled.count > waitingCount
  }

  /// Begins another part, which is counted for itself.
  package func beginPart(_ mode: IngestMode) {
    self.mode = mode
    asksKeysAtOnce = asksKeysAtOnce || mode != .insert
    classes = [:]
    objects = []
    writer.forgetCounts()
  }

  private func setLateValues(isLast: Bool) throws {
    try flush()
    for loading in classes.values.sorted(by: { $0.schema.tableKey.value < $1.schema.tableKey.value }) {
      try setLinks(of: loading, isLast: isLast)
      for index in loading.waitingProperties { try deferLinks(of: loading, index) }
    }
    keepLateValues()
    var queue = DeferredLinks(transaction)
    try queue.add(isLast ? unsettled + late : late)
    late = []
    while case let round = queue.nextRound(isLast: isLast), !round.isEmpty {
      let countBefore = writer.insertedCount
      for index in round {
        guard let (value, source) = queue.take(index) else { continue }
        let insertedCount = writer.insertedCount
        try sourced(source) { try writer.set(value) }
        try queue.add(writer.takeLateValues().map { ($0, source) }, inPlaceOf: index)
        if writer.insertedCount > insertedCount { try queue.noteObjects(of: value) }
      }
      if writer.insertedCount > countBefore { try queue.noteKeys() }
    }
    if isLast { unsettled = [] } else { unsettled += queue.rest }
  }

  /// Puts what has come so far in place, so that what shows only then is told of this source.
  package func endSource() throws { try flush() }

  /// Puts the rows in place that have come so far, and changes what is to be changed.
  private func flush() throws {
    if let load {
      self.load = nil
      try finish(load)
      for loading in classes.values {
        loading.end()
        try setLinks(of: loading, isLast: false)
      }
    }
    let updates = updates
    self.updates = []
    for (object, edit, source) in updates {
      try sourced(source) { try writer.change(object, edit) }
      late += writer.takeLateValues().map { ($0, source) }
    }
  }

  private func finish(_ load: BulkLoad) throws {
    do throws(EngineError) {
      try load.finish()
    } catch {
      guard error.kind == .constraint, let (table, ordinal) = load.culprit,
        let loading = classes[table], let line = loading.line(of: ordinal)
      else { throw error }
      throw DocumentFault(
        error.message,
        at: DocumentPlace(path: .root, location: TextLocation(line: line, column: 1, offset: 0)),
        hint: error.hint, code: "constraint")
    }
  }

  /// Sets links that waited for their objects. `isLast`: what is not there now does not come any more.
  private func setLinks(of loading: IngestClass, isLast: Bool) throws {
    for index in loading.waitingProperties {
      let property = loading.schema.properties[index]
      guard let target = property.target else { continue }
      let targetSchema = try transaction.schema(target)
      var found: [(owner: ObjectKey, target: ObjectKey?)] = []
      var left: [IngestClass.WaitingLink] = []
      for link in loading.takeWaiting(index) {
        let owner = ObjectLink(table: loading.schema.tableKey, key: link.owner)
        if writer.isChanged(owner, property.name, since: link.moment) { continue }
        if let key = try link.target(in: targetSchema, transaction) {
          found.append((link.owner, key))
        } else if !isLast {
          left.append(link)
        } else if case .primaryKey(let key) = link.target {
          let place = link.place(property)
          try sourced(link.source) {
            if let key = try writer.target(key, in: targetSchema, place) { found.append((link.owner, key)) }
          }
        } else if links == .null {
          writer.noteLostLink(to: targetSchema)
        } else {
          try sourced(link.source) {
            throw DocumentFault(
              "\(targetSchema.name) has no object with this object key", at: link.place(property),
              code: "no-object")
          }
        }
      }
      loading.putBack(left, index)
      try transaction.setLinks(loading.schema.tableKey, property, found)
    }
  }

  /// Makes links that wait for rows of the same part wait for other parts.
  private func deferLinks(of loading: IngestClass, _ index: Int) throws {
    let property = loading.schema.properties[index]
    guard let target = property.target else { return }
    let schema = try transaction.schema(target)
    for link in loading.takeWaiting(index) {
      let place = link.place(property)
      let value: EditValue =
        switch link.target {
        case .primaryKey(let key): .primaryKey(key, in: schema, place)
        case .objectKey(let key): .objectKey(ObjectLink(table: target, key: key), in: schema, place)
        }
      let owner = ObjectLink(table: loading.schema.tableKey, key: link.owner)
      late.append(
        (
          LateValue(
            owner: owner, property: property.name, value: value, place: place, moment: link.moment),
          link.source
        ))
    }
  }

  private func sourced(_ source: Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch var fault as DocumentFault {
      fault.source = source
      throw fault
    }
  }
}
