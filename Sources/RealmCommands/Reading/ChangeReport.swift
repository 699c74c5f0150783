// Change sets: what a commit did to the objects that are watched. Layer: RealmCommands, Reading.

import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

/// What is watched of a realm.
struct WatchScope {
  /// Nil: all classes.
  var className: String?
  /// Nil: all objects of the class.
  var query: QueryText?
  /// Changes of other properties, and behind other paths, do not count; nil: all do.
  var properties: SelectionText?
  var allTables = false
}

/// Writes change sets, one after the other.
final class ChangeReport {
  private let scope: WatchScope
  private let isJSON: Bool
  private let isColored: Bool
  /// The watched class under its last name; nil: all classes.
  private var className: String?
  /// The objects that met the condition in the version that was seen last, where that depends on others as well.
  private var matches: WatchedObjects?

  private struct Counts {
    var inserted = 0
    var deleted = 0
    var modified = 0
    var schema = 0
    var isEmpty: Bool { inserted + deleted + modified + schema == 0 }
  }

  init(_ scope: WatchScope, isJSON: Bool, isColored: Bool = false) {
    self.scope = scope
    self.isJSON = isJSON
    self.isColored = isColored
    className = scope.className
  }

  // MARK: The beginning

  /// Begins without a word.
  func begin(_ database: Database) throws { keep(try watchedObjects(in: database.transaction)) }

  /// What there is when watching begins; with its objects where they are wanted.
  func writeBeginning(_ database: Database, withObjects: Bool, to out: inout OutputBuffer) throws {
    let realm = database.transaction
    if let name = scope.className {
      let table = try realm.requiredClass(name, allTables: scope.allTables)
      if let text = scope.properties { _ = try WatchedPaths(text, of: table, in: realm) }
    }
    let objects = try watchedObjects(in: realm)
    keep(objects)
    let tables = self.tables(of: realm)
    let counts = try tables.map { ($0.schema.name, try count(objects, of: $0, in: realm)) }
    writeHead(database.dataVersion, nil, nil, to: &out)
    if isJSON {
      out.text.append(literal: ",\"classes\":{")
      for (index, (name, count)) in counts.enumerated() {
        if index > 0 { out.text.append(UInt8(ascii: ",")) }
        out.text.append(jsonKey: name)
        out.text.append(decimal: Int64(count))
      }
      out.text.append(literal: withObjects ? "},\"objects\":" : "}")
    } else {
      out.text.append(literal: " – ")
      let texts = counts.map { "\($0): \(counted($1, "object"))" }
      out.text.append(text: texts.isEmpty ? "no classes" : texts.joined(separator: ", ").visible)
      out.text.append(UInt8(ascii: "\n"))
    }
    if withObjects {
      var writer = writer(from: realm, to: realm)
      for table in tables {
        try forEachObject(of: table, objects) { position throws(EngineError) in
          try writer.write(nil, position, of: table, to: &out)
        }
      }
      writer.told.finish(&out)
    }
    if isJSON { out.text.append(literal: "}\n") }
  }

  private func writer(from old: ReadTransaction, to new: ReadTransaction) -> CommitWriter {
    CommitWriter(
      ChangeWriter(.commits, isJSON ? .inner : nil, isColored: isColored), from: old, to: new)
  }

  private func count(_ objects: WatchedObjects, of table: Table, in realm: ReadTransaction) throws -> Int {
    switch objects {
    case .all: return table.count
    case .keys(let keys): return keys.count
    case .own(let predicate, _, _):
      let query = BoundQuery(table: table, predicate: predicate, orderings: [])
      return try QueryExecutor(query, in: realm).count()
    }
  }

  private func forEachObject(
    of table: Table, _ objects: WatchedObjects, _ body: (ObjectPosition) throws(EngineError) -> Void
  ) throws(EngineError) {
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count {
        let position = ObjectPosition(block: block, row: row)
        if try objects.contains(position) { try body(position) }
      }
    }
  }

  // MARK: Change sets

  /// False: nothing that is watched was changed, and nothing is written.
  func write(_ step: RealmStep, to out: inout OutputBuffer) throws -> Bool {
    let start = out.mark
    let change = RealmChange(
      from: step.old.transaction, to: step.new.transaction, isSharing: step.isSharing)
    let (old, new) = (change.old, change.new)
    let oldObjects = try matches ?? watchedObjects(in: old)
    let oldTables = tables(of: old)
    if className != nil, let kept = oldTables.first.flatMap({ new.table($0.schema.tableKey) }) {
      className = kept.schema.name
    }
    let newObjects = try watchedObjects(in: new)
    defer { keep(newObjects) }
    writeHead(step.new.dataVersion, step.old.dataVersion, step.commitCount, to: &out)
    out.text.append(literal: isJSON ? ",\"changes\":" : "\n")
    var counts = Counts()
    var writer = writer(from: old, to: new)
    let pairs = new.classes(allTables: true).compactMap { table in
      old.table(table.schema.tableKey).map { (old: $0, new: table) }
    }
    let owners = try OwnerChanges(pairs, in: new, isSharing: step.isSharing)
    for table in tables(of: new) {
      guard let before = old.table(table.schema.tableKey) else {
        writer.write(.added, "create class", table.schema.name, to: &out)
        counts.schema += 1
        try forEachObject(of: table, newObjects) { position throws(EngineError) in
          try writer.write(.added, position, of: table, to: &out)
          counts.inserted += 1
        }
        continue
      }
      if before.schema.name != table.schema.name {
        writer.write(.changed, "rename class", table.schema.name, from: before.schema.name, to: &out)
        counts.schema += 1
      }
      if !before.schema.properties.elementsEqual(
        table.schema.properties, by: { $0.columnKey == $1.columnKey && $0.name == $1.name })
      {
        writer.write(.changed, "change class", table.schema.name, to: &out)
        counts.schema += 1
      }
      let oldPaths = try scope.properties.map { try WatchedPaths($0, of: before, in: old) }
      let newPaths = try scope.properties.map { try WatchedPaths($0, of: table, in: new) }
      let comparison = ClassComparison(
        old: before, new: table, oldObjects: oldObjects, newObjects: newObjects,
        properties: newPaths?.ownProperties, owners: owners.owners[table.schema.tableKey] ?? [:],
        origins: try newPaths?.origins(of: change, owners) ?? [])
      try comparison.run(isSharing: step.isSharing) { change throws(EngineError) in
        switch change {
        case .inserted(let position):
          try writer.write(.added, position, of: table, to: &out)
          counts.inserted += 1
        case .deleted(let position):
          try writer.write(.removed, position, of: before, to: &out)
          counts.deleted += 1
        case .modified(let oldPosition, let newPosition, let properties):
          let changes =
            if let oldPaths, let newPaths {
              try writer.changes(
                oldPaths.columns, from: (oldPosition, before), newPaths.columns, to: (newPosition, table))
            } else {
              try writer.changes(properties, from: oldPosition, to: newPosition)
            }
          if try writer.write(changes, of: newPosition, in: table, to: &out) { counts.modified += 1 }
        }
      }
    }
    for table in oldTables where new.table(table.schema.tableKey) == nil {
      writer.write(.removed, "drop class", table.schema.name, to: &out)
      counts.schema += 1
      try forEachObject(of: table, oldObjects) { position throws(EngineError) in
        try writer.write(.removed, position, of: table, to: &out)
        counts.deleted += 1
      }
    }
    if old.schemaVersion != new.schemaVersion {
      writer.write(schemaVersion: new.schemaVersion, from: old.schemaVersion, to: &out)
      counts.schema += 1
    }
    if counts.isEmpty, out.rewind(to: start) { return false }
    writer.told.finish(&out)
    writeEnd(counts, to: &out)
    return true
  }

  private func tables(of realm: ReadTransaction) -> [Table] {
    realm.classes(allTables: scope.allTables).filter { table in
      className.map { $0 == table.schema.name } ?? (table.schema.kind != .embedded)
    }
  }

  private func watchedObjects(in realm: ReadTransaction) throws -> WatchedObjects {
    guard let query = scope.query, let name = className,
      let table = realm.table(named: name, allTables: scope.allTables)
    else { return .all }
    return try WatchedObjects(query, of: table, in: realm)
  }

  /// Of a version that is seen no more nothing is kept but keys.
  private func keep(_ objects: WatchedObjects) {
    if case .keys = objects { matches = objects } else { matches = nil }
  }

  // MARK: Heads and ends

  private func writeHead(
    _ version: Int64, _ previous: Int64?, _ commitCount: Int64?, to out: inout OutputBuffer
  ) {
    var time = ByteBuffer()
    ValueFormat(.plain).append(SystemClock.now, to: &time)
    if isJSON {
      out.text.append(literal: "{\"version\":")
      out.text.append(decimal: version)
      if let previous {
        out.text.append(literal: ",\"previous\":")
        out.text.append(decimal: previous)
      }
      out.text.append(literal: ",\"time\":")
      out.text.append(time.span)
      if let commitCount {
        out.text.append(literal: ",\"commits\":")
        out.text.append(decimal: commitCount)
      }
    } else {
      out.text.append(literal: "version ")
      out.text.append(decimal: version)
      out.text.append(literal: " – ")
      out.text.append(time.span.extracting(1..<time.count - 1))
      if let commitCount, commitCount > 1 { out.text.append(text: " (\(commitCount) commits)") }
    }
  }

  private func writeEnd(_ counts: Counts, to out: inout OutputBuffer) {
    let (created, updated, deleted) = (counts.inserted, counts.modified, counts.deleted)
    out.text.append(
      text: isJSON
        ? ",\"created\":\(created),\"updated\":\(updated),\"deleted\":\(deleted)}\n"
        : "  \(created) inserted, \(deleted) deleted, \(updated) modified\n")
  }
}

/// Writes what became of objects from one version to the next. Values are compared as they are shown, so that what is said to
/// have changed looks different.
private struct CommitWriter {
  var told: ChangeWriter
  private var old: JSONWriter
  private var new: JSONWriter

  /// What a property or path showed before, and what it shows now.
  typealias ShownChange = (name: String, old: [UInt8], new: [UInt8])

  init(_ told: ChangeWriter, from old: ReadTransaction, to new: ReadTransaction) {
    self.told = told
    self.old = JSONWriter(old, style: .plain, namesLinks: told.isForPeople)
    self.new = JSONWriter(new, style: .plain, namesLinks: told.isForPeople)
  }

  /// A whole object.
  mutating func write(
    _ change: ToldChange?, _ position: ObjectPosition, of table: Table, to out: inout OutputBuffer
  ) throws(EngineError) {
    told.begin(change, table.schema, try new.name(of: position, in: table), to: &out)
    told.label("values", to: &out)
    if change == .removed {
      try old.writeObject(position, of: table, to: &out)
    } else {
      try new.writeObject(position, of: table, to: &out)
    }
    try told.end(to: &out)
  }

  mutating func changes(
    _ properties: [PropertyPair], from before: ObjectPosition, to after: ObjectPosition
  ) throws(EngineError) -> [ShownChange] {
    try properties.map { pair throws(EngineError) in
      (
        pair.new.name, try old.comparedText(of: pair.old, before),
        try new.comparedText(of: pair.new, after)
      )
    }
  }

  /// Of columns, as many in the one version as in the other.
  mutating func changes(
    _ oldColumns: [SelectedColumn], from before: (position: ObjectPosition, table: Table),
    _ newColumns: [SelectedColumn], to after: (position: ObjectPosition, table: Table)
  ) throws(EngineError) -> [ShownChange] {
    try zip(oldColumns, newColumns).map { columns throws(EngineError) in
      (
        columns.1.name, try old.comparedText(of: columns.0, before.position, of: before.table),
        try new.comparedText(of: columns.1, after.position, of: after.table)
      )
    }
  }

  /// False: none of these shows a difference, and nothing is written.
  mutating func write(
    _ all: [ShownChange], of position: ObjectPosition, in table: Table, to out: inout OutputBuffer
  ) throws(EngineError) -> Bool {
    let changes = all.filter { $0.old != $0.new }
    guard !changes.isEmpty else { return false }
    told.begin(.changed, table.schema, try new.name(of: position, in: table), to: &out)
    if told.isForPeople {
      for (index, change) in changes.enumerated() {
        if index > 0 { out.text.append(literal: ", ") }
        out.text.append(text: "\(change.name.visible): ")
        out.text.append(change.old)
        out.text.append(literal: " → ")
        out.text.append(change.new)
      }
    } else {
      told.label("old", to: &out)
      write(changes.map { ($0.name, $0.old) }, to: &out)
      told.label("new", to: &out)
      write(changes.map { ($0.name, $0.new) }, to: &out)
    }
    try told.end(to: &out)
    return true
  }

  private func write(_ values: [(name: String, text: [UInt8])], to out: inout OutputBuffer) {
    out.text.append(UInt8(ascii: "{"))
    for (index, (name, text)) in values.enumerated() {
      if index > 0 { out.text.append(UInt8(ascii: ",")) }
      out.text.append(jsonKey: name)
      out.text.append(text)
    }
    out.text.append(UInt8(ascii: "}"))
  }

  /// A class that was made, removed, or has another name or other properties than before.
  mutating func write(
    _ change: ToldChange, _ operation: String, _ name: String, from former: String? = nil,
    to out: inout OutputBuffer
  ) {
    let text = former.map { "\($0) → \(name)" } ?? name
    let members = [DocumentEntry.text("class", name)] + (former.map { [.text("from", $0)] } ?? [])
    told.write(schema: "\(operation) \(text.visible)", change, as: operation, members, to: &out)
  }

  mutating func write(schemaVersion version: Int64?, from former: Int64?, to out: inout OutputBuffer) {
    let (operation, words) = (
      "change schema version", [former, version].map { $0.map { "\($0)" } ?? "none" }
    )
    told.write(
      schema: "\(operation) \(words[0]) → \(words[1])", .changed, as: operation,
      [.number("from", former), .number("to", version)], to: &out)
  }
}
