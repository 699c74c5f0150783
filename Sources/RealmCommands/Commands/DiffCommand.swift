// `diff`: what tells two schemas apart. Layer: RealmCommands, Commands.

import Arguments
import Migrations
import RealmEngine

extension Command {
  private static let old = Operand("A", .file)
  private static let new = Operand("B", .file)
  private static let schemaOnly = Option("schema", "compare classes and properties")

  /// `diff --schema A B`
  static let diff = Command(
    CommandSpec(
      "diff", group: CommandGroup.migrations, summary: "show how the schemas of two files differ",
      operands: [old, new], options: [schemaOnly, .exitCode],
      details: [
        "A and B are realms or schema documents. The lines say what makes B of A: + new, - gone, ~ changed."
      ],
      examples: [Example("realm-cli diff --schema --exit-code app.realm schema.yaml", "9 where they differ")])
  ) { invocation in
    guard invocation.arguments.has(schemaOnly) else {
      throw Diagnostic.usage("say what to compare", hint: "diff --schema A B")
    }
    let before = try invocation.schema(of: invocation.arguments.required(old))
    let after = try invocation.schema(of: invocation.arguments.required(new))
    let changes = before.changes(to: after)
    try StandardStreams.write(changes.map { $0.text + "\n" }.joined())
    return !changes.isEmpty && invocation.arguments.has(.exitCode) ? .checkFailed : .success
  }
}
