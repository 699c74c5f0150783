// `schema`: the classes of a realm, for people, programs and diagrams. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension Command {
  private static let classes = Arguments.Operand("CLASS", .className, .any)
  private static let format = Option(
    "format", takes: .oneOf(["text", "json", "yaml", "mermaid", "dot"]), "FORMAT",
    "text (statements, the default), json, yaml, mermaid or dot")
  private static let fingerprint = Option(
    "fingerprint", "print only the schema's fingerprint, for migration files")

  /// `schema FILE [CLASS…]`
  static let schema = Command(
    .document(modes: [.json]),
    CommandSpec(
      "schema", group: CommandGroup.reading, summary: "show classes and their properties",
      brief: "classes and properties",
      operands: [.file, classes], options: [format, fingerprint, .allTables, .snapshot],
      details: [
        """
        The documents of --format=yaml and --format=json are the input of 'create --schema' and migrations. The \
        fingerprint does not depend on the order of classes and properties or on the schema version.
        """
      ],
      examples: [
        Example("realm-cli schema app.realm Person", "one class, as the statement that creates it"),
        Example("realm-cli schema --format=yaml app.realm > schema.yaml", "the schema document"),
        Example("realm-cli schema --format=dot app.realm | dot -Tsvg > schema.svg", "a picture of it"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let names = arguments.words(classes).map(\.displayText)
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let whole = database.transaction.schemaDescription(allTables: invocation.showsAllTables)
        let schema = try whole.restricted(to: names)
        if arguments.has(fingerprint) {
          out.text.append(text: try schema.fingerprint() + "\n")
        } else {
          schema.write(arguments.text(format) ?? (invocation.wantsJSON ? "json" : "text"), to: &out.text)
        }
      }
    }
    return .success
  }
}

extension SchemaDescription {
  fileprivate func write(_ format: String, to text: inout ByteBuffer) {
    switch format {
    case "json":
      text.append(json: document, indentation: 2)
      text.append(UInt8(ascii: "\n"))
    case "yaml": text.append(yaml: document)
    case "mermaid": text.append(text: mermaid)
    case "dot": text.append(text: graphviz)
    default: text.append(text: statements)
    }
  }
}
