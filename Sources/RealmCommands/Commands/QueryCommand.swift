// `query`: the objects of a class that meet a condition. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import Rendering

extension Option {
  fileprivate static let count = Option("count", "print how many objects there are")
  fileprivate static let typed = Option("typed", "with --json and --jsonl: values as 'dump' writes them")
  fileprivate static let keys = Option("keys", "print the objects' keys, one a line")
}

extension Command {
  /// `query FILE CLASS [PREDICATE]`
  static let query = Command(
    CommandSpec(
      "query", group: CommandGroup.reading, summary: "find objects by a condition",
      operands: [.file, .className, .predicate],
      options: [
        .count, .keys, .typed, .sort, .distinct, .limit, .offset, .argument, .argumentText, .snapshot,
      ],
      details: [
        """
        PREDICATE is a condition as in NSPredicate or the Realm Query Language. Without one all objects are \
        found. They come in the order of their keys unless sorted; in a box on a terminal, as tab-separated \
        values elsewhere, or as --mode says.
        """
      ],
      examples: [
        Example(
          "realm-cli query app.realm Person \"age > 30 AND ANY dogs.name ==[c] 'rex'\" --count", "how many"),
        Example(
          "realm-cli query app.realm Person 'name == $0' --arg \"$name\" --keys", "a value from the shell"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    if arguments.has(.count), arguments.has(.keys) {
      throw Diagnostic.usage("--count and --keys exclude each other")
    }
    let text = try QueryText(arguments)
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let realm = database.transaction
        let table = try realm.requiredClass(
          arguments.required(.className).displayText, allTables: invocation.showsAllTables)
        let query = try text.bound(to: table, in: realm)
        let executor = try QueryExecutor(query, in: realm)
        if arguments.has(.count) {
          out.text.append(decimal: Int64(try executor.count()))
          out.text.append(UInt8(ascii: "\n"))
          return
        }
        if arguments.has(.keys) {
          for key in try executor.keys() {
            out.text.append(decimal: key.value)
            out.text.append(UInt8(ascii: "\n"))
            try out.flushIfLarge()
          }
          return
        }
        var printer = RowPrinter(try invocation.renderSpec(isTyped: arguments.has(.typed)), table, in: realm)
        printer.begin(to: &out)
        try executor.forEachObject { position throws(EngineError) in
          try printer.write(position, to: &out)
          return true
        }
        try printer.end(to: &out)
        if printer.repairedCount > 0 {
          invocation.warn("\(printer.repairedCount) texts are not valid UTF-8 and are shown with U+FFFD")
        }
      }
    }
    return .success
  }
}
