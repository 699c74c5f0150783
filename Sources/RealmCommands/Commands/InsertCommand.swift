// `insert` and `upsert`: objects from JSON. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering
import TextFormats

extension Option {
  fileprivate static let data = Option(
    "data", repeatable: true, takes: .textOrDash, "OBJECT", "the objects as JSON ('-' for standard input)")
}

extension Command {
  private static let format = """
    OBJECT is a JSON object, several of them, or an array. Nested objects and lists become embedded objects, links \
    and lists; a linked object is found by its primary key, and changed where more of it is given, or inserted. Values \
    are written as --json shows them, or with their type as 'dump' writes them. All objects are inserted in one transaction.
    """

  /// `insert FILE CLASS --data OBJECT`
  static let insert = Command(
    .file(ChangeCounts.fields + [ObjectName.field]),
    CommandSpec(
      "insert", group: CommandGroup.writing, summary: "insert objects", brief: "add objects",
      operands: [.file, .className],
      options: [.data, .dryRun] + Option.changing,
      details: [format],
      examples: [
        Example("realm-cli insert app.realm Person --data '{\"_id\": 7, \"name\": \"Ada\"}'", "one object"),
        Example("realm-cli insert app.realm Person --data - <people.jsonl", "one object per line"),
      ])
  ) { invocation in try write(invocation, isUpsert: false) }

  /// `upsert FILE CLASS --data OBJECT`
  static let upsert = Command(
    .file(ChangeCounts.fields + [ObjectName.field]),
    CommandSpec(
      "upsert", group: CommandGroup.writing, summary: "update objects, or insert those that do not exist",
      brief: "add or update objects",
      operands: [.file, .className], options: [.data, .dryRun] + Option.changing,
      details: [
        "An object with the same primary key gets the values that are given and keeps the others.", format,
      ],
      examples: [
        Example(
          "realm-cli upsert app.realm Person --data '{\"_id\": 7, \"nick\": null}'",
          "update an object, or insert it"),
        Example("realm-cli upsert app.realm Person --data - <people.jsonl", "one object per line"),
      ])
  ) { invocation in try write(invocation, isUpsert: true) }

  private static func write(_ invocation: Invocation, isUpsert: Bool) throws -> ExitStatus {
    let arguments = invocation.arguments
    let words = arguments.words(.data)
    guard !words.isEmpty else {
      throw Diagnostic.usage(
        "--data is missing",
        hint: "--data '{\"name\": \"Rex\"}' gives an object, --data - reads them from standard input")
    }
    let session = try invocation.statementSession(on: arguments.required(.file), isWritable: true)
    let name = arguments.required(.className).displayText
    let sources = try words.map { try ObjectSource($0) }
    let (counts, names) = try session.change { transaction in
      let schema = try transaction.requiredSchema(name)
      if isUpsert { try schema.requirePrimaryKey() }
      var written = WrittenObjects()
      for source in sources { written += try source.write(schema, isUpsert: isUpsert, in: transaction) }
      let names =
        invocation.wantsJSON ? try ObjectName.document(of: written.objects, in: transaction.view()) : nil
      return (written.counts, names)
    }
    return try invocation.write(
      counts, of: name, in: session.realm, otherwise: "there are no objects to write",
      names.map { [DocumentEntry("objects", $0)] } ?? [])
  }
}

/// Objects in JSON: a text that is at hand, or the stream of a long one.
private final class ObjectSource {
  private enum Content {
    case text([UInt8])
    case stream
  }

  private let content: Content
  private var input: TextInput?

  /// Up to so many bytes are read whole, so that what is wrong can be shown with its line.
  private static let textSizeMax = 1 << 20
  /// Nobody is kept out while so much is typed, or written by another program. Of a longer text the rest is read while the
  /// transaction is open, so that memory does not grow with it.
  private static let aheadSizeMax = 1 << 23

  init(_ word: Word) throws {
    guard word.isDash else {
      try Self.refuseFile(word)
      content = .text(word.bytes)
      return
    }
    do throws(TextFormatError) {
      var input = try TextInput(descriptor: StandardStreams.input)
      guard try input.readAhead(Self.textSizeMax) else {
        content = .text(try input.head(Self.textSizeMax))
        return
      }
      content = .stream
      _ = try input.readAhead(Self.aheadSizeMax)
      self.input = consume input
    } catch {
      throw Diagnostic(error, file: .standardInput)
    }
  }

  /// Who writes the name of a file means what is in it.
  private static func refuseFile(_ word: Word) throws {
    let path = FilePath(word.bytes)
    let isObject = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(word.bytes.first)
    guard !isObject, (try? path.status)?.isRegular ?? false else { return }
    throw Diagnostic.usage(
      "--data takes objects, not the name of a file: \(path.displayName)",
      hint: "`--data - <FILE` reads a file; `realm-cli import` reads CSV and others, too")
  }

  func write(
    _ schema: ClassSchema, isUpsert: Bool, in transaction: WriteTransaction
  ) throws -> WrittenObjects {
    if case .text(let bytes) = content {
      return try StatementSession.write(
        documentRanges(in: bytes).map { InsertedDocument($0) }, of: bytes, as: schema, isUpsert: isUpsert,
        in: transaction)
    }
    guard let input = input.take() else { return WrittenObjects() }
    do {
      return try ImportJob.write(input, as: schema, isUpsert: isUpsert, in: transaction)
    } catch let fault as ImportFault {
      throw Diagnostic(fault, source: "standard input")
    } catch let error as TextFormatError {
      throw Diagnostic(error, file: .standardInput)
    }
  }
}

extension WriteTransaction {
  /// The class of that name.
  fileprivate func requiredSchema(_ name: String) throws -> ClassSchema {
    if let schema = try schema(named: name) { return schema }
    return try view().requiredClass(name, allTables: false).schema
  }
}

extension ObjectName {
  /// The objects that were written, by their names.
  static let field = JSONField(
    "objects", .list(.object(.integer("key"), JSONField("primary_key", .anything, isRequired: false))))

  static func document(of objects: [ObjectLink], in realm: ReadTransaction) throws -> DocumentNode {
    var writer = JSONWriter(realm, style: .plain)
    var names: [DocumentNode] = []
    for object in objects {
      guard let table = realm.table(object.table), let position = try table.find(object.key) else { continue }
      var text = OutputBuffer()
      text.text.append(UInt8(ascii: "{"))
      try writer.name(of: position, in: table).writeMembers(to: &text)
      text.text.append(UInt8(ascii: "}"))
      names.append(try DocumentNode.json(text.text.span))
    }
    return .sequence(names)
  }
}
