// `create`: an empty realm with the classes of a schema document. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import TextFormats

extension Command {
  private static let target = Arguments.Operand("FILE", .outputFile)
  private static let schemaFile = Option(
    "schema", takes: .file, "SCHEMA", "the schema document, YAML or JSON ('-' for standard input)")

  /// `create FILE --schema SCHEMA`
  static let create = Command(
    CommandSpec(
      "create", group: CommandGroup.writing, summary: "create an empty realm",
      operands: [target], options: [schemaFile, .dryRun, .lockTimeout, .force],
      details: [
        """
        The document is what `realm-cli schema --format=yaml` prints. Without --schema the realm has no classes. \
        FILE must not exist without --force. A key option makes it encrypted.
        """
      ],
      examples: [
        Example("realm-cli create app.realm --schema schema.yaml", "classes of a schema document"),
        Example(
          "realm-cli schema --format=json old.realm | realm-cli create new.realm --schema -",
          "the classes of another realm"),
      ])
  ) { invocation in
    let path = try invocation.paths(target)[0]
    var schema = SchemaDescription(version: nil, classes: [])
    if let word = invocation.arguments.word(schemaFile) { schema = try invocation.schemaDocument(word) }
    return try invocation.write(
      invocation.makeRealm(at: path, nil) { transaction in
        try transaction.addClasses(schema.definitions)
        if let version = schema.version { try transaction.setSchemaVersion(version) }
      })
  }
}

extension Invocation {
  private static let documentSizeMax = 1 << 26

  /// The schema document in a file, or on standard input.
  func schemaDocument(_ word: Word) throws -> SchemaDescription {
    let input = try openInput(word)
    defer { withExtendedLifetime(input) {} }
    let text: [UInt8]
    do throws(SystemCallError) {
      text = try [UInt8].content(of: input.descriptor, sizeMax: Self.documentSizeMax)
    } catch {
      throw Diagnostic(
        .unavailable, code: "not-found", "cannot read \(input.name.displayName) – \(error.message)")
    }
    do throws(TextFormatError) {
      return try SchemaDescription(document: try DocumentNode.yamlOrJSON(text.span))
    } catch {
      throw Diagnostic(error, file: input.name, text: text)
    }
  }
}
