// `delete`: erases the objects that meet a condition. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSession

extension Command {
  /// `delete FILE CLASS PREDICATE`
  static let delete = Command(
    .file(ChangeCounts.fields),
    CommandSpec(
      "delete", group: CommandGroup.writing, summary: "delete objects",
      operands: [.file, .className, .requiredPredicate],
      options: [.argument, .argumentText, .parameter, .dryRun, .yes] + Option.changing,
      details: [
        """
        Shows how many objects it will delete and asks for confirmation, unless --yes is given. Embedded objects are \
        deleted with their owners; links to deleted objects become null. TRUEPREDICATE means all objects.
        """
      ],
      examples: [
        Example(
          "realm-cli delete app.realm Note 'body == \"\"' --dry-run", "show how many objects it would delete"),
        Example("realm-cli delete app.realm Note 'body == \"\"' --yes", "do not ask"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let text = try invocation.queryText()
    let session = try invocation.statementSession(on: arguments.required(.file), isWritable: true)
    let counts =
      try session.changeIfConfirmed { transaction in
        let realm = try transaction.view()
        let table = try realm.requiredClass(arguments.required(.className).displayText, allTables: false)
        try table.schema.requireOwnObjects()
        let query = try text.bound(to: table, in: realm)
        return try session.erase(query, in: realm, transaction)
      }
    return try invocation.write(
      counts, of: arguments.required(.className).displayText, in: session.realm,
      otherwise: "no objects meet the condition")
  }
}
