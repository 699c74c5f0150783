// `create`: a realm with the classes of a schema, or with all that a file of SQLite holds. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import TextFormats

extension Command {
  private static let target = Arguments.Operand("FILE", .outputFile)
  private static let schemaFile = Option(
    "schema", takes: .file, "SCHEMA", "the schema: statements, YAML or JSON ('-' for standard input)")
  private static let sqliteFile = Option(
    "from", takes: .file, "SQLITE", "take classes and objects from a file of SQLite")

  /// `create FILE --schema SCHEMA`
  static let create = Command(
    .file(MadeRealm.fields),
    CommandSpec(
      "create", group: CommandGroup.writing, summary: "create a realm",
      operands: [target],
      options: [schemaFile, sqliteFile, .links, .fill, .sampleSeed, .dryRun, .lockTimeout, .force],
      details: [
        """
        SCHEMA is what `realm-cli schema` prints: statements, or a document of its formats yaml and json. Without \
        --schema the realm has no classes. FILE must not exist, unless --force is given. A key option encrypts it.
        """,
        """
        --from reads what 'export --format sqlite' has written, and gives the same classes and values back. Of any other \
        file of SQLite tables become classes: types are inferred from all rows, a primary key of one column is kept, and \
        foreign keys become links; SQLite does not check these, and --links says what becomes of one that leads nowhere.
        """,
        """
        --fill creates sample objects with values of every type, nulls, links, collections and embedded objects; primary \
        keys are unique and never null, and asymmetric classes get none. The same schema, counts and seed give the same file, byte for byte.
        """,
      ],
      examples: [
        Example("realm-cli create app.realm --schema schema.yaml", "classes of a schema document"),
        Example(
          "realm-cli schema old.realm | realm-cli create new.realm --schema -",
          "the classes of another realm"),
        Example("realm-cli create app.realm --schema schema.yaml --fill 1000", "with sample objects"),
        Example("realm-cli create app.realm --from app.sqlite", "all tables of a file of SQLite"),
      ])
  ) { invocation in
    let path = try invocation.paths(target)[0]
    if let option = [Option.fill, .sampleSeed].first(where: invocation.arguments.has) {
      guard invocation.arguments.has(schemaFile) else {
        throw Diagnostic.usage("--\(option.name) needs --schema")
      }
      guard invocation.arguments.has(.fill) else { throw Diagnostic.usage("--seed needs --fill") }
    }
    if let word = invocation.arguments.word(sqliteFile) {
      guard !invocation.arguments.has(schemaFile) else {
        throw Diagnostic.usage("--schema and --from contradict each other")
      }
      return try invocation.write(invocation.makeRealm(at: path, from: word))
    }
    guard !invocation.arguments.has(.links) else { throw Diagnostic.usage("--links needs --from") }
    var schema = SchemaDescription(version: nil, classes: [])
    if let word = invocation.arguments.word(schemaFile) { schema = try invocation.schema(from: word) }
    return try invocation.write(
      invocation.makeRealm(at: path, nil) { transaction in
        try transaction.addClasses(schema.classes)
        if let version = schema.version { try transaction.setSchemaVersion(version) }
        try invocation.fill(transaction)
      })
  }
}

extension Invocation {
  private static let documentSizeMax = 1 << 26

  /// The schema that a file spells, or standard input.
  func schema(from word: Word) throws -> SchemaDescription {
    let input: TextSource
    do {
      input = try openInput(word)
    } catch let error where word.displayText.contains(where: { "{;\n".contains($0) }) {
      var diagnostic = Diagnostic(error)
      diagnostic.hint = "--schema takes a file; '-' reads the schema from standard input"
      throw diagnostic
    }
    defer { withExtendedLifetime(input) {} }
    let text: [UInt8]
    do throws(SystemCallError) {
      text = try [UInt8].content(of: input.descriptor, sizeMax: Self.documentSizeMax)
    } catch {
      throw Diagnostic(
        .unavailable, code: "not-found", "cannot read \(input.name.displayName) – \(error.message)")
    }
    do throws(TextFormatError) {
      return try SchemaDescription(text: text)
    } catch {
      throw Diagnostic(error, file: input.name, text: text)
    }
  }
}
