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
  /// Changes of other properties do not count; nil: all do.
  var properties: [String]?
  var allTables = false
}

/// Writes change sets, one after the other.
final class ChangeReport {
  private let scope: WatchScope
  private let form: ChangeForm
  /// The objects that met the condition in the version that was seen last; nil without one.
  private var matches: Set<ObjectKey>?

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
  }

  // MARK: The beginning

  /// Begins without a word.
  func begin(_ database: Database) throws { matches = try found(in: database.transaction) }

  /// What there is when watching begins; with its objects where they are wanted.
  func writeBeginning(_ database: Database, withObjects: Bool, to out: inout OutputBuffer) throws {
    let realm = database.transaction
    if let name = scope.className {
      let table = try realm.requiredClass(name, allTables: scope.allTables)
      for property in scope.properties ?? [] where table.schema.property(named: property) == nil {
        throw Diagnostic(.statement, code: "unknown-property", "\(name) has no property '\(property)'")
      }
    }
    matches = try found(in: realm)
    let tables = self.tables(of: realm)
    let counts = tables.map { ($0.schema.name, matches?.count ?? $0.count) }
    writeHead(database.dataVersion, nil, nil, to: &out)
    switch form {
    case .json:
      out.text.append(literal: ",\"classes\":{")
      for (index, (name, count)) in counts.enumerated() {
        if index > 0 { out.text.append(UInt8(ascii: ",")) }
        out.text.append(jsonString: name)
        out.text.append(UInt8(ascii: ":"))
        out.text.append(decimal: Int64(count))
      }
      out.text.append(literal: withObjects ? "},\"objects\":[" : "}")
    case .lines:
      out.text.append(literal: " – ")
      let texts = counts.map { "\($0): \($1) object\($1 == 1 ? "" : "s")" }
      out.text.append(visibleText: texts.isEmpty ? "no classes" : texts.joined(separator: ", "))
      out.text.append(UInt8(ascii: "\n"))
    }
    if withObjects { try writeObjects(tables, realm, to: &out) }
    if case .json = form { out.text.append(literal: withObjects ? "]}\n" : "}\n") }
  }

  private func writeObjects(_ tables: [Table], _ realm: ReadTransaction, to out: inout OutputBuffer) throws {
    var text = ChangeText(form, from: realm, to: realm)
    for table in tables {
      var cursor = table.blocks()
      while let block = try cursor.next() {
        for row in 0..<block.count where matches?.contains(block.key(row)) ?? true {
          try text.writeInserted(
            ObjectPosition(block: block, row: row), of: table, isNew: false, to: &out)
        }
      }
    }
  }

  // MARK: Change sets

  /// False: nothing that is watched was changed, and nothing is written.
  func write(_ step: RealmStep, to out: inout OutputBuffer) throws -> Bool {
    let start = out.mark
    let (old, new) = (step.old.transaction, step.new.transaction)
    let newMatches = try found(in: new)
    defer { matches = newMatches }
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
        try writeAll(of: table, newMatches, &text, &counts, to: &out)
        continue
      }
      if before.schema.properties.map(\.columnKey) != table.schema.properties.map(\.columnKey) {
        text.writeClass("change class", table.schema.name, to: &out)
        counts.schema += 1
      }
      var comparison = ClassComparison(
        old: before, new: table, oldMatches: matches, newMatches: newMatches, properties: scope.properties,
        owners: owners.owners[table.schema.tableKey] ?? [:])
      try comparison.run(isSharing: step.isSharing) { change throws(EngineError) in
        switch change {
        case .inserted(let position):
          try text.writeInserted(position, of: table, to: &out)
          counts.inserted += 1
        case .deleted(let position):
          try text.writeDeleted(position, of: before, to: &out)
          counts.deleted += 1
        case .modified(let oldPosition, let newPosition, let properties):
          let isShown = try text.writeChanged(
            properties, from: (oldPosition, before), to: (newPosition, table), &out)
          if isShown { counts.modified += 1 }
        }
      }
    }
    for table in tables(of: old) where new.table(table.schema.tableKey) == nil {
      text.writeClass("drop class", table.schema.name, to: &out)
      counts.schema += 1
    }
    if counts.isEmpty, out.rewind(to: start) { return false }
    writeEnd(counts, to: &out)
    return true
  }

  private func writeAll(
    of table: Table, _ matches: Set<ObjectKey>?, _ text: inout ChangeText, _ counts: inout Counts,
    to out: inout OutputBuffer
  ) throws {
    var cursor = table.blocks()
    while let block = try cursor.next() {
      for row in 0..<block.count where matches?.contains(block.key(row)) ?? true {
        try text.writeInserted(ObjectPosition(block: block, row: row), of: table, to: &out)
        counts.inserted += 1
      }
    }
  }

  private func tables(of realm: ReadTransaction) -> [Table] {
    realm.classes(allTables: scope.allTables).filter { table in
      scope.className.map { $0 == table.schema.name } ?? (table.schema.kind != .embedded)
    }
  }

  private func found(in realm: ReadTransaction) throws -> Set<ObjectKey>? {
    guard let query = scope.query, let name = scope.className,
      let table = realm.table(named: name, allTables: scope.allTables)
    else { return nil }
    return Set(try QueryExecutor(try query.bound(to: table, in: realm), in: realm).keys())
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
          "],\"inserted\":\(counts.inserted),\"deleted\":\(counts.deleted),\"modified\":\(counts.modified)}\n"
      )
    case .lines:
      out.text.append(
        text: "  \(counts.inserted) inserted, \(counts.deleted) deleted, \(counts.modified) modified\n")
    }
  }
}
