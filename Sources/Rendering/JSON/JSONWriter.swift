// Objects and their values as JSON, straight from the leaves of a snapshot. Layer: Rendering, JSON.
// Invariants: whatever the file says, the writer ends: every node is charged to the budget, nesting is limited, and
// no class has more embedded objects written than it holds. Text goes to the buffer piece by piece, so that memory
// stays flat.

import ByteText
package import RealmEngine

/// Writes the objects of one snapshot.
package struct JSONWriter {
  let transaction: ReadTransaction
  let snapshot: Snapshot
  let format: ValueFormat
  /// What the walk over one snapshot may still meet.
  private(set) var budget: TraversalBudget
  /// How many levels of links are written as the objects they lead to.
  private let linkLevels: Int
  /// Properties stand by name and elements of sets by their text, however they are stored.
  let isCanonical: Bool
  /// Links read as people say them: `Person 7`, `Dog @17`.
  let namesLinks: Bool
  /// How objects are written that are compared with others; nil for all others.
  let form: ObjectForm?
  /// How many objects that links were followed to are around the value that is being written.
  private var linkDepth = 0
  /// The object that was asked for, and what links of it led to: each is written once.
  private var root: ObjectLink?
  private var visited: Set<ObjectLink> = []
  /// By the slot of the table: of classes whose objects have come.
  private var templates: [ObjectTemplate?]
  /// By the slot of the table: how many embedded objects there are.
  private let embeddedCounts: [Int]
  /// How many of them may still be written.
  private var embeddedRemaining: [Int]
  /// How often one walk may meet what is stored once.
  private var walks = 1
  /// How many objects and collections stand around the value that is being written.
  var depth = 0
  /// How many of them are objects.
  private var objectDepth = 0

  /// `followingLinks`: as many levels of links are written as the objects they lead to, each object once.
  /// `isCanonical`: the same data give the same text however they are stored. `form`: see there. `table`: whose objects are
  /// written one after the other, in one walk.
  package init(
    _ transaction: ReadTransaction, style: JSONStyle, followingLinks linkLevels: Int = 0,
    isCanonical: Bool = false, form: ObjectForm? = nil, namesLinks: Bool = false,
    objectsOf table: Table? = nil
  ) {
    self.namesLinks = namesLinks
    self.linkLevels = linkLevels
    self.isCanonical = isCanonical
    self.form = form
    self.transaction = transaction
    snapshot = transaction.snapshot
    format = ValueFormat(style)
    budget = TraversalBudget(transaction.snapshot)
    templates = Array(repeating: nil, count: transaction.tables.count)
    embeddedCounts = transaction.tables.map { $0?.count ?? 0 }
    embeddedRemaining = embeddedCounts
    if let table { beginWalk(objectsOf: table) }
  }

  mutating func template(_ key: TableKey) -> ObjectTemplate? {
    guard key.slot < templates.count else { return nil }
    if let known = templates[key.slot] { return known.table.schema.tableKey == key ? known : nil }
    guard let table = transaction.table(key) else { return nil }
    let made = ObjectTemplate(table, isCanonical: isCanonical, form)
    templates[key.slot] = made
    return made
  }

  /// Writes one object as `{"name":value,…}`, which is a walk of its own.
  package mutating func writeObject(
    _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard let template = template(table.schema.tableKey) else { return }
    beginWalk()
    begin(ObjectLink(table: table.schema.tableKey, key: position.key))
    try write(template, position, to: &out)
  }

  /// What was written inside another object may be written again; properties of one object share what they lead to.
  private mutating func begin(_ object: ObjectLink) {
    guard linkLevels > 0, object != root else { return }
    root = object
    visited = [object]
  }

  /// Writes the value of one property of an object of `table`, which is a walk of its own.
  package mutating func writeValue(
    of property: Property, _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    beginWalk()
    begin(ObjectLink(table: table.schema.tableKey, key: position.key))
    try writeValue(of: property, position, to: &out)
  }

  mutating func writeValue(
    of property: Property, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    try write(try position.block.leaf(property), position.row, of: property, to: &out)
  }

  private mutating func write(
    _ template: ObjectTemplate, _ position: ObjectPosition, to out: inout OutputBuffer
  ) throws(EngineError) {
    if let absentTexts = template.absentTexts {
      return try write(template, omitting: absentTexts, position, to: &out)
    }
    try nestObject()
    out.text.append(UInt8(ascii: "{"))
    for index in 0..<template.properties.count {
      out.text.append(template.heads[index])
      try writeValue(of: template.properties[index], position, to: &out)
    }
    out.text.append(UInt8(ascii: "}"))
    leaveObject()
  }

  /// Writes an embedded object.
  mutating func writeEmbedded(
    _ template: ObjectTemplate, _ key: ObjectKey, to out: inout OutputBuffer
  ) throws(EngineError) {
    let slot = template.table.schema.tableKey.slot
    embeddedRemaining[slot] -= 1
    guard embeddedRemaining[slot] >= 0 else {
      throw EngineError(damage: "an embedded object of \(template.table.schema.name) has two owners")
    }
    guard let position = try template.table.find(key) else {
      throw EngineError(
        damage: "the embedded object \(key.value) of \(template.table.schema.name) is missing")
    }
    if format.style == .typed { out.text.append(literal: "{\"$embedded\":") }
    try write(template, position, to: &out)
    if format.style == .typed { out.text.append(UInt8(ascii: "}")) }
  }

  /// Writes the object that a link leads to. False: links are not followed so far, or not to that object.
  mutating func writeLinked(
    _ template: ObjectTemplate, _ key: ObjectKey, to out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    let link = ObjectLink(table: template.table.schema.tableKey, key: key)
    guard linkDepth < linkLevels, !visited.contains(link), let position = try template.table.find(key)
    else { return false }
    visited.insert(link)
    // Each object is a walk of its own.
    let (outerBudget, outerRemaining) = (budget, embeddedRemaining)
    beginWalk()
    linkDepth += 1
    try write(template, position, to: &out)
    linkDepth -= 1
    (budget, embeddedRemaining) = (outerBudget, outerRemaining)
    return true
  }

  /// Allows all objects of `table` to be written one after the other.
  mutating func beginWalk(objectsOf table: Table?) {
    // An embedded object is written for itself and for each that it is in.
    walks = table?.schema.kind == .embedded ? Nesting.levelsMax + 1 : 1
    beginWalk()
  }

  /// Allows everything to be met once more.
  package mutating func beginWalk() {
    budget = TraversalBudget(snapshot, walks: walks, after: budget)
    embeddedRemaining =
      walks == 1 ? embeddedCounts : embeddedCounts.map { [walks] in min($0, .max / walks) * walks }
  }

  /// Goes into an object; `leaveObject` comes out of it.
  mutating func nestObject() throws(EngineError) {
    objectDepth += 1
    try nest()
  }

  mutating func leaveObject() {
    objectDepth -= 1
    depth -= 1
  }

  /// Goes one level down; the caller comes up again.
  mutating func nest() throws(EngineError) {
    depth += 1
    guard depth <= Nesting.levelsMax else {
      // Some collection stands in more others than any engine writes: one that contains itself does.
      if depth - objectDepth > Nesting.collectionsMax * max(1, objectDepth) {
        throw EngineError(
          damage: "collections stand in each other more than \(Nesting.collectionsMax) levels deep"
        )
      }
      throw EngineError(
        .other,
        "values are nested more than \(Nesting.levelsMax) levels deep, which is the limit of what is written",
        hint: "'realm-cli check' shows whether the file is damaged")
    }
  }
}

// Invariant: the writer inside never writes, and each that is made of it begins with a budget of its own; so threads
// may share the pattern, though not a writer.

/// Makes writers that are alike. A new writer takes time for each class of its realm, one that is made of another hardly any: so who
/// writes class after class takes no more time for each where there are many.
package struct JSONWriterPattern: @unchecked Sendable {
  private let writer: JSONWriter

  package init(_ writer: JSONWriter) { self.writer = writer }

  /// A writer that has met nothing yet. `table`: whose objects it is to write one after the other.
  package func make(objectsOf table: Table? = nil) -> JSONWriter {
    var made = writer
    made.beginWalk(objectsOf: table)
    return made
  }
}
