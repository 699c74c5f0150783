// `aggregate`: calculations over the objects of a class, and over groups of them. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmQueryLanguage
import RealmSession
import Rendering

extension Option {
  fileprivate static let columns = Option(
    "select", takes: .properties, "COLUMNS",
    "the columns to compute: 'count, avg age as mean, count distinct city' (default: count)")
  fileprivate static let by = Option(
    "by", takes: .properties, "COLUMNS", "group by COLUMNS: 'city, year(born)'")
  fileprivate static let having = Option(
    "having", takes: .text, "CONDITION", "only groups that meet CONDITION: 'count > 10'")
  /// How much memory groups and rows that are sorted may take at once.
  static let memory = Option(
    "memory", takes: .size, "SIZE",
    "the memory for sorting and grouping, such as 256M (default: a quarter of the machine's)")
}

extension Command {
  /// `aggregate FILE CLASS [PREDICATE]`
  static let aggregate = Command(
    .rows,
    CommandSpec(
      "aggregate", group: CommandGroup.reading, summary: "compute counts, sums and averages, in groups",
      brief: "counts, sums, groups",
      operands: [.file, .className, .predicate],
      options: [
        .columns, .by, .having, .sort, .limit, .offset, .memory, .argument, .argumentText, .parameter,
        .allTables, .snapshot,
      ],
      details: [
        """
        COLUMNS are count, count PATH (values that are not null), count distinct PATH, and sum, avg, min, max, median, \
        percentile N and stddev of a PATH, which may be any expression. Groups are sorted by their values unless \
        --sort is given. Nulls are ignored; with no rows, count is 0 and the others are null.
        """
      ],
      examples: [
        Example(
          "realm-cli aggregate app.realm Person --select 'count, avg age' --by address.city",
          "one row per city"),
        Example(
          "realm-cli aggregate app.realm Order 'paid == true' --select 'sum total as sales' --by 'year(at)' "
            + "--having 'sales > 1000' --sort 'sales desc'", "the years with the highest sales"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let text = try QueryText(predicateOf: arguments)
    let source = statement(arguments)
    let parsed = try QueryText.parse(source) { source throws(QueryError) in try Statement(parsing: source) }
    guard case .aggregate(let aggregation) = parsed.kind, aggregation.selection.predicate == nil,
      aggregation.selection.key == nil
    else {
      throw Diagnostic.usage("--select, --by and --having take columns and a condition, not other clauses")
    }
    let values = try QueryText.values(arguments)
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let realm = database.transaction
        let query = try invocation.boundQuery(text, in: realm)
        let aggregate = try QueryText.bind(source) { () throws(BindingFailure) in
          try AggregateQuery(
            aggregation.items, by: aggregation.groups, source: source, of: query.table, in: realm,
            arguments: values
          )
        }
        try invocation.write(
          aggregate, over: query, try invocation.renderSpec(isTyped: false), in: realm, to: &out)
      }
    }
    return .success
  }

  /// The same as a statement, which is what complaints show.
  private static func statement(_ arguments: ParsedArguments) -> [UInt8] {
    func clause(_ head: String, _ option: Option, _ tail: String = "") -> [UInt8] {
      guard let word = arguments.word(option) else { return [] }
      return Array(head.utf8) + word.bytes + Array(tail.utf8)
    }
    let name = spelledName(arguments.required(.className).displayText, as: .className)
    let columns = arguments.word(.columns)?.bytes ?? Array("count".utf8)
    return columns + Array(" of \(name)".utf8) + clause(" by ", .by) + clause(" having ", .having)
      + clause(" sort(", .sort, ")") + clause(" offset(", .offset, ")") + clause(" limit(", .limit, ")")
  }
}

extension Invocation {
  /// Bytes of groups, or of rows that are sorted, that are kept in memory.
  var memoryLimit: Int { arguments.word(.memory)?.byteCount ?? GroupSpace.defaultLimit }
}
