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
  private let form: ChangeForm
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

  init(_ scope: WatchScope, _ form: ChangeForm) {
    self.scope = scope
    self.form = form
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
    switch form {
    case .json:
      out.text.append(literal: ",\"classes\":{")
      for (index, (name, count)) in counts.enumerated() {
        if index > 0 { out.text.append(UInt8(ascii: ",")) }
        out.text.append(jsonKey: name)
        out.text.append(decimal: Int64(count))
      }
      out.text.append(literal: withObjects ? "},\"objects\":[" : "}")
    case .lines:
      out.text.append(literal: " – ")
      let texts = counts.map { "\($0): \(counted($1, "object"))" }
      out.text.append(text: texts.isEmpty ? "no classes" : texts.joined(separator: ", ").visible)
      out.text.append(UInt8(ascii: "\n"))
    }
    if withObjects { try writeObjects(tables, objects, realm, to: &out) }
    if case .json = form { out.text.append(literal: withObjects ? "]}\n" : "}\n") }
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

  private func writeObjects(
    _ tables: [Table], _ objects: WatchedObjects, _ realm: ReadTransaction, to out: inout OutputBuffer
  ) throws {
    var text = ChangeText(form, from: realm, to: realm)
    for table in tables {
      try forEachObject(of: table, objects) { position throws(EngineError) in
        try text.writeInserted(position, of: table, isNew: false, to: &out)
      }
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
    if case .json = form {
      out.text.append(literal: ",\"changes\":[")
    } else {
      out.text.append(UInt8(ascii: "\n"))
    }
    var counts = Counts()
    var text = ChangeText(form, from: old, to: new)
    let pairs = new.classes(allTables: true).compactMap { table in
      old.table(table.schema.tableKey).map { (old: $0, new: table) }
    }
    let owners = try OwnerChanges(pairs, in: new, isSharing: step.isSharing)
    for table in tables(of: new) {
      guard let before = old.table(table.schema.tableKey) else {
        text.writeClass("create class", table.schema.name, to: &out)
        counts.schema += 1
        try forEachObject(of: table, newObjects) { position throws(EngineError) in
          try text.writeInserted(position, of: table, to: &out)
          counts.inserted += 1
        }
        continue
      }
      if before.schema.name != table.schema.name {
        text.writeClass("rename class", table.schema.name, from: before.schema.name, to: &out)
        counts.schema += 1
      }
      if !before.schema.properties.elementsEqual(
        table.schema.properties, by: { $0.columnKey == $1.columnKey && $0.name == $1.name })
      {
        text.writeClass("change class", table.schema.name, to: &out)
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
          try text.writeInserted(position, of: table, to: &out)
          counts.inserted += 1
        case .deleted(let position):
          try text.writeDeleted(position, of: before, to: &out)
          counts.deleted += 1
        case .modified(let oldPosition, let newPosition, let properties):
          let (from, to) = ((oldPosition, before), (newPosition, table))
          let isShown =
            if let oldPaths, let newPaths {
              try text.writeChanged(oldPaths.columns, from: from, newPaths.columns, to: to, &out)
            } else {
              try text.writeChanged(properties, from: from, to: to, &out)
            }
          if isShown { counts.modified += 1 }
        }
      }
    }
    for table in oldTables where new.table(table.schema.tableKey) == nil {
      text.writeClass("drop class", table.schema.name, to: &out)
      counts.schema += 1
      try forEachObject(of: table, oldObjects) { position throws(EngineError) in
        try text.writeDeleted(position, of: table, to: &out)
        counts.deleted += 1
      }
    }
    if old.schemaVersion != new.schemaVersion {
      text.writeSchemaVersion(new.schemaVersion, from: old.schemaVersion, to: &out)
      counts.schema += 1
    }
    if counts.isEmpty, out.rewind(to: start) { return false }
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
    switch form {
    case .json:
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
    case .lines:
      out.text.append(literal: "version ")
      out.text.append(decimal: version)
      out.text.append(literal: " – ")
      out.text.append(time.span.extracting(1..<time.count - 1))
      if let commitCount, commitCount > 1 { out.text.append(text: " (\(commitCount) commits)") }
    }
  }

  private func writeEnd(_ counts: Counts, to out: inout OutputBuffer) {
    switch form {
    case .json:
      out.text.append(
        text:
          "],\"created\":\(counts.inserted),\"updated\":\(counts.modified),\"deleted\":\(counts.deleted)}\n"
      )
    case .lines:
      out.text.append(
        text: "  \(counts.inserted) inserted, \(counts.deleted) deleted, \(counts.modified) modified\n")
    }
  }
}
