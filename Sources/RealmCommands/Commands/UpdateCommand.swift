// `update`: new values for properties of the objects that meet a condition. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmQueryLanguage
import RealmSession

extension Arguments.Operand {
  /// A condition that must be given, so that nobody changes all objects by leaving it out.
  static let requiredPredicate = Operand(predicate.name, .condition)
}

extension Option {
  static let set = Option(
    "set", takes: .properties, "ASSIGNMENTS", "new values: 'age = age + 1, name = trim(name)'")
}

extension Command {
  /// `update FILE CLASS PREDICATE --set ASSIGNMENTS`
  static let update = Command(
    .file(ChangeCounts.fields),
    CommandSpec(
      "update", group: CommandGroup.writing, summary: "change objects", brief: "change objects",
      operands: [.file, .className, .requiredPredicate],
      options: [.set, .argument, .argumentText, .parameter, .dryRun] + Option.changing,
      details: [
        """
        PREDICATE is a condition as for 'query'; TRUEPREDICATE means all objects. The values refer to the objects \
        before the update: 'a = b, b = a' swaps two values.
        """
      ],
      examples: [
        Example("realm-cli update app.realm Person 'age < 0' --set 'age = 0'", "one property"),
        Example(
          "realm-cli update app.realm Person TRUEPREDICATE --set 'name = trim(name), nick = nick ?? name'",
          "all objects"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    guard let source = arguments.word(.set)?.bytes else {
      throw Diagnostic.usage("--set is missing", hint: "--set 'age = age + 1' says what to change")
    }
    let assignments = try QueryText.parse(source) { source throws(QueryError) in
      try Assignment.list(parsing: source)
    }
    let text = try invocation.queryText()
    let session = try invocation.statementSession(on: arguments.required(.file), isWritable: true)
    let counts = try session.change { transaction in
      let realm = try transaction.view()
      let table = try realm.requiredClass(arguments.required(.className).displayText, allTables: false)
      let query = try text.bound(to: table, in: realm)
      return try session.set(assignments, of: source, in: query, realm, transaction)
    }
    return try invocation.write(
      counts, of: arguments.required(.className).displayText, in: session.realm,
      otherwise: "no objects meet the condition")
  }
}
