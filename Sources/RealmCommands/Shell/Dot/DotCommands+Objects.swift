// Dot commands about one object: showing it, what links to it, changing it in an editor.
// Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension DotCommand {
  static let objects: [DotCommand] = [get, links, back]

  private static let named = [Operand("CLASS", .className), Operand("KEY", .text)]

  private static let get = DotCommand(
    "get", takes: named, "show an object and what it links to; KEY is its primary key, or @7 its object key",
    examples: [Example(".get Person 7", "the same as the statement 'Person 7'")]
  ) { shell, arguments in try shell.runStatement(arguments.objectName) }

  private static let links = DotCommand(
    "links", takes: named, "list the objects that link to an object",
    examples: [Example(".links Dog @17", "which objects link to it, and by which property")]
  ) { shell, arguments in try shell.showLinks(to: arguments.objectName) }

  private static let back = DotCommand("back", "show the object again that was shown before") { shell, _ in
    try shell.goBack()
  }
}

extension Shell {
  /// The one object that `name` names: `Person 7`.
  private func selection(_ name: [UInt8]) throws -> Selection {
    let statement: Statement
    do throws(QueryError) {
      statement = try Statement(parsing: name)
    } catch {
      throw Diagnostic(error, in: name)
    }
    guard case .select(let selection, let items) = statement.kind, selection.key != nil, items.isEmpty else {
      throw Diagnostic.usage("expected the name of an object", hint: "for example: Person 7, or Person @7")
    }
    return selection
  }

  private func object(
    _ name: [UInt8], in realm: ReadTransaction
  ) throws -> (table: Table, position: ObjectPosition) {
    let selection = try selection(name)
    guard let session, let key = selection.key else {
      throw Diagnostic(.statement, code: "no-realm", "no realm is open")
    }
    let table = try session.table(selection.className, of: name, in: realm)
    guard let position = try table.find(try session.object(key, of: name, in: table)) else {
      throw EngineError(.notFound, "\(table.schema.name) has no such object")
    }
    return (table, position)
  }

  /// `.links`: a row for each object and property.
  fileprivate func showLinks(to name: [UInt8]) throws {
    let realm = try requiredRealm()
    let spec = spec
    defer { output.endOnce() }
    var count = 0
    try output.write(isPaged: !spec.mode.isForMachines) { out in
      try realm.read(to: &out) { realm, out in
        count = 0
        let (table, position) = try object(name, in: realm)
        let link = ObjectLink(table: table.schema.tableKey, key: position.key)
        var printer = ValueRowPrinter(
          spec, names: ["class", "primary_key", "key", "property"], rowNoun: "objects", in: realm)
        printer.begin(to: &out)
        try realm.forEachOrigin(of: link) { object, column throws(EngineError) in
          guard let origin = realm.table(object.table), let found = try origin.find(object.key),
            let property = origin.schema.properties.first(where: { $0.columnKey == column })
          else { return }
          let primaryKey = try origin.schema.primaryKey.map { property throws(EngineError) in
            try found.block.leaf(property).value(found.row, in: realm.snapshot)
          }
          try printer.write(
            [
              .string(ByteString(origin.schema.name)), primaryKey ?? .null, .int(object.key.value),
              .string(ByteString(property.name)),
            ], to: &out)
          count += 1
        }
        try printer.end(to: &out)
      }
    }
    if count == 0, isInteractive, output.isScreen { invocation.tell("no objects link to it") }
  }

  /// `.back`
  fileprivate func goBack() throws {
    guard shownObjects.count > 1, let previous = shownObjects.dropLast().last else {
      throw Diagnostic(.statement, code: "no-object", "no object was shown before")
    }
    shownObjects.removeLast(2)
    try runStatement(previous)
  }

  /// `.edit Person 7`
  func editObject(_ name: [UInt8]) throws {
    let realm = try requiredRealm()
    try realm.requireWritable()
    let (text, key, className) = try realm.read { realm in
      let (table, position) = try object(name, in: realm)
      return (try ObjectText(position, of: table, in: realm), position.key, table.schema.name)
    }
    let refused = refusedEdit.flatMap { $0.object == name ? $0.text : nil }
    let edited = try TemporaryText.edited(
      refused ?? text.bytes, ending: ".json", invocation.environment, orSay: "nothing was changed")
    refusedEdit = nil
    do {
      let changes = try text.changes(in: edited)
      guard !changes.isEmpty else { return try tell("nothing changed\n") }
      try runStatement(
        Array("upsert \(spelledName(className, as: .className)) @\(key.value) ".utf8) + changes)
    } catch {
      // The next '.edit' goes on with it.
      refusedEdit = (name, edited)
      throw error
    }
  }
}

/// An object as JSON for an editor, a property a line.
private struct ObjectText {
  let bytes: [UInt8]

  init(_ position: ObjectPosition, of table: Table, in realm: ReadTransaction) throws(EngineError) {
    var out = OutputBuffer()
    var values = JSONWriter(realm, style: .plain)
    out.text.append(literal: "{")
    for (index, property) in table.schema.properties.enumerated() {
      out.text.append(literal: index == 0 ? "\n  " : ",\n  ")
      out.text.append(jsonString: property.name)
      out.text.append(literal: ": ")
      try values.writeValue(of: property, position, of: table, to: &out)
    }
    out.text.append(literal: "\n}\n")
    bytes = out.text.bytes
  }

  /// The properties of an edited text whose values differ, as one JSON object; empty where none do.
  func changes(in edited: [UInt8]) throws -> [UInt8] {
    let before = try Self.members(of: bytes)
    var text = ByteBuffer()
    for (name, value) in try Self.members(of: edited) where !before.contains(where: { $0 == (name, value) }) {
      text.append(literal: text.count == 0 ? "{" : ",")
      text.append(jsonString: name)
      text.append(literal: ":")
      text.append(value)
    }
    if text.count > 0 { text.append(literal: "}") }
    return text.bytes
  }

  /// The members of an object, with the texts of their values.
  private static func members(of text: [UInt8]) throws -> [(name: String, value: [UInt8])] {
    var reader = JSONReader(text.span)
    var members: [(name: String, value: [UInt8])] = []
    do throws(TextFormatError) {
      guard try reader.next() == .beginObject else {
        throw TextFormatError("expected one object", at: reader.location())
      }
      while try reader.next() == .key {
        let name = reader.text.string
        let token = try reader.next()
        reader.beginRecording()
        try reader.skipRest(of: token)
        members.append((name, Array(reader.recorded.string.utf8)))
        reader.endRecording()
      }
      _ = try reader.next()
    } catch {
      throw Diagnostic(
        .refused, code: "bad-json", "line \(error.location.line): \(error.message); nothing was changed")
    }
    return members
  }
}
