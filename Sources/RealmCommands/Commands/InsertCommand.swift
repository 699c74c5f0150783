// `insert` and `upsert`: objects from JSON. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession

extension Option {
  fileprivate static let data = Option(
    "data", takes: .textOrDash, "OBJECT", "the objects as JSON ('-' for standard input)")
}

extension Command {
  private static let format = """
    OBJECT is a JSON object, several of them, or an array. Nested objects and lists become embedded objects, links and \
    lists; an object that is linked to is found by its primary key or made. Values are written as --json shows them, \
    or with their type as 'dump' writes them. All objects are one transaction.
    """

  /// `insert FILE CLASS --data OBJECT`
  static let insert = Command(
    CommandSpec(
      "insert", group: CommandGroup.writing, summary: "make objects", operands: [.file, .className],
      options: [.data, .dryRun] + Option.changing,
      details: [format],
      examples: [
        Example("realm-cli insert app.realm Person --data '{\"_id\": 7, \"name\": \"Ada\"}'", "an object"),
        Example("realm-cli insert app.realm Person --data - <people.jsonl", "an object a line"),
      ])
  ) { invocation in try write(invocation, isUpsert: false) }

  /// `upsert FILE CLASS --data OBJECT`
  static let upsert = Command(
    CommandSpec(
      "upsert", group: CommandGroup.writing, summary: "change objects, or make those that are not there",
      operands: [.file, .className], options: [.data, .dryRun] + Option.changing,
      details: [
        "An object with the same primary key gets the values that are given and keeps the others.", format,
      ],
      examples: [
        Example(
          "realm-cli upsert app.realm Person --data '{\"_id\": 7, \"nick\": null}'",
          "change an object, or make it")
      ])
  ) { invocation in try write(invocation, isUpsert: true) }

  private static func write(_ invocation: Invocation, isUpsert: Bool) throws -> ExitStatus {
    let arguments = invocation.arguments
    let words = arguments.words(.data)
    guard !words.isEmpty else {
      throw Diagnostic.usage("--data is missing", hint: "--data - reads standard input")
    }
    let session = try invocation.statementSession(on: arguments.required(.file), isWritable: true)
    let name = arguments.required(.className).displayText
    // Nobody is kept out while something is typed or another program still writes it.
    let sources = try words.map { $0.isDash ? try StandardStreams.readInput() : $0.bytes }
    let counts = try session.change { transaction in
      let schema = try transaction.requiredSchema(name)
      if isUpsert { try schema.requirePrimaryKey() }
      var counts = ChangeCounts()
      for source in sources {
        counts += try StatementSession.write(
          documentRanges(in: source), of: source, as: schema, isUpsert: isUpsert, in: transaction)
      }
      return counts
    }
    if counts.total == 0 { invocation.note("there is no object to write") }
    try invocation.tell(counts, in: session.realm)
    return .success
  }
}

extension WriteTransaction {
  /// The class of that name.
  fileprivate func requiredSchema(_ name: String) throws -> ClassSchema {
    if let schema = try schema(named: name) { return schema }
    return try view().requiredClass(name, allTables: false).schema
  }
}
