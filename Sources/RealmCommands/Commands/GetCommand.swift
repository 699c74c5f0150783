// `get`: one object by its key. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension Command {
  private static let className = Arguments.Operand("CLASS", .className)
  private static let primaryKey = Arguments.Operand("KEY", .text, .atMostOnce)
  private static let objectKey = Option(
    "key", takes: .integer, "N", "find the object by object key instead of primary key")
  private static let expand = Option(
    "expand", takes: .count, "N",
    "show linked objects instead of their keys, N levels deep, each object once")
  private static let backlinks = Option("backlinks", "also show the objects that link to it")
  private static let typed = Option("typed", "with --json: values as 'dump' writes them")

  /// `get FILE CLASS KEY`
  static let get = Command(
    .object([
      .text("class"), .integer("key"), JSONField("primary_key", .anything, isRequired: false),
      JSONField("values", .row), JSONField("backlinks", .row, isRequired: false),
    ]),
    CommandSpec(
      "get", group: CommandGroup.reading, summary: "show one object", brief: "one object",
      operands: [.file, className, primaryKey],
      options: [objectKey, expand, backlinks, typed, .allTables, .snapshot],
      details: [
        """
        KEY is the primary key as text: a number, a text, an object id or a UUID, depending on the class; where that is \
        no text, also @12 for the object key 12. The output has one line per property, or with --json is one object with \
        its class, keys and values.
        """
      ],
      examples: [
        Example("realm-cli get app.realm Person 7", "the person with primary key 7"),
        Example("realm-cli get --json --expand 1 app.realm Person 7", "with the objects it links to"),
        Example("realm-cli get --key 12 app.realm Dog", "the dog with object key 12"),
        Example("realm-cli get --backlinks app.realm Person 7", "with the objects that link to it"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    guard (arguments.word(primaryKey) == nil) != (arguments.word(objectKey) == nil) else {
      throw Diagnostic.usage("get needs either a primary KEY or --key N")
    }
    let name = arguments.required(className).displayText
    let levels = Int(clamping: arguments.integer(expand) ?? 0)
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let transaction = database.transaction
        let table = try transaction.requiredClass(name, allTables: invocation.showsAllTables)
        let position =
          if let key = arguments.integer(objectKey) {
            try table.requiredObject(ObjectKey(key))
          } else {
            try table.requiredObject(primaryKey: arguments.text(primaryKey) ?? "")
          }
        if invocation.wantsJSON {
          var writer = JSONWriter(
            transaction, style: arguments.has(typed) ? .typed : .plain, followingLinks: levels)
          out.text.append(literal: "{\"class\":")
          out.text.append(jsonString: table.schema.name)
          out.text.append(UInt8(ascii: ","))
          var names = JSONWriter(transaction, style: .plain)
          try names.name(of: position, in: table).writeMembers(to: &out)
          out.text.append(literal: ",\"values\":")
          try writer.writeObject(position, of: table, to: &out)
        } else {
          var lines = ObjectLines(transaction, followingLinks: levels)
          try lines.write(position, of: table, to: &out)
        }
        if arguments.has(backlinks) {
          if invocation.wantsJSON { out.text.append(literal: ",\"backlinks\":") }
          try invocation.writeBacklinks(of: position.key, in: table, transaction, to: &out)
        }
        if invocation.wantsJSON { out.text.append(literal: "}\n") }
      }
    }
    return .success
  }
}

extension Invocation {
  /// A line a link that leads to the object, with the keys of those that it comes from; with `--json` one more object.
  fileprivate func writeBacklinks(
    of key: ObjectKey, in table: Table, _ realm: ReadTransaction, to out: inout OutputBuffer
  ) throws {
    var names = SchemaNames(realm.schemaDescription()).linkNames(to: table.schema.name)
    // What leads here from mixed values, no schema tells.
    for column in table.schema.backlinks {
      guard let origin = column.originTable.flatMap({ realm.table($0) })?.schema,
        let property = origin.properties.first(where: { $0.columnKey == column.originColumn }),
        property.type == .mixed
      else { continue }
      names.append("\(spelledName(origin.name, as: .property)).\(spelledName(property.name, as: .property))")
    }
    guard !names.isEmpty else {
      if wantsJSON {
        out.text.append(literal: "{}")
      } else {
        out.text.append(literal: "\nno objects link to it\n")
      }
      return
    }
    let columns = names.map { "@links.\($0)" }.joined(separator: ", ")
    let selected = try SelectionText(Array(columns.utf8)).bound(to: table, in: realm)
    if !wantsJSON { out.text.append(UInt8(ascii: "\n")) }
    let printer = RowPrinter(RenderSpec(wantsJSON ? .jsonl : .line), table, selected, in: realm)
    guard wantsJSON else { return try writeRows(of: table, [key], printer, to: &out) }
    var line = OutputBuffer()
    try writeRows(of: table, [key], printer, to: &line)
    line.text.truncate(to: line.text.count - 1)
    out.text.append(line.text.span)
  }
}

extension Table {
  fileprivate func requiredObject(_ key: ObjectKey) throws -> ObjectPosition {
    guard key.value >= 0, let position = try find(key) else {
      throw Diagnostic(
        .unavailable, code: "no-object", "\(schema.name) has no object with the object key \(key.value)")
    }
    return position
  }

  fileprivate func requiredObject(primaryKey text: String) throws -> ObjectPosition {
    // As statements name it; a primary key may be such a text.
    if text.first == "@", schema.primaryKey?.type != .string, let key = Int64(text.dropFirst()) {
      return try requiredObject(ObjectKey(key))
    }
    guard let property = schema.primaryKey else {
      throw Diagnostic.usage(
        "\(schema.name) has no primary key", hint: "--key N finds an object by its object key")
    }
    guard let value = property.primaryKeyValue(text) else {
      throw Diagnostic.usage(
        "'\(text)' is not a valid value of the primary key \(property.name): \(property.type.name)")
    }
    guard let position = try find(primaryKey: value) else {
      throw Diagnostic(
        .unavailable, code: "no-object", "\(schema.name) has no object with \(property.name) = \(text)")
    }
    return position
  }
}
