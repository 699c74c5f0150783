// `query`: the objects of a class that meet a condition. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension Option {
  fileprivate static let count = Option("count", "print the number of objects")
  fileprivate static let keys = Option("keys", "print the objects' keys, one per line")
  fileprivate static let explain = Option(
    "explain", "print how the objects are found and how long it takes")
}

extension Command {
  /// `query FILE CLASS [PREDICATE]`
  static let query = Command(
    .rows(others: [QueryReport.shape]),
    CommandSpec(
      "query", group: CommandGroup.reading, summary: "find objects that meet a condition",
      brief: "objects that match",
      operands: [.file, .className, .predicate],
      options: [
        .count, .keys, .explain, .select, .typed, .sort, .distinct, .limit, .offset, .memory, .argument,
        .argumentText, .parameter, .allTables, .snapshot,
      ],
      details: [
        """
        PREDICATE is a condition as in NSPredicate or the Realm Query Language ('realm-cli help predicates'); without \
        one all objects are shown. Objects are sorted by object key unless --sort is given. The output is a box on a \
        terminal, tab-separated values elsewhere, or the format of --mode.
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
    guard [Option.count, .keys, .explain].count(where: arguments.has) <= 1 else {
      throw Diagnostic.usage("--count, --keys and --explain exclude each other")
    }
    let startNanoseconds = SystemClock.nanoseconds
    let text = try invocation.queryText()
    let selection = try arguments.word(.select).map { try SelectionText($0.bytes) }
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let realm = database.transaction
        let query = try invocation.boundQuery(text, in: realm)
        if arguments.has(.explain) {
          let report = try QueryReport(query, in: realm, startNanoseconds: startNanoseconds)
          guard invocation.wantsJSON else { return out.text.append(text: report.text) }
          out.text.append(json: report.document)
          out.text.append(UInt8(ascii: "\n"))
          return
        }
        let executor = try QueryExecutor(query, in: realm)
        if arguments.has(.count) {
          return try invocation.writeCount(
            try executor.count(),
            invocation.wantsJSON ? invocation.renderSpec(isTyped: false) : RenderSpec(.tsv),
            in: realm, to: &out)
        }
        if arguments.has(.keys) {
          return try invocation.write(try executor.keys(), of: query.table, in: realm, to: &out)
        }
        let columns = try selection?.bound(to: query.table, in: realm)
        let printer = RowPrinter(
          try invocation.renderSpec(isTyped: arguments.has(.typed)), query.table, columns, in: realm)
        try invocation.writeRows(of: executor, printer, to: &out)
      }
    }
    return .success
  }
}

extension Invocation {
  /// Object keys, one a line; for programs with the primary keys.
  fileprivate func write(
    _ keys: [ObjectKey], of table: Table, in realm: ReadTransaction, to out: inout OutputBuffer
  ) throws(EngineError) {
    guard wantsJSON else {
      for key in keys {
        out.text.append(decimal: key.value)
        out.text.append(UInt8(ascii: "\n"))
        try out.flushIfLarge()
      }
      return
    }
    var records = JSONRecords(asArray: jsonForm == .document)
    var names = JSONWriter(realm, style: .plain)
    for key in keys {
      guard let position = try table.find(key) else { continue }
      records.begin(&out)
      out.text.append(UInt8(ascii: "{"))
      try names.name(of: position, in: table).writeMembers(to: &out)
      out.text.append(UInt8(ascii: "}"))
      records.end(&out)
      try out.flushIfLarge()
    }
    records.finish(&out)
  }
}
